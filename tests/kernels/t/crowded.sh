#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Many tasks on few processors, which take them from each other at any moment: a disk's rows are
# what the disk did, also where the kernel skipped our programs. It completes in interrupts, as
# disks do.
# screens: disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command fio
null_disk 64 irqmode=2 completion_nsec=100000
disk=$made

watch processes --screen=disks --group=process
watching "$disk"
fio --filename="$disk" --name=crowd --rw=randrw --bs=4k --size=32m --io_size=512k --numjobs=24 \
	--direct=1 --ioengine=psync > /dev/null || fail "fio: $?"
settle
cp /proc/diskstats "$work/after"
more_reports
end_watching
python3 - "$work" "${disk##*/}" <<'END' || fail "the rows are not what the disk did"
import json, sys
folder, disk = sys.argv[1:]
def stats(name):
    with open("%s/%s" % (folder, name)) as f:
        return next([int(n) for n in l.split()[3:]] for l in f if l.split()[2] == disk)
before, after = stats("before"), stats("after")
with open(folder + "/processes.json") as f:
    report = json.load(f)
print("lost:", report["lost"])
wrong = 0
for op, field in (("read", 2), ("write", 6)):
    rows = {}
    for r in report["rows"]:
        if r["disk"] == disk and r["op"] == op:
            rows[r["comm"]] = rows.get(r["comm"], 0) + r["bytes"]
    did = 512 * (after[field] - before[field])
    print(op, did, rows)
    # Nobody's is what was not seen; most of it is.
    wrong += not did or sum(rows.values()) != did or rows["fio"] < did / 2
sys.exit(wrong)
END
