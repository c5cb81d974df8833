# What a refresh costs by how many tasks, disks, files, stacks and control groups there are, and by
# how long it runs: recordings with so many are made and replayed. And what it costs by how many
# I/Os there are a second and how many tabs are open. A table, and a plot: growth.svg beside the
# benchmarks. GROWTH: only these (tasks idle disks files stacks cgroups age rate tabs).

[ "$(id -u)" = 0 ] || { say "needs root, for the recording that all others are made from"; return; }
command -v python3 >/dev/null || { say "python3 is not installed"; return 0; }

disks= clean=
command -v fio >/dev/null && bench_disks ||
	say "by I/Os a second: needs fio, and null_blk, loop devices or zram"
work=$(mktemp -d -p /var/tmp)
trap '[ -z "$disks" ] || stats_off; rm -rf "$work"; eval "$clean"' EXIT
(for i in 1 2 3 4 5 6 7 8; do
	dd if=/dev/zero of="$work/file" bs=64k count=64 oflag=direct conv=notrunc 2>/dev/null
	sleep 0.2
done) &
"$IOTOP" -b -n 3 -d 0.5 --record="$work/seed" --record-sources=all >"$work/out" 2>&1
wait
python3 "$top_srcdir/tests/bench/growth.py" "$IOTOP" "$work/seed" "$work" "${disks%% *}" \
	${GROWTH:-} | while read -r line; do
		say "$line"
	done
cp "$work/growth.svg" "$bench/growth.svg" && say "plot: $bench/growth.svg"
