#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is neither a read nor a write of data: zeroes and zones are in the rows what they are in the
# kernel's statistics.
# screens: tasks disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command blkdiscard blkzone
MIB=1048576

scsi_debug_disk 32 delay=0 lbpu=1 lbpws=1
zeroes=$made
null_disk 64 zoned=1 zone_size=4
zones=$made

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching "$zeroes" "$zones"

blkdiscard -z "$zeroes"
blkdiscard -o 0 -l $MIB "$zeroes"
expect blkdiscard "$zeroes" write $((32 * MIB))
expect blkdiscard "$zeroes" discard $MIB
expect blkdiscard tasks write $((32 * MIB))
act zones if=/dev/zero of="$zones" bs=64k count=32 oflag=direct
blkzone open --offset 8192 --count 2 "$zones"
blkzone finish --offset 8192 --count 1 "$zones"
blkzone reset "$zones"
expect zones "$zones" write $((2 * MIB))
judge "$zeroes" "$zones"
