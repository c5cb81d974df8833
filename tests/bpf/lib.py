# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests with real I/O share: samples on demand, disks of one's own, comparisons."""
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from common import *

BLOCK, TASKS, TASKIO, DELAYS, WAITS, THROTTLE, EXITS, DISKS, HIST, FILES = (
    1 << b for b in (0, 1, 2, 3, 4, 5, 6, 7, 11, 12))
READ, WRITE, DISCARD, FLUSH, OTHER = range(5)
EXACT, INODE, DEVICE = range(3)
UNATTRIBUTED, JOURNAL, METADATA, SWAP = range(1, 5)
ENDED = 2
MIB = 1 << 20


def check(what, got, want):
    """Says it; a difference makes the test fail at its end."""
    if got == want:
        print("ok: %s: %s" % (what, got))
    else:
        failed("%s: %s, not %s" % (what, got, want))


def check_that(what, ok):
    if ok:
        print("ok: " + what)
    else:
        failed(what)


# While other tracers attach theirs, kernels were seen to call no program for a few completions; and
# two processors may take a place at once: both are told, and where it matters a count differs from
# the kernel's.
BY_CHANCE = "block.completions-missed", "block.passing-lost"
# Since 7.0 a task may be preempted in a program, which is skipped for others meanwhile.
if int(os.uname().release.split(".")[0]) >= 7:
    BY_CHANCE += "layers.missed", "block.submissions-missed", "tasks.exits-lost"


def ours(lost):
    """What is lost for a reason of our own."""
    return {name: count for name, count in lost.items() if name not in BY_CHANCE}


def run(*args, quiet=True, **more):
    return subprocess.run([str(a) for a in args], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT if quiet else None,
                          **more).stdout


def begin():
    """A folder of the test's own, on a disk."""
    need_root()
    folder = tempfile.mkdtemp(prefix="iotop-test-",
                              dir=os.environ.get("IOTOP_TEST_DIR", "/var/tmp"))
    undo(lambda: shutil.rmtree(folder))
    return folder


def private_mounts():
    """From now on what this test mounts is seen by itself and the programs it starts only."""
    if ctypes.CDLL(None, use_errno=True).unshare(0x00020000):
        skip("no mount namespace of our own: " + os.strerror(ctypes.get_errno()))
    run("mount", "--make-rprivate", "/")


class Row(dict):
    def __getattr__(self, name):
        return self[name]


class Samples:
    """Takes samples when told to."""

    def __init__(self, sources, *limits):
        program = os.path.join(os.environ.get("top_builddir", "."), "tests/bpf/samples")
        if not os.access(program, os.X_OK):
            skip("tests/bpf/samples is not built")
        args = [program] + [str(n) for n in (sources,) + limits]
        self.process = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, errors="replace")
        undo(self.end)
        self.take()
        for row in self.rows("source"):
            if row.source == BLOCK and row.state == 0:
                skip("no BPF here: " + row.reason)

    def end(self):
        if self.process.stdin:
            self.process.stdin.close()
        self.process.wait()

    def take(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.tables = {}
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("samples ended: " + self.process.stderr.read())
            if line == ".\n":
                return self
            name, *fields = line.rstrip("\n").split("\t")
            row = Row()
            for field in fields:
                key, _, value = field.partition("=")
                row[key] = int(value) if value.lstrip("-").isdigit() and key not in ("comm",
                        "name") else value
            self.tables.setdefault(name, []).append(row)

    def rows(self, table, **fixed):
        return [r for r in self.tables.get(table, []) if all(r[k] == v for k, v in fixed.items())]

    def owner(self, row, what="cause"):
        """The name of an I/O's cause or submitter; its number in brackets when it is no task."""
        if row[what + "_start"] == 0:
            return "[%d]" % row[what + "_tid"]
        for o in self.rows("owner"):
            if (o.tid, o.start) == (row[what + "_tid"], row[what + "_start"]):
                return o.comm
        return "?"

    def charged(self, dev, op, what="cause"):
        """Bytes at a disk by name."""
        sums = {}
        for r in self.rows("io", dev=dev, op=op):
            name = self.owner(r, what)
            sums[name] = sums.get(name, 0) + r.bytes
        return sums

    def dirtied(self):
        """Bytes of pages dirtied by name."""
        sums = {}
        for o in self.rows("owner"):
            sums[o.comm] = sums.get(o.comm, 0) + o.dirtied
        return sums

    def lost(self):
        return ours({r.name: r.count for r in self.rows("loss") if r.count})


def in_memory(disk, dirty):
    """
    dirty(i) makes pages of a file system dirty, which are all to be in memory still when it is
    done. Somebody's sync(1), which writes those of all file systems, is seen at the disk.
    """
    for i in range(5):
        before = diskstats(disk)[WRITE][2]
        dirty(i)
        drain(disk)
        written = diskstats(disk)[WRITE][2] - before
        if written < MIB:
            return
        again("somebody wrote %d bytes to %s meanwhile" % (written, disk))
    failed("pages of %s are written back all the time" % disk)


def dev_of(path):
    rdev = os.stat(path).st_rdev
    return os.major(rdev) << 20 | os.minor(rdev)


def drain(path):
    """
    Waits until nothing is in flight: submissions are counted at once, /proc/diskstats counts
    completions.
    """
    name = os.path.basename(os.path.realpath(path))
    for _ in range(100):
        with open("/sys/block/%s/inflight" % name) as f:
            if f.read().split() == ["0", "0"]:
                return
        time.sleep(0.05)


def diskstats(path):
    """ios, merges, bytes by operation of a device."""
    name = os.path.basename(os.path.realpath(path))
    with open("/proc/diskstats") as f:
        for line in f:
            v = line.split()
            if v[2] == name:
                n = [int(x) for x in v[3:]] + [0] * 10
                return {READ: (n[0], n[1], n[2] * 512), WRITE: (n[4], n[5], n[6] * 512),
                        DISCARD: (n[11], n[12], n[13] * 512), FLUSH: (n[15], 0, 0)}
    raise KeyError(path)


def minus(after, before):
    return {op: tuple(a - b for a, b in zip(after[op], before[op])) for op in after}


def loop_disk(folder, mib, name="disk.img", *options):
    need("losetup")
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.truncate(mib * MIB)
    try:
        dev = run("losetup", *options, "-f", "--show", path).strip()
    except subprocess.CalledProcessError as e:
        skip("no loop device: " + e.stdout.strip())
    undo(lambda: run("losetup", "-d", dev))
    return dev


def zram_disk(mib):
    """A zram of our own, or None."""
    try:
        with open("/sys/class/zram-control/hot_add") as f:
            number = int(f.read())
    except OSError:
        return None

    def remove():
        with open("/sys/class/zram-control/hot_remove", "w") as f:
            f.write(str(number))
    undo(remove)
    with open("/sys/block/zram%d/disksize" % number, "w") as f:
        f.write("%dM" % mib)
    return "/dev/zram%d" % number


def small_disk(folder, name):
    """One of very many."""
    return zram_disk(1) or loop_disk(folder, 1, name)


def filesystem(dev, kind, folder):
    need("mkfs." + kind)
    options = {"ext4": ["-q", "-E", "lazy_itable_init=0,lazy_journal_init=0"], "xfs": ["-q"],
               "btrfs": ["-q"]}[kind]
    where = os.path.join(folder, "mnt-" + kind)
    run("mkfs." + kind, *options, dev)
    os.mkdir(where)
    run("mount", dev, where)
    mounted = [True]

    def umount():
        if mounted[0]:
            mounted[0] = False
            run("umount", where)
    undo(umount)
    return where, umount


def limit_dirty(dev, most):
    """
    So many bytes of pages of this disk may be dirty, until the test ends. OSError: there are no
    such limits.
    """
    number = os.stat(dev).st_rdev
    bdi = "/sys/class/bdi/%d:%d/" % (os.major(number), os.minor(number))
    # They stay with the number of the disk. The share is in bytes, too: to put one back is to put
    # back both.
    for name, value in ("max_ratio", "100"), ("strict_limit", "1"), ("max_bytes", str(most)):
        with open(bdi + name) as f:
            was = f.read()
        if name != "max_bytes":
            undo(lambda path=bdi + name, was=was: put(path, was))
        put(bdi + name, value)


def put(path, text):
    with open(path, "w") as f:
        f.write(text)


def cgroup_root(name):
    """Where the control groups of a controller are, and their form (1, 2)."""
    with open("/proc/self/mountinfo") as f:
        mounts = [line.split() for line in f]
    for m in mounts:
        if m[m.index("-") + 1] == "cgroup" and name in m[-1].split(","):
            return m[4], 1
    for m in mounts:
        if m[m.index("-") + 1] == "cgroup2":
            try:
                with open(m[4] + "/cgroup.subtree_control", "w") as f:
                    f.write("+" + ("io" if name == "blkio" else name))
                return m[4], 2
            except OSError:
                pass
    return None, 0


def limits_timed():
    """Whether this machine lets it be seen when blk-throttle begins to hold something back."""
    line = next(line for line in run(os.environ["IOTOP"], "--probes").splitlines()
                if "blk_throtl_bio" in line)
    if line.startswith("-"):
        check_that("the reason is the machine's: " + line.strip(), "do not fire here" in line)
    return not line.startswith("-")


class Slow:
    """
    Limits a disk to so many bytes a second: for programs started with popen(), and, on writing, for
    the whole machine.
    """

    def __init__(self, dev, read=None, write=None):
        root, form = cgroup_root("blkio")
        if not form:
            skip("no control group that slows a disk down")
        number = os.stat(dev).st_rdev
        self.name = "%d:%d" % (os.major(number), os.minor(number))
        self.folders, self.form = [], form
        limits = [(k, v) for k, v in (("read", read), ("write", write)) if v]
        if form == 1:
            # What a kernel thread submits, such as writeback, is of the root.
            self.root = root
            self.folder = os.path.join(root, "iotop-test-%d" % os.getpid())
            os.mkdir(self.folder)
            self.limit = ["blkio.throttle.%s_bps_device" % k for k, v in limits]
            for k, v in limits:
                for where in [self.folder] + ([root] if k == "write" else []):
                    self.put(where, "blkio.throttle.%s_bps_device" % k, v)
        else:
            self.root = None
            self.folder = os.path.join(root, "iotop-test-%d" % os.getpid())
            os.mkdir(self.folder)
            with open(self.folder + "/io.max", "w") as f:
                f.write("%s %s" % (self.name, " ".join("%sbps=%d" % (k[0], v) for k, v in limits)))
        undo(self.end)

    def put(self, where, name, value):
        with open(os.path.join(where, name), "w") as f:
            f.write("%s %d" % (self.name, value))

    def limit_reads(self, rate):
        """Another limit from now on."""
        if self.form == 1:
            self.put(self.folder, "blkio.throttle.read_bps_device", rate)
        else:
            with open(self.folder + "/io.max", "w") as f:
                f.write("%s rbps=%d" % (self.name, rate))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def popen(self, *args, **more):
        return subprocess.Popen([str(a) for a in args], preexec_fn=self.enter, **more)

    def enter(self):
        """The current process is among those that are slow."""
        with open(self.folder + "/cgroup.procs", "w") as f:
            f.write(str(os.getpid()))

    def end(self):
        """No limit any more; processes go back to where they were."""
        if not self.folder:
            return
        if self.form == 1:
            for name in self.limit:
                self.put(self.folder, name, 0)
                if "write" in name:
                    self.put(self.root, name, 0)
        else:
            # What is held back goes on; without its group it would stay.
            with open(self.folder + "/io.max", "w") as f:
                f.write(self.name + " rbps=max wbps=max")
        parent = os.path.dirname(self.folder)
        with open(self.folder + "/cgroup.procs") as f:
            for pid in f.read().split():
                try:
                    with open(parent + "/cgroup.procs", "w") as g:
                        g.write(pid)
                except ProcessLookupError:	# it has ended, now that it may go on
                    pass
        for _ in range(50):
            try:
                os.rmdir(self.folder)
                break
            except OSError:
                time.sleep(0.1)
        self.folder = None
