#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Disks that take a known time: average, percentiles, and the parts in the queue and at the device
# say so. The guest's clock is right but its processors are slow: a time may be longer by what the
# guest needs itself, never shorter.
# screens: tasks disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

names=() disks=()
use() { names+=("$1"); disks+=("$2"); }
null_disk 32 irqmode=2 completion_nsec=20000000; use null "$made"
# One request at a time: of four that come together, three wait, in the scheduler or before there is
# a request for them.
null_disk 32 irqmode=2 completion_nsec=20000000 hw_queue_depth=1 submit_queues=1; use queue "$made"
scsi_debug_disk 16 delay=0 ndelay=30000000; use scsi "$made"
null_disk 32; disks+=("$made")
dm_delay t_delay "$made" 40; use delay "$made"

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching "${disks[@]}"

# timed N NAME ARG…: sets $each to the microseconds of one of N I/Os, one after the other.
timed() {
	local n=$1 start=${EPOCHREALTIME/./}
	act "${@:2}"
	each=$(((${EPOCHREALTIME/./} - start) / n))
}
: > "$work/expect"
: > "$work/times"
for kind in null:0:20:device scsi:2:30:device delay:4:40:stacked; do
	IFS=: read -r name n ms kind <<< "$kind"
	timed 40 "r-$name" if="${disks[n]}" of=/dev/null bs=4k count=40 iflag=direct; read=$each
	timed 40 "w-$name" if=/dev/zero of="${disks[n]}" bs=4k count=40 oflag=direct
	echo "$name ${disks[n]#/dev/} $ms $kind $read $each" >> "$work/times"
done
start=${EPOCHREALTIME/./}
python3 - "${disks[1]}" <<'END'
# Four at a time from the first to the last; processes would start one after the other.
import mmap, os, sys, threading
def read(number):
    fd, page = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 4096)
    together.wait()
    for i in range(20):
        os.preadv(fd, [page], (number * 20 + i) << 12)
together = threading.Barrier(4)
threads = [threading.Thread(target=read, args=[n]) for n in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
END
each=$(((${EPOCHREALTIME/./} - start) / 20))
echo "queue ${disks[1]#/dev/} 20 queue $each $each" >> "$work/times"
judge "${disks[@]}"
