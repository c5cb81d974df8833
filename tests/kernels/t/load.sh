#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every BPF object loads, every program of it is attached or says what it does without, and every screen has rows in batch.
# screens: tasks disks stacks offcpu layers
# timeout: 300
. "$(dirname "$0")/../devices.sh"
: "${IOTOP:?}" "${top_srcdir:?}" "${HAVE_BPF?}"

need_command fio
[ -n "$HAVE_BPF" ] || skip "iotop was built without BPF"
work=$(mktemp -d)
later rm -r "$work"

"$IOTOP" --probes > "$work/probes" 2>&1 || fail "--probes ends with $?"
cat "$work/probes"
for object in "$top_srcdir"/bpf/*.bpf.c; do
	name=$(basename "$object" .bpf.c)
	grep -Eq "^\+  $name +serves: " "$work/probes" || fail "$name: $(grep -E "^-  $name " "$work/probes" || echo no line)"
done
# a tracepoint that a kernel does not have may be missing; what is there must load
grep -E "refus|failed|no memory" "$work/probes" && fail "not all programs are attached"
[ "$(grep -c attached "$work/probes")" -ge 10 ] || fail "only $(grep -c attached "$work/probes") programs are attached"
"$IOTOP" --probes --format=json > "$work/json" || fail "--probes --format=json ends with $?"
[ "$(grep -o '"what":' "$work/json" | wc -l)" = "$(wc -l < "$work/probes")" ] || fail "the JSON page has not the lines of the text"

# Something to see on every screen, until the end.
null_disk 64 irqmode=2 completion_nsec=1000000
disk=$made
fio --name=busy --filename="$disk" --rw=randrw --bs=64k --size=48M --direct=1 --ioengine=psync --thread --time_based \
	--runtime=1000 > "$work/fio" 2>&1 &
writer=$!
later eval "kill $writer; wait $writer || :"
is_busy() { counters "$disk"; [ "$reads" -gt 0 ] && [ "$writes" -gt 0 ]; }
tries=300
until is_busy; do
	[ $((tries -= 1)) -gt 0 ] || fail "no I/O: $(tail -n 3 "$work/fio")"
	sleep 0.1
done

screens=$("$IOTOP" --list-screens | awk '{ print $1 }')
for screen in $screens; do
	"$IOTOP" -b -n 2 -d 1 --format=json --screen="$screen" > "$work/$screen" 2> "$work/$screen.err"
	[ "$(grep -c '"rows":\[{' "$work/$screen")" = 2 ] ||
		fail "$screen: $(wc -l < "$work/$screen") reports, $(grep -c '"rows":\[{' "$work/$screen") with rows: $(head -c 300 "$work/$screen" "$work/$screen.err")"
	# but for the switch, and what nothing provides in this build
	off=$(grep -Eo '"[a-z]+":"off: [^"]*"' "$work/$screen" | grep -Ev '^"delayacct"|not available"$' | head -n 1) || :
	[ -z "$off" ] || fail "$screen: $off"
done
