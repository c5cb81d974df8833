# What charging a dirtied page to its task costs: buffered writing to a file on a loop device with
# and without us, in pairs.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
work=$(mktemp -d -p "$top_builddir")
trap 'umount "$work/mnt" 2>/dev/null; [ -z "${disk:-}" ] || losetup -d "$disk"; rm -rf "$work"' EXIT
truncate -s 1600M "$work/disk"
disk=$(losetup -f --show "$work/disk") || { say "no loop device"; return 0; }
mkdir "$work/mnt"
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$disk"
mount "$disk" "$work/mnt"

# How long the writing takes, and its CPU. What it leaves dirty is written outside of that.
write_once() {
	rm -f "$work/mnt/f"
	sync -f "$work/mnt"
	"$bench/measure" dd if=/dev/zero of="$work/mnt/f" bs=1M count=1024 | cut -d' ' -f1-3
}

write_once >/dev/null
for i in 1 2 3 4 5 6 7; do
	write_once >>"$work/without"
	"$IOTOP" -b -d 1 >/dev/null 2>&1 &
	pid=$!
	sleep 1
	write_once >>"$work/with"
	kill $pid
	wait $pid 2>/dev/null || :
done
for field in 1:CPU 2:time; do
	for run in with without; do
		cut -d' ' -f"${field%:*}" "$work/$run" >"$work/$run.one"
	done
	without=$(median <"$work/without.one")
	with=$(median <"$work/with.one")
	pairs=$(paste "$work/with.one" "$work/without.one" | awk '{ print $1 / $2 }' | median)
	say "dd of 1 GiB, buffered, to a file on a loop device: ${field#*:} $without s without," \
		"$with s with us; pairs: median ratio $pairs"
done
