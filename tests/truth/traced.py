# SPDX-License-Identifier: GPL-2.0-or-later
"""
When a task slept, and when requests of its own were in flight meanwhile, as the kernel's own trace
has it: the least that a task waited for I/O, however long this machine takes to put it to sleep, to
end a request and to wake it up.
"""
import os
import re
import time

from truth import device_numbers, undo, write_file

FOLDERS = ("/sys/kernel/tracing", "/sys/kernel/debug/tracing")
LINE = re.compile(r"^\s*(.+)-(\d+)\s+\[\d+\]\s+\S+\s+([\d.]+): (\w+): (.*)$")
SWITCH = re.compile(r"prev_pid=(\d+) prev_prio=\d+ prev_state=(\S+)")
BIO = re.compile(r"^(\d+),(\d+) (\S+) .*?(\d+) \+ (\d+) ")


class Trace:
    """From begin() to end() it is of one process. `there': whether the kernel has one."""

    def __init__(self, path):
        base = next((f for f in FOLDERS if os.path.isdir(f + "/instances")), None)
        self.there = bool(base)
        if not base:
            return
        self.folder = "%s/instances/iotop-truth-%d" % (base, os.getpid())
        os.mkdir(self.folder)
        undo(lambda: os.rmdir(self.folder))
        self.write("tracing_on", 0)
        self.write("trace_clock", "mono")
        self.write("buffer_size_kb", 4096)
        major, minor = device_numbers(path)
        for event in "block_bio_queue", "block_rq_complete":
            self.write("events/block/%s/filter" % event, "dev==%d" % (major << 20 | minor))
            self.write("events/block/%s/enable" % event, 1)
        for event in "sched_switch", "sched_wakeup":
            self.write("events/sched/%s/filter" % event, "common_pid==0 && common_pid==1")
            self.write("events/sched/%s/enable" % event, 1)

    def write(self, name, text):
        write_file(self.folder + "/" + name, text)

    def begin(self, pid):
        self.pid = pid
        if self.there:
            self.write("events/sched/sched_switch/filter", "prev_pid==%d" % pid)
            self.write("events/sched/sched_wakeup/filter", "pid==%d" % pid)
            self.write("tracing_on", 1)

    def end(self):
        """Takes what there is."""
        if self.there:
            self.write("tracing_on", 0)
            with open(self.folder + "/trace", errors="replace") as f:
                self.lines = [m.groups() for m in map(LINE.match, f) if m]
            self.write("trace", "")

    def is_own(self, comm, tid):
        """A thread that works for a ring has its process in its name since 5.12."""
        return (
            tid == self.pid
            or comm in ("iou-wrk-%d" % self.pid, "iou-sqp-%d" % self.pid)
            or comm.startswith(("io_wq", "io_uring-sq"))
        )

    def waited(self, begin, end):
        """
        Share of the time from begin to end (time of day), of a hundred, in which it was asleep and
        a request of its own in flight that no one reads ahead.
        """
        offset = time.time() - time.monotonic()
        begin, end = begin - offset, end - offset
        flights, asleep, before, waited = [], False, None, 0

        def count(now):
            if before is not None and asleep and flights:
                return max(0, min(now, end) - max(before, begin))
            return 0

        for comm, tid, when, event, text in self.lines:
            now = float(when)
            waited += count(now)
            before = now
            if event == "sched_switch":
                m = SWITCH.search(text)
                asleep = bool(m) and m[2][0] in "SD"
            elif event == "sched_wakeup":
                asleep = False
            else:
                m = BIO.match(text)
                if not m or "A" in m[3]:
                    continue
                sector, sectors = int(m[4]), int(m[5])
                if event == "block_rq_complete":
                    flights = [left for f in flights for left in minus(f, sector, sectors)]
                elif sectors and self.is_own(comm, int(tid)):
                    flights.append((sector, sectors))
        return 100 * waited / (end - begin)


def minus(flight, sector, sectors):
    """What is left of a bio in flight when these sectors are done: none, one or two parts."""
    first, last = flight[0], flight[0] + flight[1]
    parts = ((first, min(last, sector)), (max(first, sector + sectors), last))
    return [(a, b - a) for a, b in parts if b > a]
