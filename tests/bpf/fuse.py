# SPDX-License-Identifier: GPL-2.0-or-later
"""
fuse.py FOLDER SECONDS [GO]: a file system in user space with one file, "file", whose reads and
fsyncs take their time. It is "late", too: that name is not found before there is a file GO.
"""
import ctypes
import os
import struct
import sys
import time

LOOKUP, FORGET, GETATTR, OPEN, READ, WRITE = 1, 2, 3, 14, 15, 16
RELEASE, FSYNC, FLUSH, INIT = 18, 20, 25, 26
SIZE = 1 << 20
ENOENT, ENOSYS, ENODEV = 2, 38, 19
DIRECT_IO = 1


def attributes(node):
    mode, size = (0o40755, 0) if node == 1 else (0o100644, SIZE)
    return struct.pack("<QQQQQQIIIIIIIIII", node, size, size // 512, 0, 0, 0, 0, 0, 0, mode, 1, 0,
                       0, 0, 4096, 0)


def answer(op, node, body, seconds):
    """What a request is told: an error, or bytes."""
    if op == INIT:
        # Version 7.31, no read-ahead, no flags, up to 128 KiB a write.
        return struct.pack("<IIIIHHIIHHIIIIIII", 7, 31, 0, 0, 12, 10, 128 << 10, 1, 0, 0, 0, 0, 0,
                           0, 0, 0, 0)
    while op == LOOKUP and body == b"late\0" and not os.path.exists(sys.argv[3]):
        time.sleep(0.05)
    if op == LOOKUP:
        return struct.pack("<QQQQII", 2, 0, 60, 60, 0,
                           0) + attributes(2) if body in (b"file\0", b"late\0") else ENOENT
    if op == GETATTR:
        return struct.pack("<QII", 60, 0, 0) + attributes(node)
    if op == OPEN:
        return struct.pack("<QII", 0, DIRECT_IO, 0)
    if op == READ:
        time.sleep(seconds)
        return b"r" * struct.unpack_from("<QQI", body)[2]
    if op == WRITE:
        return struct.pack("<II", struct.unpack_from("<QQI", body)[2], 0)
    if op == FSYNC:
        time.sleep(seconds)
        return b""
    return b"" if op in (RELEASE, FLUSH) else ENOSYS


def serve(folder, seconds):
    fd = os.open("/dev/fuse", os.O_RDWR)
    libc = ctypes.CDLL(None, use_errno=True)
    options = "fd=%d,rootmode=40000,user_id=0,group_id=0" % fd
    if libc.mount(b"sleeps", folder.encode(), b"fuse", 0, options.encode()):
        sys.exit(os.strerror(ctypes.get_errno()))
    print("mounted", flush=True)
    while True:
        try:
            request = os.read(fd, 256 << 10)
        except OSError as e:
            if e.errno == ENODEV:	# unmounted
                return
            continue
        size, op, unique, node = struct.unpack_from("<IIQQ", request)
        if op == FORGET:
            continue
        said = answer(op, node, request[40:size], seconds)
        error, body = (0, said) if isinstance(said, bytes) else (-said, b"")
        try:
            os.write(fd, struct.pack("<IiQ", 16 + len(body), error, unique) + body)
        except OSError:
            pass	# nobody waits any more


serve(sys.argv[1], float(sys.argv[2]))
