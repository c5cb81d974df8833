# From a key to the first byte of the redraw with 3,000 threads that do nothing and are shown: while
# samples are taken, and while the programs of a screen that was just opened are loaded.
# For people: nothing fails here.

fifo=$(mktemp -u)
mkfifo "$fifo"
trap 'exec 8>&-; rm -f "$fifo"*' EXIT
"$bench/threads" 3000 <"$fifo" >"$fifo.out" &
exec 8>"$fifo"
until grep -q ready "$fifo.out"; do sleep 0.1; done
"$top_srcdir/tests/bench/keys.py" "$IOTOP" 6 | while read -r line; do
	say "$line"
done
