# What the findings cost that are always looked for: the instructions of a refresh, and those of
# them that make the findings. They ask the kernel for nothing, so a recording is replayed, and
# counted by valgrind, which no other load of the machine changes.

command -v valgrind >/dev/null || { say "valgrind is not installed"; exit 0; }

idle_threads 3000
dd if=/dev/zero of="$fifo.file" bs=1M count=64 2>"$fifo.err"
readers=
for i in 1 2 3 4; do
	(while dd if="$fifo.file" of=/dev/null bs=64k iflag=direct 2>"$fifo.err"; do :; done) &
	readers="$readers $!"
done
"$IOTOP" -b -n 42 -d 0.2 --no-probing --record="$fifo.record" >"$fifo.out" 2>"$fifo.err"
for i in $readers; do
	kill "$i"
done
wait $readers 2>"$fifo.err" || :

valgrind --tool=callgrind --callgrind-out-file="$fifo.counts" --toggle-collect=session_step \
	"$IOTOP" -b -o -n 41 --replay="$fifo.record" >"$fifo.out" 2>"$fifo.err"
callgrind_annotate --inclusive=yes --threshold=100 "$fifo.counts" | tr -d , | awk '
	/PROGRAM TOTALS/ { all = $1 }
	/finding\/finding\.c:build / { ours = $1 }
	END {
		if (all > ours)
			print all / 41e6, ours / 41e6, 100 * ours / (all - ours)
	}' |
	while read -r all ours share; do
		say "a refresh of 3,000 tasks: $(calc "$all") million instructions," \
			"$(calc "$ours") of them for findings: $(calc "$share") % more than without"
	done
