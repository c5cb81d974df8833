#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
perf_stacks.py FOLDER: runs programs in it that write to FOLDER/data, beside iotop and beside perf,
and compares their stacks where bios are queued. For t/perf-stacks.sh.
"""
import json
import os
import subprocess
import sys
import time

top = os.environ["top_srcdir"]
sys.path.insert(0, top + "/tests/bpf")
from lib import *

IOTOP = os.environ["IOTOP"]
USER = 1
END = "unknown first no-frame odd unmapped memory no-table no-sense early 32-bits".split()
C = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define APART __attribute__((noinline, noclone))
static int file;
APART long ask(char *b, long n) { long r = pwrite(file, b, 4096, n % 512 * 4096); return r + n; }
APART long sized(char *b, long n) {
	char room[16 + n % 300];
	memset(room, (int)n, sizeof(room));
	return ask(b, n) + room[n % 16];
}
APART long deep(char *b, long n, int left) {
	return left ? deep(b, n, left - 1) + left : n % 2 ? sized(b, n) : ask(b, n);
}
static char *memory;
APART int order(const void *x, const void *y) {
	ask(memory, 7);
	return *(const int *)x - *(const int *)y;
}
int main(int argc, char **argv) {
	int numbers[3] = { 3, 1, 2 };
	file = open(argv[1], O_RDWR | O_CREAT | O_DIRECT, 0600);
	posix_memalign((void **)&memory, 4096, 4096);
	for (long n = 0; n < 150; n++) {
		deep(memory, n, n % 12);
		if (n % 25 == 0)
			qsort(numbers, 3, sizeof(int), order);
	}
	return 0;
}
"""
PYTHON = """
import os, sys
f = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT | os.O_SYNC)
def put(n): return os.pwrite(f, b'x' * 4096, n % 64 * 4096)
def deep(n, left): return deep(n, left - 1) if left else put(n)
for n in range(60): deep(n, n % 6)
"""
SQL = ["pragma synchronous=full; create table t(x);"] + [
    "insert into t values(randomblob(3000));" for _ in range(30)] + [
    "create index i on t(x);", "delete from t where length(x) > 2000 and rowid % 2;", "vacuum;"]


def stored(pids):
    """What the programs have: process, end, addresses."""
    for m in json.loads(run("bpftool", "-j", "map", "show")):
        if m.get("name") == "stacks":
            for entry in json.loads(run("bpftool", "-j", "map", "dump", "id", m["id"])):
                s = entry["formatted"]["value"]
                if s["flags"] & USER and s["tgid"] in pids:
                    yield s["tgid"], s["flags"] >> 4 & 15, tuple(s["ip"][:s["n"]])


def by_perf(path):
    """The stacks of each process, as perf has them: of callers the address less one."""
    said = subprocess.run(["perf", "script", "-i", path, "--no-inline", "-F", "pid,ip"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    found = {}
    for block in said.split("\n\n"):
        lines = block.split()
        if lines:
            ips = tuple(int(x, 16) for x in lines[1:])
            found.setdefault(int(lines[0]), set()).add(tuple(x for x in ips if not x >> 63))
    return found


PAGE = 4096


def apart(mine, perfs):
    """
    How far the addresses of a stack of ours lie from those of perf's or of the part of it that perf
    has, which counts from where a file begins, and of callers less one: whole pages. None: it is
    another stack.
    """
    if not 0 < len(perfs) <= len(mine):
        return None
    far = [a - b - (a - b) % PAGE for a, b in zip(mine, perfs)]
    ones = [(a - b) % PAGE for a, b in zip(mine, perfs)]
    return set(far) if not ones[0] and max(ones) <= 1 else None


folder = sys.argv[1]
with open(folder + "/c.c", "w") as f:
    f.write(C)
run("gcc", "-w", "-O2", "-fomit-frame-pointer", "-fno-optimize-sibling-calls", "-o", folder + "/c",
    folder + "/c.c")
data = folder + "/data/"
env = dict(os.environ, LD_LIBRARY_PATH=folder + "/libraries")
commands = {
    "c": [folder + "/c", data + "c"],
    "python": [folder + "/python", "-S", "-c", PYTHON, data + "python"],
    "sqlite3": [folder + "/sqlite3", data + "db", *SQL],
}
report = folder + "/report"
with open(report, "w") as out:
    watcher = subprocess.Popen([IOTOP, "-b", "-d", "1", "--screen=stacks", "--format=json"],
                           stdout=out)
undo(lambda: (watcher.kill(), watcher.wait()))
while not os.path.getsize(report):
    time.sleep(0.2)
compared = 0
for name, command in commands.items():
    # Its tables are there when it has been seen for a while.
    run(*command, env=env)
    for path in os.listdir(data):
        if path != "lost+found":
            os.unlink(data + path)
    # perf begins the program when it has begun to record, and knows all its threads.
    subprocess.run(["perf", "record", "-q", "-e", "block:block_bio_queue",
                    "--call-graph", "dwarf,32768", "-o", folder + "/perf.data", "sh", "-c",
                    'echo $$ > "$0"; exec "$@"', folder + "/pid", *command],
                   env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(folder + "/pid") as f:
        pid = int(f.read())
    mine = set(stored({pid}))
    perfs = by_perf(folder + "/perf.data").get(pid, set())
    whole = {ips for _, end, ips in mine if END[end] == "first"}
    found = {ips: [o for o in perfs if apart(ips, o)] for ips in whole}
    bad = [ips for ips, others in found.items() if not others]
    complete = sum(any(len(o) == len(ips) for o in others) for ips, others in found.items())
    print("%-8s %3d stacks, %3d whole, %3d as perf has them, %3d to their end, of %d"
          % (name, len(mine), len(whole), len(whole) - len(bad), complete, len(perfs)), flush=True)
    # In some guests perf itself comes to the second frame of a program, or not beyond the library.
    if not complete:
        print("   of %s perf has no stack to its end" % name)
        continue
    compared += complete
    # Each file lies at one place: the program, libraries, the loader.
    places = {far for ips, others in found.items() for o in others for far in apart(ips, o)}
    check_that("%s: of %d files" % (name, len(places)), len(places) <= 8)
    for ips in sorted(bad)[:3]:
        print("   ours: " + " ".join("%x" % ip for ip in ips))
        near = max(perfs, key=lambda o: sum((a - b) % PAGE < 2 for a, b in zip(ips, o)), default=())
        print("   perf: " + " ".join("%x" % ip for ip in near))
    if bad:
        failed("%s: %d stacks are not those of perf" % (name, len(bad)))
    check_that("%s has stacks that are whole, for perf too" % name, 1 < len(whole) < 2 * complete)
check_that("%d stacks to their end, of both" % compared, compared > 1)
finish()
