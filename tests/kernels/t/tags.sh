#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: disks
#
# A wait for a tag is in LAT, and is the disk's TAGWAIT: where a scheduler leaves some requests to
# others, and where disks share their tags (told by the kernel alone). What is left of QUEUE is the
# scheduler's.
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

need_command fio
# What shares its tags has as many as the module says.
wait_until eval '[ ! -d /sys/module/null_blk ] || modprobe -r null_blk'
modprobe null_blk nr_devices=0 hw_queue_depth=16 submit_queues=1 || skip "no module null_blk"
null_disk 32 irqmode=2 completion_nsec=20000000 hw_queue_depth=64
ordered=$made
told=/sys/kernel/tracing/events/block/block_rq_tag_wait
disks=("$ordered")
if [ -e $told ]; then
	for i in 1 2; do
		null_disk 32 irqmode=2 completion_nsec=100000000 shared_tags=1
		disks+=("$made")
	done
fi
queue=/sys/block/${ordered#/dev/}/queue
echo mq-deadline > $queue/scheduler || skip "no mq-deadline"
few=""
for depth in $queue/async_depth $queue/iosched/async_depth; do
	[ ! -e "$depth" ] || { echo 2 > "$depth"; few=t-ordered; }
done
watch tasks -P -o --columns=comm,riops,wiops,lat
watch disks --screen=disks --columns=name,wlat,queue,device,tagwait,insched,tagwaits
watching "${disks[@]}"

# job NAME DISK JOBS: they write, each one thing at a time.
job() {
	ln -f "$(command -v fio)" "$work/$1" 2> /dev/null || cp "$(command -v fio)" "$work/$1"
	"$work/$1" --name=job --thread --filename="$2" --bs=4k --direct=1 --rw=randwrite \
		--ioengine=psync --numjobs="$3" --output-format=json --output="$work/$1.fio" \
		--time_based --runtime=12 --group_reporting || fail "fio ends with $?"
}
job t-ordered "$ordered" 8
if [ -e $told ]; then
	job t-shared-1 "${disks[1]}" 14 &
	job t-shared-2 "${disks[2]}" 14
	wait $!
fi
more_reports
end_watching

python3 - "$work" "$few" $([ ! -e $told ] || echo told) "${disks[@]#/dev/}" <<'END'
import json, os, sys

work, few, disks = sys.argv[1], sys.argv[2], sys.argv[3:]
told = disks[0] == "told"
disks = disks[told:]
def read(name):
    with open(os.path.join(work, name)) as f:
        return json.load(f)
tasks, rows = read("tasks.json")["rows"], {r["name"]: r for r in read("disks.json")["rows"]}
wrong, unknown = [], 0
def near(what, truth, ours, least=0.7, most=1.05):
    print("%s: %.1f ms, wanted %.1f" % (what, (ours or 0) / 1e6, truth / 1e6))
    if ours is None or not least * truth <= ours <= most * truth:
        wrong.append(what)
for name, disk in zip(("t-ordered", "t-shared-1", "t-shared-2"), disks):
    truth, row = read(name + ".fio")["jobs"][0]["write"]["lat_ns"]["mean"], rows[disk]
    print(name, row)
    own = [r for r in tasks if r["comm"] == name and r["lat"]]
    near(name, truth, own[0]["lat"] if len(own) == 1 else None)
    near(disk, row["wlat"], row["queue"] + row["device"], 0.98, 1.02)
    # Means of all of them, and of those of which it is known: 10 µs may be between them. It is
    # not known of what was on its way when the programs came, as what udev reads of a new disk.
    if row["insched"] is None:
        unknown += 1
    else:
        tags = row["wlat"] - row["device"] - row["insched"]
        print("%s tags: %.3f ms, wanted %.3f" % (disk, row["tagwait"] / 1e6, tags / 1e6))
        if abs(row["tagwait"] - tags) > 0.1 * tags + 10e3:
            wrong.append(disk + " tags")
    # A slow guest's disk takes its time.
    waits = (name == few or name.startswith("t-shared")) and truth > row["device"] + 10e6
    if waits and row["tagwait"] < (truth - row["device"]) / 2:
        wrong.append("%s does not wait for tags" % disk)
    if (row["tagwaits"] is not None) != told or told and waits and not row["tagwaits"]:
        wrong.append("%s: tagwaits is %s" % (disk, row["tagwaits"]))
if unknown == len(disks):
    wrong.append("how long a scheduler had it: known of no disk")
if wrong:
    sys.exit("not what fio says: " + ", ".join(wrong))
END
