#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each of 64 processors has a queue of the disk, and a task that reads and one that writes there,
# all of them at once: what each did, what the disk did and what its stacks did is told to the byte.
# vm: --cpus 64 --memory 4096
# screens: tasks disks stacks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command taskset
[ "$(nproc)" = 64 ] || fail "$(nproc) processors"
null_disk 64 submit_queues=64 irqmode=1
disk=$made
queues=("/sys/block/${disk##*/}/mq"/*)
[ ${#queues[@]} -ge 64 ] || fail "the disk has ${#queues[@]} queues"

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P
watch stacks --screen=stacks
watching "$disk"
# on PROCESSOR NAME OP ARG…: 64 I/Os of 4 KiB
on() {
	ln "$work/dd" "$work/$2"
	taskset -c "$1" "$work/$2" "${@:4}" bs=4k count=64 status=none &
	acts+=($!)
	expect "$2" "$disk" "$3" 262144
	expect "$2" tasks "$3" 262144
}
acts=()
for ((i = 0; i < 64; i++)); do
	on "$i" "reads$i" read if="$disk" of=/dev/null iflag=direct skip=$((i * 64))
	on "$i" "writes$i" write if=/dev/zero of="$disk" oflag=direct conv=notrunc seek=$((i * 64))
done
for act in "${acts[@]}"; do
	wait "$act" || fail "dd: $?"
done
more_reports
judge "$disk"
