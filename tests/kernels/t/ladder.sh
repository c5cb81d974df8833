#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The rungs of tests/ladder that depend on the kernel: what is missing, and why, is the same on
# all of them. A guest of its own: once ftrace was off, 7.2 refuses to probe functions for good
# (ENODEV).
# vm: --append guest=ladder
. "$(dirname "$0")/../devices.sh"
need_command setpriv unshare
export PYTHONDONTWRITEBYTECODE=1
# The limit of locked memory is for maps, too, where there is not this helper yet (5.11): elsewhere
# it is as make check has it.
memlock=memlock
! grep -qaP '\x00bpf_ktime_get_coarse_ns\x00' /sys/kernel/btf/vmlinux || memlock=
# shellcheck disable=SC2086 # none where it is empty
"$top_srcdir/tests/ladder/run" no-btf cap-bpf $memlock user hidepid cgroup-v1 no-fentry

# Functions that can be probed, but are never called then, or are refused.
without() {
	later eval "echo 1 > $2"
	echo 0 > "$2"
	"$top_srcdir/tests/ladder/run" "$1"
	echo 1 > "$2"
}
if grep -qaP '\x00bpf_kprobe_multi_link\x00' /sys/kernel/btf/vmlinux; then
	"$top_srcdir/tests/ladder/run" only-multi
else
	"$top_srcdir/tests/ladder/run" no-perf-events
	without kprobes-off /sys/kernel/debug/kprobes/enabled
fi
# Last: 6.1 loses its direct calls when they come back (a warning of ftrace_shutdown()), 7.2 all.
without ftrace-off /proc/sys/kernel/ftrace_enabled
