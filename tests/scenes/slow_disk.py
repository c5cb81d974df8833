# SPDX-License-Identifier: GPL-2.0-or-later
"""
slow_disk.py FOLDER MIB READ WRITE FLUSH DISCARD [BAD]: a file system in user space with one file,
"disk", in memory. A loop device over it is a disk that does one thing after the other and takes
so many milliseconds for each; from the MiB number BAD on it cannot be read. SIGUSR1 makes it take
eight times as long, SIGUSR2 twice.
"""
import ctypes
import os
import signal
import struct
import sys
import time

LOOKUP, FORGET, GETATTR, SETATTR, OPEN, READ, WRITE, STATFS = 1, 2, 3, 4, 14, 15, 16, 17
RELEASE, FSYNC, FLUSH, INIT, FALLOCATE = 18, 20, 25, 26, 43
ENOENT, ENOSYS, ENODEV, EIO = 2, 38, 19, 5
DIRECT_IO = 1
MIB = 1 << 20
folder = sys.argv[1]
times = dict(zip((READ, WRITE, FSYNC, FALLOCATE), (float(x) / 1000 for x in sys.argv[3:7])))
data = bytearray(int(sys.argv[2]) * MIB)
slower = 1
bad = int(sys.argv[7]) * MIB if len(sys.argv) > 7 else len(data)


def slow_down(number, _):
    global slower
    slower = {signal.SIGUSR1: 8, signal.SIGUSR2: 2}[number]


def attributes(node):
    mode, size = (0o40755, 0) if node == 1 else (0o100644, len(data))
    return struct.pack("<QQQQQQIIIIIIIIII", node, size, size // 512, 0, 0, 0, 0, 0, 0, mode, 1, 0,
                       0, 0, 4096, 0)


def answer(op, node, body):
    """What a request is told: an error, or bytes."""
    if op == INIT:
        # Version 7.31, no read-ahead, no flags, up to 128 KiB a write.
        return struct.pack("<IIIIHHIIHHIIIIIII", 7, 31, 0, 0, 12, 10, 128 << 10, 1, 0, 0, 0, 0, 0,
                           0, 0, 0, 0)
    if op == LOOKUP:
        return struct.pack("<QQQQII", 2, 0, 60, 60, 0,
                           0) + attributes(2) if body == b"disk\0" else ENOENT
    if op in (GETATTR, SETATTR):
        return struct.pack("<QII", 60, 0, 0) + attributes(node)
    if op == OPEN:
        return struct.pack("<QII", 0, DIRECT_IO, 0)
    if op == STATFS:
        # The block is what a loop device discards at least.
        return struct.pack("<QQQQQIIII24x", len(data) // 4096, 0, 0, 2, 0, 4096, 255, 4096, 0)
    if times.get(op):
        time.sleep(times[op] * slower)
    if op == READ:
        _, offset, size = struct.unpack_from("<QQI", body)
        return bytes(data[offset:offset + size]) if offset + size <= bad else EIO
    if op == WRITE:
        _, offset, size = struct.unpack_from("<QQI", body)
        data[offset:offset + size] = body[40:40 + size]
        return struct.pack("<II", size, 0)
    return b"" if op in (RELEASE, FLUSH, FSYNC, FALLOCATE) else ENOSYS


signal.signal(signal.SIGUSR1, slow_down)
signal.signal(signal.SIGUSR2, slow_down)
fd = os.open("/dev/fuse", os.O_RDWR)
libc = ctypes.CDLL(None, use_errno=True)
options = "fd=%d,rootmode=40000,user_id=0,group_id=0" % fd
if libc.mount(b"slow", folder.encode(), b"fuse", 0, options.encode()):
    sys.exit(os.strerror(ctypes.get_errno()))
open("/proc/self/comm", "w").write("slow-disk")
# However busy the machine is, the disk is as fast as it is.
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
print("mounted", flush=True)
while True:
    try:
        request = os.read(fd, 256 << 10)
    except OSError as e:
        if e.errno == ENODEV:  # unmounted
            break
        continue
    length, operation, unique, inode = struct.unpack_from("<IIQQ", request)
    if operation == FORGET:
        continue
    said = answer(operation, inode, request[40:length])
    error, said = (0, said) if isinstance(said, bytes) else (-said, b"")
    try:
        os.write(fd, struct.pack("<IiQ", 16 + len(said), error, unique) + said)
    except OSError:
        pass  # nobody waits any more
