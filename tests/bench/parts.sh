# Where the time goes that events prints: how often each of our programs runs an I/O, and for how
# long, by the kernel's own accounting; as more and more of what we count is asked for.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
command -v bpftool >/dev/null && command -v fio >/dev/null && command -v python3 >/dev/null ||
	{ say "needs bpftool, fio and python3"; return 0; }
bench_disks || { say "needs null_blk, loop devices or zram"; return 0; }

# shares BEFORE AFTER: what an I/O costs, beside the floor, and the programs that took at least a ns
# of it, the longest first. The floor is what as many runs of an empty program take, in which the
# accounting itself is, as in each run of ours.
shares() {
	awk -v n="$ios" 'NR == FNR { runs[$1] = $2; ns[$1] = $3; next }
		$1 in runs && $3 - ns[$1] >= n {
			printf "%.0f %s %.2f\n", ($3 - ns[$1]) / n, $4, ($2 - runs[$1]) / n
		}' "$1" "$2" | sort -gr | awk -v floor="$floor" '{
			all += $1
			runs += $3
			text = text sprintf("%s%s %d ns (%s runs)", NR > 1 ? ", " : "", $2, $1, $3)
		}
		END {
			beside = floor && runs ? sprintf(", %.1f × the floor of %d ns",
				all / (runs * floor), runs * floor) : ""
			printf "%d ns%s: %s\n", all, beside, NR ? text : "-"
		}'
}

# Sets $floor: what a run of an empty program takes, ns; empty where that cannot be measured.
measure_floor() {
	floor=
	[ -n "$TEST_BPF_CC" ] && [ -x "$bench/attach" ] &&
		$TEST_BPF_CC -c "$top_srcdir/tests/bench/floor.bpf.c" -o "$work/floor.o" \
			2>/dev/null || return
	watch "$bench/attach" "$work/floor.o"
	if attached $watcher; then
		programs "$work/others" >"$work/before"
		load
		programs "$work/others" >"$work/after"
		floor=$(awk 'NR == FNR { runs[$1] = $2; ns[$1] = $3; next }
			$1 in runs { r += $2 - runs[$1]; t += $3 - ns[$1] }
			END { if (r) printf "%.1f", t / r }' "$work/before" "$work/after")
		say "$disk, a run of an empty program: ${floor:-?} ns"
	fi
	unwatch
}

# part NAME OPTION…: what the programs cost with these options
part() {
	_name=$1
	shift
	watch "$IOTOP" -b -d 1 "$@"
	if attached $watcher; then
		programs "$work/others" >"$work/before"
		load
		programs "$work/others" >"$work/after"
		say "$disk, $_name: $(shares "$work/before" "$work/after")"
	else
		say "$disk, $_name: it did not start"
	fi
	unwatch
}

for disk in $disks; do
	measure_floor
	part "bytes of tasks" -P --columns=pid,read,write,command
	part "and their waits (tasks)"
	part "histograms and how busy (disks)" --screen=disks
	part "files" --screen=files
	part "stacks of the kernel" --screen=stacks --kernel-stacks
	part "and of programs (stacks)" --screen=stacks
	part "layers" --screen=layers
	part "off-CPU" --screen=offcpu
done
