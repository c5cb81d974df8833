#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where one write goes: fio's random writes to a mirror are the same bytes on both sides; small
# writes to a raid5 make md's own thread read and write its members, while fio submits to md alone.
# Those bytes are fio's all the same.
# screens: tasks disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command fio

disks=() parts=()
part() { null_disk 32; parts+=("$made"); disks+=("$made"); }
part; part; md md100 1 "${parts[@]}"; mirror=$made
parts=(); part; part; part; md md101 5 "${parts[@]}"; raid5=$made
disks+=("$mirror" "$raid5")

watch disks --screen=disks
watch processes --screen=disks --group=process
watch submitters --screen=disks --group=process --attribute=submitter
watch tasks --screen=tasks -P -o
watching "${disks[@]}"
for disk in "$mirror" "$raid5"; do
	fio --name="to-${disk#/dev/}" --filename="$disk" --rw=randwrite --bs=4k --size=16M \
		--io_size=2M --direct=1 \
		--ioengine=psync --thread --randrepeat=1 > /dev/null || fail "fio: $?"
done
settle
: > "$work/expect"
judge "${disks[@]}"
python3 "$top_srcdir/tests/kernels/md_writes.py" "$work" "${disks[@]}"
