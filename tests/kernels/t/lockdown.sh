#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A kernel that lets nobody read its memory: no BPF programs, and iotop says so.
# vm: --append lockdown=confidentiality
. "$(dirname "$0")/../devices.sh"
[ -e /sys/kernel/security/lockdown ] || skip "no lockdown in this kernel"
grep -q '\[confidentiality\]' /sys/kernel/security/lockdown ||
	fail "not locked down: $(</sys/kernel/security/lockdown)"
export PYTHONDONTWRITEBYTECODE=1
"$top_srcdir/tests/ladder/run" lockdown
