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
# both: the bytes of each are in $often and $urgent.
both() {
	rm -f "$work/stop" "$work"/begun-*
	taskset -c 0 "$work/often" "$work/writes" "$disk" "$work" 0 0 > "$work/bytes" &
	wait_until test -e "$work/begun-0"
	taskset -c 0 chrt -f 10 "$work/urgent" "$work/writes" "$disk" "$work" 2000 33554432
	: > "$work/stop"
	wait $! || fail "often: $?"
	often=$(<"$work/bytes") urgent=$((2000 * 4096))
}
both
expect often "$disk" write "$often"
expect urgent "$disk" write "$urgent"
expect often tasks write "$often"
expect urgent tasks write "$urgent"
judge "$disk"

# Files, stacks and layers have no second program: what they lack is told as lost, to the I/O. Since
# 7.0 there is something.
watchers=()
watch files --screen=files
watch stacks --screen=stacks
watch layers --screen=layers
watching "$disk"
both
more_reports
end_watching
python3 - "$work" "$often" "$urgent" <<'PYTHON'
import json, os, sys

work, truth = sys.argv[1], (int(sys.argv[2]) + int(sys.argv[3])) // 4096
def read(name):
    with open("%s/%s.json" % (work, name)) as f:
        return json.load(f)
wrong = []
skipped = int(os.uname().release.split(".")[0]) >= 7
def judge(screen, ours, truth, exact):
    lost = read(screen)["lost"].get(screen + ".missed", 0)
    print("%s: %d of %d, lost %s" % (screen, ours, truth, read(screen)["lost"]))
    # Of the layers the calls are counted, too.
    told = ours + lost == truth if exact else ours <= truth <= ours + lost
    if not told or skipped != (lost > 0):
        wrong.append(screen)
judge("files", sum(r["write"] or 0 for r in read("files")["rows"]) // 4096, truth, True)
judge("stacks", sum(r["bytes"] or 0 for r in read("stacks")["rows"]
                    if r["comm"] in ("often", "urgent")) // 4096, truth, True)
judge("layers", sum(r["count"] or 0 for r in read("layers")["rows"]
                    if r["layer"] == "queue" and r["op"] == "write"), truth, False)
sys.exit("not told as lost: " + ", ".join(wrong) if wrong else 0)
PYTHON
