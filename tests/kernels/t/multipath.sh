#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A disk with two paths: its I/O is that of the disk people know, once; the paths below it are no
# disks.
# screens: tasks disks
# vm: --disk paths:64M
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

# It has the number of the path that was found first.
wait_until compgen -G "/dev/nvme[01]n1" > /dev/null
disk=$(compgen -G "/dev/nvme[01]n1" | head -n 1)
name=${disk#/dev/}
compgen -G "/sys/class/nvme-subsystem/nvme-subsys*/${name%n1}c*n1" > /dev/null ||
	compgen -G "/sys/class/nvme/nvme*/${name%n1}c*n1" > /dev/null ||
		skip "no multipath of NVMe in this kernel"
watch disks --screen=disks --columns=disk,name,read,write,riops,wiops,rlat,parents,children,errors
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watch layers --screen=layers
"$IOTOP" -b -d 2 --format=json --screen=events --all > "$work/events.all" 2> "$work/events.err" &
watchers+=("events:$!")
later eval "kill $! || :"
watching "$disk"
: > "$work/expect"
act r-paths if="$disk" of=/dev/null bs=64k count=64 iflag=direct
act w-paths if=/dev/zero of="$disk" bs=64k count=32 oflag=direct
# Many bios in one request, and a flush.
act w-cached if=/dev/zero of="$disk" bs=64k count=16 conv=fsync
settle
more_reports
end_watching
python3 - "$work" "$name" "$top_srcdir/tests/bpf" <<'END'
import json, os, sys
disk = sys.argv[2]
sys.path.insert(0, sys.argv[3])
from lib import ours
def reports(name):
    with open("%s/%s.all" % (sys.argv[1], name)) as f:
        return [json.loads(line) for line in f]
def rows(name):
    return reports(name)[-1]["rows"]
def check(what, got, want):
    if got != want:
        print("%s: %s, not %s" % (what, got, want))
        wrong.append(what)
wrong = []
MIB = 1 << 20
disks = {r["name"]: r for r in rows("disks") if r["name"].startswith("nvme")}
check("disks", sorted(disks), [disk])
row = disks[disk]
check("name", row["disk"], disk)
# Some kernels read a block of 4 KiB when it is opened; a read may be split.
besides, blocks = int(row["riops"]) - 64, (row["read"] - 4 * MIB) / 4096
check("reads besides: %s, of %s blocks" % (besides, blocks), 0 <= blocks <= besides <= 4, True)
check("written", row["write"], 3 * MIB)
check("writes %s" % row["wiops"], 33 <= row["wiops"] <= 32 + 256 + 1, True)
check("time", row["rlat"] is not None, True)
causes = sorted((r["comm"], r["op"], r["disk"], r["bytes"]) for r in rows("processes"))
mine = [("r-paths", "read", disk, 4 * MIB), ("w-cached", "write", disk, MIB),
        ("w-paths", "write", disk, 2 * MIB)]
check("processes", [c for c in causes if c[:2] in [m[:2] for m in mine]], mine)
check("others", [c for c in causes if c[2] != disk or c[0][0] == "["], [])
# The watchers do not begin at the same moment.
uncharged = row["read"] + row["write"] - sum(c[3] for c in causes)
check("bytes that nobody is charged for: %s" % uncharged, abs(uncharged) <= 4096, True)
tasks = {r["comm"]: r for r in rows("tasks")}
for comm, op, _, size in mine:
    check("task " + comm, (tasks[comm][op], tasks[comm]["disk"]), (size, disk))
# Before 5.15 a queue does not know its disk.
if [int(n) for n in os.uname().release.split(".")[:2]] >= [5, 15]:
    layers = [r for r in rows("layers") if r["layer"] in ("queue", "device")]
    check("layers", {(r["layer"], r["disk"]) for r in layers}, {("queue", disk), ("device", disk)})
events = [r for report in reports("events") for r in report["rows"]]
check("disks of events", {r["disk"] for r in events}, {disk})
for comm, op, _, size in mine:
    check("events of " + comm,
          sum(r["bytes"] for r in events if (r["comm"], r["op"]) == (comm, op)), size)
for name in ("disks", "processes", "tasks", "layers", "events"):
    check(name + ": lost", ours(reports(name)[-1]["lost"]), {})
sys.exit(bool(wrong))
END
