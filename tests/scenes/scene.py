# SPDX-License-Identifier: GPL-2.0-or-later
"""
What the scenes share: iotop --why beside a trouble that is made, or beside a neighbour of it that
is none. A scene is a program, whose arguments are the numbers of its cases (none: all); status 0
when all was named right, 1 when not, 77 when what it needs is not there.
"""
import json
import os
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../truth"))
import truth
from lib import (MIB, dev_of, failed, filesystem, finish, limit_dirty, limits_timed, need, run,
                 skip, undo)
from truth import cold, make_file, program, worker

SCENE = os.path.basename(sys.argv[0])
# So many seconds iotop looks; three intervals must show it, and probes begin after two.
SECONDS = int(os.environ.get("IOTOP_SCENES_SECONDS", 9))
_folder = None
_disks = []
_servers = {}
_count = 0


def begin():
    global _folder
    _folder = truth.begin()
    if not os.path.exists("/dev/fuse"):
        skip("needs FUSE")
    return _folder


def _loop(path):
    dev = run("losetup", "-f", "--show", path).strip()
    undo(lambda: run("losetup", "-d", dev))
    _disks.append(os.path.basename(dev))
    return dev


def slow_disk(mib=64, read=0, write=0, flush=0, discard=0, bad=None):
    """A disk that takes so many milliseconds for each, one after the other."""
    where = os.path.join(_folder, "slow%d" % len(_disks))
    os.mkdir(where)
    args = [where, mib, read, write, flush, discard] + ([] if bad is None else [bad])
    server = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "slow_disk.py")] + [str(a) for a in args],
        stdout=subprocess.PIPE, text=True)
    undo(server.wait)
    undo(lambda: run("umount", "-l", where))
    if server.stdout.readline() != "mounted\n":
        skip("cannot mount FUSE")
    dev = _loop(where + "/disk")
    _servers[dev] = server
    return dev


def slow_down(dev, number):
    """What slow_disk.py does at that signal, later, in a case: for its `then`."""
    return lambda: _servers[dev].send_signal(number)


def fast_disk(mib=256):
    """A disk that nothing slows down: in memory, and no disk below it."""
    path = "/dev/shm/iotop-scene-%d-%d" % (os.getpid(), len(_disks))
    with open(path, "wb") as f:
        f.truncate(mib * MIB)
    undo(lambda: os.unlink(path))
    return _loop(path)


def ext4(dev, options="defaults"):
    where, _ = filesystem(dev, "ext4", _folder)
    run("umount", where)
    run("mount", "-o", options, dev, where)
    run("sync", "-f", where)
    return where


def write_text(path, text):
    with open(path, "w") as f:
        f.write(str(text))


def control_group(controller, name):
    """A new one, below the root of the hierarchy that has this controller."""
    v1, v2 = "/sys/fs/cgroup/" + controller, "/sys/fs/cgroup"
    path = os.path.join(v1 if os.path.isdir(v1) else v2, name)
    try:
        if not os.path.isdir(v1):
            write_text(v2 + "/cgroup.subtree_control",
                       "+" + {"blkio": "io"}.get(controller, controller))
        os.mkdir(path)
    except OSError as e:
        skip("no control group: %s" % e)
    undo(lambda: os.rmdir(path))
    return path


def limit_memory(group, size):
    old = group + "/memory.limit_in_bytes"
    try:
        write_text(old if os.path.exists(old) else group + "/memory.max", size)
    except OSError as e:
        skip("no control group that limits memory: %s" % e)


def enter(group):
    write_text(group + "/cgroup.procs", os.getpid())


# ---- who does something while iotop looks


def fio(name, dev, *options):
    """A process with a name of its own that does I/O until it is ended."""
    need("fio")
    return lambda: subprocess.Popen(
        [program(_folder, name, "fio"), "--name=job", "--filename=" + dev, "--direct=1",
         "--time_based", "--runtime=3600", "--thread"] + list(options),
        cwd=_folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def python(name, code, *args, **more):
    return lambda: worker(name, code, *args, **more)


READER = """
f = os.open(sys.argv[2], os.O_RDONLY | os.O_DIRECT)
b = mmap.mmap(-1, 4096)
n = 0
while True:
    os.preadv(f, [b], n * 7919 % 4096 * 4096)
    time.sleep(float(sys.argv[3]))
    n += 1
"""
# One block after the other: path, size, seconds between two, flags, to fsync() each or not.
WRITER = """
size = int(sys.argv[3])
f = os.open(sys.argv[2], os.O_RDWR | os.O_CREAT | getattr(os, sys.argv[5], 0))
b = mmap.mmap(-1, size)
n = 0
while True:
    os.pwritev(f, [b], n * size % (8 * MIB))
    if sys.argv[6] != "-":
        getattr(os, sys.argv[6])(f)
    time.sleep(float(sys.argv[4]))
    n += 1
"""

# Waits for an event that does not come; the kernel calls it iowait while a request is in flight.
RING = """
import ctypes, struct
libc = ctypes.CDLL(None, use_errno=True)
params = (ctypes.c_uint32 * 30)()
ring = libc.syscall(425, 4, ctypes.byref(params))
if ring < 0:
    os._exit(77)
queue = mmap.mmap(ring, 4096)
sqes = mmap.mmap(ring, 4096, offset=0x10000000)
POLL_ADD, POLLIN = 6, 1
sqes[:64] = struct.pack("<BBHiQQIIQ24x", POLL_ADD, 0, 0, libc.eventfd(0, 0), 0, 0, 0, POLLIN, 7)
ctypes.c_uint32.from_buffer(queue, params[16]).value = 0
ctypes.c_uint32.from_buffer(queue, params[11]).value = 1
libc.syscall(426, ring, 1, 1, 1, None, 0)
"""


def ring(name):
    return python(name, RING)


def reader(name, path, pause=0.005):
    return python(name, READER, path, pause)


def writer(name, path, size, pause=0.0, flags="-", then="-"):
    return python(name, WRITER, path, size, pause, flags, then)


# ---- what iotop says


def _is_ours(finding, wanted):
    """Others of the machine may be in trouble, too."""
    said = " ".join(str(finding[k]) for k in ("who", "victim", "what"))
    # A slow disk is a file of a slow server.
    if finding["name"] == "server-slow" and _folder + "/slow" in said:
        return False
    return (
        "scene-" in said
        or "iotop" in said
        or finding["name"] == wanted == "iowait-without-io"
        or any(d in said.replace(",", " ").replace(":", " ").split() for d in _disks)
        or bool(os.environ.get("IOTOP_DEMAND_ALL"))
    )


def _iotop(*args):
    p = subprocess.run([os.environ["IOTOP"]] + list(args), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True)
    if p.returncode not in (0, 3):
        raise RuntimeError("iotop ended with %d: %s" % (p.returncode, p.stderr))
    return p.returncode, p.stdout


def _without_see(report):
    return json.loads(report.splitlines()[-1])["findings"]


def case(what, *starts, finds=None, who=None, victim=None, evidence=(), may=(), seconds=SECONDS,
         replay=True, settle=1.5, harmless=False, end=None, then=None, after=0, says=""):
    """
    One look. finds: the kind that must be there (None: none), with this culprit and victim (the
    beginnings of their names), these numbers and words; may: kinds that may be there as well.
    harmless: what may be there is a note: nobody is held up. end: called when they are told to end.
    then: called so many seconds after the look began.
    """
    global _count
    _count += 1
    if sys.argv[1:] and str(_count) not in sys.argv[1:]:
        return None
    recording = os.path.join(_folder, "recording%d" % _count)
    processes = [s() for s in starts]
    try:
        time.sleep(settle)
        for p in processes:
            if p.poll() is not None:
                raise RuntimeError("%s: a process ended with %s" % (what, p.returncode))
        later = threading.Timer(after, then or (lambda: None))
        later.start()
        status, out = _iotop("--why=%d" % seconds, "--format=json", "--record=" + recording)
        later.join()
    finally:
        for p in processes:
            p.kill()
        if end:
            end()
        for p in processes:
            p.wait()
    report = json.loads(out.splitlines()[-1])
    everything = report["findings"]
    found = [f for f in everything if _is_ours(f, finds)]
    wrong = []
    for f in everything:
        print("    %s%s: %s" % ("" if f in found else "(beside) ", f["name"], f["what"]))
    names = [f["name"] for f in found]
    wrong += ["it says " + n for n in names if n != finds and n not in may]
    if harmless and any(f["severity"] != "note" for f in found):
        wrong.append("it is more than a note")
    if (status == 3) != any(f["severity"] != "note" for f in everything):
        wrong.append("exit status %d" % status)
    ours = [f for f in found if f["name"] == finds]
    if finds and not ours:
        wrong.append("it does not say " + finds)
    if ours:
        for key, want in (("who", who), ("victim", victim)):
            if want and not any((f[key] or "").startswith(want) for f in ours):
                wrong.append("%s is %s, not %s" % (key, ours[0][key], want))
        missing = [k for k in evidence if not isinstance(ours[0]["evidence"].get(k), (int, float))]
        wrong += ["no number " + k for k in missing]
        if says not in ours[0]["what"]:
            wrong.append("it does not say: " + says)
    if replay:
        _, again = _iotop("--replay=" + recording, "--why=%d" % seconds, "--format=json")
        if json.loads(again.splitlines()[-1])["findings"] != everything:
            wrong.append("the replay says " + json.dumps(
                json.loads(again.splitlines()[-1])["findings"]))
        status_again, page = _iotop("--replay=" + recording, "--why=%d" % seconds)
        if status_again != status or any(f["what"] not in page for f in everything):
            wrong.append("the page of the replay (status %d): %s" % (status_again, page))
    if os.environ.get("IOTOP_SCENES_KEEP"):
        run("cp", recording, "%s/%s-%d" % (os.environ["IOTOP_SCENES_KEEP"], SCENE, _count))
    os.unlink(recording)
    verdict = "ok" if not wrong else "; ".join(wrong)
    print("%-16s %-44s %-18s %s" % (SCENE, what, finds or "nothing", verdict), flush=True)
    if wrong:
        failed("%s, %s: %s" % (SCENE, what, verdict))
    if os.environ.get("IOTOP_SCENES_TABLE"):
        with open(os.environ["IOTOP_SCENES_TABLE"], "a") as f:
            f.write(json.dumps([SCENE, what, finds, names, not wrong]) + "\n")
    return report
