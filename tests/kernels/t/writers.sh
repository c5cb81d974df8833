#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# 40 processes write pages of one file in turn, to a disk and through a stacked one: each has what
# it wrote. What was dirtied before is nobody's.
# screens: tasks disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command mkfs.ext4
MIB=1048576

disks=()
filesystem() {
	mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$2" || fail "mkfs.ext4"
	mkdir "$work/on-$1"
	mount "$2" "$work/on-$1"
	later eval "umount -q $work/on-$1 || :"
	# Past the page cache: there it would be in large folios, that are dirty as a whole.
	dd if=/dev/zero of="$work/on-$1/shared" bs=64k count=40 oflag=direct status=none
}
null_disk 64; disks+=("$made")
filesystem plain "$made"
null_disk 64; disks+=("$made")
dm_linear t_linear "$made"; disks+=("$made")
filesystem linear "$made"
sync
# What is dirty stays so until the end; the journal has its part (5 s) before anything is counted.
echo 0 > /proc/sys/vm/dirty_writeback_centisecs
dd if=/dev/zero of="$work/on-plain/early" bs=64k count=64 status=none
sleep 7

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching "${disks[@]}"

act late if=/dev/zero of="$work/on-plain/early" bs=64k count=16 seek=64 conv=notrunc
expect late tasks write $MIB
for kind in plain linear; do
	for ((i = 0; i < 40; i++)); do
		for page in 0 40 80; do
			act "$kind$i" if=/dev/zero of="$work/on-$kind/shared" bs=4k count=1 \
				seek=$((page + i)) conv=notrunc
		done
		expect "$kind$i" tasks write 12288
	done
done
# A sync would leave blocks of the file systems that are written seconds later.
umount "$work/on-plain" "$work/on-linear"
judge "${disks[@]}"
