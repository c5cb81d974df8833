// SPDX-License-Identifier: GPL-2.0-or-later
/* One segment of a store, as a recording of its own. */
#include <errno.h>

#include "base/buf.h"
#include "base/i18n.h"
#include "record/replay.h"
#include "record/segment.h"

int replay_open_segment(const struct store_folder *folder, const char *name, struct replay **ret,
			struct err *err)
{
	struct replay *r = replay_alloc(folder->path);
	struct buf path = { 0 };
	struct guard *guard;
	int result = store_file_open(folder, name, false, false, &guard, err);

	if (result == 0) {
		buf_printf(&path, "%s/%s", folder->path, name);
		result = replay_open_file(r, guard, path.data, err);
		buf_release(&path);
	}
	if (result == 0 && !segment_is(r->version))
		result = err_set(err, EINVAL, _("%s is no segment of a store"), r->path);
	if (result == 0)
		result = replay_list_samples(r, SAMPLES_ALL, err);
	if (result == 0)
		result = replay_prepare_packed(r, err);
	if (result < 0)
		replay_close(r);
	else
		*ret = r;
	return result;
}
