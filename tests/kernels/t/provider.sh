#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: disks
#
# A disk that tells when its provider's limits are exceeded (nvme_target.py): what it tells is shown
# and found, what it refuses or does not answer is not known and holds up nothing, and the process
# that asks has one capability and lets go of a disk that is gone.
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

need_module nvme-tcp
need_command ip setpriv
uuid=nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0000-0000-0000000000
host=00000000-0000-0000-0000-000000000001
name=nvme0n1 process=iotop-provider
export LC_ALL=C

tells() { echo "$*" > "$work/page.new"; mv "$work/page.new" "$work/page"; }
asked() { wc -l < "$work/asked"; }
probes() { "$@" "$IOTOP" --no-bpf --probes | grep -i provider || :; }
# start: its reports are in $work/reports, its process is $main.
start() {
	"$IOTOP" --no-bpf -b -d 1 --screen=disks --format=json --columns=disk,exceeded \
		> "$work/reports" 2> "$work/errors" &
	main=$!
	later eval "kill $main || :"
}
# The process that asks; it may not have its name yet.
asking() { pgrep -P "$main" -x $process; }
newest() { tail -n 1 "$work/reports" | grep -q "$1"; }
stop() { kill "$main"; wait "$main" || fail "it ends with $?"; }

tells 0x3c23b510 400000 0 0 100000
: > "$work/asked"
python3 "$(dirname "$0")/../nvme_target.py" "$work" "Amazon Elastic Block Store" &
later kill $!
wait_until test -e "$work/ready"
ip link set lo up
echo "transport=tcp,traddr=127.0.0.1,trsvcid=4420,nqn=${uuid}d0,hostnqn=${uuid}01,hostid=$host,"\
"nr_io_queues=1,keep_alive_tmo=0" > /dev/nvme-fabrics
later eval "echo 1 > /sys/class/nvme/nvme0/delete_controller"
wait_until test -b /dev/$name

told=$(probes)
echo "$told"
grep -q "process provider .*effective: none; permitted: sys_admin; no new privileges: yes" \
	<<< "$told" || fail "not the privileges that SECURITY says"
grep -q "limits of $name .*told by the disk" <<< "$told" || fail "it does not tell"
told=$(probes setpriv --bounding-set=-sys_admin)
echo "$told"
grep -q "limits of $name .*not told without CAP_SYS_ADMIN" <<< "$told" || fail "it is told"
! grep -q "process" <<< "$told" || fail "a process that may not ask"

# A reader that does nothing but wait for it.
(while dd if=/dev/$name of=/dev/null bs=4k iflag=direct status=none; do :; done) &
reader=$!
"$IOTOP" --why=30 --format=json > "$work/why" || :
start
wait_until newest '"exceeded":[1-9]'
kill $reader
wait $reader || :
python3 - "$work/why" "$work/reports" <<'END'
import json, sys
why, report = (json.loads(open(name).readlines()[-1]) for name in sys.argv[1:])
row = [r for r in report["rows"] if r["disk"] == "nvme0n1"][0]
found = [f for f in why["findings"] if f["name"] == "provider-limit"]
print(row, why["findings"], why["unknown"])
if not found:
    sys.exit("not found")
found, evidence = found[0], found[0]["evidence"]
# 40 and 10 percent; the clocks of both sides are read at other moments.
if not 20 <= row["exceeded"] <= 80 or not 20 <= evidence["volume_iops"] <= 80:
    sys.exit("more or less than was told")
if evidence["volume_throughput"] or not 2 <= evidence["instance_throughput"] <= 25:
    sys.exit("another limit than was told")
if "volume IOPS" not in found["what"]:
    sys.exit("another limit is named")
END

# A command that hangs is the only one; the kernel resets nothing for it, and reports go on.
limit=/sys/module/nvme_core/parameters/admin_timeout
usual=$(<$limit)
echo 5 > $limit
dmesg --clear
before=$(asked)
tells hang
wait_until eval '[ "$(asked)" -gt '"$before"' ]'
wait_until newest '"exceeded":null'
before=$(asked)
sleep 12
[ "$(asked)" = "$before" ] || fail "it is asked again while it does not answer"
! dmesg | grep -i "nvme.*\(timeout\|reset\|recovery\)" || fail "the kernel resets the disk"
pid=$(asking) || fail "no process asks"
stop
tells 0x3c23b510 0 0 0 0
wait_until eval "! grep -q '^State:.*[DRS]' /proc/$pid/status 2> /dev/null"
echo "$usual" > $limit

tells refuse
told=$(probes)
echo "$told"
grep -q "limits of $name .*refused, NVMe status 0x" <<< "$told" || fail "it is not said"
tells 0xec2c0d7e 0 0 0 0
start
wait_until newest '"exceeded":0'
pid=$(asking) || fail "no process asks"
ls -l "/proc/$pid/fd" | grep -q $name || fail "the process has not opened it"
echo 1 > /sys/class/nvme/nvme0/delete_controller
wait_until eval "! ls -l /proc/$pid/fd | grep -q $name"
[ -e "/proc/$pid" ] || fail "the process has ended"
stop
