#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
keys.py IOTOP SECONDS [ARGUMENTS…]: the full screen in a terminal of its own. Prints how long it
takes from a key to the first byte of the redraw, all the time: while samples are taken and programs
are loaded as well.
"""
import sys
import time

from terminal import Terminal

PAUSE = 0.013  # seconds between keys: at other places of an interval each time
# Two keys that are read at once must not cancel each other, or nothing is drawn: not help twice.
TYPED = [b"a", b"b", b"c", b"d", b"e", b"f", b"g", b"h", b"\x15"]
NAMES = "disks", "stacks", "off-CPU", "layers", "files", "events"


def say(what, times):
    times = sorted(times)
    print("%s: median %.1f ms, p99 %.1f, longest %.1f (%d keys)" %
          (what, times[len(times) // 2], times[int(len(times) * 0.99)], times[-1], len(times)),
          flush=True)


def walk(terminal, seconds, keys):
    """These keys in turn: each of them changes the picture, or nothing would be written."""
    times, until, n = [], time.monotonic() + seconds, 0
    while time.monotonic() < until:
        times.append(terminal.key(keys[n % len(keys)]))
        n += 1
        terminal.drain(PAUSE)
    return times


seconds = float(sys.argv[2])
terminal = Terminal([sys.argv[1]] + sys.argv[3:])
terminal.drain(3)
terminal.key(b"o")
say("tasks, cursor", walk(terminal, seconds, [b"\x1b[B", b"\x1b[6~", b"\x1b[A", b"\x1b[5~"]))
say("tasks, order", walk(terminal, seconds, [b"r"]))
for key, name in zip((12, 13, 14, 15, 17, 18), NAMES):
    # Its programs are loaded while one goes on.
    terminal.key(b"\x1b[%d~" % key)
    terminal.key(b":")
    say(name, walk(terminal, seconds / 2, TYPED))
    terminal.key(b"\x1b")
terminal.end()
