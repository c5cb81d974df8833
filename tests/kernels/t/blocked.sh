#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: tasks offcpu
# timeout: 240
#
# Who waits for a slow disk is seen to: in IO % without delay accounting, and among the blocked with its stack, its waker and the
# request; and a task that is still waiting counts. A busy machine stops the guest for a while: not all of the time is waited.
. "$(dirname "$0")/../devices.sh"

null_disk 32
dm_delay t_delay "$made" 200
disk=$made

dd if="$disk" of=/dev/null bs=4k count=1000 iflag=direct status=none &
reader=$!
"$IOTOP" -b -n 1 -d 3 --format json -P --filter 'comm = dd' >/dev/shm/tasks &
"$IOTOP" -b -n 1 -d 3 --format json --screen offcpu -p $reader >/dev/shm/blocked
wait $!
kill $reader
later rm /dev/shm/tasks /dev/shm/blocked

python3 - "$reader" <<'EOF' || fail "$(cat /dev/shm/why)"
import json, sys
def fail(*text):
    print(*text, file=open("/dev/shm/why", "w"))
    sys.exit(1)
tasks = json.load(open("/dev/shm/tasks"))
io = [r["io"] for r in tasks["rows"] if r["pid"] == int(sys.argv[1])]
if not io or io[0] is None or not 75 <= io[0] <= 101:
    fail("IO %:", io, tasks["sources"])
report = json.load(open("/dev/shm/blocked"))
ns, rows = report["interval"] * 1e9, report["rows"]
blocked = sum(r["blocked"] for r in rows)
if not 0.75 * ns <= blocked <= 1.01 * ns:
    fail("blocked", blocked, "of", ns, report["sources"])
if {r["state"] for r in rows} != {"D"}:
    fail("states", [r["state"] for r in rows])
if not any("direct" in f.lower() or "dio" in f for r in rows for f in r["kstack"] or []):
    fail("stacks", [r["kstack"] for r in rows])
if not any(r["waker_kind"] in ("softirq", "irq", "task") and r["waker_kstack"] for r in rows):
    fail("wakers", [r["waker_kind"] for r in rows])
if not any(r["cause"] and "direct I/O, read " in r["cause"] for r in rows):
    fail("causes", [r["cause"] for r in rows])
EOF
