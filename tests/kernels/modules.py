# SPDX-License-Identifier: GPL-2.0-or-later
"""
A file system whose module goes and comes back while we look: its calls are counted before and
after.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bpf"))
from lib import *

AGAIN = 11	# samples until modules are looked for


def writes(where, name, n):
    fd = os.open(where + "/" + name, os.O_WRONLY | os.O_CREAT)
    for i in range(n):
        os.write(fd, b"x")
    os.close(fd)


def count(report, layer):
    return sum(r["count"] for r in report["rows"] if r["layer"] == layer and r["op"] == "write"
               and r["fs"] == "xfs")


def loaded():
    with open("/proc/modules") as f:
        return any(line.startswith("xfs ") for line in f)


folder = begin()
need("mkfs.xfs", "modprobe")
if subprocess.run(["modprobe", "-a", "loop", "xfs"],
                  stderr=subprocess.DEVNULL).returncode or not loaded():
    skip("no module xfs")
dev = loop_disk(folder, 320)
where, umount = filesystem(dev, "xfs", folder)
process = subprocess.Popen([os.environ["IOTOP"], "-b", "-a", "--screen=layers", "--format=json",
                            "-d", "0.5", "--fs=xfs"],
                           stdout=subprocess.PIPE, text=True)
undo(process.kill)


def report(n):
    """The n-th from now on."""
    for _ in range(n):
        line = process.stdout.readline()
    return json.loads(line)


def until(layer, n):
    """The first that has so many calls, or the last of many."""
    for _ in range(120):
        last = report(1)
        if count(last, layer) >= n:
            break
    return last


# Whatever else is missing on this kernel.
probed = os.path.exists("/sys/bus/event_source/devices/kprobe")
report(1)
writes(where, "before", 20)
first = until("syscall", 20)
check("calls before", count(first, "syscall"), 20)
if probed:
    check("at the file system", count(first, "fs"), 20)
umount()
out = subprocess.run(["modprobe", "-r", "xfs"], stderr=subprocess.PIPE, text=True)
print("modprobe -r: %d %s" % (out.returncode, out.stderr.strip()))
report(AGAIN)
run("modprobe", "xfs")
run("mount", dev, where)
undo(lambda: run("umount", where))
report(AGAIN)
writes(where, "after", 30)
last = until("syscall", 50)
check("calls before and after", count(last, "syscall"), 50)
if probed:
    check("at the file system", count(last, "fs"), 50)
check("nothing lost", ours(last["lost"]), {})
finish()
