# For test scripts: . "$top_srcdir/tests/lib.sh"
# The environment comes from tests/Makemodule.am.

skip() {
	echo "SKIP: $*"
	exit 77
}

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

need_command() {
	for _c; do
		command -v "$_c" >/dev/null || skip "needs $_c"
	done
}

# need_root "$@" as a script's first act: starts the script again as root
# where bootstrap said that sudo may be used (it has asked for the password).
need_root() {
	[ "$(id -u)" -ne 0 ] || return 0
	[ -n "$IOTOP_TEST_SUDO" ] || skip "needs root"
	exec sudo -n env top_srcdir="$top_srcdir" top_builddir="$top_builddir" \
		IOTOP="$IOTOP" HAVE_BPF="$HAVE_BPF" LC_ALL="$LC_ALL" \
		PATH="$PATH:/usr/sbin:/sbin" "$0" "$@"
}

# with_compiler CC…: the command line of this build with another compiler. The libraries' headers
# are this machine's: they are the same for all but the C library, which comes with the compiler.
with_compiler() {
	echo "$* -DLOCALEDIR=PACKAGE ${TEST_CC#"${TEST_CC%% *}" } -idirafter /usr/include" |
		sed 's/ -fsanitize=[^ ]*//g'
}

# What this build makes the program of, without what is generated.
program_sources() {
	for _file in "$top_srcdir"/src/*.c "$top_srcdir"/src/*/*.c "$top_srcdir"/src/*/*/*.c \
		"$top_srcdir"/screens/*.c; do
		# Made for the one or the other.
		case $HAVE_BPF:$_file in
		:*) grep -q 'bpf/.*\.skel\.h\|<bpf/' "$_file" && continue ;;
		*/nobpf.c) continue ;;
		esac
		case $_file in
		*/out/pprof.c) [ -f "$top_builddir/src/out/profile.pb-c.h" ] || continue ;;
		esac
		echo "$_file"
	done
}
