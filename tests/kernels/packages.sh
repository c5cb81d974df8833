# SPDX-License-Identifier: GPL-2.0-or-later
#
# shellcheck shell=bash disable=SC2154
# Kernels from the archive of the machine's apt into the cache folder; sourced by vm, which sets
# cache and suites.
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# Of a suite: arm64/trixie, or trixie of this machine's.
architecture() { case $1 in */*) echo "${1%/*}" ;; *) echo amd64 ;; esac; }

# The base URI of the Debian archive (or of its security archive) that this machine's apt uses.
archive_uri() {
	local name=debian
	case $1 in *-security) name=debian-security ;; esac
	[ -z "${IOTOP_ARCHIVE:-}" ] || { echo "$IOTOP_ARCHIVE"; return; }
	# By what the archive calls itself; where apt has no lists (a fresh machine), by the end of
	# the address.
	{
		apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages'
		apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages'
	} 2>/dev/null | awk -v name="$name" '
		(tolower($1) == name && NF == 2 || NF == 1 && $1 ~ "/" name "/?$") && !n++ {
			print $NF
		}'
}

# apt with a sources file, lists and a package state of its own: nothing of the machine's apt is
# changed.
own_apt() {
	local dir=$cache/$1/apt tool=$2 arch
	arch=$(architecture "$1")
	shift 2
	timeout 600 "$tool" -qq -o Dir::Etc::SourceList="$dir/debian.sources" -o \
		Dir::Etc::SourceParts=/dev/null \
		-o Dir::State::Lists="$dir/lists" -o Dir::State::status=/dev/null -o \
			Dir::Cache="$dir/cache" \
		-o APT::Architecture="$arch" -o APT::Architectures="$arch" \
		-o APT::Sandbox::User=root -o Acquire::Retries=2 "$@"
}

update_lists() {
	local suite=$1 dir=$cache/$1/apt uri
	uri=$(archive_uri "$suite")
	[ -n "$uri" ] || { say "$suite: apt knows no Debian archive; IOTOP_ARCHIVE=URI names one"; \
		return 77; }
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
	printf '%s\n' 'Types: deb' "URIs: $uri" "Suites: ${suite##*/}" 'Components: main' \
		"Architectures: $(architecture "$suite")" \
		> "$dir/debian.sources"
	[ ! -r "$keyring" ] || echo "Signed-By: $keyring" >> "$dir/debian.sources"
	own_apt "$suite" apt-get update -o APT::Update::Error-Mode=any >&2 ||
		{ say "$suite: not to be had from the archive of this machine's apt"; return 77; }
}

# The newest packages moved the image and the modules out of linux-image-VERSION: take all that it
# depends on.
kernel_packages() {
	own_apt "$1" apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts \
		--no-breaks \
		--no-replaces --no-enhances "linux-image-$(architecture "$1")" |
			grep -E '^linux-(image|binary|modules|base)-[0-9]' | sort -u
}

# The kernel inside a bzImage: QEMU starts it by its PVH note, which saves the guest 1 to 3 s of
# decompressing. Offsets by the x86 boot protocol: setup_sects 0x1f1, payload_offset 0x248,
# payload_length 0x24c.
plain_image() {
	local image=$1 start length sectors
	sectors=$(od -An -tu1 -j $((0x1f1)) -N 1 "$image")
	start=$(od -An -tu4 -j $((0x248)) -N 4 "$image")
	length=$(od -An -tu4 -j $((0x24c)) -N 4 "$image")
	# the last 4 bytes of the payload are the size unpacked
	tail -c +$(((sectors + 1) * 512 + start + 1)) "$image" |
		head -c $((length - 4)) > "$2.packed" || :
	case $(od -An -tx1 -N 4 "$2.packed") in
	" fd 37 7a 58") xz -dc ;;
	" 28 b5 2f fd") zstd -qdc ;;
	" 1f 8b "*) gzip -dc ;;
	*) cat "$image" ;;	# unknown: as it came
	esac < "$2.packed" > "$2"
	rm "$2.packed"
}

unpack() {
	local suite=$1 new=$cache/$1/new deb release image config packages
	rm -rf "$new"
	mkdir -p "$new/debs" "$new/root"
	mapfile -t packages < <(kernel_packages "$suite")
	(cd "$new/debs" && own_apt "$suite" apt-get download "${packages[@]:?}" >&2) ||
		{ say "$suite: the kernel packages cannot be downloaded"; return 77; }
	for deb in "$new"/debs/*.deb; do
		dpkg-deb -x "$deb" "$new/root" || return
	done
	[ -e "$new/root/lib/modules" ] || ln -s usr/lib "$new/root/lib"
	release=$(ls "$new/root/lib/modules")
	for image in "$new/root/boot/vmlinuz-$release" "$new/root/lib/modules/$release/vmlinuz"; do
		[ -e "$image" ] || continue
		case $suite in
		*/*) cp "$image" "$new/vmlinux" ;;
		*) plain_image "$image" "$new/vmlinux" ;;
		esac
	done
	for config in "$new/root/boot/config-$release" "$new/root/lib/modules/$release/config"; do
		[ ! -e "$config" ] || cp "$config" "$new/config"
	done
	[ -s "$new/vmlinux" ] || { say "$suite: no image in the packages of $release"; return 77; }
	PATH=$PATH:/usr/sbin:/sbin depmod -b "$new/root" "$release" || return
	echo "$release" > "$new/release"
	rm -rf "$new/debs" "$cache/$suite/kernel"
	mv "$new" "$cache/$suite/kernel"
}

# What a guest of another architecture has for a root: packages with all that they want, as they
# come. The programs that are to run there are built with what is in it.
unpack_root() {
	local suite=$1 root=$cache/$1/root deb packages
	[ ! -e "$root" ] || return 0
	rm -rf "$root.new"
	mkdir -p "$root.new"
	mapfile -t packages < <(sed '/^#/d' "$here/guest/packages")
	own_apt "$suite" apt-get install -y --no-install-recommends --download-only \
		"${packages[@]:?}" >&2 || { say "$suite: no packages for a root"; return 77; }
	for deb in "$cache/$suite"/apt/cache/archives/base-files_*.deb \
		"$cache/$suite"/apt/cache/archives/*.deb; do
		dpkg-deb -x "$deb" "$root.new" || return
	done
	rm -f "$cache/$suite"/apt/cache/archives/*.deb
	ln -sf gcc "$root.new/usr/bin/cc"
	ln -sf g++ "$root.new/usr/bin/c++"
	mv "$root.new" "$root"
}

is_here() {
	[ -e "$cache/$1/kernel/release" ] || return
	[ "$(architecture "$1")" = amd64 ] || [ -e "$cache/$1/root" ]
}

bring_all() {
	update_lists "$1" && unpack "$1" || return
	case $1 in */*) unpack_root "$1" ;; esac
}

# Once more, a little later, when that fails: servers have bad moments.
bring() {
	local suite=$1
	bring_all "$suite" && return
	sleep 10
	bring_all "$suite"
}

# Says which is not.
all_known() {
	local name
	for name; do suite_of "$name" > /dev/null || return; done
}

fetch() {
	local update="" suite status=0 want=()
	[ "${1:-}" != --update ] || { update=yes; shift; }
	need qemu-system-x86_64 busybox apt-get apt-cache dpkg-deb depmod flock xz zstd
	read -ra want <<< "$suites"
	# Which suite has a kernel of this number is known when its packages are here.
	if [ "${1:-all}" != all ] && all_known "$@" 2> /dev/null; then
		want=("$@")
	fi
	for suite in "${want[@]}"; do
		suite=$(suite_of "$suite")
		[ -z "$update" ] && is_here "$suite" && continue
		mkdir -p "$cache/$suite"
		(
			flock 9
			[ -z "$update" ] && is_here "$suite" && exit 0
			bring "$suite" && say "$suite: $(<"$cache/$suite/kernel/release")"
		) 9> "$cache/$suite/lock" || status=77
	done
	[ "${1:-all}" = all ] || all_known "$@" || status=77
	return $status
}
