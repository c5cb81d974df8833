# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that block in a known way, and what iotop reports of them."""
import json
import os
import subprocess
import sys
import time

from lib import *

IOTOP = os.environ.get("IOTOP", "./iotop")
MS = 10 ** 6

SLEEPER = "import time\nprint('ready', flush=True)\nwhile True: time.sleep(0.25)"
FUTEX = """
import threading, time
e = [threading.Event() for _ in range(2)]
def other():
    while True:
        e[0].wait(); e[0].clear(); e[1].set()
threading.Thread(target=other, daemon=True).start()
print('ready', flush=True)
while True:
    time.sleep(0.2); e[0].set(); e[1].wait(); e[1].clear()
"""
PIPE_READER = "import os\nprint('ready', flush=True)\nwhile os.read(0, 1): pass"
PIPE_WRITER = """
import os, sys, time
print('ready', flush=True)
while True:
    time.sleep(0.2)
    os.write(int(sys.argv[1]), b'x')
"""
LOCKER = """
import fcntl, sys, time
f = open(sys.argv[1], "w")
print('ready', flush=True)
while True:
    fcntl.flock(f, fcntl.LOCK_EX); time.sleep(0.3); fcntl.flock(f, fcntl.LOCK_UN); time.sleep(0.02)
"""
HOSTILE = """
import time
open('/proc/self/comm', 'wb').write(b'a;\\x1b[1mb\\nc')
print('ready', flush=True)
while True: time.sleep(0.1)
"""
READER = """
import mmap, os, sys
fd = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
buf = mmap.mmap(-1, 65536)
print('ready', flush=True)
while True:
    for i in range(512):
        os.preadv(fd, [buf], i << 16)
"""
PINNED = """
import os, sys
os.sched_setaffinity(0, [int(sys.argv[1])])
a, b = int(sys.argv[2]), int(sys.argv[3])
open('/proc/self/comm', 'w').write(sys.argv[4])
print('ready', flush=True)
while True:
    os.write(b, b'x')
    os.read(a, 1)
"""
NAPPER = """
import os, sys, time
os.sched_setaffinity(0, [int(sys.argv[1])])
open('/proc/self/comm', 'w').write('napper')
print('ready', flush=True)
while True: time.sleep(0.001)
"""
RING = """
import os, threading
n = 1000
pipes = [os.pipe() for _ in range(n)]
threading.stack_size(65536)
def hop(i):
    while os.read(pipes[i][0], 1):
        os.write(pipes[(i + 1) % n][1], b'x')
for i in range(n):
    threading.Thread(target=hop, args=(i,), daemon=True).start()
os.write(pipes[0][1], b'x')
print('ready', flush=True)
threading.Event().wait()
"""
MISSER = """
import os, sys, time
fd = os.open(sys.argv[1], os.O_RDONLY)
os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
print('ready', flush=True)
while True:
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    for i in range(256):
        os.pread(fd, 4096, i << 16)
"""
THREAD = """
import sys, threading, time
def once():
    print(threading.get_native_id(), flush=True)
    while not done: time.sleep(0.02)
done = False
thread = threading.Thread(target=once)
thread.start()
sys.stdin.readline()
done = True
thread.join()
print('ended', flush=True)
sys.stdin.readline()
"""
WRITER = """
import os, sys
print('ready', flush=True)
while True: os.close(os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT))
"""
FSYNC = """
import os, sys, time
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)
print('ready', flush=True)
while True:
    os.pwrite(fd, b"x" * 65536, 0)
    os.fsync(fd)
"""


def plain(*args, **more):
    return subprocess.Popen(args, **more)


class Program:
    """
    A python of its own, at its work; first is the line it says then. start: another way to begin
    it.
    """

    def __init__(self, text, *args, start=plain, stdin=subprocess.PIPE, **more):
        self.process = start(sys.executable, "-c", text, *[str(a) for a in args], stdin=stdin,
                             stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True, **more)
        self.pid = self.process.pid
        undo(self.end)
        self.first = self.process.stdout.readline().strip()

    def end(self):
        self.process.kill()
        self.process.wait()


class Watch:
    """Reports of iotop while something happens."""

    def __init__(self, reports, delay, *options):
        self.process = subprocess.Popen([IOTOP, "-b", "--screen", "offcpu", "--format", "json",
                                         "--group=thread", "-n", str(reports),
                                         "-d", str(delay)] + list(options), stdout=subprocess.PIPE,
                                         text=True)
        undo(self.process.kill)

    def reports(self):
        out = self.process.communicate()[0]
        return [json.loads(line) for line in out.splitlines()]


def variables(program):
    """Those of the programs of that object that are loaded, a dictionary each."""
    for m in json.loads(run("bpftool", "-j", "map", "show")):
        if m.get("name") == program + ".bss":
            section = json.loads(run("bpftool", "-j", "map", "dump", "id", m["id"]))[0][
                    "formatted"]["value"][".bss"]
            yield {name: value for variable in section for name, value in variable.items()}


def need_programs():
    state = Watch(1, 0.3).reports()[0]["sources"].get("offcpu", "off")
    if state.startswith("off"):
        skip("no off-CPU programs: " + state)


def until(condition):
    """Waits for it, as long as a busy machine may take."""
    for _ in range(600):
        if condition():
            return True
        time.sleep(0.05)
    return False


def in_state(pid, letter):
    with open("/proc/%d/stat" % pid) as f:
        return f.read().rsplit(")", 1)[1].split()[0] == letter


def rows(report, pid):
    return [r for r in report["rows"] if r["pid"] == pid]


def total(report, pid, **fixed):
    """Of what was watched long enough to be told."""
    return sum(r["blocked"] or 0 for r in rows(report, pid)
               if all(r[k] == v for k, v in fixed.items()))


def spent(pid):
    """ns that the threads of a process were running, or ready to."""
    ns = 0
    for tid in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/schedstat" % (pid, tid)) as f:
            ns += sum(int(v) for v in f.read().split()[:2])
    return ns


def watched(pids, *watch):
    """
    The last report, and how long each process was not blocked from before its interval to after it.
    """
    before = {pid: spent(pid) for pid in pids}
    report = Watch(*watch).reports()[-1]
    return report, {pid: spent(pid) - before[pid] for pid in pids}


def watched_until(pid, condition, *watch):
    """As watched(), of one process: the first report that meets a condition, else the last."""
    watch = Watch(*watch)
    moments = [spent(pid)]
    for line in watch.process.stdout:
        report = json.loads(line)
        moments.append(spent(pid))
        if condition(report):
            break
    watch.process.kill()
    return report, moments[-1] - moments[max(0, len(moments) - 3)]


def check_blocked(what, report, pid, not_blocked, least=0.98):
    """What was not running was blocked: all of the interval is told, and no more."""
    interval, blocked = report["interval"] * 1e9, total(report, pid)
    check_that("%s: blocked %.3f of the interval, at most %.3f not" % (what, blocked / interval,
            not_blocked / interval),
               least * interval - not_blocked <= blocked <= 1.002 * interval)


def has(row, stack, *names):
    return any(f.startswith(n) for f in row[stack] or [] for n in names)
