# SPDX-License-Identifier: GPL-2.0-or-later
"""
Makes a dm-crypt on the first disk that is given, a RAID 5 of the others and a loop device, uses
them at once, and compares whose bytes those below are.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["top_srcdir"], "tests/bpf"))
from lib import *

os.environ["IOTOP_TEST_DIR"] = "/dev/shm"


def written(samples, dev):
    samples.take()
    return samples.charged(dev_of(dev), WRITE)


def crypt(samples, below):
    sectors = run("blockdev", "--getsz", below).strip()
    run("dmsetup", "create", "anew", "--table",
        "0 %s crypt aes-xts-plain64 %064d 0 %s 0" % (sectors, 7, below))
    undo(lambda: run("dmsetup", "remove", "--retry", "anew"))
    upper = "/dev/" + run("dmsetup", "info", "-c", "--noheadings", "-o", "blkdevname",
                          "anew").strip()
    run("dd", "if=/dev/zero", "of=" + upper, "bs=64k", "count=32", "oflag=direct")
    check("written below dm-crypt", written(samples, below), {"dd": 2 * MIB})


def raid(samples, members):
    """All that its thread does is for the one who writes, but what it notes at the very begin."""
    for disk in members:
        run("dd", "if=" + disk, "of=/dev/null", "bs=4k", "count=1", "iflag=direct")
    run("mdadm", "--quiet", "--create", "/dev/md77", "--run", "--assume-clean", "--metadata=1.2",
        "--level=5", "--raid-devices=%d" % len(members), *members)
    undo(lambda: run("mdadm", "--quiet", "--stop", "/dev/md77"))
    run("dd", "if=/dev/zero", "of=/dev/md77", "bs=4k", "count=512", "oflag=direct,dsync")
    samples.take()
    # Parity is written as well, and data and parity that were there are read.
    for op, name, least in (READ, "read", 2 * MIB), (WRITE, "written", 4 * MIB):
        sums = {}
        for disk in members:
            for who, size in samples.charged(dev_of(disk), op).items():
                sums[who] = sums.get(who, 0) + size
        others = sum(size for who, size in sums.items() if who not in ("dd", "mdadm"))
        check_that("%s below a RAID 5: %s" % (name, sums),
                   sums["dd"] >= least and others <= 4096 * len(members))


def loop(samples, folder):
    disk = loop_disk(folder, 64)
    where, umount = filesystem(disk, "ext4", folder)
    image = where + "/image"
    with open(image, "wb") as f:
        f.truncate(8 * MIB)
    before = written(samples, disk).get("dd", 0)
    upper = run("losetup", "-f", "--show", image).strip()
    run("dd", "if=/dev/zero", "of=" + upper, "bs=64k", "count=32", "oflag=direct")
    run("losetup", "-d", upper)
    run("sync", image)
    check("written below a loop device", written(samples, disk).get("dd", 0) - before, 2 * MIB)
    umount()


folder = begin()
samples = Samples(BLOCK | TASKS | EXITS)
if sys.argv[1]:
    crypt(samples, sys.argv[1])
if sys.argv[2:]:
    raid(samples, sys.argv[2:])
loop(samples, folder)
finish()
