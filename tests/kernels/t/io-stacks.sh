#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The path of a write: functions of the program and of the kernel by their names, and all of its
# bytes.
# screens: stacks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
: "${top_builddir:?}"
known=$top_builddir/tests/bpf/known
[ -x "$known" ] || skip "tests/bpf/known is not built"
null_disk 64
disk=$made

watch stacks --screen=stacks --columns=comm,op,bytes,kstack,ustack
reports 1
# It stays until its input ends, so that its addresses can be looked up.
mkfifo "$work/stay"
"$known" "$disk" direct < "$work/stay" > "$work/said" &
exec 9> "$work/stay"
wait_until grep -q done "$work/said"
more_reports
exec 9>&-
end_watching
python3 - "$work/stacks.json" <<'END'
import json, os, re, sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/bpf")
from lib import ours
with open(sys.argv[1]) as f:
    report = json.load(f)
rows = [r for r in report["rows"] if r["comm"] == "known"]
paths = [";".join(((r["kstack"] or ["?"]) + (r["ustack"] or ["?"]))[::-1]) for r in rows]
wanted = "main;path_direct;direct_inner;call;.*vfs_write.*;(submit_bio|generic_make_request)"
print("\n".join(paths) or "no path of the program: %s" % report["sources"])
wrong = [p for p in paths if not re.search(wanted, p)]
written = sum(r["bytes"] for r in rows if r["op"] == "write")
if written != 4 << 20:
    print("%d bytes, not 4194304" % written)
else:
    print("not the functions it went through" if wrong else "as it was")
sys.exit(written != 4 << 20 or bool(wrong) or bool(ours(report["lost"])))
END
