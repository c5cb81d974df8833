#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each of 64 processors has a queue of the disk, and a task that reads and writes there: what each
# task did, what the disk did and what its stacks did are the same, to the byte.
# vm: --cpus 64 --memory 4096
# screens: tasks disks stacks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command fio
[ "$(nproc)" = 64 ] || fail "$(nproc) processors"
null_disk 64 submit_queues=64 irqmode=1
disk=$made
queues=("/sys/block/${disk##*/}/mq"/*)
[ ${#queues[@]} -ge 64 ] || fail "the disk has ${#queues[@]} queues"

watch tasks --screen=tasks -o
watch disks --screen=disks
watch stacks --screen=stacks
watching "$disk"
fio --filename="$disk" --name=each --rw=randrw --bs=4k --size=1m --offset_increment=1m \
	--io_size=256k --numjobs=64 --thread --cpus_allowed=0-63 --cpus_allowed_policy=split \
	--direct=1 --ioengine=psync > /dev/null || fail "fio: $?"
settle
cp /proc/diskstats "$work/after"
more_reports
end_watching
python3 - "$work" "${disk##*/}" <<'END' || fail "the screens are not what the disk did"
import json, sys
folder, disk = sys.argv[1:]
def load(name):
    with open("%s/%s.json" % (folder, name)) as f:
        return json.load(f)
def did(name):
    with open("%s/%s" % (folder, name)) as f:
        return next([512 * int(v) for v in l.split()[5:10:4]] for l in f
                    if l.split()[2] == disk)
def by_op(rows):
    sums = [0, 0]
    for r in rows:
        if r["disk"] == disk and r["comm"] != "dd":
            sums[r["op"] == "write"] += r["bytes"]
    return sums
want = [b - a for a, b in zip(did("before"), did("after"))]
want[0] -= 4096     # of dd, before
tasks = [r for r in load("tasks")["rows"] if r["comm"] == "fio" and r["read"] + r["write"]]
each = sorted({r["read"] + r["write"] for r in tasks})
got = {"tasks": [sum(r["read"] for r in tasks), sum(r["write"] for r in tasks)],
       "stacks": by_op(load("stacks")["rows"])}
print("did", want, "shown", got, len(tasks), "tasks of", each, load("tasks")["lost"])
sys.exit(sum(want) != 64 * 262144 or len(tasks) != 64 or each != [262144] or
         any(v != want for v in got.values()))
END
