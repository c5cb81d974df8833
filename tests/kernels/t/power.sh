#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The power is lost while iotop record writes: what is written after that moment never reaches the
# disk (dm-flakey). Of what readers had seen the last interval is missing at most, and the next
# recorder goes on.
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

need_module dm_flakey
need_command mkfs.ext4 mkfs.xfs python3
export LC_ALL=C
store=$work/mnt/store
mkdir "$work/mnt"
# Who had a file open may need a moment to be gone.
leave() { wait_until umount "$work/mnt"; }

# The times of the samples that a reader finds, and nothing to complain of.
samples() {
	"$IOTOP" -b --store="$store" --begin=-1h --screen=disks --format=json \
		2> "$work/errors" |
		python3 -c 'import json, sys
for line in sys.stdin: print(json.loads(line)["time"])' > "$work/$1"
	! grep -v "no rows" "$work/errors"
}
seen() { [ -d "$store" ] && samples now > /dev/null && [ "$(wc -l < "$work/now")" -ge "$1" ]; }
# begin: a recorder, $recorder.
begin() {
	"$IOTOP" record --no-bpf --store="$store" -d 1 2> "$work/recorder" &
	recorder=$!
	later eval "kill -9 $recorder || :"
}
# table TARGET…: what is in between from now on.
table() {
	dmsetup suspend --nolockfs --noflush power-$kind
	dmsetup load power-$kind --table "0 $size $*"
	dmsetup resume power-$kind
}

for kind in ext4 xfs; do
	null_disk 384
	disk=$made size=$(sectors "$made")
	dm power-$kind "0 $size flakey $disk 0 3600 0"
	mkfs.$kind -q "$made" || fail "mkfs.$kind"
	mount "$made" "$work/mnt"
	later eval "for i in 1 2 3 4 5; do
		mountpoint -q $work/mnt || break
		umount $work/mnt || sleep 0.2
	done"
	begin
	wait_until seen 4
	samples before || fail "$kind: the store has errors"
	table "flakey $disk 0 0 3600 1 drop_writes"
	kill -9 $recorder
	wait $recorder 2> /dev/null || :
	leave
	table "linear $disk 0"
	mount "$made" "$work/mnt"
	samples after || fail "$kind: the store has errors"
	echo "$kind: $(wc -l < "$work/before") samples before, $(wc -l < "$work/after") after"
	head -n -1 "$work/before" > "$work/kept"
	[ -z "$(grep -vxFf "$work/after" "$work/kept")" ] ||
		fail "$kind: more than an interval is lost"
	begin
	wait_until seen $(($(wc -l < "$work/after") + 3))
	kill $recorder
	wait $recorder || fail "$kind: the next recorder ends with $?"
	samples at_last || fail "$kind: the store has errors"
	[ -z "$(grep -vxFf "$work/at_last" "$work/after")" ] || fail "$kind: the next one lost some"
	[ ! -s "$work/recorder" ] || fail "$kind: $(cat "$work/recorder")"
	leave
done
