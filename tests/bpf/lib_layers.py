# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the layers share: reports on demand, and their rows."""
import json
import mmap
import os
import subprocess
import threading
import time

from lib import *


def file_of(disk):
    """The file below a loop device, by the name that every screen has for it."""
    try:
        with open("/sys/block/%s/loop/backing_file" % disk) as f:
            return f.read()
    except OSError:
        return ""


def find(report, path, layer, op):
    """The row of the loop device whose file has this in its path."""
    rows = [r for r in report["rows"] if r["layer"] == layer and r["op"] == op
            and path in file_of(r["disk"])]
    return rows[0] if rows else dict(layer=layer, count=0, total=0, avg=None, hist=[], max=0,
                                     fs=None, tasks=[], files=[])


def missed(row, report):
    """How much of what belongs to a row may have ended unseen, as the report tells it."""
    told = report["lost"].get("layers.missed", 0)
    if row["layer"] in ("queue", "device"):
        told += report["lost"].get("block.completions-missed", 0)
    return told


def counted(what, count, row, report):
    """A row has counted so many, in its histogram as well; fewer where that is told."""
    told = missed(row, report)
    for n, of in (row["count"], ""), (sum(n for _, n in row["hist"]), ", histogram"):
        check_that("%s%s: %d of %d, %d missed" % (what, of, n, count, told),
                   count - told <= n <= count)


def counted_at_disk(what, count, report, folder, op):
    for layer in "queue", "device":
        counted("%s, %s" % (what, layer), count, find(report, folder, layer, op), report)


def flushes_of(dev):
    """Flushes that the disk has done, as the kernel counts them."""
    with open("/sys/block/%s/stat" % os.path.basename(dev)) as f:
        return int(f.read().split()[15])


def direct(path, count):
    """Reads so many blocks past the page cache."""
    memory = mmap.mmap(-1, 4096)
    fd = os.open(path, os.O_RDONLY | os.O_DIRECT)
    for i in range(count):
        os.preadv(fd, [memory], i * 4096)
    os.close(fd)


def dirty(path, mib=1):
    with open(path, "wb") as f:
        f.write(b"d" * mib * MIB)


def layer_reports(*options):
    """
    The program's reports, two a second; the function that is returned ends it and gives the last
    one, or the first that it is asked to wait for.
    """
    args = [os.environ["IOTOP"], "-b", "-a", "--screen=layers", "--format=json", "-d",
            "0.5"] + list(options)
    process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(iter(process.stdout.readline, "")),
                              daemon=True)
    reader.start()
    undo(process.kill)
    while not lines and process.poll() is None:
        time.sleep(0.05)
    if not lines:
        skip("no report: " + process.stderr.read())
    first = json.loads(lines[0])
    state = first["sources"].get("layers", "off: not in this build")
    if state.startswith("off"):
        skip("no layers here: " + state)

    def last(until=lambda report: True):
        have, deadline = len(lines) + 2, time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline and (
                len(lines) < have or not until(json.loads(lines[have - 1]))):
            have += len(lines) > have
            time.sleep(0.05)
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            check_that("the program ends when told to", False)
            process.kill()
        reader.join()
        return json.loads(lines[-1] if lines[-1].endswith("}\n") else lines[-2])
    return last
