#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes a fuzzer of each tests/fuzz/*.c, as OSS-Fuzz asks for it: the environment names the compiler
# (CC, CFLAGS, CXX, CXXFLAGS), the engine (LIB_FUZZING_ENGINE) and the folders (OUT for what is made,
# WORK for what is on the way). tests/fuzz/run uses it, too. Arguments: only these.

set -eu
top=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
mkdir -p "$OUT" "$WORK"
[ -x "$top/configure" ] || (cd "$top" && autoreconf -fi)
cd "$WORK"
[ -f Makefile ] || "$top/configure" -q --disable-hardening --enable-debug
# Those that this build has.
names=$(make -s print-tests | sed -n 's|^tests/fuzz/||p')
[ $# -eq 0 ] || names=$*
make -s -j"$(nproc)" libiotop.a $(printf ' tests/fuzz/%s.o' $names)
libs=$(make -s print-libs | tail -n 1)
# The sanitizer has a crypt_r() of its own, which only leads to that of a library that is not there:
# configure finds it, and the linker leaves the library out.
case $libs in *-lmicrohttpd*) libs="-Wl,--no-as-needed -lcrypt $libs" ;; esac
for name in $names; do
	# Where it runs there are no libraries but those of C and C++.
	$CXX $CXXFLAGS -o "$OUT/$name" "tests/fuzz/$name.o" $LIB_FUZZING_ENGINE $libs \
		-Wl,--disable-new-dtags,-rpath,'$ORIGIN/lib'
done
[ -n "${FUZZING_LANGUAGE-}" ] || exit 0
# On the machine of OSS-Fuzz.
mkdir -p "$OUT/lib"
for name in $names; do
	zip -q -j "$OUT/${name}_seed_corpus.zip" "$top/tests/fuzz/corpus/$name"/*
	ldd "$OUT/$name" | sed -n 's|.* => \(/[^ ]*\) .*|\1|p'
done | sort -u | grep -vE '/(libc|libm|libpthread|libdl|librt|libresolv|libgcc_s|libstdc\+\+)\.so' |
	xargs -I '{}' cp '{}' "$OUT/lib/"
