# What a block I/O costs: run time of the BPF programs by the kernel's own accounting, and throughput.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
command -v bpftool >/dev/null && command -v fio >/dev/null && command -v python3 >/dev/null ||
	{ say "needs bpftool, fio and python3"; return 0; }
disk=zram0
if [ ! -e /sys/block/$disk ]; then
	modprobe zram 2>/dev/null || { say "needs zram"; return 0; }
fi
added=
if [ "$(cat /sys/block/$disk/disksize)" != 0 ]; then
	added=$(cat /sys/class/zram-control/hot_add 2>/dev/null) || { say "/dev/$disk is in use"; return 0; }
	disk=zram$added
fi
echo 256M >/sys/block/$disk/disksize
stats_on
trap 'stats_off; echo 1 >/sys/block/$disk/reset; [ -z "$added" ] || echo $added >/sys/class/zram-control/hot_remove' EXIT
dd if=/dev/urandom of=/dev/$disk bs=1M count=256 conv=fsync 2>/dev/null

# load: I/O per second of random reads of 4 KiB at depth 32
load() {
	fio --name=bench --filename=/dev/$disk --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=32 \
		--time_based --runtime=3 --output-format=terse | cut -d';' -f8
}

# with NAME COMMAND…: the load while COMMAND runs
with() {
	_name=$1
	shift
	"$@" >/dev/null 2>&1 &
	_pid=$!
	sleep 2
	bpf_cost $_pid >"$work/before"
	_iops=$(load)
	bpf_cost $_pid >"$work/after"
	kill -INT $_pid 2>/dev/null
	wait $_pid 2>/dev/null || :
	_ios=$((_iops * 3))
	_ns=$(cat "$work/before" "$work/after" | awk -v n="$(wc -l <"$work/before")" -v ios=$_ios '
		{ s += NR <= n ? -$3 : $3 } END { printf "%.0f", s / ios }')
	say "$_name: $_iops IOPS ($(ratio "$_iops" "$plain") of none), $_ns ns of BPF an I/O"
}

work=$(mktemp -d)
plain=$(load)
say "none: $plain IOPS"
if [ -n "$TEST_BPF_CC" ] && mountpoint -q /sys/fs/bpf; then
	$TEST_BPF_CC -c "$top_srcdir/tests/bench/floor.bpf.c" -o "$work/floor.o" &&
		bpftool prog loadall "$work/floor.o" /sys/fs/bpf/iotop-floor autoattach 2>/dev/null &&
		say "empty programs: $(load) IOPS" || say "empty programs: cannot be attached here"
	rm -rf /sys/fs/bpf/iotop-floor
fi
with "iotop tasks" "$IOTOP" -b -d 1
"$IOTOP" --list-screens | grep -q ^disks && with "iotop disks" "$IOTOP" -b -d 1 --screen disks
"$IOTOP" --list-screens | grep -q ^stacks && with "iotop stacks" "$IOTOP" -b -d 1 --screen stacks
peer biolatency && with biolatency biolatency 1
if peer biotop; then
	if timeout 3 biotop 1 1 >/dev/null 2>&1; then
		with biotop biotop 1
	else
		say "biotop: does not attach on this kernel"
	fi
fi
if peer biostacks; then
	if timeout 3 biostacks 1 >/dev/null 2>&1; then
		with biostacks biostacks 60
	else
		say "biostacks: does not attach on this kernel"
	fi
fi
rm -rf "$work"
