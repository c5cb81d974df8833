#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Three tasks of one processor that write: one all the time, one that takes the processor from it,
# one that takes it from both. Since 7.0 the first may be preempted in the program that sees bios,
# and the second in the fallback program: then no program is left for the third. What none saw is
# told as lost, and is nobody's; before 7.0 all of it is seen.
# screens: tasks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command chrt taskset
null_disk 64
disk=$made

watch disks --screen=disks
watch processes --screen=disks --group=process
watching "$disk"
for name in always often urgent; do
	ln -s "$(command -v python3)" "$work/$name"
done
# writes ROUNDS EACH AT: 4 KiB each, so many in each round, and a pause behind it; without ROUNDS
# until the file "stop" is there. Tells how many bytes.
cat > "$work/writes" <<'PYTHON'
import mmap, os, sys, time
disk, work, rounds, each, at = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
fd, page, n = os.open(disk, os.O_WRONLY | os.O_DIRECT), mmap.mmap(-1, 4096), 0
open("%s/begun-%d" % (work, at), "w").close()
done = 0
while done < rounds if rounds else not os.path.exists(work + "/stop"):
    for i in range(each):
        os.pwritev(fd, [page], (at << 20) + n % 2048 * 4096)
        n += 1
    done += 1
    if each < 1000:
        time.sleep(0.0003)
print(n * 4096)
PYTHON
taskset -c 0 "$work/always" "$work/writes" "$disk" "$work" 0 1000 0 > "$work/always.bytes" &
always=$!
wait_until test -e "$work/begun-0"
taskset -c 0 chrt -f 10 "$work/often" "$work/writes" "$disk" "$work" 0 50 16 > "$work/often.bytes" &
often=$!
wait_until test -e "$work/begun-16"
taskset -c 0 chrt -f 20 "$work/urgent" "$work/writes" "$disk" "$work" 15000 1 32 > \
	"$work/urgent.bytes"
: > "$work/stop"
wait $always || fail "always: $?"
wait $often || fail "often: $?"
settle
cat /proc/diskstats > "$work/after"
more_reports
end_watching
python3 - "$work" "$disk" <<'PYTHON'
import json, os, sys

work, disk = sys.argv[1], os.path.basename(sys.argv[2])


def read(name):
    with open("%s/%s.json" % (work, name)) as f:
        return json.load(f)


def written(name):
    with open("%s/%s" % (work, name)) as f:
        for line in f:
            v = line.split()
            if v[2] == disk:
                return [int(v[0]), int(v[1])], int(v[9]) * 512
    sys.exit("no " + disk)


number, before = written("before")
kernel = written("after")[1] - before
names = "always", "often", "urgent"
truth = {}
for name in names:
    with open("%s/%s.bytes" % (work, name)) as f:
        truth[name] = int(f.read())
report = read("processes")
rows = [r for r in report["rows"] if [r["major"], r["minor"]] == number and r["op"] == "write"]
ours = {name: sum(r["bytes"] for r in rows if r["comm"] == name) for name in names}
others = sum(r["bytes"] for r in rows if r["comm"] not in names)
lost = 4096 * report["lost"].get("block.submissions-missed", 0)
print(truth, ours, "others", others, "kernel", kernel, report["lost"])
wrong = []
if any(ours[n] > truth[n] for n in names):
    wrong.append("more than was written")
if sum(ours.values()) + lost != sum(truth.values()):
    wrong.append("not told as lost: %d" % (sum(truth.values()) - sum(ours.values()) - lost))
# Of what began unseen some ends unseen, too.
unseen = kernel - sum(ours.values()) - others
if not 0 <= unseen <= 4096 * report["lost"].get("block.completions-missed", 0):
    wrong.append("not all that the kernel counted: %d" % unseen)
if (lost > 0) != (int(os.uname().release.split(".")[0]) >= 7):
    wrong.append("lost: %d" % lost)
print(", ".join(wrong) or "%d of %d lost" % (lost // 4096, sum(truth.values()) // 4096))
sys.exit(bool(wrong))
PYTHON
