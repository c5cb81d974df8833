#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Several at once at disks whose drivers pass work on to threads: each has its own below, too.
# screens: tasks disks
. "$(dirname "$0")/../devices.sh"
: "${top_builddir:?}"
export IOTOP_TEST_DIR=/tmp PYTHONDONTWRITEBYTECODE=1 IOTOP_TRUTH_IOS=${IOTOP_TRUTH_IOS:-25}
status=0
through() { python3 -u "$top_srcdir/tests/truth/through" "$@" || status=1; }

null_disk 64; lower=$made
dm_linear t_linear "$lower"; linear=$made
dm_crypt t_crypt "$linear"
through crypt-on-linear "$made" "$lower"

null_disk 64; a=$made
null_disk 64; b=$made
md md100 1 "$a" "$b"
through mirror "$made" "$a" "$b"

null_disk 64; a=$made
null_disk 64; b=$made
md md102 0 "$a" "$b"
through striped "$made" "$a" "$b"

raid=()
for i in 1 2 3 4; do null_disk 64; raid+=("$made"); done
md md103 10 "${raid[@]}"
through mirror "$made" "${raid[@]}"

raid=()
for i in 1 2 3; do null_disk 64; raid+=("$made"); done
md md101 5 "${raid[@]}"
# Enough to see a proportion by.
IOTOP_TRUTH_IOS=120 through parity "$made" "${raid[@]}"

if modprobe dm_raid 2> /dev/null; then
	raid=()
	for i in 1 2 3; do null_disk 64; raid+=("$made"); done
	dm t_raid "0 $((2 * $(sectors "$made"))) raid raid5_la 1 128 3 $(printf -- '- %s ' \
		"${raid[@]}")"
	IOTOP_TRUTH_IOS=120 through mapped-parity "$made" "${raid[@]}"
fi

if modprobe dm_thin_pool 2> /dev/null; then
	null_disk 16; meta=$made
	null_disk 96; lower=$made
	dm t_pool "0 $(sectors "$lower") thin-pool $meta $lower 128 0"
	dmsetup message t_pool 0 "create_thin 0"
	dm t_thin "0 131072 thin /dev/mapper/t_pool 0"; thin=$made
	# Blocks that nobody wrote are not read.
	dd if=/dev/zero of="$thin" bs=64k count=$((12 * IOTOP_TRUTH_IOS)) oflag=direct status=none
	through thin "$thin" "$lower"

	# What a snapshot shares is copied before it is written to; it lies elsewhere in the pool.
	null_disk 16; meta=$made
	null_disk 128; lower=$made
	dm t_pool2 "0 $(sectors "$lower") thin-pool $meta $lower 128 0"
	for id in 0 1; do dmsetup message t_pool2 0 "create_thin $id"; done
	dm t_first "0 131072 thin /dev/mapper/t_pool2 0"; first=$made
	dm t_second "0 131072 thin /dev/mapper/t_pool2 1"; thin=$made
	dd if=/dev/zero of="$first" bs=64k count=48 oflag=direct status=none
	dd if=/dev/zero of="$thin" bs=64k count=$((12 * IOTOP_TRUTH_IOS)) oflag=direct status=none
	dmsetup suspend t_second
	dmsetup message t_pool2 0 "create_snap 2 1"
	dmsetup resume t_second
	through shared "$thin" "$lower"
fi

if modprobe dm_snapshot 2> /dev/null; then
	null_disk 96; origin=$made
	null_disk 96; copies=$made
	dd if=/dev/zero of="$origin" bs=64k count=$((12 * IOTOP_TRUTH_IOS)) oflag=direct status=none
	dm t_snapshot "0 $(sectors "$origin") snapshot $origin $copies P 16"
	through snapshot "$made" "$origin" "$copies"

	# What is written to the origin is copied before, for the snapshot.
	null_disk 96; lower=$made
	null_disk 96; copies=$made
	dm_linear t_real "$lower"; real=$made
	dd if=/dev/zero of="$real" bs=64k count=$((12 * IOTOP_TRUTH_IOS)) oflag=direct status=none
	dm t_before "0 $(sectors "$real") snapshot $real $copies P 16"
	dm t_origin "0 $(sectors "$real") snapshot-origin $real"
	through origin "$made" "$lower" "$copies"
fi

# Each write is written to the cache, too, and what was written before is read from it.
need_command make-bcache
if modprobe bcache 2> /dev/null; then
	null_disk 96; slow=$made
	null_disk 160; fast=$made
	make-bcache -b 64k -B "$slow" -C "$fast" > /dev/null
	for disk in "$slow" "$fast"; do echo "$disk" > /sys/fs/bcache/register; done
	wait_until test -b /dev/bcache0
	wait_until test -e /sys/block/bcache0/bcache/cache
	set=$(readlink -f /sys/block/bcache0/bcache/cache)
	later eval "echo 1 > $set/stop"
	later eval "echo 1 > /sys/block/bcache0/bcache/stop"
	echo 0 > /sys/block/bcache0/bcache/sequential_cutoff
	echo 0 > "$set/congested_read_threshold_us"
	echo 0 > "$set/congested_write_threshold_us"
	dd if=/dev/zero of=/dev/bcache0 bs=64k count=$((12 * IOTOP_TRUTH_IOS)) oflag=direct \
		status=none
	through cached /dev/bcache0 "$slow" "$fast"
fi
exit $status
