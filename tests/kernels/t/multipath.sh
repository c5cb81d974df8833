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
watching "$disk"
: > "$work/expect"
act r-paths if="$disk" of=/dev/null bs=64k count=64 iflag=direct
act w-paths if=/dev/zero of="$disk" bs=64k count=32 oflag=direct
settle
more_reports
end_watching
python3 - "$work" "$name" <<'END'
import json, sys
disk = sys.argv[2]
def rows(name):
    return json.load(open("%s/%s.json" % (sys.argv[1], name)))["rows"]
def check(what, got, want):
    if got != want:
        print("%s: %s, not %s" % (what, got, want))
        sys.exit(1)
MIB = 1 << 20
disks = {r["name"]: r for r in rows("disks") if r["name"].startswith("nvme")}
check("disks", sorted(disks), [disk])
row = disks[disk]
check("name", row["disk"], disk)
# Some kernels read one block of 4 KiB when it is opened.
before = int(row["riops"]) - 64
check("reads before", before in (0, 1), True)
check("bytes", (row["read"], row["write"]), (4 * MIB + 4096 * before, 2 * MIB))
check("writes", row["wiops"], 32)
check("time", row["rlat"] is not None, True)
names = ("r-paths", "w-paths")
mine = sorted(
    (r["comm"], r["op"], r["disk"], r["bytes"], r["ios"])
    for r in rows("processes")
    if r["comm"] in names
)
check(
    "processes",
    mine,
    [("r-paths", "read", disk, 4 * MIB, 64), ("w-paths", "write", disk, 2 * MIB, 32)],
)
mine = sorted(
    (r["comm"], r["read"], r["write"], r["disk"]) for r in rows("tasks") if r["comm"] in names
)
check("tasks", mine, [("r-paths", 4 * MIB, 0, disk), ("w-paths", 0, 2 * MIB, disk)])
END
