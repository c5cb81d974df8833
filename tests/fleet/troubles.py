# SPDX-License-Identifier: GPL-2.0-or-later
"""
Troubles that the alerts are for, all at once: each has a disk of its own, which is slow by itself
and costs the machine nothing. And what befalls an exporter.
"""
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.environ["top_srcdir"], "tests/scenes"))
import scene
from lib import *

# Reads of a place that cannot be read.
BAD = """
f = os.open(sys.argv[2], os.O_RDONLY | os.O_DIRECT)
b = mmap.mmap(-1, 4096)
while True:
    try:
        os.preadv(f, [b], 32 * MIB)
    except OSError:
        pass
    time.sleep(0.2)
"""


def name_of(disk):
    return os.path.basename(disk)


class Troubles:
    def __init__(self, fast):
        """fast: a disk for what needs none that is slow."""
        self.fast = fast
        self.queue, self.journal, self.full, self.bad = (
            scene.slow_disk(64, read=2), scene.slow_disk(128, write=25, flush=25),
            scene.slow_disk(256, write=8), scene.slow_disk(64, read=2, bad=8))
        self.folders = [self.mounted(d) for d in (self.journal, self.full)]
        self.processes, self.expected, self.left_out = [], [], set()
        undo(self.end)

    def mounted(self, disk):
        folder = os.path.join(scene._folder, name_of(disk))
        os.mkdir(folder)
        return filesystem(disk, "ext4", folder)[0]

    def start(self, *starts):
        self.processes += [s() for s in starts]

    def end(self):
        for p in self.processes:
            p.kill()
        for p in self.processes:
            p.wait()
        self.processes = []

    def expect(self, alert, **labels):
        self.expected.append(dict(labels, alertname=alert))

    def saturated(self):
        """A deep queue, beside one who reads a little."""
        self.start(scene.fio("fleet-queue", self.queue, "--ioengine=libaio", "--iodepth=64",
                             "--rw=randread", "--bs=16k"),
                   scene.reader("fleet-small", self.queue))
        self.expect("IotopDiskSaturated", device=name_of(self.queue))
        self.expect("IotopFinding", name="disk-saturated", disk=name_of(self.queue))

    def fsync(self):
        """Its data, its journal and two flushes, of which each takes 0.2 s from now on."""
        scene.slow_down(self.journal, signal.SIGUSR1)()
        self.start(scene.writer("fleet-fsync", self.folders[0] + "/f", 4096, 0.0, "-", "fsync"))
        self.expect("IotopFsyncSlow", device=name_of(self.journal))

    def dirtied(self):
        """More than a disk takes, of which few pages may be dirty."""
        try:
            limit_dirty(self.full, 8 * MIB)
        except OSError as e:
            print("the dirty pages of one disk cannot be limited: %s" % e)
            self.left_out.add("IotopDirtyThrottled")
            return
        self.start(scene.writer("fleet-dirty", self.folders[1] + "/f", 65536),
                   scene.writer("fleet-dirty", self.folders[1] + "/g", 65536))
        self.expect("IotopDirtyThrottled")

    def fail(self):
        self.start(scene.python("fleet-bad", BAD, self.bad))
        self.expect("IotopDiskErrors", device=name_of(self.bad), operation="read")

    def limited(self):
        """Reads of 1 MiB a second, of which a quarter is allowed."""
        form = cgroup_root("blkio")[1]
        if not form:
            print("no control group that limits I/O")
            self.left_out.add("IotopThrottled")
            return
        if not limits_timed():
            print("nobody sees here how long a limit holds I/O back")
            self.left_out.add("IotopThrottled")
            return
        slow = Slow(self.fast, read=MIB // 4)
        self.start(lambda: slow.popen("fio", "--name=x", "--output=/dev/null", "--rw=randread",
                                      "--filename=" + self.fast, "--bs=64k", "--direct=1",
                                      "--time_based", "--runtime=3600", "--thread"))
        self.expect("IotopThrottled",
                    **({"cgroup": "/" + os.path.basename(slow.folder)} if form == 2 else {}))

    def lose(self):
        """More requests in one call than are looked at."""
        run("fio", "--name=x", "--output=/dev/null", "--filename=" + self.fast, "--direct=1",
            "--ioengine=libaio", "--rw=read", "--bs=4k", "--iodepth=1024",
            "--iodepth_batch_submit=1024", "--size=16m")
        self.expect("IotopLost", kind="layers.aio")

    def begin(self):
        for what in self.saturated, self.fsync, self.dirtied, self.fail, self.lose, self.limited:
            what()
