# CPU of a refresh and peak memory with 10,000 idle threads; time to the first report.
# For people: an absolute figure is of this machine, a ratio travels.

idle_threads 10000

# refreshed TOOL N COMMAND with @ for the number of reports: N of them beyond the first
refreshed() {
	_tool=$1 _n=$2
	shift 2
	command -v "$1" >/dev/null && per_refresh "$_n" "$@" >>"$fifo.$_tool"
}

# With -o, as a screen of 24 lines is; what rows in order, looking for a word in each and 10,000
# lines of text cost is told besides. In turns, so that all meet the same machine.
for i in 1 2 3; do
	refreshed iotop 50 "$IOTOP" -b -o -n @ -d 0.1
	refreshed rows 50 "$IOTOP" -b --rows 50 -n @ -d 0.1
	refreshed word 50 "$IOTOP" -b --rows 50 --filter nothing -n @ -d 0.1
	refreshed all 50 "$IOTOP" -b -n @ -d 0.1
	refreshed iotop-c 4 iotop-c -b -o -n @ -d 0.3
	refreshed iotop-py 4 iotop-py -b -o -n @ -d 0.3
	refreshed pidstat 4 pidstat -dt 1 @
	refreshed atop 4 atop 1 @
	"$bench/measure" "$IOTOP" -b -n 1 -d 0.1 | awk '{ print $2 - 0.1 }' >>"$fifo.first"
done
for tool in iotop iotop-c iotop-py pidstat atop; do
	[ -s "$fifo.$tool" ] || {
		say "$tool is not installed: no comparison"
		continue
	}
	cpu=$(median <"$fifo.$tool") memory=$(cut -d' ' -f2 "$fifo.$tool" | median) beside=
	if [ $tool = iotop ]; then
		ours=$cpu our_memory=$memory row="iotop tasks"
	else
		beside=": $(ratio "$cpu" "$ours") times the CPU, $(ratio "$memory" "$our_memory")"
		beside="$beside times the memory of ours" row=$tool
	fi
	cpu=$(calc "$cpu * 1000")
	say "$tool: $cpu ms CPU a refresh, peak $memory kB$beside"
	figure "$row" report "$cpu"
	figure "$row" memory "$(calc "$memory / 1000")"
done
tell() {
	cpu=$(median <"$fifo.$1")
	say "iotop, $2: $(calc "$cpu * 1000") ms CPU a refresh, $(ratio "$cpu" "$ours") times that"
}
tell rows "50 rows in order"
tell word "a word looked for, which none has"
tell all "all rows printed"
say "start to the first report: $(median <"$fifo.first") s and the interval"
