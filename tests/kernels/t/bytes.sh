#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Known I/O on every kind of disk: the rows of the processes and of the disks to the byte, as the
# kernel counted and as was done.
# vm: --disk nvme:64M --disk virtio:64M
# screens: tasks disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
MIB=1048576

disks=() kinds=()
use() { kinds+=("$1:$2"); disks+=("$2"); }
part() { null_disk 32; parts+=("$made"); disks+=("$made"); }
null_disk 64; use null "$made"
use virtio /dev/vda
use nvme /dev/nvme0n1
loop_disk 16; use loop "$made"
zram_disk 16; use zram "$made"
scsi_debug_disk 16 delay=0; use scsi "$made"
parts=(); part; dm_linear t_linear "${parts[0]}"; use linear "$made"
parts=(); part; dm_crypt t_crypt "${parts[0]}"; use crypt "$made"
parts=(); part; part; md md100 1 "${parts[@]}"; use raid1 "$made"
parts=(); part; part; part; md md101 5 "${parts[@]}"; use raid5 "$made"

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching "${disks[@]}"

for kind in "${kinds[@]}"; do
	name=${kind%:*} disk=${kind#*:} sides=1 more=""
	act "w-$name" if=/dev/zero of="$disk" bs=64k count=32 oflag=direct
	act "r-$name" if="$disk" of=/dev/null bs=128k count=8 iflag=direct
	act "b-$name" if=/dev/zero of="$disk" bs=4k count=256 seek=1024 conv=fsync
	expect "w-$name" "$disk" write $((2 * MIB))
	expect "r-$name" "$disk" read $MIB
	expect "b-$name" "$disk" write $MIB
	# At the lowest disks: what parity costs depends on what md finds in its cache.
	[ "$name" != raid5 ] || continue
	[ "$name" != raid1 ] || sides=2 more=+
	expect "w-$name" tasks write $((2 * MIB * sides))$more
	expect "r-$name" tasks read $MIB
	expect "b-$name" tasks write $((MIB * sides))$more
done
judge "${disks[@]}"
