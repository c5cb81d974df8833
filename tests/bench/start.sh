# How long a tool takes from its start to its first report, without the interval of that, and its
# peak memory, with few tasks: the medians of five starts in turn. And how long the kernel takes for
# each program that it loads, of which some are loaded beside each other: most is its verifier (of
# those below 5 ms only the sum).

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# started TOOL INTERVAL COMMAND…: it makes one report and ends; some that fail end with status 0
started() {
	_tool=$1 _interval=$2
	shift 2
	command -v "$1" >/dev/null && "$bench/measure" "$@" |
		awk -v d="$_interval" '$2 > d { printf "%.3f %d\n", $2 - d, $3 }' >>"$work/$_tool"
}

screens=$("$IOTOP" --list-screens | cut -d' ' -f1)
for i in 1 2 3 4 5; do
	for screen in tasks disks stacks files offcpu layers; do
		echo "$screens" | grep -qx $screen || continue
		started "iotop $screen" 0.1 "$IOTOP" -b -n 1 -d 0.1 --screen=$screen
	done
	started biotop 1 biotop 1 1
	started biolatency 1 biolatency 1 1
	started biostacks 1 biostacks 1
	started offcputime 1 offcputime 1
	started filetop 1 filetop 1 1
	! command -v bpftrace >/dev/null || started bpftrace 1 unshare -m sh -c "$with_debugfs" - \
		bpftrace -e 'tracepoint:block:block_rq_issue { @[comm] = sum(args->bytes); }
			interval:s:1 { exit(); }'
	started iotop-c 0 iotop-c -b -n 1
	started iotop-py 0 iotop-py -b -n 1
	started pidstat 1 pidstat -d 1 1
	started atop 0 atop 1 1
done
for file in "$work"/*; do
	tool=${file##*/}
	[ -s "$file" ] || {
		say "$tool: does not run on this kernel"
		continue
	}
	seconds=$(median <"$file") memory=$(cut -d' ' -f2 "$file" | median)
	say "$tool: $seconds s to the first report, beside its interval; peak $memory kB"
	figure "$tool" start "$seconds"
	figure "$tool" memory "$(calc "$memory / 1000")"
done

command -v strace >/dev/null || {
	say "strace is not installed: no times of single programs"
	return 0
}
for screen in $screens; do
	rm -f "$work"/calls.*
	strace -ff -qq -T -e trace=bpf -o "$work/calls" "$IOTOP" -b -n 1 -d 0.1 \
		--screen="$screen" >/dev/null 2>&1
	loaded=$(sed -nE 's/.*BPF_PROG_LOAD.*prog_name="([^"]+)".*<([0-9.]+)>$/\2 \1/p' \
		"$work"/calls.* | sort -rn | awk '{ all += $1; n++ }
			$1 >= 0.005 { text = text sprintf(", %s %.1f", $2, 1000 * $1) }
			END { if (n) printf "%.0f ms for %d programs%s", 1000 * all, n, text }')
	[ -z "$loaded" ] || say "iotop $screen loads: $loaded"
done
