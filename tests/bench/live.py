# SPDX-License-Identifier: GPL-2.0-or-later
"""
What growth.py measures of a program that runs, for a recording does not have it: points (size,
milliseconds of CPU, peak in MB) by how many I/Os there are a second, and by how many tabs are open.
"""
import os
import signal
import subprocess
import time

from terminal import Terminal, cpu_of

INTERVAL = 0.5  # s
TABS = 11, 12, 13, 14, 15, 17, 18  # F1 to F7, of a terminal's keys
RATES = 1000, 4000, 16000, 64000


def peak_of(pid):
    with open("/proc/%d/status" % pid) as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmHWM:")) / 1000


def run_ns(pid):
    """How long its BPF programs have run; nothing where that is not accounted."""
    ns, folder = 0, "/proc/%d/fdinfo" % pid
    for fd in os.listdir(folder):
        try:
            with open(os.path.join(folder, fd)) as f:
                about = dict(line.split(":\t", 1) for line in f if ":\t" in line)
        except OSError:
            continue
        ns += int(about.get("run_time_ns", 0))
    return ns


def tabs(iotop):
    """A refresh of the last of so many tabs, all of which were opened."""
    terminal = Terminal([iotop, "-d", str(INTERVAL)])
    for n, key in enumerate(TABS, 1):
        terminal.key(b"\x1b[%d~" % key)
        terminal.drain(3)
        terminal.key(b"\x1b[%d~" % TABS[0])
        terminal.drain(2)
        before = cpu_of(terminal.pid)
        terminal.drain(20 * INTERVAL)
        yield n, (cpu_of(terminal.pid) - before) * 1000 / 20, peak_of(terminal.pid)
    terminal.end()


def rates(iotop, disk, seconds=5):
    """A second of a disk at so many reads: its reports and all programs that it has run."""
    for rate in RATES:
        reader = subprocess.Popen(
            ["fio", "--name=growth", "--filename=/dev/" + disk, "--size=256M", "--rw=randread",
             "--bs=4k", "--direct=1", "--ioengine=libaio", "--iodepth=32",
             "--rate_iops=%d" % rate, "--time_based", "--runtime=60"], stdout=subprocess.DEVNULL)
        tool = subprocess.Popen([iotop, "-b", "-d", str(INTERVAL)], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(3)
        before = cpu_of(tool.pid) * 1e9 + run_ns(tool.pid)
        time.sleep(seconds)
        ns = cpu_of(tool.pid) * 1e9 + run_ns(tool.pid) - before
        peak = peak_of(tool.pid)
        for process in (tool, reader):
            process.send_signal(signal.SIGINT)
            process.wait()
        yield rate, ns / seconds / 1e6, peak
