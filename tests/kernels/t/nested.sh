#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Requests of one disk end in a soft interrupt, those of another in a timer's interrupt, which comes
# while the kernel looks at the end of the first for us: since 6.1 it does not run our program once
# more. All of it is seen.
# screens: disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command fio
null_disk 64 irqmode=1 memory_backed=0; soft=$made
null_disk 64 irqmode=2 completion_nsec=20000 memory_backed=0; timer=$made

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P -o
watching "$soft" "$timer"
fio --ioengine=libaio --direct=1 --rw=randread --bs=4k --iodepth=32 --norandommap --thread \
	--name=soft --filename="$soft" --io_size=320m --size=64m \
	--name=timer --filename="$timer" --numjobs=2 --io_size=24m --size=64m > "$work/fio" ||
	fail "fio: $?"
expect fio "$soft" read $((320 << 20))
expect fio "$timer" read $((48 << 20))
judge "$soft" "$timer"
