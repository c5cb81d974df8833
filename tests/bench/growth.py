#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
growth.py IOTOP SEED FOLDER DISK [KIND…]: what a refresh costs by how much there is. SEED is a
recording of a second of this machine. Of one row of it recordings with many are made, in FOLDER,
and replayed: the CPU time of a report is the difference between many reports and few. All rows
change in each report. By I/Os a second (of DISK; "": not) and tabs (live.py) it is that of a
program that runs. Prints a line for each size and writes growth.svg to FOLDER.
"""
import math
import os
import shutil
import sqlite3
import sys

import live

IOTOP, SEED, FOLDER, DISK = sys.argv[1:5]
FEW, MANY = 2, 8
NS = 10**9


class Recording:
    """A recording in which only what is added is left of the seed."""

    def __init__(self, path, samples):
        shutil.copy(SEED, path)
        self.db = sqlite3.connect(path)
        self.db.row_factory = sqlite3.Row
        self.db.execute("PRAGMA journal_mode = OFF")
        self.db.execute("PRAGMA synchronous = OFF")
        self.samples = samples
        self.template = {}
        tables = [r[0] for r in self.db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'")]
        first = dict(self.db.execute("SELECT * FROM sample ORDER BY id LIMIT 1").fetchone())
        for t in set(tables) - {"sample", "ended"}:
            self.template[t] = self.db.execute(
                "SELECT * FROM %s WHERE row >= 0 ORDER BY sample DESC LIMIT 1" % t).fetchone()
            if t == "source":
                self.db.execute("DELETE FROM source WHERE sample > ?", (first["id"],))
            elif t == "system":
                self.db.execute("DELETE FROM system WHERE sample > ?", (first["id"],))
            else:
                self.db.execute("DELETE FROM %s" % t)
        self.db.execute("DELETE FROM sample")
        self.db.execute("DELETE FROM ended")
        self.first = first["id"]
        self.start = first["boot"]
        for i in range(samples):
            at = dict(first, id=self.first + i, complete=int(not i))
            for clock in ("mono", "boot", "real"):
                at[clock] += i * NS
            self.insert("sample", [at])

    def insert(self, table, rows):
        keys = list(rows[0])
        self.db.executemany("INSERT INTO %s (%s) VALUES (%s)" % (
            table, ",".join('"%s"' % k for k in keys), ",".join("?" * len(keys))),
            ([r[k] for k in keys] for r in rows))

    def add(self, table, n, values, once=False):
        """n rows; values(i, k) has what is its own of the i-th in the k-th sample."""
        template = dict(self.template[table])
        for k in range(1 if once else self.samples):
            self.insert(table, [dict(template, sample=self.first + k, row=i, **values(i, k))
                                for i in range(n)])

    def close(self):
        self.db.execute("INSERT INTO ended VALUES (?)", (self.first + self.samples - 1,))
        self.db.commit()
        self.db.close()


def task_of(r, i):
    return {"tgid": 1000 + i, "tid": 1000 + i, "start": r.start - (i + 2) * 10**7}


def tasks(r, n, change=True, cgroups=1):
    r.add("task", n, lambda i, k: dict(task_of(r, i), process=0, exit=0, ppid=1, state=ord("S"),
                                       flags=0, cgroup=1 + i % cgroups, comm="task-%d" % (i % 100),
                                       read_bytes=k * (4096 + i), wait_ns=k * 1000000),
          once=not change)


def io(r, n, disks=1, rows=None):
    def values(i, k):
        t = task_of(r, i % (rows or n))
        return {"cause_tgid": t["tgid"], "cause_tid": t["tid"], "cause_start": t["start"],
                "submitter_tgid": t["tgid"], "submitter_tid": t["tid"],
                "submitter_start": t["start"], "dev": (8 << 20) + i % disks, "op": 0, "how": 0,
                "ios": k * (1 + i % 100), "bytes": k * 4096 * (1 + i % 100),
                "done": k * (1 + i % 100), "lat_ns": k * 100000, "max_ns": 100000}
    r.add("io", n, values)


def disks(r, n):
    def disk(i, k):
        return {"dev": (8 << 20) + i, "whole": (8 << 20) + i, "name": "sd%d" % i, "below": None,
                "mounts": None, "kinds": None, "flags": 0, "rd_ios": k * (10 + i),
                "rd_sectors": k * 80, "io_ms": k * 10}
    r.add("disk", n, disk)
    r.add("diskop", n, lambda i, k: {"dev": (8 << 20) + i, "op": 0, "ios": k * (10 + i),
                                     "bytes": k * 40960, "lat_ns": k * 1000000, "errors": 0})
    r.add("diskload", n, lambda i, k: {"dev": (8 << 20) + i, "busy_ns": k * 1000000,
                                       "depth_ns": k * 2000000})


def make_tasks(r, n):
    disks(r, 1)
    tasks(r, n)
    io(r, n)


def make_idle(r, n):
    disks(r, 1)
    tasks(r, n, change=False)
    io(r, 10, rows=n)


def make_disks(r, n):
    disks(r, n)
    tasks(r, 100)
    io(r, max(n, 100), disks=n, rows=100)


def beside(r):
    """What there is besides, always as much."""
    disks(r, 1)
    tasks(r, 100)
    io(r, 100)


def make_files(r, n):
    beside(r)

    def values(i, k):
        t = task_of(r, i % 100)
        return {"cause_tgid": t["tgid"], "cause_tid": t["tid"], "cause_start": t["start"],
                "dev": 8 << 20, "sdev": 8 << 20, "ino": 100 + i,
                "path": "/data/%d/%d" % (i % 50, i), "read": k * 4096 * (1 + i % 9),
                "rios": k * (1 + i % 9), "done": k, "lat_ns": k * 9999, "write": 0, "wios": 0}
    r.add("file", n, values)


def make_stacks(r, n):
    beside(r)

    def values(i, k):
        t = task_of(r, i % 100)
        return {"cause_tgid": 0, "cause_tid": 0, "cause_start": 0, "submitter_tgid": t["tgid"],
                "submitter_tid": t["tid"], "submitter_start": t["start"], "dev": 8 << 20, "op": 0,
                "kstack": 1000 + i, "ustack": 0, "ios": k * (1 + i % 9), "bytes": k * 4096,
                "done": k, "lat_ns": k * 9999}
    r.add("stackio", n, values)


def make_cgroups(r, n):
    disks(r, 1)
    tasks(r, 2 * n, cgroups=n)
    io(r, 2 * n)
    r.add("cgroup", n, lambda i, k: {"id": 1 + i, "path": "/slice/%d.service" % i}, once=True)


KINDS = [
    # name, what one is, how it is made, sizes, options
    ("tasks", "tasks that do I/O", make_tasks, (1000, 10000, 30000, 100000), []),
    ("idle", "tasks that sleep", make_idle, (1000, 10000, 30000, 100000), ["-o"]),
    ("disks", "disks", make_disks, (10, 100, 300, 1000), ["--screen=disks"]),
    ("files", "files", make_files, (1000, 10000, 30000), ["--screen=files"]),
    ("stacks", "stacks", make_stacks, (1000, 4000, 16000, 32000), ["--screen=stacks"]),
    ("cgroups", "control groups", make_cgroups, (100, 1000, 5000), ["--group=cgroup"]),
]
ROUNDS = 3


def cpu_of(path, options, reports):
    """CPU seconds of so many reports."""
    pid = os.posix_spawn(IOTOP, [IOTOP, "-b", "--replay=" + path, "--rows=50", "-n", str(reports),
                                 *options], os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0)
                                       for fd in (1, 2)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit("growth.py: %s ended with %d" % (path, status))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def measure(path, options, few, many):
    """Milliseconds of CPU a report, the median of some rounds, and the peak in MB."""
    found = []
    for _ in range(ROUNDS):
        a, _ = cpu_of(path, options, few)
        b, peak = cpu_of(path, options, many)
        found.append((b - a) * 1000 / (many - few))
    return sorted(found)[ROUNDS // 2], peak / 1000


# Sorting, and what no longer fits in a processor's caches, grow a little faster than linear; what
# looks at each pair has the power 2.
POWER_MAX = 1.4


def exponent(points):
    """How the cost grows over the last two steps: 1 is linear."""
    (n, a, _), (m, b, _) = points[-3], points[-1]
    return math.log(max(b, 1e-3) / max(a, 1e-3)) / math.log(m / n)


def plot(at, title, points):
    """One plot of cost against size, both logarithmic; linear growth has the slope of the line."""
    x0, y0, w, h = 60 + at % 3 * 300, 40 + at // 3 * 240, 220, 160
    lo, hi = math.log10(points[0][0]), math.log10(points[-1][0])
    costs = [max(p[1], 0.01) for p in points]
    top = math.ceil(math.log10(max(costs)) + 0.05)
    bottom = min(math.floor(math.log10(min(costs))), top - 1)

    def x(n):
        return x0 + (math.log10(n) - lo) / (hi - lo) * w

    def y(c):
        return y0 + h - (math.log10(max(c, 10**bottom)) - bottom) / (top - bottom) * h

    out = ['<text x="%d" y="%d" font-weight="bold">%s</text>' % (x0, y0 - 12, title),
           '<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999"/>' % (
               x0, y0, w, h)]
    for e in range(bottom, top + 1):
        out.append('<text x="%d" y="%.1f" text-anchor="end">%g ms</text>' % (
            x0 - 4, y(10**e) + 4, 10**e))
    line = [(n, costs[-1] * n / points[-1][0]) for n, _, _ in (points[0], points[-1])]
    line = [(n, max(c, 10**bottom)) for n, c in line]
    out.append('<polyline points="%s" fill="none" stroke="#bbb" stroke-dasharray="4 3"/>' % (
        " ".join("%.1f,%.1f" % (x(n), y(c)) for n, c in line)))
    out.append('<polyline points="%s" fill="none" stroke="#06c" stroke-width="2"/>' % (
        " ".join("%.1f,%.1f" % (x(n), y(c)) for (n, _, _), c in zip(points, costs))))
    for (n, _, _), c in zip(points, costs):
        out.append('<circle cx="%.1f" cy="%.1f" r="3" fill="#06c"/>' % (x(n), y(c)))
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%g</text>' % (x(n), y0 + h + 16, n))
    return out


def write_svg(plots):
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="940" height="%d" '
           'font-family="sans-serif" font-size="11"><rect width="100%%" height="100%%" '
           'fill="white"/>' % (40 + (len(plots) + 2) // 3 * 240)]
    for at, (title, points) in enumerate(plots):
        out += plot(at, title, points)
    with open(os.path.join(FOLDER, "growth.svg"), "w") as f:
        f.write("\n".join(out + ["</svg>"]) + "\n")


def age(plots):
    """The same tasks for a time: the cost of a report after so many."""
    points, path = [], os.path.join(FOLDER, "growth.db")
    for n in (100, 400, 1600, 6400):
        r = Recording(path, 2 * n + 2)
        disks(r, 1)
        tasks(r, 10)
        io(r, 10)
        r.close()
        ms, peak = measure(path, ["--screen=tasks"], n, 2 * n)
        points.append((n, ms, peak))
        print("age: report %d to %d: %.3f ms CPU a report, peak %.0f MB" % (
            n, 2 * n, ms, peak), flush=True)
        os.unlink(path)
    finish(plots, "age", "reports before", points)


def running(plots, name, what, of, points):
    """Of a program that runs."""
    found = []
    for n, ms, peak in points:
        print("%s: %d %s: %.2f ms CPU a %s, peak %.0f MB" % (name, n, what, ms, of, peak),
              flush=True)
        found.append((n, ms, peak))
    finish(plots, name, what, found)


def finish(plots, name, what, points):
    e = exponent(points)
    limit = 0.15 if name == "age" else POWER_MAX
    print("%s: grows with the power %.2f of how many%s" % (
        name, e, ": WORSE THAN %s" % ("CONSTANT" if name == "age" else "LINEAR") if e > limit
        else ""), flush=True)
    plots.append(("a %s, by %s" % ("second" if name == "rate" else "report", what), points))


def main():
    chosen, plots = sys.argv[5:], []
    for name, what, make, sizes, options in KINDS:
        if chosen and name not in chosen:
            continue
        points = []
        for n in sizes:
            path = os.path.join(FOLDER, "growth.db")
            r = Recording(path, MANY + 2)
            make(r, n)
            r.close()
            ms, peak = measure(path, options, FEW, MANY)
            points.append((n, ms, peak))
            print("%s: %d %s: %.2f ms CPU a report, peak %.0f MB" % (name, n, what, ms, peak),
                  flush=True)
            os.unlink(path)
        finish(plots, name, what, points)
    if not chosen or "age" in chosen:
        age(plots)
    if DISK and (not chosen or "rate" in chosen):
        running(plots, "rate", "I/Os a second", "second", live.rates(IOTOP, DISK))
    if not chosen or "tabs" in chosen:
        running(plots, "tabs", "tabs", "report", live.tabs(IOTOP))
    write_svg(plots)


main()
