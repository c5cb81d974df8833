# SPDX-License-Identifier: GPL-2.0-or-later
"""
What the scenarios share: iotop beside a workload, and a table of what it showed against an
independent truth. A scenario is a program with one real workload: status 0 when no number is
false, 1 when one is, 77 when what it needs is not there.
"""
import datetime
import json
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bpf"))
import lib
from lib import (
    MIB,
    diskstats,
    drain,
    filesystem,
    loop_disk,
    minus,
    need,
    run,
    skip,
    undo,
    zram_disk,
    READ,
    WRITE,
    DISCARD,
    FLUSH,
)

SHARE, LATENCY, P99 = 0.02, 0.05, 0.15
# Of what was counted between readings whose time is not known better.
EDGES = 0.05
# What such a loss costs is a time or a name: no reason for fewer bytes or counts.
HARMLESS = re.compile(
    r"block\.(completions-missed|latency-lost)|stacks\.latency-lost|"
    r"(offcpu|stacks)\.(failed|full|cut|processes|ended|files)$"
)
SCENARIO = os.path.basename(sys.argv[0])
SCREENS = {
    "tasks": [
        "--screen=tasks",
        "--processes",
        "--columns=pid,comm,read,write,riops,wiops,ios,lat,max,io,dirty,how,files,cgroup",
    ],
    "disks": ["--screen=disks"],
    "processes": ["--screen=disks", "--group=process"],
    "layers": ["--screen=layers"],
    "offcpu": ["--screen=offcpu"],
    "sleeps": ["--screen=offcpu", "--state=S"],
    "stacks": ["--screen=stacks"],
    "files": ["--screen=files"],
}
_rows = []


def begin():
    """A folder for the scenario, removed at its end; skips what cannot run here."""
    if not os.environ.get("HAVE_BPF", "yes"):
        skip("iotop was built without BPF")
    os.environ.setdefault("IOTOP", os.path.join(os.environ.get("top_builddir", "."), "iotop"))
    if not os.access(os.environ["IOTOP"], os.X_OK):
        skip("no program at " + os.environ["IOTOP"])
    folder = lib.begin()
    lib.private_mounts()
    return folder


# ---- the table

HEAD = ("scenario", "what", "truth", "ours", "error", "")


def line(row):
    return "%-14s %-46s %16s %16s %9s  %s" % tuple(row)


def text(value):
    """A number of the table as it is printed."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return "%.2f" % value
    return str(value)


def add(what, truth, ours, error, verdict):
    """A line of the table; an error is a share, or None where there is none to be had."""
    if not _rows:
        print(line(HEAD))
    _rows.append((what, truth, ours, error, verdict))
    print(
        line(
            (
                SCENARIO,
                what,
                text(truth),
                text(ours),
                "" if error is None else "%.1f %%" % (100 * error),
                verdict,
            )
        ),
        flush=True,
    )
    if os.environ.get("IOTOP_TRUTH_TABLE"):
        with open(os.environ["IOTOP_TRUTH_TABLE"], "a") as f:
            f.write(json.dumps([SCENARIO, what, truth, ours, error, verdict]) + "\n")


def compare(what, truth, ours, within, room, lost):
    """
    What is unknown is not false, nor what is too little by no more than a loss that was told:
    then the line says which. `room' is what both may differ by however small they are.
    """
    if ours is None:
        add(what, truth, None, None, "unknown")
        return
    error = abs(ours - truth) / abs(truth) if truth else (0.0 if ours == truth else 1.0)
    if error <= within or abs(ours - truth) <= room:
        add(what, truth, ours, error, "ok")
    elif lost and ours < truth:
        add(what, truth, ours, error, "unknown, lost: " + ", ".join(sorted(lost)))
    else:
        add(what, truth, ours, error, "FALSE")


def latency(what, truth, ours, share=LATENCY, lost=None):
    """
    A time against fio's. An emulated guest takes ms until fio sees what has ended, which is in its
    time and in none of ours: there fio's is the most, and ours may be up to a quarter less.
    """
    if os.environ.get("VM_RELEASE") and ours is not None:
        between(what, 0.75 * truth, (1 + share) * truth, ours, lost)
    else:
        compare(what, truth, ours, share, 0, lost)


def exact(what, truth, ours, lost=None):
    compare(what, truth, ours, 0, 0, lost)


def near(what, truth, ours, within=SHARE, room=0, lost=None):
    compare(what, truth, ours, within, room, lost)


def between(what, least, most, ours, lost=None, share=0):
    """
    For what may be more by a known amount, as blocks of the file system beside the data, or was
    counted at a time that is not known better: of that a share is allowed at both ends.
    """
    if least == most:
        compare(what, least, ours, share, 0, lost)
    elif ours is None or least * (1 - share) <= ours <= most * (1 + share):
        add(
            what,
            "%s…%s" % (text(least), text(most)),
            ours,
            None,
            "unknown" if ours is None else "ok",
        )
    else:
        compare(what, least if ours < least else most, ours, share, 0, lost)


def keep(name, reports):
    """For whoever looks for causes: all reports in a folder of his."""
    if os.environ.get("IOTOP_TRUTH_KEEP"):
        with open("%s/%s-%s.json" % (os.environ["IOTOP_TRUTH_KEEP"], SCENARIO, name), "w") as f:
            f.writelines(json.dumps(r) + "\n" for r in reports)


def finish():
    """The sum, and the end."""
    false = [r for r in _rows if r[-1] == "FALSE"]
    unknown = [r for r in _rows if r[-1].startswith("unknown")]
    print("%s: %d numbers, %d false, %d unknown" % (SCENARIO, len(_rows), len(false), len(unknown)))
    sys.exit(1 if false else 0)


# ---- iotop beside a workload


def parse_time(report):
    return datetime.datetime.fromisoformat(report["time"]).timestamp()


class Watcher:
    """One iotop in batch; `reports' are those so far."""

    def __init__(self, options, accumulated=True, delay=1):
        args = [os.environ["IOTOP"], "-b", "--format=json", "-d", str(delay)]
        args += os.environ.get("IOTOP_TRUTH_OPTIONS", "").split()
        args += (["-a", "-o"] if accumulated else []) + options
        self.reports = []
        self.printed = []  # when each was read here
        self.process = subprocess.Popen(
            args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        undo(self.end)
        self.news = threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for text_line in self.process.stdout:
            report = json.loads(text_line)
            with self.news:
                self.printed.append(time.time())
                self.reports.append(report)
                self.news.notify_all()
        with self.news:
            self.news.notify_all()

    def wait(self, condition):
        """Until a condition on the reports holds: a guest on a busy machine takes its time."""
        minutes = 12 if os.environ.get("VM_RELEASE") else 2
        with self.news:
            if not self.news.wait_for(
                lambda: condition(self.reports) or self.process.poll() is not None, 60 * minutes
            ):
                raise RuntimeError("iotop wrote no such report in %d minutes" % minutes)
            if not condition(self.reports):
                raise RuntimeError("iotop ended: " + self.process.stderr.read())

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.reader.join(20)


def quiet(disks):
    """The counters of disks that did nothing for half a second."""
    before, same = None, 0
    for _ in range(200):
        now = {d: diskstats(d) for d in disks}
        same = same + 1 if now == before else 0
        if same == 5 or not disks:
            return now
        before = now
        time.sleep(0.1)
    raise RuntimeError("the disks of the scenario are never at rest")


class Watch:
    """
    with Watch("tasks", "disks") as w: the workload. Then w.rows("tasks", comm=…), w.sum(…):
    sums since before the workload began until all of it was counted.
    """

    def __init__(self, *screens, more=(), delay=1, accumulated=True, disks=()):
        self.start = lambda: {
            s: Watcher(SCREENS[s] + list(more), accumulated, delay) for s in screens
        }
        self.disks = disks

    def __enter__(self):
        # File systems go on for some time after they were mounted: iotop begins when they are done.
        for _ in range(5):
            unwatched = quiet(self.disks)
            self.watchers = self.start()
            for w in self.watchers.values():
                w.wait(lambda reports: reports)
            self.before = {d: diskstats(d) for d in self.disks}
            if self.before == unwatched:
                break
            for w in self.watchers.values():
                w.end()
        else:
            raise RuntimeError("a disk of the scenario was never at rest while iotop started")
        self.began = time.time()
        return self

    def __exit__(self, kind, *_):
        if kind:
            return
        self.ended = time.time()
        # A file system may go on by itself: what all reports have is between two equal counts. What
        # it does while one after the other ends is in the reports of some.
        for _ in range(20):
            done, now = time.time(), quiet(self.disks)
            for w in self.watchers.values():
                w.wait(lambda reports: parse_time(reports[-1]) - reports[-1]["interval"] > done)
            self.reports = {screen: w.reports[-1] for screen, w in self.watchers.items()}
            if now == {d: diskstats(d) for d in self.disks}:
                break
        self.stats = {d: minus(now[d], self.before[d]) for d in self.disks}
        for w in self.watchers.values():
            w.end()
        self.lost = {}
        for screen, w in self.watchers.items():
            keep("%s-%d" % (screen, len(_rows)), w.reports)
            self.lost.update({k: v for k, v in self.reports[screen]["lost"].items() if v})
        if self.lost:
            print("lost:", self.lost)
        self.told = self.lost
        self.lost = {k: v for k, v in self.lost.items() if not HARMLESS.match(k)}

    def last(self, screen):
        return self.reports[screen]

    def rows(self, screen, **fixed):
        return [
            r for r in self.last(screen)["rows"] if all(r.get(k) == v for k, v in fixed.items())
        ]

    def sum(self, screen, key, **fixed):
        """None when it is unknown in every row, or what counts it is off; 0 without a row."""
        source = {"tasks": "tasks", "disks": "disks", "processes": "block", "sleeps": "offcpu"}.get(
            screen, screen
        )
        if self.last(screen)["sources"].get(source, "off").startswith("off"):
            return None
        values = [r[key] for r in self.rows(screen, **fixed)]
        known = [v for v in values if v is not None]
        return None if values and not known else sum(known)

    def at(self, screen, dev, **fixed):
        """Rows at a disk, by its numbers."""
        number = os.stat(dev).st_rdev
        return self.rows(screen, major=os.major(number), minor=os.minor(number), **fixed)

    def sum_at(self, screen, key, dev, **fixed):
        values = [r[key] for r in self.at(screen, dev, **fixed)]
        known = [v for v in values if v is not None]
        return None if values and not known else sum(known)

    def intervals(self, screen):
        """Reports on intervals that lie within the workload as a whole."""
        return [
            r
            for r in self.watchers[screen].reports
            if parse_time(r) - r["interval"] >= self.began and parse_time(r) <= self.ended
        ]

    def reconcile(self, dev, ops=(READ, WRITE, DISCARD, FLUSH)):
        """The disk's row, and the sum of its processes, against /proc/diskstats."""
        name = os.path.basename(dev)
        stats = self.stats[dev]
        for op, word, iops in ((READ, "read", "riops"), (WRITE, "write", "wiops")):
            if op not in ops:
                continue
            if "disks" in self.watchers:
                exact("%s of the disk, bytes" % word, stats[op][2], self.sum_at("disks", word, dev))
                exact("%s of the disk, I/Os" % word, stats[op][0], self.sum_at("disks", iops, dev))
            if "processes" in self.watchers:
                exact(
                    "%s at the disk by process, bytes" % word,
                    stats[op][2],
                    self.sum_at("processes", "bytes", dev, op=word),
                    self.lost,
                )
        if "processes" in self.watchers and DISCARD in ops and stats[DISCARD][2]:
            exact(
                "discard at the disk by process, bytes",
                stats[DISCARD][2],
                self.sum_at("processes", "bytes", dev, op="discard"),
                self.lost,
            )
        if "disks" in self.watchers and FLUSH in ops and stats[FLUSH][0]:
            exact("flush of the disk, I/Os", stats[FLUSH][0], self.sum_at("disks", "flush", dev))


# ---- workloads


def program(folder, name, path):
    """A program under a name of its own: its tasks are told from others by it (15 characters)."""
    need(os.path.basename(path))
    link = os.path.join(folder, name)
    if not os.path.lexists(link):
        os.symlink(run("which", path).strip(), link)
    return link


PRELUDE = """
import mmap, os, socket, sys, threading, time
open("/proc/self/comm", "w").write(sys.argv[1])
MIB = 1 << 20
"""


def worker(name, code, *args, **more):
    """Python code that runs as a process of that name; its arguments are sys.argv[2:]."""
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + code, name] + [str(a) for a in args], text=True, **more
    )


def work(name, code, *args):
    """
    What it printed. work.read: bytes that it read from disks, as the kernel says: python itself is
    not always in memory.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock
    p = worker(name, code, *args, stdout=subprocess.PIPE)
    out = p.communicate()[0]
    if p.returncode:
        raise RuntimeError("%s ended with %d" % (name, p.returncode))
    work.read[name] = 512 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock - before)
    return out


work.read = {}


def run_reading(*args):
    """Runs a program; the bytes that it read from disks, as the kernel says."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock
    run(*args)
    return 512 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock - before)


def same_as_kernel(what, size, read, ours, lost):
    """
    What the kernel says that a process read; its files have so many bytes. Of network file systems
    it counts that, too, and there are the programs of a guest (9p): then it is the most.
    """
    if os.environ.get("VM_RELEASE"):
        between(what, size, max(size, read), ours, lost)
    else:
        exact(what, read, ours, lost)


def blocks(path):
    """The size of a file in whole blocks of its file system."""
    size = os.statvfs(path).f_bsize
    return -(-os.stat(path).st_size // size) * size


def make_file(path, size):
    """A file that is on the disk as a whole, and not in memory: overwriting it needs no blocks."""
    with open(path, "wb") as f:
        for _ in range(0, size, MIB):
            f.write(os.urandom(4096) * (min(MIB, size) // 4096))
        f.flush()
        os.fsync(f.fileno())
    cold(path)
    return path


def cold(path):
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)


def stay_dirty():
    """What is dirtied is not written because time has passed, until the scenario ends."""
    path = "/proc/sys/vm/dirty_writeback_centisecs"
    with open(path) as f:
        before = f.read()
    undo(lambda: write_file(path, before))
    write_file(path, 0)


def sync_fs(path):
    run("sync", "-f", path)


CGROUPS = "/sys/fs/cgroup"


def control_group(controller, name):
    """
    A control group of the scenario's own, with files of the controller (io, memory): its folder,
    and whether that is of version 1.
    """
    old = os.path.join(CGROUPS, "blkio" if controller == "io" else controller)
    v1 = os.path.isdir(old)
    group = os.path.join(old if v1 else CGROUPS, name)
    try:
        if not v1:
            enable(controller)
        os.mkdir(group)
        undo(lambda: os.rmdir(group))
    except OSError as e:
        skip("no control group with %s: %s" % (controller, e))
    return group, v1


def enable(controller):
    """Gives groups below the root a controller, and takes it back at the end."""
    control = CGROUPS + "/cgroup.subtree_control"
    with open(control) as f:
        if controller in f.read().split():
            return
    write_file(control, "+" + controller)
    undo(lambda: write_file(control, "-" + controller))


def write_file(path, text):
    with open(path, "w") as f:
        f.write(str(text))


def limit_ios(dev, ios, group=None):
    """A control group of so many reads and writes a second at a disk; one that is there already."""
    if not group:
        group, _ = control_group("io", "iotop-truth-%d" % os.getpid())
    v1 = os.path.exists(group + "/blkio.throttle.read_iops_device")
    disk = "%d:%d" % device_numbers(dev)
    try:
        if v1:
            for op in ("read", "write"):
                write_file("%s/blkio.throttle.%s_iops_device" % (group, op), "%s %d" % (disk, ios))
        else:
            write_file(group + "/io.max", "%s riops=%d wiops=%d" % (disk, ios, ios))
    except OSError as e:
        skip("no throttling by control groups: %s" % e)
    return group


def limit_memory(name, size):
    """A control group that has at most so much memory, and whether it is of version 1."""
    group, v1 = control_group("memory", name)
    try:
        write_file(group + ("/memory.limit_in_bytes" if v1 else "/memory.max"), size)
    except OSError as e:
        skip("no limit of memory: %s" % e)
    return group, v1


def enter(group):
    """What a process runs before its program, to be in the group."""
    return lambda: write_file(group + "/cgroup.procs", os.getpid())


def device_numbers(path):
    """Of a disk, or of the one that a file is on."""
    st = os.stat(path)
    number = st.st_rdev or st.st_dev
    return os.major(number), os.minor(number)


# Times of fio hold what the machine lets it wait for a processor: before all others it does not.
FIRST = ["chrt", "--fifo", "1"]


def warm_fio(folder, path, *options):
    """What fio reads of itself and of its libraries is in memory from then on."""
    fio(
        folder,
        "--filename=" + path,
        "--rw=read",
        "--bs=4k",
        "--number_ios=1",
        "--size=4k",
        *options
    )


def fio(folder, *options, name="truth-fio", first=True, group=None):
    """Runs one job; what fio says of it."""
    need("fio", "chrt")
    args = (
        (FIRST if first else [])
        + [
            program(folder, name, "fio"),
            "--name=job",
            "--group_reporting",
            "--output-format=json",
            "--percentile_list=50:99",
            "--direct=1",
        ]
        + [str(o) for o in options]
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock
    p = subprocess.run(
        args,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=enter(group) if group else None,
        cwd=folder,
    )
    if p.returncode:
        if (
            "not supported" in p.stderr
            or "not loadable" in p.stderr
            or "Function not impl" in p.stderr
        ):
            skip("fio: " + p.stderr.strip().splitlines()[0])
        raise RuntimeError("fio: " + p.stderr + p.stdout)
    job = json.loads(p.stdout[p.stdout.index("{") :])["jobs"][0]
    # What the kernel says that it read beside the job: its program, blocks of the file system.
    inblock = resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock - before
    job["read"]["beside"] = max(0, inblock * 512 - job["read"]["io_bytes"])
    job["write"]["beside"] = 0
    return job


def same_as_fio(what, job, op, w, comm, whole=True):
    """
    Bytes and I/Os of a process against fio's, with what it read beside the job: of that the kernel
    counts what came over a network, too, as a guest's programs do, and then it is the most.
    whole: no I/O of fio's is several of the disk's.
    """
    beside, ios = job[op]["beside"], job[op]["total_ios"]
    size, count = w.sum("tasks", op, comm=comm), w.sum("tasks", op[0] + "iops", comm=comm)
    far = beside and os.environ.get("VM_RELEASE")
    least = job[op]["io_bytes"] + (0 if far else beside)
    between(what + ": %s, bytes" % op, least, job[op]["io_bytes"] + beside, size, w.lost)
    if not whole:
        return
    least, most = ios + (1 if beside and not far else 0), ios + beside // 512
    between(what + ": %s, I/Os" % op, least, most, count, w.lost)


# Each read leaves when it began and ended (time of day) and how often it slept meanwhile: doubles
# in a file that is mapped.
STEADY = """
import resource, struct
def slept():
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
f = os.open(sys.argv[2], os.O_RDONLY | os.O_DIRECT)
b = mmap.mmap(-1, 40960, flags=mmap.MAP_PRIVATE)
said = open(sys.argv[3], "r+b")
times = mmap.mmap(said.fileno(), 0)
start = time.time()
n = 0
while True:
    before, began = slept(), time.time()
    os.preadv(f, [b], n % 128 * 40960)
    struct.pack_into("=ddd", times, n * 24, began, time.time(), slept() - before)
    n += 1
    time.sleep(max(0, start + n * 0.01 - time.time()))
"""
STEADY_SIZE, STEADY_RATE, STEADY_MOST = 40960, 100, 200000


class Steady:
    """
    A reader of 100 times 40 KiB a second, "truth-reader", on a disk of its own. A busy machine, or
    an emulated one, does not let it keep that rate: what it did is what it noted itself.
    """

    def __init__(self, folder):
        # It reads past memory below, too: its bytes are the same there.
        self.dev = loop_disk(folder, 8, "disk.img", "--direct-io=on")
        self.name = os.path.basename(self.dev)
        run("dd", "if=/dev/urandom", "of=" + self.dev, "bs=1M", "count=8", "oflag=direct")
        # Not on the disk below: nobody reads or writes there but iotop's reader.
        self.path = "/dev/shm/iotop-truth-%d" % os.getpid()
        with open(self.path, "wb") as f:
            f.truncate(24 * STEADY_MOST)
        undo(lambda: os.unlink(self.path))
        work("truth-none", "")
        reader = worker("truth-reader", STEADY, self.dev, self.path)
        self.pid = reader.pid
        undo(reader.wait)
        undo(reader.kill)

    def least_and_most(self, seconds, first, last, sleeps=False):
        """
        How many reads there are in so many seconds that end at some time from first to last, or how
        often they slept: of windows there the fewest that are in one as a whole, and the most that
        touch one.
        """
        with open(self.path, "rb") as f:
            reads = [t for t in struct.iter_unpack("=ddd", f.read()) if t[1]]
        reads = [
            (began, ended, slept if sleeps else 1)
            for began, ended, slept in reads
            if ended >= first - seconds and began <= last
        ]
        ends = [first + (last - first) * i / 20 for i in range(21)]
        return (
            min(sum(n for b, e, n in reads if b >= end - seconds and e <= end) for end in ends),
            max(sum(n for b, e, n in reads if e >= end - seconds and b <= end) for end in ends),
        )


def steady_screens(name):
    """
    Of each screen: its row, what its columns have for each read, the source that counts, and
    whether a number is of the interval and not of a second.
    """
    size = {"bytes": STEADY_SIZE, "ios": 1}
    reader = dict(disk=name, comm="truth-reader")
    return (
        ("tasks", dict(comm="truth-reader"), {"read": STEADY_SIZE, "riops": 1}, "block", False),
        ("disks", dict(name=name), {"read": STEADY_SIZE, "riops": 1}, "block", False),
        ("processes", reader, size, "block", False),
        ("stacks", reader, size, "stacks", True),
        ("layers", dict(layer="syscall", op="read", disk=name), {"count": 1}, "layers", True),
        ("layers", dict(layer="queue", op="read", disk=name), {"count": 1}, "layers", True),
        ("offcpu", dict(comm="truth-reader", state="D"), {"count": 1}, "offcpu", True),
    )


def steady_numbers(steady, how, reports):
    """Each screen's first reports, with the options of `how', against the steady reader."""
    for screen, choose, values, source, counts in steady_screens(steady.name):
        watcher = Watcher(SCREENS[screen] + ["-n", str(reports)] + how, accumulated=False)
        watcher.wait(lambda done: len(done) == reports)
        watcher.end()
        keep("%s%s-%s" % (screen, "".join(how), choose.get("layer", "")), watcher.reports)
        layer = choose.get("layer", "") and choose["layer"] + " "
        elapsed = 0
        for n, report in enumerate(watcher.reports):
            watched = report["watched"].get(source, report["interval"])
            elapsed = elapsed + watched if how else watched
            # Counters are read after the time of the report, and before it is printed.
            when = parse_time(report)
            # A read that is done before its task goes to sleep blocks nobody.
            least, most = steady.least_and_most(
                elapsed, when, max(when, watcher.printed[n]), screen == "offcpu"
            )
            # What is no rate has no average: it is a sum with -A, too.
            per = 1 if "-a" in how or counts else elapsed
            rows = [r for r in report["rows"] if all(r.get(k) == v for k, v in choose.items())]
            for key, of_one in values.items():
                known = [r[key] for r in rows if r[key] is not None]
                between(
                    "%s %s%s, report %d" % (screen, layer, key, n + 1),
                    least * of_one / per,
                    most * of_one / per,
                    sum(known) if known or not rows else None,
                    share=EDGES,
                )


def strace_counts(output):
    """Calls by name, from strace -f -o."""
    counts = {}
    with open(output, errors="replace") as f:
        for text_line in f:
            m = re.match(r"(?:\d+ +)?(?:[\d.]+ )?(\w+)\(", text_line)
            if m:
                counts[m.group(1)] = counts.get(m.group(1), 0) + 1
    return counts


def schedstat(pid, tid=None):
    """Seconds on a processor and waiting for one."""
    with open("/proc/%d/task/%d/schedstat" % (pid, tid or pid)) as f:
        ran, waited, _ = f.read().split()
    return int(ran) / 1e9, int(waited) / 1e9
