# SPDX-License-Identifier: GPL-2.0-or-later
"""The full screen in a terminal of its own, for benchmarks."""
import fcntl
import os
import pty
import select
import struct
import termios
import time

LOST = 2.0


class Terminal:
    def __init__(self, argv):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM="xterm-256color")
            os.execv(argv[0], argv)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))

    def drain(self, seconds):
        """How many bytes came in that time."""
        until, n = time.monotonic() + seconds, 0
        while (left := until - time.monotonic()) > 0:
            if select.select([self.fd], [], [], left)[0]:
                n += len(os.read(self.fd, 65536))
        return n

    def key(self, text):
        """ms from the key to the first byte that answers."""
        while select.select([self.fd], [], [], 0)[0]:
            os.read(self.fd, 65536)
        begin = time.monotonic()
        os.write(self.fd, text)
        if not select.select([self.fd], [], [], LOST)[0]:
            return LOST * 1000
        took = time.monotonic() - begin
        os.read(self.fd, 65536)
        return took * 1000

    def end(self):
        os.write(self.fd, b"\x1bq")
        try:
            while os.read(self.fd, 65536):
                pass
        except OSError:  # the other side is closed
            pass
        os.waitpid(self.pid, 0)


def cpu_of(session):
    """Seconds, of all threads of the processes of a session."""
    ns = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as f:
                if f.read().rsplit(")", 1)[1].split()[3] != str(session):
                    continue
            for tid in os.listdir("/proc/%s/task" % pid):
                with open("/proc/%s/task/%s/schedstat" % (pid, tid)) as f:
                    ns += int(f.read().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            pass  # it ended
    return ns / 1e9
