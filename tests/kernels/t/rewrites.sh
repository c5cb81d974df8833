#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Processes write one after the other to pages of a file that are in memory, in large folios where
# the file system has them: each has what it wrote, though the kernel tells of such a folio once.
# screens: tasks disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command mkfs.ext4
need_command mkfs.xfs

# Before 6.6 xfs writes large folios as a whole: what nobody wrote to is of who dirtied them first.
kinds=(ext4 xfs)
case $(uname -r) in
5.1[89].* | 6.[0-5].*) kinds=(ext4) ;;
esac
# Write calls of a module that comes while we look are seen from the next report on.
need_module "${kinds[@]}"
disks=()
for kind in "${kinds[@]}"; do
	null_disk 384; disks+=("$made")
	options=(-q)
	[ "$kind" != ext4 ] || options+=(-E lazy_itable_init=0,lazy_journal_init=0)
	"mkfs.$kind" "${options[@]}" "$made" || fail "mkfs.$kind"
	mkdir "$work/on-$kind"
done
sync

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching "${disks[@]}"

for ((i = 0; i < ${#kinds[@]}; i++)); do
	kind=${kinds[i]}
	mount "${disks[i]}" "$work/on-$kind" || fail "mount $kind"
	later eval "umount -q $work/on-$kind || :"
	dd if=/dev/zero of="$work/on-$kind/shared" bs=64k count=64 oflag=direct status=none
	# By large steps.
	dd if="$work/on-$kind/shared" of=/dev/null bs=1M status=none
	first=8
	for pages in 8 5 3 1; do
		for ((at = first; at < 512; at += 32)); do
			act "$kind-$pages" if=/dev/zero of="$work/on-$kind/shared" bs=4k \
				count=$pages seek=$at conv=notrunc
		done
		first=$((first + pages))
		expect "$kind-$pages" tasks write $((pages * 4096 * 16))
	done
	umount "$work/on-$kind"
done
judge "${disks[@]}"
