#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: why
#
# A kernel started without PSI and without control groups for memory and I/O: what cannot be looked
# for is said, all else is found.
# vm: --append psi=0 --append cgroup_disable=memory,blkio,io
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
[ ! -e /proc/pressure ] || fail "psi=0 has no effect"
null_disk 16; lower=$made
dm t_broken "0 $(sectors "$lower") error"; broken=$made
(until [ -e "$work/stop" ]; do
	dd if="$broken" of=/dev/null bs=4k count=1 iflag=direct status=none 2> /dev/null || :
done) &
status=0
"$IOTOP" --why=16 -d 2 --format=json > "$work/why" 2> "$work/why.err" || status=$?
touch "$work/stop"
wait
[ $status = 3 ] || fail "status $status: $(head -n 1 "$work/why.err")"
python3 - "$work/why" <<'END' || fail "not what was wanted"
import json, sys
report = json.loads(open(sys.argv[1]).readlines()[-1])
print(report["unknown"], [(f["name"], f["what"]) for f in report["findings"]])
sys.exit([f["name"] for f in report["findings"] if f["severity"] != "note"] != ["disk-errors"] or
         "t_broken" not in report["findings"][0]["what"] or
         {u["name"]: u["reason"] for u in report["unknown"]} !=
         {"iowait-without-io": "this kernel has no PSI or booted with psi=0"} or
         not report["sources"]["memstall"].startswith("off: "))
END
