#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: tasks disks layers offcpu
#
# A group whose io.latency is missed holds back the one beside it: the time until its I/O may pass
# is fio's less what the disk takes, as time of the task, as the layer limit, as an event's, and as
# what its threads waited for; the limit that is named is the other group's.
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

need_command fio
takes=5000000	# ns, of each I/O of the disk
null_disk 32 irqmode=2 completion_nsec=$takes hw_queue_depth=128
disk=$made
root=/sys/fs/cgroup
io_group t-meant
io_group t-held
[ -e $root/t-meant/io.latency ] || skip "no io.latency in this kernel"
number=$(number "$disk")
echo "$number target=$((takes / 10000))" > $root/t-meant/io.latency
later eval "echo $number target=0 > $root/t-meant/io.latency"

watch tasks -P -o --columns=comm,riops,lat,max,how,throttled,cgroup,limit
watch disks --screen=disks --columns=name,rlat,throttled,queue,tagwait,device
watch waits --screen=offcpu --columns=comm,reason,blocked,kstack
watch layers --screen=layers --columns=layer,disk,op,count,avg
"$IOTOP" -b --screen=events --format=csv --columns=comm,limit,total > "$work/events" &
later eval "kill $! || :"
watching "$disk"

# job NAME THREADS
job() {
	ln -f "$(command -v fio)" "$work/$1" 2> /dev/null || cp "$(command -v fio)" "$work/$1"
	bash -c "echo \$\$ > $root/$1/cgroup.procs; exec \"\$@\"" - "$work/$1" --name=job --thread \
		--filename="$disk" --bs=4k --direct=1 --output-format=json --output="$work/$1.fio" \
		--time_based --runtime=40 --group_reporting --ioengine=psync --rw=randread \
		--numjobs="$2" || fail "fio ends with $?"
}
job t-meant 2 &
job t-held 8
wait $! || fail "t-meant failed"
more_reports
end_watching

python3 - "$work" "${disk#/dev/}" $takes "$number" <<'END'
import csv, json, os, sys

work, disk, takes, number = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
def read(name):
    with open(os.path.join(work, name)) as f:
        return json.load(f)
wrong = []
def near(what, truth, ours):
    print("%s: %.1f ms, fio %.1f" % (what, (ours or 0) / 1e6, truth / 1e6))
    # fio's time is longer by what a slow guest needs to wake it up.
    if ours is None or not 0.7 * truth <= ours <= 1.05 * truth:
        wrong.append(what)
truth = read("t-held.fio")["jobs"][0]["read"]
mean, n = truth["lat_ns"]["mean"], truth["total_ios"]
rows = {r["comm"]: r for r in read("tasks.json")["rows"]}
print(rows.get("t-held"), rows.get("t-meant"), read("disks.json")["rows"])
if mean < 2 * takes:
    sys.exit("nothing was held back: fio's latency is %.1f ms" % (mean / 1e6))
near("latency", mean, rows["t-held"]["lat"])
others = read("t-meant.fio")["jobs"][0]["read"]
near("latency of the other", others["lat_ns"]["mean"], rows["t-meant"]["lat"])
held = (mean - takes) * n
near("at the layer limit", held / n, sum(
    r["avg"] * r["count"] for r in read("layers.json")["rows"]
    if r["layer"] == "limit" and r["disk"] == disk) / n)
with open(os.path.join(work, "events")) as f:
    events = [r for r in csv.DictReader(f) if r["comm"] == "t-held" and int(r["total"]) > 2 * takes]
near("its events", sum(int(r["total"]) for r in events) / len(events) - takes,
     sum(int(r["limit"] or 0) for r in events) / len(events))
# What a slow guest needs between two instructions counts.
if (rows["t-meant"]["throttled"] or 0) > 5:
    wrong.append("the other one is throttled")
with open(os.path.join(work, "tasks.all")) as f:
    reports = [json.loads(line) for line in f]
limits = {r["limit"] for report in reports for r in report["rows"]
          if r["comm"] == "t-held" and r["limit"]}
if limits != {"io.latency %s target=%d (/t-meant)" % (number, takes // 10000)}:
    wrong.append("the limit is %s" % limits)
found = {f["what"] for report in reports for f in report["findings"]
         if f["name"] == "throttled" and "t-held" in f["what"]}
print(min(found, default=None))
if not found:
    wrong.append("it is not found")
blocked = {}
for r in read("waits.json")["rows"]:
    if r["comm"] == "t-held":
        blocked[r["reason"]] = blocked.get(r["reason"], 0) + r["blocked"]
print(blocked)
near("blocked for the limit", held, blocked.get("limit", 0))
if wrong:
    sys.exit("not what fio says: " + ", ".join(wrong))
END
