/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All kinds of findings: a new one is a file of its own, and a line in each of these lists. */
#include "data/finding/finding.h"

extern const struct finding_kind finding_amplification, finding_device_slow, finding_dirty_limit,
	finding_discards, finding_disk_errors, finding_disk_saturated, finding_fsync_journal,
	finding_fsync_storm, finding_iowait_idle, finding_limit, finding_lock_holder,
	finding_memory_shortage, finding_server_silent, finding_slow_member, finding_small_syncs,
	finding_stuck_task, finding_swap, finding_tag_wait;

const struct finding_kind *const finding_kinds[] = {
	&finding_disk_errors,
	&finding_server_silent,
	&finding_stuck_task,
	&finding_limit,
	&finding_device_slow,
	&finding_tag_wait,
	&finding_disk_saturated,
	&finding_memory_shortage,
	&finding_lock_holder,
	&finding_fsync_journal,
	&finding_fsync_storm,
	&finding_dirty_limit,
	&finding_swap,
	&finding_slow_member,
	&finding_small_syncs,
	&finding_amplification,
	&finding_discards,
	&finding_iowait_idle,
	NULL,
};
