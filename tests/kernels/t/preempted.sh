#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two tasks of one processor: one writes all the time, the other one takes the processor from it
# again and again, also while the kernel looks at its I/O for us, and writes, too. All of it is
# seen.
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
for name in often urgent; do
	ln -s "$(command -v python3)" "$work/$name"
done
# writes WRITES AT: until the file "stop" is there, or WRITES, 4 KiB each; tells how many bytes.
cat > "$work/writes" <<'PYTHON'
import mmap, os, sys, time
disk, work, most, at = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
fd, page, n = os.open(disk, os.O_WRONLY | os.O_DIRECT), mmap.mmap(-1, 4096), 0
while n < most if most else n % 64 or not os.path.exists(work + "/stop"):
    if most:
        time.sleep(0.0005)
    os.pwritev(fd, [page], at + n % 4096 * 4096)
    n += 1
    if n == 1:
        open("%s/begun-%d" % (work, most), "w").close()
print(n * 4096)
PYTHON
taskset -c 0 "$work/often" "$work/writes" "$disk" "$work" 0 0 > "$work/bytes" &
wait_until test -e "$work/begun-0"
taskset -c 0 chrt -f 10 "$work/urgent" "$work/writes" "$disk" "$work" 2000 33554432
: > "$work/stop"
wait $! || fail "often: $?"
expect often "$disk" write "$(<"$work/bytes")"
expect urgent "$disk" write $((2000 * 4096))
expect often tasks write "$(<"$work/bytes")"
expect urgent tasks write $((2000 * 4096))
judge "$disk"
