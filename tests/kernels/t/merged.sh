#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Requests of more bios than are looked at: those behind have no latency, and that is told.
# screens: tasks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command fio
scsi_debug_disk 64 delay=0
disk=$made
queue=/sys/block/${disk#/dev/}/queue
# More than the kernel lets anybody ask for is refused, and what it begins with is enough.
cat "$queue/max_hw_sectors_kb" > "$queue/max_sectors_kb" 2> /dev/null || :
if [ "$(<"$queue/max_segments")" -le 512 ] || [ "$(<"$queue/max_sectors_kb")" -le 256 ]; then
	skip "a request has room for $(<"$queue/max_segments") bios," \
		"$(<"$queue/max_sectors_kb") KiB"
fi

watch tasks --screen=tasks -P -o
watching "$disk"
fio --ioengine=libaio --direct=1 --rw=read --bs=512 --iodepth=2048 --iodepth_batch_submit=2048 \
	--iodepth_batch_complete_min=2048 --name=job --filename="$disk" --size=8m > "$work/fio" ||
	fail "fio: $?"
settle
more_reports
end_watching
python3 - "$work/tasks.json" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
read = sum(r["read"] for r in report["rows"] if r["comm"] == "fio")
print("read by fio: %d, lost: %s" % (read, report["lost"]))
sys.exit(read != 8 << 20 or not report["lost"].get("block.bios-skipped"))
END
