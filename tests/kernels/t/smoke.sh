#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The full screen in a terminal: every tab shows itself, a process that writes is there, q leaves
# the terminal as it was.
# screens: full-screen
. "$(dirname "$0")/../devices.sh"
: "${IOTOP:?}" "${top_srcdir:?}"
need_command tmux
mountpoint -q /dev/pts || fail "no /dev/pts"
null_disk 64 irqmode=2 completion_nsec=1000000
disk=$made
cp "$(command -v dd)" /dev/shm/writes-much
later rm /dev/shm/writes-much
while :; do
	/dev/shm/writes-much if=/dev/zero of="$disk" bs=64k count=1000 oflag=direct status=none
done &
writer=$!
later eval "kill $writer; wait $writer || :; wait_until eval '! pgrep -x writes-much'"

export IOTOP_SMOKE_SECONDS=300 HOME=/root LC_ALL=C.UTF-8
unset -f skip fail need_command
set +eu
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/smoke/tmux.sh"
trap 'term_stop; clean_up' EXIT
term_start 140 30
run 'stty -a > '"$work"'/before; echo "settings" "written"'
await 'settings written'
run "$IOTOP"
await '[1 Tasks]'
await 'COMMAND'
keys o
await 'writes-much'
n=0
# Nothing is mounted from a server here, and why is a page of all tabs.
for name in $("$IOTOP" --list-screens | awk '$1 != "mounts" && $1 != "why" { print $1 }'); do
	n=$((n + 1))
	keys "F$n"
	await "[$n "
	[ "$name" != disks ] || await "$(basename "$disk")"
done
resize 60 10
keys F1
await '[1'
resize 140 30
keys q
await 'ready>'
run 'stty -a > '"$work"'/after; echo "settings" "again"'
await 'settings again'
cmp "$work/before" "$work/after" || fail "the terminal is not as before"
