#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# RAID 0 before 5.14 hands bios on as they are, and splits off what lies on another member: the
# members have their rows by process, and all three their times, as where each has a bio of its own.
# screens: tasks disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
MS=20

members=()
for i in 1 2; do null_disk 64 irqmode=2 completion_nsec=$((MS * 1000000)); members+=("$made"); done
md md102 0 "${members[@]}"; raid=$made

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching "$raid" "${members[@]}"

# Parts of 512 KiB, which do not begin where I/Os of 1 MiB do.
start=$EPOCHREALTIME
act small if=/dev/zero of="$raid" bs=64k count=64 oflag=direct
act large if=/dev/zero of="$raid" bs=1M count=16 oflag=direct
act reads if="$raid" of=/dev/null bs=1M count=16 iflag=direct
took=$(awk "BEGIN { print $EPOCHREALTIME - $start }")
for op in small:write:4 large:write:16 reads:read:16; do
	IFS=: read -r name op mib <<< "$op"
	expect "$name" "$raid" "$op" $((mib << 20))
	expect "$name" tasks "$op" $((mib << 20))
	for member in "${members[@]}"; do
		expect "$name" "$member" "$op" $((mib << 19))
	done
done
judge "${members[@]}"
python3 - "$work" "$took" "${raid#/dev/}" "${members[@]#/dev/}" <<END
import json, sys
folder, took, raid, members = sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4:]
with open(folder + "/disks.all") as f:
    reports = [json.loads(line) for line in f]
watched = sum(r["interval"] for r in reports)
bad = 0
def check(what, least, is_, most):
    global bad
    ok = is_ is not None and least <= is_ <= most
    print("%s: %s of %s to %s%s" % (what, is_, least, most, "" if ok else ", WRONG"))
    bad += not ok
for row in reports[-1]["rows"]:
    if row["name"] in [raid] + members:
        for key in "rlat", "wlat":
            check("%s: %s, ms" % (row["name"], key), $MS, row[key] and row[key] / 1e6, 1000 * took)
        # Each I/O of the RAID, one at a time; each other small one and all large ones.
        ios = 96 if row["name"] == raid else 64
        check(row["name"] + ": busy, s", ios * $MS / 1000, row["util"] / 100 * watched, took + 1)
with open(folder + "/processes.json") as f:
    for row in json.load(f)["rows"]:
        if row["comm"] in ("small", "large", "reads") and row["bytes"]:
            check("%s of %s: average, ms" % (row["disk"], row["comm"]), $MS,
                  row["avg"] and row["avg"] / 1e6, 1000 * took)
sys.exit(bad > 0)
END
