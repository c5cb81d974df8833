#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A disk that appears, gets another name and goes away while it is watched, at rest: the next report
# says so.
# screens: disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command dmsetup
need_module dm_mod

null_disk 16; lower=$made
watch disks --screen=disks --columns=disk,name,parents
reports 1

# after COMMAND…: what is reported after it, in $report. The one that is under way may be from
# before.
after() {
	"$@"
	reports $(($(grep -c '^' "$work/disks.all") + 2))
	report=$(tail -n 1 "$work/disks.all")
}
named() { grep -q "\"disk\":\"$1\"" <<< "$report"; }

later eval "dmsetup remove --retry t_first || dmsetup remove --retry t_second || :"
after dmsetup create t_first --table "0 $(sectors "$lower") linear $lower 0"
named t_first || fail "a disk that appeared: $report"
after dmsetup rename t_first t_second
! named t_first || fail "the old name of a disk that was renamed: $report"
named t_second || fail "no new name of a disk that was renamed: $report"
after dmsetup remove t_second
! named t_second || fail "a disk that is gone: $report"
