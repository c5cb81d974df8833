#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
md_writes.py FOLDER SIDE SIDE MEMBER MEMBER MEMBER MIRROR RAID5: what each layer of two md devices
got, and from whom.
"""
import json
import os
import sys

folder = sys.argv[1]
names = [os.path.basename(d) for d in sys.argv[2:]]
sides, members, mirror, raid5 = names[:2], names[2:5], names[5], names[6]
MIB = 1 << 20
failures = 0


def check_that(what, ok):
    global failures
    failures += not ok
    if not ok:
        print("not so: " + what)


def rows(report):
    with open(os.path.join(folder, report + ".json")) as f:
        return json.load(f)["rows"]


numbers = {}
with open("/proc/diskstats") as f:
    for line in f:
        v = line.split()
        numbers[v[2]] = (int(v[0]), int(v[1]))


def moved(report, disks, op, comm=None):
    """Bytes at disks by name of process; comm: the start of a name."""
    at = [numbers[d] for d in disks]
    return sum(r["bytes"] for r in rows(report)
               if (r["major"], r["minor"]) in at and r["op"] == op
               and (comm is None or r["comm"].startswith(comm)))


for report in "processes", "submitters":
    for disk in mirror, raid5:
        check_that("%s: fio writes 2 MiB to %s: %d" % (report, disk,
                                                       moved(report, [disk], "write", "fio")),
                   moved(report, [disk], "write", "fio") == 2 * MIB)

# The mirror: the same on both sides, all of it fio's.
got = [moved("processes", [side], "write") for side in sides]
check_that("both sides of the mirror get the same, the data and little more: %s" % got,
           got[0] == got[1] and 2 * MIB <= got[0] < 2 * MIB + 65536)
got = moved("processes", sides, "write", "fio")
check_that("fio causes it: %d" % got, got >= 4 * MIB)

# The raid5: for 4 KiB of data md reads and writes data and parity, in its thread.
data = moved("submitters", [raid5], "write", "fio")
read, written = moved("submitters", members, "read", raid5), moved("submitters", members, "write",
        raid5)
check_that("md's thread writes data and parity: %d of %d" % (written, data),
           written >= data * 3 // 2)
check_that("md's thread reads what it needs for that: %d" % read, read >= data // 8)
got = moved("submitters", members, "write", "fio")
check_that("fio itself submits nothing to the members: %d" % got, got == 0)
read, written = moved("processes", members, "read", "fio"), moved("processes", members, "write",
        "fio")
check_that("fio causes both: %d read, %d written" % (read, written), written >= data * 3 // 2
           and read >= data // 8)
print("%d differences" % failures)
sys.exit(1 if failures else 0)
