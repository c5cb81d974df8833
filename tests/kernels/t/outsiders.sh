#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# iotop in a PID namespace: tasks outside come and go, more than it has room for, and one inside
# still has its name.
# screens: disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command unshare nsenter
null_disk 32
disk=$made

cat > "$work/tasks.py" <<'END'
# NAME N SIZE: so many tasks of this name read this much, one after the other.
import mmap, os, sys
name, times, size = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for i in range(times):
    pid = os.fork()
    if not pid:
        with open("/proc/self/comm", "w") as f:
            f.write(name)
        os.preadv(os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT), [mmap.mmap(-1, size)], 0)
        os._exit(0)
    os.waitpid(pid, 0)
END
# The first process of a namespace is not the one that is told to end.
# shellcheck disable=SC2016 # for the shell in the namespace
unshare --pid --fork --kill-child --mount-proc bash -c '"$@"; exit $?' - "$IOTOP" -b -a -d 2 \
	--format=json --screen=disks --group=process --max-tasks=64 > "$work/inside.all" \
	2> "$work/inside.err" &
namespace=$!
later eval "kill $namespace || :"
init=
is_there() { init=$(pgrep -P "$namespace") && iotop=$(pgrep -P "$init"); }
wait_until is_there
iotop=${iotop%%$'\n'*}
reported() { [ "$(grep -c '^' "$work/inside.all")" -ge "$1" ]; }
wait_until reported 2
python3 "$work/tasks.py" "$disk" outside 200 4096
nsenter --target "$iotop" --pid python3 "$work/tasks.py" "$disk" inside 1 65536
wait_until reported $(($(grep -c '^' "$work/inside.all") + 2))
kill -INT "$iotop"
wait "$namespace" || fail "iotop ended with $?: $(head -n 1 "$work/inside.err")"
python3 - "$work/inside.all" "${disk##*/}" <<'END'
import json, sys
with open(sys.argv[1]) as f:
    report = json.loads(f.readlines()[-1])
got = sorted((r["comm"], r["bytes"]) for r in report["rows"] if r["disk"] == sys.argv[2])
print(got, report["lost"])
sys.exit(0 if ("inside", 65536) in got and ("[outside]", 200 * 4096) in got else 1)
END
