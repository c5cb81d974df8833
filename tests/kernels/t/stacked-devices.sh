#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The disks that other tests measure on can be made, hold what was written, and are counted in
# /proc/diskstats.
. "$(dirname "$0")/../devices.sh"

head -c 1M /dev/urandom > /dev/shm/data
later rm /dev/shm/data

# Writes 1 MiB past the page cache to the first disk and reads it back; all disks named must count
# the writes, and the reads, of which a mirror's sides have half each (in sum).
moves_1_mib() {
	local sides=1 disk seen=0
	declare -A read written
	[ "$1" != --mirror ] || { sides=2; shift; }
	for disk; do
		counters "$disk"
		read[$disk]=$read_sectors written[$disk]=$written_sectors
	done
	dd if=/dev/shm/data of="$1" bs=64k oflag=direct status=none
	dd if="$1" bs=64k iflag=direct count=16 status=none | cmp - /dev/shm/data ||
		fail "$1: not what was written"
	for disk; do
		counters "$disk"
		[ $((written_sectors - written[$disk])) -ge 2048 ] ||
			fail "$1: $disk did not count the writes"
		seen=$((seen + read_sectors - read[$disk]))
	done
	# a mirror reads from either side
	[ $seen -ge $((2048 * ($# - sides + 1))) ] || fail "$1: $seen sectors read in all"
}

null_disk 64; a=$made
null_disk 64; b=$made
moves_1_mib "$a"

md md100 1 "$a" "$b"; mirror=$made
moves_1_mib --mirror "$mirror" "$a" "$b"

null_disk 32; disk=$made
dm_linear t_linear "$disk"
moves_1_mib "$made" "$disk"

null_disk 32; disk=$made
dm_delay t_delay "$disk" 20
start=${EPOCHREALTIME/./}
dd if="$made" of=/dev/null bs=4k count=10 iflag=direct status=none
took=$(((${EPOCHREALTIME/./} - start) / 1000))
[ $took -ge 200 ] || fail "10 reads delayed by 20 ms took $took ms"
moves_1_mib "$made" "$disk"

loop_disk 16
moves_1_mib "$made"
zram_disk 16
moves_1_mib "$made"
