# What a call costs while the files screen counts what calls ask for: run time of the BPF programs
# by the kernel's own accounting, of 1,000,000 pread() of 4 KiB from the page cache and of as many
# turns of two processes with a pipe, with us, with empty programs at the same hooks, and with
# filetop, fsslower and one line for bpftrace.

[ "$(id -u)" = 0 ] || { say "needs root"; return 0; }
command -v bpftool >/dev/null && command -v python3 >/dev/null ||
	{ say "needs bpftool and python3"; return 0; }
work=$(mktemp -d -p "$top_builddir")
watcher=
trap 'stats_off; rm -rf "$work"; [ -z "$watcher" ] || kill $watcher' EXIT
dd if=/dev/zero of="$work/f" bs=1M count=1 2>/dev/null
calls=1000000
stats_on

# A pipe that is read and written by one process: a turn is two calls.
cat >"$work/pipe.py" <<'END'
import os, sys
r, w = os.pipe()
for i in range(int(sys.argv[1]) // 2):
    os.write(w, b"x")
    os.read(r, 1)
END

# measured NAME COMMAND…: ns of BPF a call on storage, and a call on a pipe, while COMMAND runs
measured() {
	_name=$1
	shift
	watch "$@"
	if watches; then
		programs "$work/others" >"$work/a"
		"$bench/calls" "$work/f" $calls >"$work/ns"
		programs "$work/others" >"$work/b"
		python3 "$work/pipe.py" $calls
		programs "$work/others" >"$work/c"
		ns=$(bpf_ns "$work/a" "$work/b" $calls)
		figure "$_name" call "$ns"
		say "$_name: $ns ns of BPF a pread()," \
			"$(bpf_ns "$work/b" "$work/c" $calls) a call on a pipe;" \
			"pread() takes $(cat "$work/ns") ns"
	else
		say "$_name: does not run on this kernel"
	fi
	unwatch
}

"$bench/calls" "$work/f" $calls >"$work/ns"
say "nothing: pread() takes $(cat "$work/ns") ns"
if [ -n "$TEST_BPF_CC" ] && [ -x "$bench/attach" ] &&
	$TEST_BPF_CC -c "$top_srcdir/tests/bench/floor_calls.bpf.c" -o "$work/floor.o" 2>/dev/null
then
	measured "empty programs" "$bench/attach" "$work/floor.o"
fi
measured "iotop tasks" "$IOTOP" -b -d 1
measured "iotop files, disks only" "$IOTOP" -b -d 1 --screen=files --columns=path,read,write
measured "iotop files" "$IOTOP" -b -d 1 --screen=files
measured "iotop events, calls of 10 ms" "$IOTOP" -b -d 1 --screen=events --columns=+result \
	--min-latency=10ms
! peer filetop || measured "filetop" filetop 1
! peer fsslower || measured "fsslower" fsslower -m 10
! peer bpftrace || measured "bpftrace" scripted 'tracepoint:syscalls:sys_exit_pread64
	{ @[comm] = sum(args->ret); } interval:s:1 { print(@); clear(@); }'
