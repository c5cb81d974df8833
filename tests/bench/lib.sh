# For tests/bench/*.sh: measuring, and numbers that are ratios within one run.

. "$top_srcdir/tests/lib.sh"
bench=$top_builddir/tests/bench
PATH=$PATH:/usr/sbin:/sbin

say() {
	printf '%-12s %s\n' "$bench_name" "$*"
}

# figure TOOL WHAT VALUE: a number for the table of "make compare", where that asks for it.
figure() {
	[ -z "${BENCH_FIGURES:-}" ] || printf '%s\t%s\t%s\n' "$@" >>"$BENCH_FIGURES"
}

# calc EXPRESSION: arithmetic, four significant digits.
calc() {
	awk "BEGIN { printf \"%.4g\", $* }" </dev/null
}

# ratio OURS THEIRS
ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b; else printf "-" }'
}

median() {
	sort -g | awk '{ v[NR] = $1 }
		END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

peer() {
	command -v "$1" >/dev/null && return
	say "$1 is not installed: no comparison"
	return 1
}

# per_refresh N COMMAND with @ for the number of reports: CPU seconds a report, and peak memory in
# kB.
per_refresh() {
	_more=$1
	shift
	_one=$("$bench/measure" $(echo "$*" | sed "s/@/1/")) || return
	_many=$("$bench/measure" $(echo "$*" | sed "s/@/$((1 + _more))/")) || return
	echo "$_one $_many" | awk -v n="$_more" '{ printf "%.5f %d\n", ($4 - $1) / n, $6 }'
}

# programs FILE: "id runs ns name" of all BPF programs but those listed in FILE. Not every kernel
# tells whose they are.
programs() {
	bpftool prog show -j | python3 -c '
import json, sys
old = {line.split()[0] for line in open(sys.argv[1])}
for p in json.load(sys.stdin):
    if str(p["id"]) not in old:
        print(p["id"], p.get("run_cnt", 0), p.get("run_time_ns", 0), p.get("name", "-"))' "$1"
}

# bpf_ns BEFORE AFTER EVENTS: ns that the programs in both files ran, an event
bpf_ns() {
	awk -v n="$3" 'NR == FNR { before[$1] = $3; next } $1 in before { s += $3 - before[$1] }
		END { if (n > 0) printf "%.0f", s / n; else printf "-" }' \
		"$1" "$2"
}

# watch COMMAND…: runs it meanwhile, as $watcher; $work/others has the programs of others.
watch() {
	command -v bpftool >/dev/null && programs /dev/null >"$work/others"
	"$@" >/dev/null 2>&1 &
	watcher=$!
}

# Whether it still runs after the time in which programs are loaded.
watches() {
	sleep 4
	kill -0 "$watcher" 2>/dev/null
}

# Of "sh -c": runs a command with debugfs where bpftrace looks for tracepoints, for it alone.
with_debugfs='[ -e /sys/kernel/debug/tracing/events ] || mount -t debugfs none /sys/kernel/debug
	exec "$@"'

# scripted PROGRAM: bpftrace runs it
scripted() {
	exec unshare -m sh -c "$with_debugfs" - bpftrace -e "$1"
}

# Ends it.
unwatch() {
	kill -INT "$watcher" 2>/dev/null
	wait "$watcher" 2>/dev/null || :
	watcher=
}

# idle_threads N: they wait until the end; $fifo.NAME are files for the bench, gone then.
idle_threads() {
	fifo=$(mktemp -u)
	mkfifo "$fifo"
	trap 'exec 8>&-; rm -f "$fifo"*' EXIT
	"$bench/threads" "$1" <"$fifo" >"$fifo.out" &
	exec 8>"$fifo"
	until grep -q ready "$fifo.out"; do sleep 0.1; done
}

stats_on() {
	stats_before=$(sysctl -n kernel.bpf_stats_enabled) || return
	sysctl -qw kernel.bpf_stats_enabled=1
}

stats_off() {
	sysctl -qw kernel.bpf_stats_enabled="${stats_before:-0}"
}

# Disks for I/O that costs next to nothing, as $disks, until the bench ends; $work is a folder.
bench_disks() {
	work=$(mktemp -d)
	disks=
	clean="rm -rf $work"
	trap 'stats_off; eval "$clean"' EXIT
	# Requests: null_blk; or a file in memory as a loop device.
	if [ ! -e /sys/module/null_blk ] && modprobe null_blk nr_devices=1 \
		submit_queues="${BENCH_QUEUES:-1}" 2>/dev/null && [ -e /sys/block/nullb0 ]; then
		disks=nullb0
		clean="modprobe -r null_blk; $clean"
	elif truncate -s 256M /dev/shm/iotop-bench 2>/dev/null; then
		loop=$(losetup -f --show /dev/shm/iotop-bench 2>/dev/null) && disks=${loop#/dev/}
		clean="losetup -d $loop; rm /dev/shm/iotop-bench; $clean"
	fi
	# Bios only.
	[ -e /sys/class/zram-control ] || modprobe zram 2>/dev/null
	if zram=$(cat /sys/class/zram-control/hot_add 2>/dev/null); then
		disks="$disks zram$zram"
		echo 256M >/sys/block/zram$zram/disksize
		clean="echo $zram >/sys/class/zram-control/hot_remove; $clean"
		clean="echo 1 >/sys/block/zram$zram/reset; $clean"
	fi
	[ -n "$disks" ] || return
	for disk in $disks; do
		[ $disk = nullb0 ] || dd if=/dev/urandom of=/dev/$disk bs=1M count=256 conv=fsync \
			2>/dev/null
	done
	stats_on
}

# load: sets iops, ios: of random reads of 4 KiB, BENCH_JOBS (1) at depth BENCH_DEPTH (32) each
load() {
	_ios=$(awk -v d=$disk '$3 == d { print $4 }' /proc/diskstats)
	iops=$(fio --name=bench --filename=/dev/$disk --size=256M --rw=randread --bs=4k --direct=1 \
		--ioengine=libaio --iodepth="${BENCH_DEPTH:-32}" --numjobs="${BENCH_JOBS:-1}" \
		--group_reporting --time_based --runtime="${BENCH_SECONDS:-3}" \
		--output-format=terse | cut -d';' -f8)
	ios=$(($(awk -v d=$disk '$3 == d { print $4 }' /proc/diskstats) - _ios))
}

# A process has its programs attached when they run.
attached() {
	for _try in $(seq 100); do
		kill -0 $1 2>/dev/null || return
		dd if=/dev/$disk of=/dev/null bs=4k count=8 iflag=direct 2>/dev/null
		[ "$(programs "$work/others" | awk '$2 { n++ } END { print n + 0 }')" -ge 2 ] &&
			return
		sleep 0.3
	done
	return 1
}
