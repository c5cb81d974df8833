#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: tasks disks
#
# What io.max holds back: LAT of a task is fio's mean, it is throttled nearly all the time, and the
# disk has the time of the limit beside its own. A busy machine stops the guest for a while: of
# eight reports four must have it all.
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

need_command fio
null_disk 32
disk=$made
group=/sys/fs/cgroup/throttled
echo +io > /sys/fs/cgroup/cgroup.subtree_control || skip "no controller io"
mkdir $group
pids=
ended() { kill $pids; wait $pids || true; rmdir $group; }
later ended
[ -e $group/io.max ] || skip "no io.max"
echo "$(lsblk -dno MAJ:MIN "$disk" | tr -d ' ') riops=10 wiops=10" > $group/io.max

limited() {
	bash -c "echo \$\$ > $group/cgroup.procs; exec \"\$@\"" - fio --name=job --thread \
		--filename="$disk" --bs=4k --direct=1 --time_based --runtime=600 "$@" \
		> "$work/fio" 2>&1 &
	pids="$pids $!"
}
limited --ioengine=psync --rw=randread
limited --ioengine=libaio --iodepth=8 --rw=randwrite
sleep 5
"$IOTOP" -b -n 8 -d 3 --format=json -P --filter='comm == fio' \
	--columns=comm,riops,wiops,lat,how,throttled > "$work/tasks" || fail "tasks ends with $?"
"$IOTOP" -b -n 8 -d 3 --format=json --screen=disks --columns=name,rlat,wlat,throttled \
	> "$work/disks" || fail "disks ends with $?"

python3 - "$work/tasks" "$work/disks" "${disk#/dev/}" <<'END'
import json, sys

def near(value, wanted):
    return value is not None and 0.85 * wanted <= value <= 1.15 * wanted

def task_is_true(report):
    reader = [r for r in report["rows"] if r["riops"]]
    writer = [r for r in report["rows"] if r["wiops"]]
    print([(r["riops"], r["wiops"], r["lat"], r["how"], r["throttled"]) for r in reader + writer])
    return len(reader) == len(writer) == 1 and all(
        near(r["lat"], ns) and r["how"] == "exact" and (r["throttled"] or 0) > 85
        for r, ns in ((reader[0], 100e6), (writer[0], 800e6)))

# Reads wait 0.1 s, eight writes at a time 0.8 s: all together 0.45 s.
def disk_is_true(report):
    row = [r for r in report["rows"] if r["name"] == sys.argv[3]][0]
    print([row[k] for k in ("rlat", "wlat", "throttled")])
    return near(row["throttled"], 450e6) and max(row["rlat"] or 0, row["wlat"] or 0) < 50e6

for name, is_true in ((sys.argv[1], task_is_true), (sys.argv[2], disk_is_true)):
    with open(name) as f:
        if sum([is_true(json.loads(line)) for line in f]) < 4:
            sys.exit("not what fio and the limit say: %s" % name)
END
