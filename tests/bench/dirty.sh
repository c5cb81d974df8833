# What booking a dirtied page to its task costs: buffered writing with and without us, in pairs.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
work=$(mktemp -d -p "$top_builddir")
trap 'rm -rf "$work"' EXIT

write_once() {
	sync
	rm -f "$work/f"
	"$bench/measure" dd if=/dev/zero of="$work/f" bs=1M count=1024 conv=fsync | cut -d' ' -f1
}

write_once >/dev/null
for i in 1 2 3 4 5; do
	write_once >>"$work/without"
	"$IOTOP" -b -d 1 >/dev/null 2>&1 &
	pid=$!
	sleep 1
	write_once >>"$work/with"
	kill $pid
	wait $pid 2>/dev/null || :
done
without=$(median <"$work/without")
with=$(median <"$work/with")
say "dd of 1 GiB, buffered: $without s CPU without, $with s with us, ratio of medians $(ratio "$with" "$without")"
paste "$work/with" "$work/without" | awk '{ print $1 / $2 }' | median | sed "s/^/pairs: median ratio /" | while read -r line; do
	say "$line"
done
