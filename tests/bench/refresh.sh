# CPU of a refresh and peak memory with 10,000 idle threads; time to the first report.
# For people: an absolute figure is of this machine, a ratio travels.

idle_threads 10000

# With -o, as a screen of 24 lines is: what 10,000 lines of text cost is another question.
all=$(per_refresh 20 "$IOTOP" -b -n @ -d 0.2)
say "iotop, all rows printed: $(calc "${all% *} * 1000") ms CPU a refresh, peak ${all#* } kB"
# In turns, so that both meet the same machine.
peer iotop-c && with_peer=yes || with_peer=
for i in 1 2 3; do
	per_refresh 50 "$IOTOP" -b -o -n @ -d 0.1 >>"$fifo.ours"
	[ -z "$with_peer" ] || per_refresh 4 iotop-c -b -o -n @ -d 0.3 >>"$fifo.theirs"
	"$bench/measure" "$IOTOP" -b -n 1 -d 0.1 | awk '{ print $2 - 0.1 }' >>"$fifo.first"
done
ours=$(median <"$fifo.ours") memory=$(cut -d' ' -f2 "$fifo.ours" | median)
say "iotop: $(calc "$ours * 1000") ms CPU a refresh, peak $memory kB"
if [ "$with_peer" ]; then
	theirs=$(median <"$fifo.theirs") their_memory=$(cut -d' ' -f2 "$fifo.theirs" | median)
	say "iotop-c: $(calc "$theirs * 1000") ms CPU a refresh, peak $their_memory kB"
	say "iotop-c costs $(ratio "$theirs" "$ours") times the CPU, $(ratio "$their_memory" \
		"$memory") times the memory"
fi
say "start to the first report: $(median <"$fifo.first") s and the interval"
