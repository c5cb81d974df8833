#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two tasks of one processor: one writes all the time, the other one takes the processor from it again and again, also while the
# kernel looks at its I/O for us, and writes, too. All of it is seen.
# screens: tasks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command chrt taskset
null_disk 64
disk=$made

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching "$disk"
act often if=/dev/null of=/dev/null
ln -s "$(command -v python3)" "$work/urgent"
taskset -c 0 "$work/often" if=/dev/zero of="$disk" bs=4k count=4000 oflag=direct status=none &
taskset -c 0 chrt -f 10 "$work/urgent" - "$disk" <<'END'
import mmap, os, sys, time
fd, page = os.open(sys.argv[1], os.O_WRONLY | os.O_DIRECT), mmap.mmap(-1, 4096)
for i in range(1000):
    time.sleep(0.0005)
    os.pwritev(fd, [page], (8192 + i) << 12)
END
wait $! || fail "often: $?"
expect often "$disk" write $((4000 * 4096))
expect urgent "$disk" write $((1000 * 4096))
expect often tasks write $((4000 * 4096))
expect urgent tasks write $((1000 * 4096))
judge "$disk"
