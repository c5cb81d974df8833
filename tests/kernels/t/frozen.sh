#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: tasks
#
# Who waits for a frozen file system is told where it is mounted and on which disk, also where many
# wait, and by each way into the file system; who sleeps for a disk that does not answer is not said
# to wait for it.
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"

need_command mkfs.ext4 fsfreeze
null_disk 256
disk=$made
ext4 "$disk"
dd if=/dev/zero of="$work/mnt/file" bs=4k count=4 conv=fsync status=none
null_disk 64
dm_linear t_still "$made"
still=$made

asleep() {
	local pid state
	for pid; do
		state=$(sed 's/.*) //' "/proc/$pid/stat")
		[ "${state%% *}" = D ] || return 1
	done
}

# named NAME ARG…: dd under a name of its own, in the background.
named() {
	local name=$1
	shift
	[ -e "$work/$name" ] || ln "$work/dd" "$work/$name"
	"$work/$name" "$@" bs=4k count=1 status=none &
	pids+=($!)
}

fsfreeze -f "$work/mnt"
later fsfreeze -u "$work/mnt"
dmsetup suspend --nolockfs --noflush t_still
later dmsetup resume t_still
pids=()
named writes if=/dev/zero of="$work/mnt/file" conv=notrunc
named creates if=/dev/zero of="$work/mnt/new"
touch "$work/mnt/file" &
pids+=($!)
mkdir "$work/mnt/folder" &
pids+=($!)
python3 -c '
import mmap, sys
with open(sys.argv[1], "r+b") as f:
    mmap.mmap(f.fileno(), 4096)[0] = 1' "$work/mnt/file" &
pids+=($!)
for ((i = 0; i < 40; i++)); do
	named many if=/dev/zero of="$work/mnt/many$i"
done
named reads if="$still" of=/dev/null iflag=direct
wait_until asleep "${pids[@]}"
"$IOTOP" --why=20 --format=json > "$work/why" || [ $? = 3 ] || fail "--why ends with $?"
"$IOTOP" -b -n 2 -d 1 --format=json --columns=pid,disk > "$work/tasks" || fail "tasks ends with $?"
dmsetup resume t_still
fsfreeze -u "$work/mnt"
wait "${pids[@]}"

python3 - "$work" "$(basename "$disk")" "${pids[@]}" <<'END'
import json, sys

work, disk, *pids = sys.argv[1:]

def report(name):
    return json.loads(open("%s/%s" % (work, name)).read().splitlines()[-1])

def frozen(who):
    return who + " has been stuck for ", ": its file system %s/mnt (%s) is frozen" % (work, disk)

names = ["writes", "creates", "touch", "mkdir", "python3"]
want = [frozen("%s %s" % w) for w in zip(names, pids)] + [frozen("many (40)")]
want.append(("reads %s is stuck: asleep in one uninterruptible wait for " % pids[-1], ""))
said = [f["what"] for f in report("why")["findings"] if f["name"] == "stuck-task"]
wrong = [w for w in want if not any(s.startswith(w[0]) and s.endswith(w[1]) for s in said)]
if wrong or len(said) != len(want):
    print("not said: %s; said:" % wrong, *said, sep="\n")
disks = {str(r["pid"]): r["disk"] for r in report("tasks")["rows"] if str(r["pid"]) in pids}
elsewhere = {p: disks.get(p) for p in pids[:-1] if disks.get(p) != disk}
if elsewhere:
    print("not at %s: %s" % (disk, elsewhere))
sys.exit(bool(wrong or len(said) != len(want) or elsewhere))
END
