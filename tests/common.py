# SPDX-License-Identifier: GPL-2.0-or-later
"""
What all tests in Python share: how a test fails, is skipped, becomes root, and puts back what it
changed.
"""
import atexit
import os
import shutil
import signal
import socket
import sys

_owner = os.getpid()
_undo = []
failures = 0


def failed(what):
    """The test goes on and fails in finish()."""
    global failures
    failures += 1
    print("FAIL: " + what, flush=True)


def again(why):
    """
    A part of the test is done anew, for something that was seen to come from outside and cannot be
    kept away. tests/summary counts these lines and fails when there are many. Nothing is done anew
    because it failed.
    """
    print("AGAIN: " + why, flush=True)


def finish():
    sys.exit(failures != 0)


def free_port():
    """A TCP port that nobody has, below those that the kernel gives to who connects."""
    for i in range(12000):
        port = 20000 + (os.getpid() + i) % 12000
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                s.bind(("0.0.0.0", port))
            except OSError:
                continue
            return port
    skip("no port is free")


def skip(why):
    print("SKIP:", why)
    sys.exit(77)


def undo(fn):
    """Called when the test ends, however it ends but for SIGKILL; the last one first."""
    _undo.append(fn)


@atexit.register
def _clean():
    # A child that was forked without exec has the list of its parent.
    while _undo and os.getpid() == _owner:
        try:
            _undo.pop()()
        except Exception as e:  # the rest is still to be undone
            print("while cleaning up:", e)


for _number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
    signal.signal(_number, lambda number, _: sys.exit(128 + number))


def need(*commands):
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    for c in commands:
        if not shutil.which(c):
            skip("needs " + c)


def need_root():
    """Starts the test again as root where bootstrap said that sudo may be used."""
    if os.geteuid() == 0:
        return
    if not os.environ.get("IOTOP_TEST_SUDO"):
        skip("needs root")
    keep = ["%s=%s" % (k, os.environ[k]) for k in
            ("top_srcdir", "top_builddir", "IOTOP", "HAVE_BPF", "TEST_CC", "LC_ALL", "PATH")
            if k in os.environ]
    os.execvp("sudo", ["sudo", "-n", "env", *keep, sys.executable, *sys.argv])
