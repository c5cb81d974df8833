#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: tasks
#
# Where no program can be attached to the function that holds a bio back, a debug register that
# watches its count tells when: the time of a task within the limit is known, as fio has it of the
# reads that ended in the time of a report.
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
exec fio --name=held --thread --filename="$made" --bs=4k --direct=1 --rw=randread --runtime=600 \
	--time_based --write_lat_log="$work/held" --log_unix_epoch=1 > "$work/held.fio") &
fio=$!
"$IOTOP" -b -d 1 -n 15 --screen=tasks -P --format=json --columns=comm,riops,lat,throttled \
	> "$work/reports"
kill -INT $fio
wait
END
"$top_srcdir/tests/ladder/occupied" __blk_throtl_bio bash "$work/inside" ||
	fail "exit status $? beside programs that occupy the function"
cat "$work/probes"
grep -q '^+.*debug register' "$work/probes" || fail "no debug register"

python3 - "$work" <<'END'
import datetime, json, sys

work = sys.argv[1]
with open(work + "/held_lat.1.log") as f:
    reads = [tuple(int(v) for v in line.split(",")[:2]) for line in f]	# ms, ns
with open(work + "/reports") as f:
    reports = [json.loads(line) for line in f]


def as_fio_has_it(report, lat):
    """Within what the reads took that ended in the time of the report, or just before or after."""
    end = datetime.datetime.fromisoformat(report["time"]).timestamp()
    near = [ns for ms, ns in reads if end - report["interval"] - 0.2 < ms / 1000 < end + 0.2]
    print("  fio: %d reads, of %s ns" % (len(near), (min(near), max(near)) if near else None))
    return near and 0.8 * min(near) < lat < 1.25 * max(near)


# Where it holds is looked for when it is seen to hold, which takes a while on an emulated machine.
known, wrong = 0, 0
for report in reports[6:]:
    for row in report["rows"]:
        if row["comm"] != "fio" or not row["riops"] or None in (row["throttled"], row["lat"]):
            continue
        print(row)
        known += 1
        wrong += not as_fio_has_it(report, row["lat"]) or row["throttled"] < 70
print("fio: %d reads" % len(reads))
sys.exit("%d reports, %d of them wrong" % (known, wrong) if wrong or known < 4 else 0)
END
