#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The module of a file system is unloaded and loaded again while we look.
# screens: layers
export IOTOP_TEST_DIR=/tmp
exec python3 -u "$top_srcdir/tests/kernels/modules.py"
