#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""judge.py FOLDER DISK…: what iotop showed against what was done and what the kernel counted."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bpf"))
from lib import ours

folder, names = sys.argv[1], [os.path.basename(d) for d in sys.argv[2:]]
failures = 0


def check(what, got, want):
    global failures
    if got != want:
        failures += 1
        print("%s: %s, not %s" % (what, got, want))


def load(name):
    with open(os.path.join(folder, name + ".json")) as f:
        return json.load(f)


def diskstats(name):
    stats = {}
    with open(os.path.join(folder, name)) as f:
        for line in f:
            v = line.split()
            n = [int(x) for x in v[3:]] + [0] * 20
            stats[v[2]] = {"major": int(v[0]), "minor": int(v[1]), "read": n[2] * 512,
                           "write": n[6] * 512, "discard": n[13] * 512, "reads": n[0],
                           "writes": n[4]}
    return stats


# A disk is found by its numbers: people's names for it (t_linear, the file of a loop) are not the
# kernel's.
def at(rows, disk):
    return [r for r in rows if (r["major"], r["minor"]) == (before[disk]["major"],
                                                            before[disk]["minor"])]


def total(rows, key, **fixed):
    return sum(r[key] or 0 for r in rows if all(r[k] == v for k, v in fixed.items()))


before, after = diskstats("before"), diskstats("after")
disks, processes, tasks = load("disks"), load("processes"), load("tasks")
# Only some tests watch them; their rows have the kernel's name of a disk alone.
stacks = load("stacks") if os.path.exists(os.path.join(folder, "stacks.json")) else None
for report in [disks, processes, tasks] + [stacks] * bool(stacks):
    check("%s: lost" % report["screen"], ours(report["lost"]), {})
    check("%s: off" % report["screen"], [s for s in report["sources"].items()
                                         if s[0] != "delayacct" and s[1].startswith("off")], [])

for name in names:
    stats = {k: after[name][k] - before[name][k] for k in after[name]}
    check("%s: nothing was done" % name, stats["read"] + stats["write"] > 0, True)
    for key, stat in (("read", "read"), ("write", "write"), ("riops", "reads"), ("wiops",
            "writes")):
        # A mirror counts a read that it splits once more for each part: there the numbers of I/Os
        # are not the same.
        if not (name.startswith("md") and key.endswith("iops")):
            check("%s: %s of the disks screen" % (name, key), total(at(disks["rows"], name), key),
                  stats[stat])
    for op in ("read", "write"):
        check("%s: %s of its processes" % (name, op),
              total(at(processes["rows"], name), "bytes", op=op), stats[op])
        if stacks:
            check("%s: %s of its stacks" % (name, op),
                  total(stacks["rows"], "bytes", op=op, disk=name), stats[op])

with open(os.path.join(folder, "expect")) as f:
    for line in f:
        comm, disk, op, size = line.split()
        if disk == "tasks":
            what, got = "of its row", total(tasks["rows"], op, comm=comm)
        else:
            what, got = "at " + disk, total(at(processes["rows"], disk), "bytes", comm=comm, op=op)
        # "N+": and what that I/O made necessary, superblocks or check sums.
        want = int(size.rstrip("+"))
        check("%s: %s %s" % (comm, op, what),
              want if size[-1] == "+" and want <= got < want + (512 << 10) else got, want)
def between(what, ns, low_ms, high_ms):
    check("%s: %s ms between %s and %s" % (what, ns and ns / 1e6, low_ms, high_ms),
          ns is not None and low_ms * 1e6 - 1 <= ns <= high_ms * 1e6 + 1, True)


def times(name, disk, ms, kind, per_read, per_write):
    """
    A disk that takes so many ms. The guest adds what its processors need, on a busy machine much;
    so the upper bound is what an I/O took whoever waited for it, all in all. A percentile may be
    anywhere in its bucket of 25 %.
    """
    row = at(disks["rows"], disk)[0]
    if kind == "queue":
        # Of four that come together three wait: most of the time is queue.
        between(disk + " rlat", row["rlat"], ms * 2.5, per_read)
        between(disk + " queue", row["queue"], ms * 1.5, per_read)
        between(disk + " device", row["device"], ms * 0.97, row["queue"] / 1e6)
        return
    for op, most in (("r", per_read), ("w", per_write)):
        comm = "%s-%s" % (op, name)
        between("%s %slat" % (disk, op), row[op + "lat"], ms * 0.97, most)
        between("%s %sp50" % (disk, op), row[op + "p50"], ms * 0.78, most * 1.25)
        between("%s %sp99" % (disk, op), row[op + "p99"], ms * 0.78, row[op + "max"] / 1e6)
        between("%s %smax" % (disk, op), row[op + "max"], ms * 0.97, most * 40)
        between("%s: avg of %s" % (disk, comm),
                total(at(processes["rows"], disk), "avg", comm=comm), ms * 0.97, most)
        # A task's own times are those of the lowest disks.
        if kind == "device":
            between("%s: lat of %s" % (disk, comm), total(tasks["rows"], "lat", comm=comm),
                    ms * 0.97, most)
    if kind == "device":
        between(disk + " device", row["device"], ms * 0.97, max(per_read, per_write))
        between(disk + " queue", row["queue"], 0, row["device"] / 2e6)


if os.path.exists(os.path.join(folder, "times")):
    with open(os.path.join(folder, "times")) as f:
        for line in f:
            name, disk, ms, kind, per_read, per_write = line.split()
            times(name, disk, int(ms), kind, float(per_read) / 1e3, float(per_write) / 1e3)
print("%d differences" % failures)
sys.exit(1 if failures else 0)
