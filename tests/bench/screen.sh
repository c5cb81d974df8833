# What a refresh of each full screen takes of a processor and writes to the terminal, beside nothing
# and beside a program that reads at random, 2,000 times a second.

"$top_srcdir/tests/bench/screen.py" "$IOTOP" 20 "nothing to do" | while read -r line; do
	say "$line"
done
[ "$(id -u)" = 0 ] && command -v fio >/dev/null && bench_disks || {
	say "needs root, fio, and null_blk, loop devices or zram for more"
	return 0
}
fio --name=bench --filename=/dev/${disks%% *} --size=256M --rw=randread --bs=4k --direct=1 \
	--rate_iops=2000 --time_based --runtime=300 >/dev/null &
reader=$!
"$top_srcdir/tests/bench/screen.py" "$IOTOP" 20 "2,000 reads/s" | while read -r line; do
	say "$line"
done
kill $reader
wait $reader 2>/dev/null || :
