# CPU of a refresh and peak memory with 10,000 idle threads; time to the first report.
# For people: an absolute figure is of this machine, a ratio travels.

fifo=$(mktemp -u)
mkfifo "$fifo"
trap 'exec 8>&-; rm -f "$fifo"' EXIT
"$bench/threads" 10000 <"$fifo" >"$fifo.out" &
exec 8>"$fifo"
until grep -q ready "$fifo.out"; do sleep 0.1; done
rm -f "$fifo.out"

# With -o, as a screen of 24 lines is: what 10,000 lines of text cost is another question.
all=$(per_refresh 20 "$IOTOP" -b -n @ -d 0.2)
say "iotop, all rows printed: $(calc "${all% *} * 1000") ms CPU a refresh, peak ${all#* } kB"
ours=$(per_refresh 20 "$IOTOP" -b -o -n @ -d 0.2)
say "iotop: $(calc "${ours% *} * 1000") ms CPU a refresh, peak ${ours#* } kB"
if peer iotop-c; then
	theirs=$(per_refresh 4 iotop-c -b -o -n @ -d 1)
	say "iotop-c: $(calc "${theirs% *} * 1000") ms CPU a refresh, peak ${theirs#* } kB"
	say "ratio to iotop-c: CPU $(ratio "${ours% *}" "${theirs% *}") memory $(ratio "${ours#* }" "${theirs#* }")"
fi
first=$("$bench/measure" "$IOTOP" -b -n 1 -d 0.1 | awk '{ print $2 - 0.1 }')
say "start to the first report: $first s and the interval"
