# SPDX-License-Identifier: GPL-2.0-or-later
"""
A root that is an overlay of parts which are mounted nowhere, as that of tests/kernels: before 6.8
maps tell the device of the part, of which nobody can say what file system it is. iotop does not
read what may be one that hangs. Programs and their libraries are had from a disk then.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bpf"))
from lib import *


def are_hidden():
    """Whether the device of this program's own code is in no list of mounts."""
    with open("/proc/self/mountinfo") as f:
        mounted = {tuple(int(n) for n in line.split()[2].split(":")) for line in f}
    with open("/proc/self/maps") as f:
        devices = {tuple(int(n, 16) for n in line.split()[3].split(":"))
                   for line in f if "/" in line}
    return not devices <= mounted


def from_disk(folder, *programs):
    """Copies of programs and of their libraries in a folder take their places until the end."""
    files = set()
    for program in programs:
        path = shutil.which(program)
        if path:
            files.add(os.path.realpath(path))
            said = subprocess.run(["ldd", os.path.realpath(path)], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True).stdout
            files |= {os.path.realpath(p) for p in re.findall(r"/\S+(?= \(0x)", said)}
    for path in sorted(files):
        copy = folder + "/" + path.replace("/", "_")
        shutil.copy(path, copy)
        run("mount", "--bind", copy, path)
        undo(lambda path=path: run("umount", "-l", path))
