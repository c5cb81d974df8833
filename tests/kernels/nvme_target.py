# SPDX-License-Identifier: GPL-2.0-or-later
"""
nvme_target.py FOLDER MODEL: an NVMe disk of 8 MiB over TCP (port 4420 of this machine) that says it
is of this model, and has the page 0xD0 of the log that volumes of Amazon EBS have.

FOLDER/page has what it tells, read each time: "refuse", "hang" (no answer until that changes), or a
magic number and four rates: microseconds a second in which the limits are exceeded. A line is added
to FOLDER/asked for each question. FOLDER/ready is there once it listens.
"""
import os
import socket
import struct
import sys
import threading
import time

folder, model = sys.argv[1:]
SIZE = 8 << 20
DATA = bytearray(SIZE)
NQN = "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0000-0000-0000000000d0"
MOST = 8192             # bytes that are written within a command
INVALID_LOG_PAGE, INVALID_FIELD = 0x4109, 0x4002
registers = {0x00: 127 | 1 << 16 | 20 << 24 | 1 << 37, 0x08: 0x10300, 0x14: 0, 0x1c: 0}
begin = time.monotonic()


class Refused(Exception):
    """The status that a command gets."""


def read_exactly(connection, n):
    data = b""
    while len(data) < n:
        part = connection.recv(n - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def put(page, offset, form, *values):
    struct.pack_into("<" + form, page, offset, *values)


def controller():
    page = bytearray(4096)
    put(page, 4, "20s40s8s", b"1".ljust(20), model.encode().ljust(40), b"1".ljust(8))
    put(page, 77, "BHI", 1, 1, 0x10300)     # at most two pages of 4 KiB, controller 1, version
    put(page, 111, "B", 1)                  # a controller of I/O
    put(page, 320, "H", 10)                 # keep alive, 100 ms
    put(page, 512, "BBHI", 0x66, 0x44, 128, 1)
    put(page, 536, "I", 1 | 1 << 20)        # what is written lies behind the command
    put(page, 768, "256s", NQN.encode())
    put(page, 1792, "IIHBB", (64 + MOST) // 16, 1, 0, 0, 1)
    return bytes(page)


def namespace():
    page = bytearray(4096)
    put(page, 0, "QQQ", *[SIZE // 512] * 3)
    put(page, 104, "16s", b"\1" * 16)
    put(page, 128, "I", 9 << 16)
    return bytes(page)


def identify(command):
    what = command[40]
    if what == 0:
        return namespace()
    if what == 1:
        return controller()
    if what == 2:
        after = struct.unpack_from("<I", command, 4)[0]
        return struct.pack("<I", after < 1).ljust(4096, b"\0")
    if what == 3:
        return struct.pack("<BBxx16s", 2, 16, b"\1" * 16).ljust(4096, b"\0")
    raise Refused(INVALID_FIELD)


def told():
    with open(os.path.join(folder, "page")) as f:
        return f.read().split()


def limits():
    with open(os.path.join(folder, "asked"), "a") as f:
        print("%.3f" % (time.monotonic() - begin), file=f)
    while told() == ["hang"]:
        time.sleep(0.05)
    if told() == ["refuse"]:
        raise Refused(INVALID_LOG_PAGE)
    magic, *rates = told()
    page = bytearray(b"\xa5" * 4096)
    seconds = time.monotonic() - begin
    put(page, 0, "I", int(magic, 16))
    put(page, 8, "6Q", 1, 2, 3, 4, 5, 6)
    put(page, 56, "4Q", *(int(float(rate) * seconds) for rate in rates))
    return bytes(page)


def log_page(command):
    words, = struct.unpack_from("<I", command, 40)
    n = ((words >> 16) + 1) * 4
    return (limits() if words & 0xff == 0xd0 else b"").ljust(n, b"\0")[:n]


def fabrics(command, data):
    """Connect, and what is a register of others. Returns the first 8 bytes of the answer."""
    if command[4] == 1:
        return 1
    offset, value = struct.unpack_from("<IQ", command, 44)
    if command[4] == 4:
        return registers.get(offset, 0)
    registers[offset] = value
    if offset == 0x14:
        registers[0x1c] = value & 1 | (8 if value >> 14 & 3 else 0)
    return 0


def serve_admin(command, data):
    """Data, and the first 8 bytes of the answer."""
    if command[0] == 0x7f:
        return None, fabrics(command, data)
    if command[0] == 0x06:
        return identify(command), 0
    if command[0] == 0x02:
        return log_page(command), 0
    if command[0] in (0x08, 0x09, 0x0a, 0x18):      # features, keep alive
        return None, 0
    raise Refused(0x4001)


def serve_io(command, data):
    block, count = struct.unpack_from("<QH", command, 40)
    first, n = block * 512, (count + 1) * 512
    if command[0] == 0x7f:
        return None, fabrics(command, data)
    if command[0] == 2:
        return bytes(DATA[first:first + n]), 0
    if command[0] == 1:
        DATA[first:first + n] = data
    elif command[0]:
        raise Refused(0x4001)
    return None, 0


def answer(connection, writing, command, data, queue):
    status, result, out = 0, 0, None
    number, = struct.unpack_from("<H", command, 2)
    try:
        out, result = (serve_io if queue else serve_admin)(command, data)
    except Refused as e:
        status, = e.args
    sent = b""
    if out is not None:
        sent = struct.pack("<BBBBIHxxIIxxxx", 7, 4, 24, 24, 24 + len(out), number, 0,
                           len(out)) + out
    sent += struct.pack("<BBBBIQHHHH", 5, 0, 24, 0, 24, result, 0, queue, number, status << 1)
    with writing:
        connection.sendall(sent)


def answer_later(*args):
    """Other commands of the queue, a keep alive among them, do not wait for this one."""
    try:
        answer(*args)
    except OSError:
        pass


def serve(connection):
    queue, writing = 0, threading.Lock()
    try:
        while True:
            kind, _, header, offset, length = struct.unpack("<BBBBI", read_exactly(connection, 8))
            body = read_exactly(connection, length - 8)
            if kind == 0:
                connection.sendall(struct.pack("<BBBBIHBBI", 1, 0, 128, 0, 128, 0, 0, 0,
                                               0x20000).ljust(128, b"\0"))
                continue
            command, data = body[:64], body[max(offset, header) - 8:]
            if command[0] == 0x0c and not queue:    # an event, of which there is none
                continue
            if command[0] == 0x7f and command[4] == 1:
                queue, = struct.unpack_from("<H", command, 42)
            if command[0] == 0x02 and not queue:
                threading.Thread(target=answer_later, daemon=True,
                                 args=(connection, writing, command, data, queue)).start()
            else:
                answer(connection, writing, command, data, queue)
    except (EOFError, ConnectionError):
        connection.close()


listening = socket.socket()
listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listening.bind(("127.0.0.1", 4420))
listening.listen()
with open(os.path.join(folder, "ready"), "w"):
    pass
while True:
    threading.Thread(target=serve, args=(listening.accept()[0],), daemon=True).start()
