#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The rungs of tests/ladder that depend on the kernel: what is missing, and why, is the same on all of them.
# timeout: 300
. "$(dirname "$0")/../devices.sh"
need_command setpriv unshare
export PYTHONDONTWRITEBYTECODE=1
"$top_srcdir/tests/ladder/run" no-btf cap-bpf memlock user hidepid cgroup-v1
