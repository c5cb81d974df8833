# What a context switch costs: run time of the BPF programs by the kernel's own accounting, in 200,000 round trips through pipes.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
command -v bpftool >/dev/null && command -v python3 >/dev/null || { say "needs bpftool and python3"; return 0; }
stats_on
work=$(mktemp -d)
trap 'stats_off; rm -rf "$work"' EXIT

# programs FILE: "id run time" of all BPF programs but those listed in FILE. Not every kernel tells whose they are.
programs() {
	bpftool prog show -j | python3 -c '
import json, sys
old = {line.split()[0] for line in open(sys.argv[1])}
for p in json.load(sys.stdin):
    if str(p["id"]) not in old:
        print(p["id"], p.get("run_time_ns", 0))' "$1"
}

# with NAME COMMAND…: the round trips while COMMAND runs
with() {
	_name=$1
	shift
	programs /dev/null >"$work/others"
	"$@" >/dev/null 2>&1 &
	_pid=$!
	sleep 3
	programs "$work/others" >"$work/before"
	"$bench/pingpong" 200000 >"$work/run"
	programs "$work/others" >"$work/after"
	kill -INT $_pid 2>/dev/null
	wait $_pid 2>/dev/null || :
	read -r _switches _seconds <"$work/run"
	ns=$(awk -v switches="$_switches" 'NR == FNR { before[$1] = $2; next } $1 in before { s += $2 - before[$1] }
		END { printf "%.0f", s / switches }' "$work/before" "$work/after")
	say "$_name: $ns ns of BPF a switch, $_seconds s ($(ratio "$_seconds" "$plain") of none)"
}

read -r switches plain <<EOF
$("$bench/pingpong" 200000)
EOF
say "none: $switches switches, $plain s"
with "iotop tasks (waits)" "$IOTOP" -b -d 1 --columns=io,command
if "$IOTOP" --list-screens | grep -q ^offcpu; then
	with "iotop offcpu" "$IOTOP" -b -d 1 --screen offcpu
	io=$ns
	with "iotop offcpu, all states" "$IOTOP" -b -d 1 --screen offcpu --state=SDTtPI
	all=$ns
	if peer offcputime; then
		with offcputime offcputime 60
		say "ratio to offcputime: $(ratio "$io" "$ns"), all states $(ratio "$all" "$ns")"
	fi
fi
