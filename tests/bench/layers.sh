# What a system call costs while layers are looked at: 1,000,000 pread() of 4 KiB from the page
# cache, with nothing, with this tab, with fsdist, in turns.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
work=$(mktemp -d -p "$top_builddir")
watcher=
trap 'rm -rf "$work"; [ -z "$watcher" ] || kill $watcher' EXIT
dd if=/dev/zero of="$work/f" bs=1M count=1 2>/dev/null
fs=$(stat -f -c %T "$work/f" | sed 's,/ext3$,,; s/^ext2$/ext4/')
calls=1000000

with_fsdist=
if peer fsdist; then
	watch fsdist -t "$fs" 600 1
	if watches; then
		with_fsdist=1
	else
		say "fsdist -t $fs does not run on this kernel"
	fi
	unwatch
fi
"$bench/calls" "$work/f" $calls >/dev/null
for i in 1 2 3 4 5; do
	"$bench/calls" "$work/f" $calls >>"$work/none"
	watch "$IOTOP" -b -d 600 --screen=layers
	watches || say "ended early"
	"$bench/calls" "$work/f" $calls >>"$work/all"
	unwatch
	watch "$IOTOP" -b -d 600 --screen=layers --layer=device
	watches || say "ended early"
	"$bench/calls" "$work/f" $calls >>"$work/device"
	unwatch
	[ -n "$with_fsdist" ] || continue
	watch fsdist -t "$fs" 600 1
	watches || say "fsdist ended early"
	"$bench/calls" "$work/f" $calls >>"$work/fsdist"
	unwatch
done
none=$(median <"$work/none")
all=$(median <"$work/all")
device=$(median <"$work/device")
say "pread of 4 KiB: $none ns with nothing, $all ns with all layers (+$(calc \
	"$all - $none")), $device ns with --layer=device"
if [ -n "$with_fsdist" ]; then
	their=$(median <"$work/fsdist")
	say "with fsdist -t $fs: $their ns (+$(calc "$their - $none"))"
fi
