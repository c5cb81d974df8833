#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
screen.py IOTOP INTERVALS WHAT: what a refresh of each screen takes of a processor, all processes of
the program together, and how many bytes it writes to a terminal of 160x50, on average; WHAT says
beside what.
"""
import sys

from terminal import Terminal, cpu_of

INTERVAL = 0.5  # s
SCREENS = (("tasks", 11), ("disks", 12), ("stacks", 13), ("off-CPU", 14), ("layers", 15),
           ("files", 17), ("events", 18))

intervals = int(sys.argv[2])
terminal = Terminal([sys.argv[1], "-d", str(INTERVAL)])
for name, key in SCREENS:
    terminal.key(b"\x1b[%d~" % key)
    # Programs are loaded, names are looked for.
    terminal.drain(3)
    before = cpu_of(terminal.pid)
    n = terminal.drain(intervals * INTERVAL)
    ms = (cpu_of(terminal.pid) - before) * 1000
    print("%s, %s: %.2f ms CPU a refresh, %.0f bytes" %
          (sys.argv[3], name, ms / intervals, n / intervals), flush=True)
terminal.end()
