#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest is the kernel that was asked for, with the type information and the tracing that the
# other tests build on.
. "$(dirname "$0")/../devices.sh"

[ "$(uname -r)" = "${VM_RELEASE:?}" ] || fail "booted $(uname -r) instead of $VM_RELEASE"
expected=no
grep -q '^CONFIG_DEBUG_INFO_BTF=y' "/boot/config-$VM_RELEASE" && expected=yes
found=no
[ -s /sys/kernel/btf/vmlinux ] && found=yes
[ $found = $expected ] || fail "BTF: $found, by the kernel's configuration: $expected"

for dir in /sys/kernel/tracing/events/block /sys/kernel/debug/block /proc/self/task; do
	[ -d "$dir" ] || fail "no $dir"
done
mountpoint -q /sys/fs/bpf || fail "no bpf file system"
[ "$(stat -f -c %T /sys/fs/cgroup)" = cgroup2fs ] || fail "no cgroup2"

# a kprobe counts
tracing=/sys/kernel/tracing
echo 'p:vm_boot/read vfs_read' > $tracing/kprobe_events
echo 1 > $tracing/events/vm_boot/read/enable
cat /proc/version > /dev/null
echo 0 > $tracing/events/vm_boot/read/enable
grep -q read: $tracing/trace || fail "the kprobe was not hit"
echo > $tracing/kprobe_events

# and files come back
uname -r > "${VM_OUT:?}/release"
[ "$(<"$VM_OUT/release")" = "$VM_RELEASE" ] || fail "what was written to \$VM_OUT is not there"
