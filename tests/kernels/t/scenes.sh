#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is wrong with disks that this machine does not have: a slow disk of a mirror, small writes to
# a RAID 5, a disk that fails a part of its requests, one that sends some back; and beside each a
# neighbour that is none.
# screens: why
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_module raid1 raid456 dm_mod dm_delay
wrong=

# look WHAT FINDING PART-OF-ITS-SENTENCE COMMAND…: what is found while a command runs again and
# again; FINDING -: nothing.
look() {
	local what=$1 want=$2 part=$3 status=0 loop
	shift 3
	(while "$@" 2> /dev/null; do :; done) &
	loop=$!
	"$IOTOP" --why=16 -d 2 --no-probing --format=json --record="$work/recording" \
		> "$work/why" 2> "$work/why.err" || status=$?
	touch "$work/stop"
	wait $loop || :
	rm "$work/stop"
	[ $status = 0 ] || [ $status = 3 ] || fail "$what: $(head -n 1 "$work/why.err")"
	"$IOTOP" --replay="$work/recording" --why=16 --format=json > "$work/again" || :
	rm -f "$work/recording"
	python3 - "$work/why" "$what" "$want" "$part" $status "$work/again" <<'END' || wrong=$what
import json, sys
path, what, want, part, status, again = sys.argv[1:]
found, replayed = (json.loads(open(p).readlines()[-1])["findings"] for p in (path, again))
print(what, status, [(f["name"], f["what"], f["evidence"]) for f in found])
names = [f["name"] for f in found if f["severity"] != "note"]
if replayed != found:
    print("the replay says", replayed)
sys.exit(names != ([] if want == "-" else [want]) or (int(status) == 3) != bool(names) or
         replayed != found or
         (want != "-" and not any(part in f["what"] for f in found)))
END
}
# Each ends when it is told to. They are told from others by the disk.
writes() {
	[ ! -e "$work/stop" ] || return 1
	dd if=/dev/zero of="$1" bs="$2" count="${3:-40}" oflag=direct status=none
}
reads() {
	[ ! -e "$work/stop" ] || return 1
	dd if="$1" of=/dev/null bs=4k skip=$((RANDOM % $2)) count=1 iflag=direct status=none || :
}
# One process that waits for each.
scans() {
	[ ! -e "$work/stop" ] || return 1
	dd if="$1" of=/dev/null bs=4k count="$2" iflag=direct status=none
}

null_disk 32; fast=$made
null_disk 32; lower=$made
dm_delay t_slow "$lower" 60; slow=$made
md md100 1 "$fast" "$slow"; mirror=$made
raid=()
for i in 1 2 3 4; do
	null_disk 32 irqmode=2 completion_nsec=2000000; raid+=("$made")
done
md md101 5 "${raid[@]}"; five=$made
settle
look "a mirror with a slow disk" slow-member t_slow writes "$mirror" 16k 200
look "that disk alone" - - writes "$slow" 16k 200
look "writes of 4 KiB to a RAID 5" write-amplification md101 writes "$five" 4k 2000
# 1.5 MiB is its stripe.
look "writes of whole stripes" - - writes "$five" 1536k 8
null_disk 32; broken_lower=$made
half=$(($(sectors "$broken_lower") / 2))
dm t_half "0 $half linear $broken_lower 0
$half $half error"; broken=$made
look "a disk of which a half fails" disk-errors t_half reads "$broken" $((half / 4))
look "the good half" - - reads "$broken" $((half / 8))
# Commands that fail after their 20 ms and are tried again.
scsi_debug_disk 16 delay=0 ndelay=20000000; scsi=$made
settings=/sys/bus/pseudo/drivers/scsi_debug
echo 16 > $settings/opts
echo 4 > $settings/every_nth
look "each fourth command is tried again" requests-retried "${scsi#/dev/}" scans "$scsi" 400
echo 100 > $settings/every_nth
look "each hundredth" - - scans "$scsi" 400
echo 0 > $settings/opts
[ -z "$wrong" ] || fail "$wrong"
