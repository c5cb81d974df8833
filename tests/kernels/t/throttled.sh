#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: tasks disks layers offcpu
#
# What io.max holds back, and what iocost does: LAT of a task is fio's mean, and the time until it
# may pass is the task's and the disk's throttled, the layer limit and an event's, and what a wait
# was for.
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

need_command fio
null_disk 32
limited=$made
null_disk 32
costly=$made
io_group throttled
echo "$(number "$limited") riops=10 wiops=10" > $group/io.max
if [ -e /sys/fs/cgroup/io.cost.model ]; then
	echo "$(number "$costly") ctrl=user model=linear rbps=1000000 rseqiops=50 rrandiops=50" \
		"wbps=1000000 wseqiops=50 wrandiops=50" > /sys/fs/cgroup/io.cost.model
	echo "$(number "$costly") enable=1 ctrl=user min=100.00 max=100.00" \
		> /sys/fs/cgroup/io.cost.qos
	later eval "echo $(number "$costly") enable=0 > /sys/fs/cgroup/io.cost.qos"
fi

watch tasks -P -o --columns=comm,riops,wiops,lat,max,how,throttled,cgroup,limit
watch disks --screen=disks --columns=name,rlat,wlat,throttled,queue,tagwait
watch waits --screen=offcpu --columns=comm,reason,blocked,kstack
watch layers --screen=layers --columns=layer,disk,op,count,avg
"$IOTOP" -b --screen=events --format=csv --columns=comm,limit,total > "$work/events" &
later eval "kill $! || :"
watching "$limited" "$costly"

# job NAME DISK OPTION…
job() {
	ln -f "$(command -v fio)" "$work/$1" 2> /dev/null || cp "$(command -v fio)" "$work/$1"
	bash -c "echo \$\$ > $group/cgroup.procs; exec \"\$@\"" - "$work/$1" --name=job --thread \
		--filename="$2" --bs=4k --direct=1 --output-format=json --output="$work/$1.fio" \
		--time_based --runtime=20 --group_reporting "${@:3}" || fail "fio ends with $?"
}
job t-read "$limited" --ioengine=psync --rw=randread
job t-write "$limited" --ioengine=libaio --iodepth=8 --rw=randwrite
[ ! -e /sys/fs/cgroup/io.cost.model ] ||
	job t-cost "$costly" --ioengine=psync --numjobs=4 --rw=randread
more_reports
end_watching

python3 - "$work" "${limited#/dev/}" "${costly#/dev/}" <<'END'
import csv, json, os, sys

work, limited, costly = sys.argv[1:]
def read(name):
    with open(os.path.join(work, name)) as f:
        return json.load(f)
tasks, disks = read("tasks.json"), {r["name"]: r for r in read("disks.json")["rows"]}
print(disks[limited], disks[costly])
layers = {(r["disk"], r["op"]): r["avg"] * r["count"] for r in read("layers.json")["rows"]
          if r["layer"] == "limit"}
print(layers)
with open(os.path.join(work, "events")) as f:
    events = [r for r in csv.DictReader(f) if r["comm"] == "t-cost" and r["limit"]]
wrong = []
def near(what, truth, ours, least=0.7):
    print("%s: %.1f ms, fio %.1f" % (what, (ours or 0) / 1e6, truth / 1e6))
    # fio's time is longer by what a slow guest needs to wake it up.
    if ours is None or not least * truth <= ours <= 1.05 * truth:
        wrong.append(what)
held = n = 0
for name, op in (("t-read", "read"), ("t-write", "write"), ("t-cost", "read")):
    if not os.path.exists(os.path.join(work, name + ".fio")):
        continue
    truth = read(name + ".fio")["jobs"][0][op]
    rows = [r for r in tasks["rows"] if r["comm"] == name and r["lat"]]
    # With iocost it is woken more often, and late as often.
    least = 0.2 if name == "t-cost" else 0.7
    near(name, truth["lat_ns"]["mean"], rows[0]["lat"] if len(rows) == 1 else None, least)
    if rows and rows[0]["how"] != "exact":
        wrong.append(name + " is " + rows[0]["how"])
    if rows and not rows[0]["throttled"]:
        wrong.append(name + " is not throttled")
    if name == "t-cost":
        near("held by iocost", truth["lat_ns"]["mean"], disks[costly]["throttled"], least)
        near("at its layer", truth["lat_ns"]["mean"],
             layers.get((costly, op), 0) / truth["total_ios"], least)
        near("its events", truth["lat_ns"]["mean"],
             sum(int(r["limit"]) for r in events) / max(len(events), 1), least)
        with open(os.path.join(work, "tasks.all")) as f:
            reports = [json.loads(line) for line in f]
        limits = {r["limit"] for report in reports for r in report["rows"]
                  if r["comm"] == name and r["limit"]}
        found = {f["what"] for report in reports for f in report["findings"]
                 if f["name"] == "throttled" and "t-cost" in f["what"]}
        print(rows, limits, min(found, default=None))
        if limits != {"io.max riops=10 wiops=10; io.weight 100"}:
            wrong.append("another limit is named")
        if not found:
            wrong.append("it is not found")
        blocked = {}
        for r in read("waits.json")["rows"]:
            if r["comm"] == name:
                if not r["reason"]:
                    print(r)
                blocked[r["reason"]] = blocked.get(r["reason"], 0) + r["blocked"]
        print(blocked)
        near("blocked for the limit", disks[costly]["throttled"] * truth["total_ios"],
             blocked.get("limit"))
        if disks[costly]["tagwait"] > truth["lat_ns"]["mean"] / 10:
            wrong.append("it waits for tags")
    else:
        # A slow guest's disk takes its time.
        near(name + " at its layer", rows[0]["lat"] - disks[limited][op[0] + "lat"],
             layers.get((limited, op), 0) / truth["total_ios"])
        held += truth["lat_ns"]["mean"] * truth["total_ios"]
        n += truth["total_ios"]
near("throttled", held / n, disks[limited]["throttled"])
if wrong:
    sys.exit("not what fio says: " + ", ".join(wrong))
END
