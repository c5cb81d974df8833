#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The path of a write: functions of the program and of the kernel by their names, and all of its bytes.
# screens: stacks
# timeout: 240
. "$(dirname "$0")/../devices.sh"
: "${IOTOP:?}" "${top_builddir:?}" "${HAVE_BPF?}"

[ -n "$HAVE_BPF" ] || skip "iotop was built without BPF"
known=$top_builddir/tests/bpf/known
[ -x "$known" ] || skip "tests/bpf/known is not built"
work=$(mktemp -d)
later rm -r "$work"
null_disk 64
disk=$made

"$IOTOP" -b -n 1 -d 12 --screen=stacks --format=folded > "$work/folded" 2> "$work/err" &
report=$!
for _ in $(seq 100); do
	bpftool prog show 2>/dev/null | grep -q stack_bio_queue && break
	sleep 0.2
done
sleep 2
sleep 3 | "$known" "$disk" direct > /dev/null || fail "known ends with $?"
wait $report || fail "iotop ends with $?: $(head -c 300 "$work/err")"
grep ';known;' "$work/folded" > "$work/known" || fail "no path of the program: $(head -c 300 "$work/folded")"
bytes=$(awk '{ s += $NF } END { printf "%d", s }' "$work/known")
[ "$bytes" = 4194304 ] || fail "$bytes bytes, not 4194304"
grep -v ';main;path_direct;direct_inner;call;.*vfs_write.*;submit_bio' "$work/known" | grep -v ';main;path_direct;direct_inner;call;.*generic_make_request' &&
	fail "not the functions it went through"
echo "ok: $(head -n 1 "$work/known")"
