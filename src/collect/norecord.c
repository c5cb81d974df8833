/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in until record.c and replay.c are there; remove it with them. */
#include <errno.h>

#include "collect/collect.h"

int recorder_open(_unused_ const char *path, _unused_ struct recorder **ret, struct err *err)
{
	return err_set(err, ENOSYS, "recordings are not there yet");
}

int recorder_write(_unused_ struct recorder *r, _unused_ const struct sample *s, struct err *err)
{
	return err_set(err, ENOSYS, "recordings are not there yet");
}

int recorder_close(_unused_ struct recorder *r, _unused_ struct err *err)
{
	return 0;
}

int replay_open(_unused_ const char *path, _unused_ struct replay **ret, struct err *err)
{
	return err_set(err, ENOSYS, "recordings are not there yet");
}

int replay_next(_unused_ struct replay *r, _unused_ struct sample *s, _unused_ struct err *err)
{
	return 0;
}

void replay_close(_unused_ struct replay *r)
{
}
