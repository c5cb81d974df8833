#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: tasks offcpu
#
# Who waits for a slow disk is seen to: in IO % without delay accounting, and among the blocked with
# its stack, its waker and the request; and a task that is still waiting counts. Of three reports
# one must have it all: a busy machine stops the guest for a while, and then not all of the time is
# waited.
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

null_disk 32
dm_delay t_delay "$made" 200
disk=$made

dd if="$disk" of=/dev/null bs=4k count=1000000 iflag=direct status=none &
reader=$!
later kill $reader
"$IOTOP" -b -n 3 -d 2 --format json -P --filter 'comm = dd' > "$work/tasks" &
"$IOTOP" -b -n 3 -d 2 --format json --screen offcpu -p $reader > "$work/blocked" ||
	fail "offcpu ends with $?"
wait $! || fail "tasks ends with $?"

python3 - "$work" "$reader" <<'END'
import json, sys

def waits(report):
    io = [r["io"] for r in report["rows"] if r["pid"] == int(sys.argv[2])]
    if not io or io[0] is None or not 75 <= io[0] <= 101:
        return "IO %%: %s %s" % (io, report["sources"])

def blocked(report):
    ns, rows = report["interval"] * 1e9, report["rows"]
    total = sum(r["blocked"] for r in rows)
    if not 0.75 * ns <= total <= 1.01 * ns:
        return "blocked %d of %d %s" % (total, ns, report["sources"])
    if {r["state"] for r in rows} != {"D"}:
        return "states %s" % [r["state"] for r in rows]
    if not any("direct" in f.lower() or "dio" in f for r in rows for f in r["kstack"] or []):
        return "stacks %s" % [r["kstack"] for r in rows]
    if not any(r["waker_kind"] in ("softirq", "irq", "task") and r["waker_kstack"] for r in rows):
        return "wakers %s" % [r["waker_kind"] for r in rows]
    if not any(
        r["cause"] == "direct I/O" and r["request_op"] == "read" and r["request_avg"] for r in rows
    ):
        return "causes %s" % [r["cause"] for r in rows]

def off(report):
    return [s for s in report["sources"].items() if s[0] != "delayacct" and s[1].startswith("off")]

status = 0
for name, complaint in ("tasks", waits), ("blocked", blocked):
    with open("%s/%s" % (sys.argv[1], name)) as f:
        reports = [json.loads(line) for line in f]
    complaints = [off(r) or complaint(r) for r in reports]
    if all(complaints):
        print(*complaints, sep="\n")
        status = 1
sys.exit(status)
END
