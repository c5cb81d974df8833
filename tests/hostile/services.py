# SPDX-License-Identifier: GPL-2.0-or-later
"""
Services of iotop for the tests of who connects to them.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lib import *
from openmetrics import Service

SANITIZED = "-fsanitize" in os.environ.get("TEST_CC", "")
ARGS = ["--no-bpf", "--metrics=disks", "-d", "0.3"]
services = []


def start(*args):
    folder = os.path.join(work, "service%d" % len(services))
    os.mkdir(folder)
    s = Service(folder, *ARGS, *args, env=environment)
    services.append(s)
    undo(lambda: s.process.kill())
    return s


def server_of(s):
    """The process that answers."""
    with open("/proc/%d/task/%d/children" % (s.process.pid, s.process.pid)) as f:
        for pid in f.read().split():
            with open("/proc/%s/comm" % pid) as f:
                if f.read() == "iotop-serve\n":
                    return pid
    sys.exit("FAIL: there is no process iotop-serve")


def status_of(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.") else None
