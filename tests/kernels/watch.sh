# SPDX-License-Identifier: GPL-2.0-or-later
#
# iotop beside known I/O; sourced after devices.sh. A test makes its disks, calls watch, does its
# I/O, calls judge.
# shellcheck shell=bash
: "${IOTOP:?}" "${top_srcdir:?}" "${HAVE_BPF?}"
[ -n "$HAVE_BPF" ] || skip "iotop was built without BPF"
need_command python3
work=$(mktemp -d /dev/shm/work.XXXXXX)
later rm -r "$work"
watchers=()

# Kernel threads write behind (superblocks of md, journals): until the disks are quiet for half a
# second.
settle() {
	local now before="" quiet=0
	while [ $quiet -lt 5 ]; do
		now=$(awk '{ print $3, $4, $8, $12 }' /proc/diskstats)
		if [ "$now" = "$before" ]; then quiet=$((quiet + 1)); else quiet=0; fi
		before=$now
		sleep 0.1
	done
}

# watch NAME OPTION…: an iotop that sums up; NAME.json will have its last report.
watch() {
	local name=$1
	shift
	"$IOTOP" -b -a -d 2 --format=json "$@" > "$work/$name.all" 2> "$work/$name.err" &
	watchers+=("$name:$!")
	later eval "kill $! || :"
}

# Each watcher has so many reports.
reports() {
	local entry tries=1800
	for entry in "${watchers[@]}"; do
		until [ "$(grep -c '^' "$work/${entry%:*}.all")" -ge "$1" ]; do
			kill -0 "${entry#*:}" 2> /dev/null ||
				fail "${entry%:*}: $(head -n 1 "$work/${entry%:*}.err")"
			[ $((tries -= 1)) -gt 0 ] || fail "${entry%:*}: no report"
			sleep 0.1
		done
	done
}

# What was done before is in each watcher's last report.
more_reports() { reports $(($(grep -c '^' "$work/${watchers[0]%:*}.all") + 2)); }

# watching DISK…: all watchers have their baseline, and the disks had some I/O: what lies on what is
# known from then on.
watching() {
	local disk
	reports 1
	settle
	cat /proc/diskstats > "$work/before"
	for disk; do
		dd if="$disk" of=/dev/null bs=4k count=1 iflag=direct status=none
	done
	more_reports
}

# Ends the watchers; the last report of each is NAME.json.
end_watching() {
	local entry
	for entry in "${watchers[@]}"; do
		kill -INT "${entry#*:}"
	done
	for entry in "${watchers[@]}"; do
		wait "${entry#*:}" || fail "${entry%:*} ended with $?: $(head -n 1 \
			"$work/${entry%:*}.err")"
		tail -n 1 "$work/${entry%:*}.all" > "$work/${entry%:*}.json"
	done
}

# Ends the watchers; what they saw and the kernel's counters are compared with the file "expect" of
# $work.
judge() {
	local kept=${VM_OUT:+$VM_OUT/$(basename "$0" .sh).data}
	settle
	cat /proc/diskstats > "$work/after"
	end_watching
	[ -z "$kept" ] || { mkdir -p "$kept"; cp "$work"/*.json "$work"/{before,after,expect} \
		"$kept"; }
	python3 "$top_srcdir/tests/kernels/judge.py" "$work" "$@"
}

# act NAME ARG…: dd under a name of its own, by which its rows are found.
act() {
	[ -e "$work/$1" ] || ln "$work/dd" "$work/$1"
	"$work/$1" "${@:2}" status=none
}
cp "$(command -v dd)" "$work/dd"

# expect NAME DISK OP BYTES: what the rows of the process NAME must say.
expect() { echo "$1 ${2#/dev/} $3 $4" >> "$work/expect"; }
