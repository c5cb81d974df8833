# From a key to the first byte of the redraw with 3,000 threads that do nothing and are shown: while
# samples are taken, and while the programs of a screen that was just opened are loaded.
# For people: nothing fails here.

idle_threads 3000
"$top_srcdir/tests/bench/keys.py" "$IOTOP" 6 | while read -r line; do
	say "$line"
done
