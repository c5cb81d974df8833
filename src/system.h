/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of struct app_system that need nothing of the loop; arg is not looked at. */
#ifndef IOTOP_SYSTEM_H
#define IOTOP_SYSTEM_H

#include "tui/app.h"

int system_ioprio(void *arg, const struct app_target *target, unsigned class, unsigned level,
		  struct err *err);
int system_kill(void *arg, const struct app_target *target, int signal, struct err *err);
int system_save(void *arg, const char *text, char **ret_path, struct err *err);
void system_copy(void *arg, const char *text);
void system_theme(void *arg, enum theme theme);
void system_mouse(void *arg, bool on);
void system_suspend(void *arg);
void system_redraw(void *arg);

#endif
