# What a block I/O costs: run time of the BPF programs by the kernel's own accounting, and
# throughput, on a disk with requests and on one without, with us, with the peers, and with empty
# programs on the same hooks. BENCH_ROUNDS, BENCH_SECONDS: how often, how long; BENCH_DEPTH,
# BENCH_JOBS: how many at once, BENCH_QUEUES: of null_blk.
# Of the peers bpftrace is given what one would type: bytes by command, and latencies by disk.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
command -v bpftool >/dev/null && command -v fio >/dev/null && command -v python3 >/dev/null ||
	{ say "needs bpftool, fio and python3"; return 0; }
bench_disks || { say "needs null_blk, loop devices or zram"; return 0; }

bytes='tracepoint:block:block_rq_issue { @[comm] = sum(args->bytes); }
	interval:s:1 { print(@); clear(@); }'
times='tracepoint:block:block_rq_issue { @at[args->dev, args->sector] = nsecs; }
	tracepoint:block:block_rq_complete {
		if (@at[args->dev, args->sector]) {
			@ns[args->dev] = hist(nsecs - @at[args->dev, args->sector]);
			delete(@at[args->dev, args->sector]);
		}
	}
	interval:s:1 { print(@ns); clear(@ns); }'

# with NAME COMMAND…: the load while COMMAND runs
with() {
	_name=$1
	shift
	watch "$@"
	if attached $watcher; then
		programs "$work/others" >"$work/before"
		load
		programs "$work/others" >"$work/after"
		# What ended early had no programs: those that came are of others.
		kill -0 $watcher 2>/dev/null && echo "$(bpf_ns "$work/before" "$work/after" \
			$ios) $iops" >>"$work/$disk.$_name"
	fi
	unwatch
}

floor=
if [ -n "$TEST_BPF_CC" ] && [ -x "$bench/attach" ]; then
	$TEST_BPF_CC -c "$top_srcdir/tests/bench/floor.bpf.c" -o "$work/floor.o" 2>/dev/null &&
		floor=1
fi
for disk in $disks; do
	for _round in $(seq "${BENCH_ROUNDS:-3}"); do
		load
		echo "0 $iops" >>"$work/$disk.none"
		[ -z "$floor" ] || with "empty programs" "$bench/attach" "$work/floor.o"
		with "iotop tasks" "$IOTOP" -b -d 1
		with "iotop disks" "$IOTOP" -b -d 1 --screen disks
		with "iotop stacks" "$IOTOP" -b -d 1 --screen stacks
		for _peer in "biotop -C 1" "biolatency 1" "biosnoop" "biostacks 60"; do
			command -v ${_peer%% *} >/dev/null && with ${_peer%% *} $_peer
		done
		command -v bpftrace >/dev/null || continue
		with bpftrace scripted "$bytes"
		with "bpftrace, latency" scripted "$bytes $times"
	done
	plain=$(cut -d' ' -f2 "$work/$disk.none" | median)
	say "$disk, nothing: $plain IOPS"
	for _name in "empty programs" "iotop tasks" "iotop disks" "iotop stacks" biotop biolatency \
		biosnoop biostacks bpftrace "bpftrace, latency"; do
		if [ -e "$work/$disk.$_name" ]; then
			iops=$(cut -d' ' -f2 "$work/$disk.$_name" | median)
			ns=$(cut -d' ' -f1 "$work/$disk.$_name" | median)
			kept=$(ratio "$iops" "$plain")
			say "$disk, $_name: $iops IOPS ($kept of nothing), $ns ns of BPF an I/O"
			[ "$disk" = "${disks%% *}" ] || continue
			figure "$_name" io "$ns"
			figure "$_name" kept "$kept"
		else
			say "$disk, $_name: does not attach on this kernel, or is not installed"
		fi
	done
done
