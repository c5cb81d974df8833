#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What lies on what, both ways, and what a byte above costs below: a mirror, RAID 5, dm, a loop
# device over a file of ext4.
# screens: disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command mkfs.ext4
need_module raid1 raid456 ext4 loop

null_disk 64; a=$made
null_disk 64; b=$made
md md100 1 "$a" "$b"; mirror=$made
dm_linear t_top "$mirror"; top=$made
raid=()
for i in 1 2 3; do
	null_disk 64; raid+=("$made")
done
md md101 5 "${raid[@]}"; five=$made
null_disk 96; lower=$made
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$lower"
mkdir /dev/shm/mnt
later rmdir /dev/shm/mnt
mount "$lower" /dev/shm/mnt
later umount /dev/shm/mnt
dd if=/dev/zero of=/dev/shm/mnt/image bs=1M count=32 conv=fsync status=none
loop=$(losetup --find --show --direct-io=on /dev/shm/mnt/image)
later losetup -d "$loop"
settle

watch disks --screen=disks --columns=disk,name,type,parents,children,read,write,ramp,wamp,amp
reports 1
for disk in "$top" "$five" "$loop"; do
	# 1 MiB is the stripe of RAID 5: two chunks of 512 KiB, and the third is parity.
	dd if=/dev/zero of="$disk" bs=1M count=16 oflag=direct status=none
	dd if="$disk" of=/dev/null bs=1M count=16 iflag=direct status=none
done
settle
more_reports
end_watching
python3 - "$work/disks.json" "${a#/dev/}" "${b#/dev/}" "${mirror#/dev/}" "${top#/dev/}" \
	"${five#/dev/}" "${lower#/dev/}" "${loop#/dev/}" \
	"${raid[@]#/dev/}" <<'END'
import json, sys
rows = {row["name"]: row for row in json.load(open(sys.argv[1]))["rows"]}
a, b, mirror, top, five, lower, loop, *raid = sys.argv[2:]
wrong = []
def disk(name, read, write, parents, children):
    row = rows[name]
    print(name, {k: row[k] for k in ("type", "parents", "children", "read", "write", "amp")})
    for key, want in (("ramp", read), ("wamp", write)):
        if (row[key] is None) != (want is None) or (want and abs(row[key] - want) > 0.02 * want):
            wrong.append("%s of %s is %s, not %s" % (key, name, row[key], want))
    for key, want in (("parents", parents), ("children", children)):
        if sorted(row[key] or []) != sorted(want):
            wrong.append("%s of %s are %s, not %s" % (key, name, row[key], want))
disk(mirror, 1, 2, [a, b], ["t_top"])
disk(top, 1, 1, [mirror], [])
# 5.10 counts what it reads of two members twice at the md, in its own statistics.
disk(five, (16 << 20) / max(rows[five]["read"], 1), 1.5, raid, [])
# What else the file system does is no cost of the file.
disk(loop, None, None, [lower], [])
for name in a, b:
    disk(name, None, None, [], [mirror])
for name in raid:
    disk(name, None, None, [], [five])
disk(lower, None, None, [], [loop])
if wrong:
    print("; ".join(wrong))
    sys.exit(1)
END
