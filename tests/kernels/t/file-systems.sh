#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Files on ext4, xfs and btrfs: what one process dirties and others write back is charged to the
# one, to the byte, and the rows of a disk add up to what the kernel counted, whoever they are of.
# screens: tasks disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command mkfs.ext4 mkfs.xfs mkfs.btrfs
MIB=1048576

disks=()
filesystem() {
	local name=$1 kind=${1%-*} options=$2 size=$3
	shift 3
	need_module "$kind"
	null_disk "$size"
	disks+=("$made")
	"mkfs.$kind" "$@" "$made" > /dev/null 2>&1 || fail "mkfs.$kind"
	mkdir "$work/on-$name"
	mount -t "$kind" -o "$options" "$made" "$work/on-$name"
	later umount "$work/on-$name"
}
lazy=lazy_itable_init=0,lazy_journal_init=0
filesystem ext4 rw 64 -q -E $lazy
filesystem xfs rw 320 -q
filesystem btrfs rw 128 -q
filesystem ext4-journal data=journal 64 -q -E $lazy
filesystem btrfs-zstd compress-force=zstd 128 -q
sync

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching "${disks[@]}"

n=0
for kind in ext4 xfs btrfs; do
	disk=${disks[n++]} on=$work/on-$kind
	act "b-$kind" if=/dev/zero of="$on/buffered" bs=64k count=48
	act "w-$kind" if=/dev/zero of="$on/direct" bs=64k count=16 oflag=direct
	# written back by the kernel and by sync
	sync
	act "r-$kind" if="$on/direct" of=/dev/null bs=64k count=16 iflag=direct
	expect "b-$kind" "$disk" write $((3 * MIB))
	expect "w-$kind" "$disk" write $MIB
	expect "r-$kind" "$disk" read $MIB+
	expect "b-$kind" tasks write $((3 * MIB))
	expect "w-$kind" tasks write $MIB
	expect "r-$kind" tasks read $MIB+
done

# Data in the journal: written there, and in its place; the kernel tells of that where ext4 has this
# function (6.4). A compressed extent of 128 KiB is a page at least; its file is told by types that
# modules have since 5.11.
for kind in ext4-journal btrfs-zstd; do
	act "b-$kind" if=/dev/zero of="$work/on-$kind/buffered" bs=64k count=48
done
# Who reads there meanwhile has written nothing, whether the writer is known or not.
act reader if="${disks[4]}" of=/dev/null bs=4k count=100000 iflag=direct &
reader=$!
sleep 0.5
sync
kill $reader 2> /dev/null || :
wait $reader || :
expect reader "${disks[4]}" write 0
! grep -q ' ext4_journal_folio_buffers' /proc/kallsyms ||
	expect b-ext4-journal "${disks[3]}" write $((6 * MIB))
[ ! -e /sys/kernel/btf/btrfs ] || expect b-btrfs-zstd "${disks[4]}" write $((24 * 4096))+
judge "${disks[@]}"
