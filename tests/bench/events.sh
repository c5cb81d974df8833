# What a block I/O costs: run time of the BPF programs by the kernel's own accounting, and
# throughput, on a disk with requests and on one without, with us, with the peers, and with empty
# programs on the same hooks. BENCH_ROUNDS, BENCH_SECONDS: how often, how long.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
command -v bpftool >/dev/null && command -v fio >/dev/null && command -v python3 >/dev/null ||
	{ say "needs bpftool, fio and python3"; return 0; }
work=$(mktemp -d)
disks=
clean="rm -rf $work"
trap 'stats_off; eval "$clean"' EXIT

# Requests: null_blk; or a file in memory as a loop device.
if [ ! -e /sys/module/null_blk ] && modprobe null_blk nr_devices=1 2>/dev/null &&
	[ -e /sys/block/nullb0 ]; then
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
[ -n "$disks" ] || { say "needs null_blk, loop devices or zram"; return 0; }
for disk in $disks; do
	[ $disk = nullb0 ] || dd if=/dev/urandom of=/dev/$disk bs=1M count=256 conv=fsync \
		2>/dev/null
done
stats_on

# load: sets iops, ios: of random reads of 4 KiB at depth 32
load() {
	_ios=$(awk -v d=$disk '$3 == d { print $4 }' /proc/diskstats)
	iops=$(fio --name=bench --filename=/dev/$disk --size=256M --rw=randread --bs=4k --direct=1 \
		--ioengine=libaio --iodepth=32 \
		--time_based --runtime="${BENCH_SECONDS:-3}" --output-format=terse | cut -d';' -f8)
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
	done
	plain=$(cut -d' ' -f2 "$work/$disk.none" | median)
	say "$disk, nothing: $plain IOPS"
	for _name in "empty programs" "iotop tasks" "iotop disks" "iotop stacks" biotop biolatency \
		biosnoop biostacks; do
		if [ -e "$work/$disk.$_name" ]; then
			iops=$(cut -d' ' -f2 "$work/$disk.$_name" | median)
			ns=$(cut -d' ' -f1 "$work/$disk.$_name" | median)
			say "$disk, $_name: $iops IOPS ($(ratio "$iops" \
				"$plain") of nothing), $ns ns of BPF an I/O"
		else
			say "$disk, $_name: does not attach on this kernel, or is not installed"
		fi
	done
done
