#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Disks that take a known time: average, percentiles, and the parts in the queue and at the device say so.
# The guest's clock is right but its processors are slow: a time may be longer by what the guest needs itself, never shorter.
# timeout: 180
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

names=() disks=()
use() { names+=("$1"); disks+=("$2"); }
null_disk 32 irqmode=2 completion_nsec=20000000; use null "$made"
# One request at a time: of four that come together, three wait in the queue.
null_disk 32 irqmode=2 completion_nsec=20000000 hw_queue_depth=1 submit_queues=1; use queue "$made"
scsi_debug_disk 16 delay=0 ndelay=30000000; use scsi "$made"
null_disk 32; disks+=("$made")
dm_delay t_delay "$made" 40; use delay "$made"

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching "${disks[@]}"
declare -A at=([null]=0 [queue]=1 [scsi]=2 [delay]=4)
for name in null scsi delay; do
	act "r-$name" if="${disks[${at[$name]}]}" of=/dev/null bs=4k count=40 iflag=direct &
	last=$!
	act "w-$name" if=/dev/zero of="${disks[${at[$name]}]}" bs=4k count=40 oflag=direct
	wait $last
done
for n in 1 2 3 4; do
	act "q$n-queue" if="${disks[1]}" of=/dev/null bs=4k count=20 iflag=direct skip=$((n * 100)) &
	running[n]=$!
done
wait "${running[@]}"
: > "$work/expect"
cat > "$work/times" <<END
null ${disks[0]#/dev/} 20 device
queue ${disks[1]#/dev/} 20 queue
scsi ${disks[2]#/dev/} 30 device
delay ${disks[4]#/dev/} 40 stacked
END
judge "${disks[@]}"
