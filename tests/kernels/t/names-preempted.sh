#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two tasks of one processor: one opens a file after the other, the other one takes the processor
# from it again and again, also while a name is being read for us, and reads files that it had
# opened before. Each file has its own name.
# screens: files
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command chrt taskset mkfs.ext4
modprobe -q ext4
null_disk 256
mkfs.ext4 -q "$made"
mkdir "$work/fs"
mount "$made" "$work/fs"
later umount "$work/fs"
for name in reader opener; do
	ln -s "$(command -v python3)" "$work/$name"
done
cat > "$work/files" <<'PYTHON'
import os, sys, time
top, what, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
deep = top + "/" + what + "".join("/%s-%d" % (what, i) for i in range(16))
names = ["%s/%s.%d" % (deep, what, i) for i in range(n)]
os.makedirs(deep)
for name in names:
    with open(name, "w") as f:
        f.write(name)
fds = [os.open(name, os.O_RDONLY) for name in names] if what == "reader" else []
open("%s/%s/made" % (top, what), "w").close()
while not os.path.exists(top + "/watched"):
    time.sleep(0.1)
while fds and not os.path.exists(top + "/opening"):
    time.sleep(0.1)
# Not in step with the other one.
for i, fd in enumerate(fds):
    time.sleep(0.0003 + i % 13 * 0.00003)
    os.pread(fd, 8, 0)
if fds:
    open(top + "/read", "w").close()
while not os.path.exists(top + "/read"):
    for name in names:
        os.close(os.open(name, os.O_RDONLY))
    open(top + "/opening", "w").close()
PYTHON
# More files than names are kept of: those of the opener are always new.
ulimit -n 8000
taskset -c 0 "$work/opener" "$work/files" "$work/fs" opener 6000 &
opener=$!
taskset -c 0 chrt -f 10 "$work/reader" "$work/files" "$work/fs" reader 2000 &
reader=$!
wait_until test -e "$work/fs/opener/made"
wait_until test -e "$work/fs/reader/made"
sync
watch files --screen=files --columns=path,inode,opens,rcalls
watching "$made"
: > "$work/fs/watched"
wait $reader || fail "reader: $?"
wait $opener || fail "opener: $?"
more_reports
end_watching
python3 - "$work" <<'PYTHON'
import json, os, sys

work = sys.argv[1]
with open(work + "/files.json") as f:
    report = json.load(f)
names = {}
for folder, _, files in os.walk(work + "/fs"):
    for name in files:
        path = os.path.join(folder, name)
        names[os.stat(path).st_ino] = path
# Of others the names are not there any more. A folder is none of them.
ours = [r for r in report["rows"]
        if r["path"].startswith(work + "/fs/") and r["inode"] in names]
wrong = [(r["path"], names[r["inode"]]) for r in ours if r["path"] != names[r["inode"]]]
print("%d of %d wrong: %s; %s" % (len(wrong), len(ours), wrong[:1], report["lost"]))
# It was tried at all: since 7.0 programs are preempted, and what they miss for that is told.
preempted = report["lost"].get("layers.missed", 0) > 0
sys.exit(bool(wrong) or len(ours) < 1000 or
         preempted != (int(os.uname().release.split(".")[0]) >= 7))
PYTHON
