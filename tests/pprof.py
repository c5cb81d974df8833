# SPDX-License-Identifier: GPL-2.0-or-later
"""
Reads profiles as pprof does: the messages of its format by their numbers, and pprof itself where it
is installed.
"""
import glob
import gzip
import os
import shutil
import subprocess


def _number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def _fields(data):
    at = 0
    while at < len(data):
        key, at = _number(data, at)
        if key & 7 == 0:
            value, at = _number(data, at)
        elif key & 7 == 2:
            size, at = _number(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise ValueError("cut off")
        else:
            raise ValueError("wire type %d" % (key & 7))
        yield key >> 3, value


def _all(data, field):
    return [v for k, v in _fields(data) if k == field]


def _one(data, field):
    return (_all(data, field) or [0])[-1]


def _numbers(data, field):
    """Packed, or one by one."""
    got = []
    for v in _all(data, field):
        if isinstance(v, int):
            got.append(v)
            continue
        at = 0
        while at < len(v):
            n, at = _number(v, at)
            got.append(n)
    return got


def read(data):
    """
    {types: [(type, unit)], samples: [(frames, values, labels)], time, duration}; frames: outermost
    first, (name, file).
    """
    if data[:2] != b"\x1f\x8b":
        raise ValueError("no gzip")
    data = gzip.decompress(data)
    strings = [s.decode("utf-8") for s in _all(data, 6)]
    if strings[0]:
        raise ValueError("the first text is %r" % strings[0])
    functions = {_one(f, 1): (strings[_one(f, 2)], strings[_one(f, 4)]) for f in _all(data, 5)}
    locations = {_one(l, 1): [functions[_one(line, 1)] for line in _all(l, 4)]
                 for l in _all(data, 4)}
    if 0 in functions or 0 in locations:
        raise ValueError("a number is 0")
    types = [(strings[_one(t, 1)], strings[_one(t, 2)]) for t in _all(data, 1)]
    samples = []
    for s in _all(data, 2):
        frames = [f for i in _numbers(s, 1) for f in locations[i]]
        labels = {strings[_one(l, 1)]: strings[_one(l, 2)] for l in _all(s, 3)}
        values = _numbers(s, 2)
        if len(values) != len(types) or len(labels) != len(_all(s, 3)):
            raise ValueError("values %s, labels %s" % (values, labels))
        samples.append((frames[::-1], values, labels))
    return {"types": types, "samples": samples, "time": _one(data, 9), "duration": _one(data, 10),
            "default": strings[_one(data, 14)]}


def tool():
    """The command that is pprof; None: it is not here. That of the same name in perl knows less."""
    if os.environ.get("IOTOP_PPROF"):
        return [os.environ["IOTOP_PPROF"]]
    go = shutil.which("go") or next(iter(sorted(glob.glob("/usr/lib/go*/bin/go"))), None)
    return go and [go, "tool", "pprof"]


def run(folder, *args):
    """What it prints."""
    return subprocess.run([*tool(), *args], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL,
                          env=dict(os.environ, HOME=folder, PPROF_TMPDIR=folder,
                                   GOCACHE=os.path.join(folder, "cache"))).stdout.decode()


def built():
    """Whether this iotop has it."""
    p = subprocess.run([os.environ["IOTOP"], "-b", "--format=pprof", "--screen=stacks",
                        "--replay=/none"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return b"built without" not in p.stderr
