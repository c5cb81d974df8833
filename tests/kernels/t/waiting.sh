#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: tasks
#
# IO % is the time in which a task could not go on for I/O, however it sleeps: at a slow disk nearly
# all of it by pread(), libaio and a ring; 0 for who waits in a ring without I/O. Of five
# reports one must have it all: a busy machine stops the guest for a while.
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

need_command fio
null_disk 32
dm_delay t_delay "$made" 200
disk=$made

python3 - <<'END' &
import ctypes
libc = ctypes.CDLL(None)
params = (ctypes.c_uint32 * 30)()
ring = libc.syscall(425, 4, ctypes.byref(params))
libc.syscall(426, ring, 0, 1, 1, None, 0)
END
idle=$!
later kill $idle
pids=
for way in psync libaio io_uring; do
	fio --name=job --thread --filename="$disk" --rw=randread --bs=4k --direct=1 \
		--ioengine=$way --iodepth=1 --time_based --runtime=600 > "$work/fio.$way" 2>&1 &
	pids="$pids $way:$!"
	later kill $!
done
"$IOTOP" -b -n 5 -d 2 --format json -P --columns=pid,comm,io,iowait > "$work/tasks" ||
	fail "tasks ends with $?"

python3 - "$work/tasks" $idle $pids <<'END'
import json, sys

def complaint(report):
    io = {row["pid"]: row["io"] for row in report["rows"]}
    shares = {way: io.get(int(pid)) for way, pid in (word.split(":") for word in sys.argv[3:])}
    print("IO %%: %s, idle %s" % (shares, io.get(int(sys.argv[2]))))
    # Where the disk may block, a thread of the ring submits and waits, too.
    return io.get(int(sys.argv[2])) not in (0, None) or not all(
        share is not None and 75 <= share <= (202 if way == "io_uring" else 101)
        for way, share in shares.items())

with open(sys.argv[1]) as f:
    reports = [json.loads(line) for line in f]
sys.exit(all([complaint(r) for r in reports]))
END
