#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A disk with two paths: its I/O is that of the disk people know, once; the paths below it are no disks.
# screens: tasks disks
# vm: --disk paths:64M
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

disk=/dev/nvme0n1
wait_until test -b $disk
compgen -G "/sys/class/nvme-subsystem/nvme-subsys0/nvme0c*n1" > /dev/null ||
	compgen -G "/sys/class/nvme/nvme*/nvme0c*n1" > /dev/null || skip "no multipath of NVMe in this kernel"
watch disks --screen=disks --columns=disk,name,read,write,riops,wiops,rlat,parents,children,errors
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching $disk
: > "$work/expect"
act r-paths if=$disk of=/dev/null bs=64k count=64 iflag=direct
act w-paths if=/dev/zero of=$disk bs=64k count=32 oflag=direct
settle
more_reports
end_watching
python3 - "$work" <<'END'
import json, sys
def rows(name):
    return json.load(open("%s/%s.json" % (sys.argv[1], name)))["rows"]
def check(what, got, want):
    if got != want:
        print("%s: %s, not %s" % (what, got, want))
        sys.exit(1)
MIB = 1 << 20
disks = {r["name"]: r for r in rows("disks") if r["name"].startswith("nvme")}
check("disks", sorted(disks), ["nvme0n1"])
row = disks["nvme0n1"]
check("name", row["disk"], "nvme0n1")
# Some kernels read one block of 4 KiB when it is opened.
before = int(row["riops"]) - 64
check("reads before", before in (0, 1), True)
check("bytes", (row["read"], row["write"]), (4 * MIB + 4096 * before, 2 * MIB))
check("writes", row["wiops"], 32)
check("time", row["rlat"] is not None, True)
mine = sorted((r["comm"], r["op"], r["disk"], r["bytes"], r["ios"]) for r in rows("processes") if r["comm"] in ("r-paths", "w-paths"))
check("processes", mine, [("r-paths", "read", "nvme0n1", 4 * MIB, 64), ("w-paths", "write", "nvme0n1", 2 * MIB, 32)])
mine = sorted((r["comm"], r["read"], r["write"], r["disk"]) for r in rows("tasks") if r["comm"] in ("r-paths", "w-paths"))
check("tasks", mine, [("r-paths", 4 * MIB, 0, "nvme0n1"), ("w-paths", 0, 2 * MIB, "nvme0n1")])
END
