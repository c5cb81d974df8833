#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A disk that fails: what it sends back and what it cannot do is counted, and time goes on until a
# request is done at last. Its module is loaded while we look.
# screens: disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

null_disk 16; lower=$made
modprobe -rq scsi_debug sd_mod scsi_mod || :
watch disks --screen=disks --columns=disk,name,riops,rlat,rmax,errors,requeues,inflight,timeouts
reports 2

# Each fourth command fails after its 30 ms and is tried again; sectors 0x1234 to 0x123d cannot be
# read.
scsi_debug_disk 16 delay=0 ndelay=30000000; scsi=$made
settings=/sys/bus/pseudo/drivers/scsi_debug
# Of two halves the second cannot be used.
half=$(($(sectors "$lower") / 2))
need_module dm_mod
dm t_half "0 $half linear $lower 0
$half $half error"; broken=$made
more_reports

echo 4 > $settings/every_nth
echo 16 > $settings/opts
start=${EPOCHREALTIME/./}
dd if="$scsi" of=/dev/null bs=4k count=40 iflag=direct status=none
each=$(((${EPOCHREALTIME/./} - start) / 40))
echo 0 > $settings/every_nth
echo 0 > $settings/opts
settle
more_reports
cp "$work/disks.all" "$work/before.all"

# Each seventh is not answered: it times out after a second, and is tried again.
timeout=/sys/block/${scsi#/dev/}/device/timeout
usual=$(<$timeout)
echo 1 > $timeout
echo 7 > $settings/every_nth
echo 4 > $settings/opts
dd if="$scsi" of=/dev/null bs=4k count=20 iflag=direct status=none
echo 0 > $settings/every_nth
echo 0 > $settings/opts
echo "$usual" > $timeout

echo 2 > $settings/opts
! dd if="$scsi" of=/dev/null bs=4k skip=$((0x1234 / 8)) count=1 iflag=direct status=none 2> \
	/dev/null || fail "a bad sector was read"
echo 0 > $settings/opts
for place in 0 $((half / 8)); do
	dd if="$broken" of=/dev/null bs=4k skip=$place count=1 iflag=direct status=none 2> \
		/dev/null || :
done
settle
more_reports
end_watching
python3 - "$work" "${scsi#/dev/}" "${broken#/dev/}" $each <<'END'
import json, sys
work, scsi, broken, each = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]) * 1000
def rows(name):
    report = json.loads(open("%s/%s.all" % (work, name)).readlines()[-1])
    return {row["name"]: row for row in report["rows"]}
def check(what, ok):
    if not ok:
        print(what)
        sys.exit(1)
retried, failed = rows("before")[scsi], rows("disks")
print("retried", retried, "a read each", each)
print("failed", failed[scsi], failed[broken])
check(
    "retried: %s" % retried,
    retried["riops"] >= 40 and retried["requeues"] >= 8 and retried["errors"] == 0,
)
# 40 that are done and 10 or more that were not: to the end of the second try.
check(
    "retried, on average: %s, not %s" % (retried["rlat"], each),
    0.6 * each < retried["rlat"] <= each and retried["rlat"] > 33e6,
)
check("retried, longest: %s" % retried["rmax"], retried["rmax"] >= 60e6)
check("not answered: %s" % failed[scsi], 2 <= failed[scsi]["timeouts"] <= 6 and
      not retried["timeouts"])
check("failed: %s" % failed[scsi], failed[scsi]["errors"] == 1)
check("failed at dm: %s" % failed[broken], failed[broken]["errors"] == 1)
check("in flight at the end", not failed[scsi]["inflight"] and not failed[broken]["inflight"])
END
