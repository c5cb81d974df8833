# What a context switch costs: run time of the BPF programs by the kernel's own accounting, in round
# trips through pipes: of two processes on one processor, and of two on two, where each wake-up ends
# the other's idling.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
command -v bpftool >/dev/null && command -v python3 >/dev/null ||
	{ say "needs bpftool and python3"; return 0; }
stats_on
work=$(mktemp -d)
trap 'stats_off; rm -rf "$work"' EXIT

# with NAME COMMAND…: the round trips while COMMAND runs
with() {
	_name=$1
	shift
	ns=
	watch "$@"
	if ! watches; then
		say "$_name: does not run on this kernel"
		unwatch
		return
	fi
	programs "$work/others" >"$work/before"
	"$bench/pingpong" $trips $where >"$work/run"
	programs "$work/others" >"$work/after"
	unwatch
	read -r _switches _seconds <"$work/run"
	ns=$(bpf_ns "$work/before" "$work/after" "$_switches")
	say "$_name: $ns ns of BPF a switch, $_seconds s ($(ratio "$_seconds" \
		"$plain") of $plain without)"
	[ $where = apart ] || figure "$_name" switch "$ns"
}

# What one would type: for how long a command did not run.
sleeps='tracepoint:sched:sched_switch {
		@at[args->prev_pid] = nsecs;
		if (@at[args->next_pid]) {
			@[args->next_comm] = sum(nsecs - @at[args->next_pid]);
			delete(@at[args->next_pid]);
		}
	}'

for where in together apart; do
	# Apart, most of the time goes by waiting for the other processor.
	trips=200000
	[ $where = together ] || trips=50000
	read -r switches plain <<EOF
$("$bench/pingpong" $trips $where)
EOF
	say "$where: $switches switches, $plain s"
	with "iotop tasks" "$IOTOP" -b -d 1 --columns=io,command
	"$IOTOP" --list-screens | grep -q ^offcpu || continue
	with "iotop offcpu" "$IOTOP" -b -d 1 --screen offcpu
	io=$ns
	with "iotop offcpu, all states" "$IOTOP" -b -d 1 --screen offcpu --state=SDTtPI
	all=$ns
	if peer offcputime; then
		with offcputime offcputime 60
		say "$where: ratio to offcputime: $(ratio "$io" "$ns"), all states $(ratio "$all" \
			"$ns")"
	fi
	! peer bpftrace || with bpftrace scripted "$sleeps"
done
