#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# I/Os whose end nobody is told of but who asks (IOPOLL), on a disk with queues for that: what each
# did, how many and how long is what fio says.
# vm: --disk nvme:64M --append nvme.poll_queues=2
# screens: tasks disks
