# SPDX-License-Identifier: GPL-2.0-or-later
"""
What the tests with hostile files, terminals and users share: the full-screen program in a terminal
of its own, C programs.
"""
import fcntl
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from common import *

IOTOP = os.environ["IOTOP"]
# What a stop request may take: what waits for something that does not answer waits for ever.
WITHIN = 10.0
# Until a state is reached that is no matter of ours: sanitizers and slow machines.
PATIENCE = 60.0

work = tempfile.mkdtemp(prefix="iotop-hostile-")
environment = dict(os.environ, TERM="xterm", XDG_CONFIG_HOME=work)
undo(lambda: shutil.rmtree(work, ignore_errors=True))


def check(what, right):
    """what says the opposite: it is printed where it is not right."""
    if not right:
        failed(what)


def wait_until(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            sys.exit("FAIL: never came to be: " + what)
        time.sleep(0.02)


def ends(what, process, ask):
    """Asks for the end, and that it comes: in time, status 0."""
    begin = time.monotonic()
    ask()
    try:
        status = process.wait(WITHIN)
    except subprocess.TimeoutExpired:
        status = "still running"
        process.kill()
        process.wait()
    print("%s: %.2f s" % (what, time.monotonic() - begin))
    check("%s: exit status %s" % (what, status), status == 0)


def waiting(fd):
    return struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"\0" * 4))[0]


def compiled(name, *options):
    """A program of this folder, or None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    out = os.path.join(work, name)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".c")
    if not compiler or subprocess.call([compiler, "-O", *options, "-o", out, source]):
        return None
    return out


class Screen:
    """iotop in a terminal of its own, which need not be that of its session."""

    def __init__(self, *options, command=(IOTOP,), session=True, **variables):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.text = b""
        self.process = subprocess.Popen([*command, *options], stdin=self.slave, stdout=self.slave,
                                        stderr=self.slave,
                                        env=dict(environment, **variables),
                                        preexec_fn=self.take_terminal if session else os.setsid)
        undo(self.process.kill)

    @staticmethod
    def take_terminal():
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
            self.text += os.read(self.master, 65536)

    def shows(self, text):
        self.read(0.02)
        return text in self.text

    def start(self):
        # The first numbers, not only the frame.
        wait_until("the screen", lambda: self.shows(b" of "))

    def type(self, keys):
        os.write(self.master, keys)

    def restored(self, what, screen=True):
        """The modes of the terminal, and that its other screen was left and not entered again."""
        now = termios.tcgetattr(self.slave)
        check("%s: the terminal's modes are not as before: %s, %s" % (what, self.before, now),
              now == self.before)
        self.read(0.1)
        if screen:
            check("%s: the other screen was not left" % what,
                  self.text.rfind(b"\033[?1049l") > self.text.rfind(b"\033[?1049h"))
        os.close(self.master)
        os.close(self.slave)
