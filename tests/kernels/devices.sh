# SPDX-License-Identifier: GPL-2.0-or-later
#
# Disks for the tests of this folder, made and taken away in the guest; sourced by them.
# A function that makes a disk leaves its path (/dev/, then the kernel's name) in $made and
# registers its removal; sizes are in MiB. Starting a program takes an emulated guest 0.1 s: what
# bash can do itself, it does.
# shellcheck shell=bash disable=SC2034
export DM_DISABLE_UDEV=1 MDADM_NO_UDEV=1
set -eu -o pipefail

undo=()
later() { undo=("$(printf '%q ' "$@")" "${undo[@]}"); }
clean_up() {
	local command
	for command in "${undo[@]}"; do
		eval "$command" > /dev/null 2>&1 || echo "cannot undo: $command" >&2
	done
}
trap clean_up EXIT

skip() { echo "$*"; exit 77; }
fail() { echo "$*"; exit 1; }
check() { local what=$1; shift; "$@" || fail "$what"; }

# modprobe, or the test is skipped.
need_module() {
	local module
	for module; do
		modprobe "$module" 2>/dev/null || skip "no module $module"
	done
}
need_command() {
	local tool
	for tool; do
		command -v "$tool" > /dev/null || skip "no $tool"
	done
}

# Waits until a command succeeds; the limit is for what never ends, a busy machine is slow.
wait_until() {
	local tries=1200
	until "$@"; do
		[ $((tries -= 1)) -gt 0 ] || fail "in vain: $*"
		sleep 0.1
	done
}

sectors() { blockdev --getsz "$1"; }
number() { lsblk -dno MAJ:MIN "$1" | tr -d ' '; }

# io_group NAME: a control group of version 2 whose I/O can be limited; its path in $group.
io_group() {
	group=/sys/fs/cgroup/$1
	echo +io > /sys/fs/cgroup/cgroup.subtree_control || skip "no controller io"
	mkdir "$group"
	later rmdir "$group"
	[ -e "$group/io.max" ] || skip "no io.max"
}

# null_disk MIB [ATTRIBUTE=VALUE…]: memory backed; see configfs's nullb for attributes
# (completion_nsec=… irqmode=2).
null_disk() {
	local size=$1 name=t$RANDOM dir setting
	shift
	[ -d /sys/module/null_blk ] || modprobe null_blk nr_devices=0 || skip "no module null_blk"
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	dir=/sys/kernel/config/nullb/$name
	mkdir "$dir"
	later rmdir "$dir"
	for setting in size="$size" memory_backed=1 "$@" power=1; do
		echo "${setting#*=}" > "$dir/${setting%%=*}"
	done
	# named by its number, since 6.10 by its folder
	made=/dev/$name
	[ -b "$made" ] || made=/dev/nullb$(<"$dir/index")
	[ -b "$made" ] || fail "null_blk made no $made"
}

loop_disk() {
	local file
	need_module loop
	file=$(mktemp /dev/shm/loop.XXXXXX)
	later rm "$file"
	truncate -s "$1M" "$file"
	made=$(losetup --find --show "$file")
	later losetup -d "$made"
}

zram_disk() {
	local number
	need_module zram
	number=$(</sys/class/zram-control/hot_add)
	made=/dev/zram$number
	later eval "echo $number > /sys/class/zram-control/hot_remove"
	echo "$1M" > "/sys/block/zram$number/disksize"
}

# scsi_debug_disk MIB [PARAMETER=VALUE…]: one at a time; delay=0 completes at once, ndelay=NS later.
scsi_debug_disk() {
	local host size=$1
	shift
	need_module sd_mod
	modprobe scsi_debug dev_size_mb="$size" "$@" || skip "no module scsi_debug"
	later modprobe -r scsi_debug
	host=/sys/bus/pseudo/drivers/scsi_debug/adapter0
	wait_until eval "ls -d $host/host*/target*/*/block/* > /dev/null 2>&1"
	made=/dev/$(basename "$(echo "$host"/host*/target*/*/block/*)")
	wait_until test -b "$made"
}

# dm NAME TABLE, all other functions for dm go through it.
dm() {
	need_command dmsetup
	need_module dm_mod
	dmsetup create "$1" --table "$2"
	later dmsetup remove --retry "$1"
	made=/dev/$(dmsetup info -c --noheadings -o blkdevname "$1")
}
dm_linear() { dm "$1" "0 $(sectors "$2") linear $2 0"; }
# dm_delay NAME DISK MS: reads and writes alike.
dm_delay() { need_module dm_delay; dm "$1" "0 $(sectors "$2") delay $2 0 $3"; }
dm_crypt() {
	need_module dm_crypt
	dm "$1" "0 $(sectors "$2") crypt aes-xts-plain64 $(printf '%064d' 7) 0 $2 0"
}

# md NAME LEVEL DISK…: without resync.
md() {
	local name=$1 level=$2
	shift 2
	need_command mdadm
	made=/dev/$name
	mdadm --quiet --create "$made" --run --assume-clean --metadata=1.2 --level="$level" \
		--raid-devices=$# "$@"
	later eval "for i in 1 2 3 4 5; do mdadm --quiet --stop $made && break; sleep 0.2; done"
	wait_until test -b "$made"
}

# ext4 DISK: made on it and mounted at $work/mnt, with nothing left to write of its
# own. $work is watch.sh's.
ext4() {
	mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$1" || fail "mkfs.ext4 $1"
	mkdir "$work/mnt"
	mount "$1" "$work/mnt" || fail "mount $1"
	later umount "$work/mnt"
}

# counters DISK: what /proc/diskstats has for it, in $reads $read_sectors $writes $written_sectors.
counters() {
	local line
	while read -ra line; do
		if [ "${line[2]}" = "${1#/dev/}" ]; then
			reads=${line[3]} read_sectors=${line[5]} writes=${line[7]} \
				written_sectors=${line[9]}
			return
		fi
	done < /proc/diskstats
	fail "/proc/diskstats has no $1"
}
