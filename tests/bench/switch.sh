# What a context switch costs: run time of the BPF programs by the kernel's own accounting, in 200,000 round trips through pipes.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
command -v bpftool >/dev/null && command -v python3 >/dev/null || { say "needs bpftool and python3"; return 0; }
stats_on
work=$(mktemp -d)
trap 'stats_off; rm -rf "$work"' EXIT

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
	ns=$(bpf_ns "$work/before" "$work/after" "$_switches")
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
