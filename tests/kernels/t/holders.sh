#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: offcpu
#
# Who waits for a lock or a journal is told who holds it, also where all began before anybody
# looked: the lock of an inode, the mutex of a file's position, the thread of a journal. A disk that
# is suspended keeps the holders waiting.
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

need_command mkfs.ext4
null_disk 256
dm_linear t_held "$made"
disk=$made
ext4 "$disk"
dd if=/dev/zero of="$work/mnt/read" bs=1M count=4 conv=fsync status=none

cat > "$work/programs" <<'END'
import mmap, os, sys, threading, time

where, work = sys.argv[1:]
buf = mmap.mmap(-1, 1 << 20)
made = {}

def process(name, before, act, shared=None):
    """Does `before', then `act' when the disk has stopped."""
    ready, go = os.pipe(), os.pipe()
    pid = os.fork()
    if not pid:
        x = before() if before else shared
        os.write(ready[1], b"x")
        os.read(go[0], 1)
        act(x)
        os._exit(0)
    os.read(ready[0], 1)
    made[name] = pid
    return lambda: os.write(go[1], b"x")

def sleeps(name, pid):
    """For good: on its way there it may sleep for a moment, without the lock."""
    asleep = 0
    for i in range(3000):
        state = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[0]
        asleep = asleep + 1 if state == "D" else 0
        if asleep == 25:
            return
        time.sleep(0.02)
    sys.exit("who %s (%d) is in state %s\n%s"
             % (name, pid, state, open("/proc/%d/stack" % pid).read()))

def opened(name, flags):
    return lambda: os.open(where + "/" + name, flags | os.O_CREAT, 0o644)

def make_folder():
    os.mkdir(where + "/folder")
    return os.open(where, os.O_RDONLY)

def sync_folder(fd):
    """There is something to commit, and all that it takes is in memory."""
    os.mkdir(where + "/another")
    os.fsync(fd)

position = os.open(where + "/read", os.O_RDONLY | os.O_DIRECT)
steps = [
    process("writes", opened("file", os.O_WRONLY | os.O_DIRECT),
            lambda fd: os.pwrite(fd, buf, 0)),
    process("appends", opened("file", os.O_WRONLY), lambda fd: os.pwrite(fd, b"x", 1 << 24)),
    process("reads", None, lambda fd: os.readv(fd, [buf]), position),
    process("asks", None, lambda fd: os.lseek(fd, 0, os.SEEK_CUR), position),
    process("syncs", make_folder, sync_folder),
]
open(work + "/ready", "w").close()
while not os.path.exists(work + "/go"):
    time.sleep(0.02)
for step, (name, pid) in zip(steps, list(made.items())):
    step()
    sleeps(name, pid)
with open(work + "/pids.new", "w") as f:
    f.write(repr(made))
os.rename(work + "/pids.new", work + "/pids")
while made:
    pid = os.wait()[0]
    made = {k: v for k, v in made.items() if v != pid}
END
python3 "$work/programs" "$work/mnt" "$work" &
programs=$!
wait_until test -e "$work/ready"
sync
dmsetup suspend --nolockfs --noflush t_held
later dmsetup resume t_held
touch "$work/go"
wait_until test -e "$work/pids"
"$IOTOP" -b -n 3 -d 3 --group=thread --format json --screen offcpu > "$work/blocked" ||
	fail "offcpu ends with $?"
dmsetup resume t_held
wait $programs

cp "$work/blocked" "${VM_OUT:-/tmp}/holders.json" 2>/dev/null || :
python3 - "$work" "$(basename "$disk")" <<'END'
import json, os, sys

work, disk = sys.argv[1:]
pids = eval(open(work + "/pids").read())
# The types of a module are known since 5.11.
typed = os.path.exists("/sys/kernel/btf/jbd2")
want = {
    "appends": ("inode_lock", "python3", pids["writes"]),
    "asks": ("mutex", "python3", pids["reads"]),
    "syncs": ("journal_commit", "jbd2/%s-8" % disk if typed else None, None),
}
status = 0
for line in open(work + "/blocked"):
    report = json.loads(line)
    off = report["sources"].get("offcpu")
    for name, (reason, holder, tid) in want.items():
        rows = [r for r in report["rows"] if r["pid"] == pids[name]]
        got = {(r["reason"], r["holder"]) for r in rows}
        if got != {(reason, holder)} or tid and {r["holder_tid"] for r in rows} != {tid}:
            print(name, got, [r["holder_tid"] for r in rows], "not", want[name], off,
                  [r["kstack"] for r in rows])
            status = 1
sys.exit(status)
END
