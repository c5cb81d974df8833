#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: tasks
#
# Where no program can be attached to the function that holds a bio back, a debug register that
# watches its count tells when: the time of a task within the limit is known, as fio has it.
. "$(dirname "$0")/../devices.sh"

need_command fio
work=$(mktemp -d)
later rm -rf "$work"
null_disk 32
io_group registers
echo "$(number "$made") riops=10" > "$group/io.max"

export group made work
cat > "$work/inside" <<'END'
"$IOTOP" --probes | grep blk_throtl_bio > "$work/probes"
(echo $BASHPID > $group/cgroup.procs
exec fio --name=held --thread --filename="$made" --bs=4k --direct=1 --rw=randread --runtime=20 \
	--time_based --output-format=json --output="$work/held.fio") &
"$IOTOP" -b -d 1 -n 15 --screen=tasks -P --format=json --columns=comm,riops,lat,throttled \
	> "$work/reports"
wait
END
"$top_srcdir/tests/ladder/occupied" __blk_throtl_bio bash "$work/inside" ||
	fail "exit status $? beside programs that occupy the function"
cat "$work/probes"
grep -q '^+.*debug register' "$work/probes" || fail "no debug register"

python3 - "$work" <<'END'
import json, sys

work = sys.argv[1]
with open(work + "/held.fio") as f:
    mean = json.load(f)["jobs"][0]["read"]["lat_ns"]["mean"]
with open(work + "/reports") as f:
    reports = [json.loads(line) for line in f]
# Where it holds is looked for when it is seen to hold, which takes a while on an emulated machine.
rows = [r for report in reports[6:] for r in report["rows"] if r["comm"] == "fio" and r["riops"]]
print("fio: a read takes %d ns" % mean)
for r in rows:
    print(r)
known = [r for r in rows if r["throttled"] is not None and r["lat"] is not None]
wrong = [r for r in known if r["throttled"] < 70 or not 0.8 * mean < r["lat"] < 1.25 * mean]
sys.exit("wrong: %s" % wrong if wrong or len(known) < 4 else 0)
END
