# SPDX-License-Identifier: GPL-2.0-or-later
"""A kernel's type information, as far as the ladder needs it."""
import struct

INT, PTR, ARRAY, STRUCT, UNION, ENUM, TYPEDEF = 1, 2, 3, 4, 5, 6, 8
FUNC, FUNC_PROTO, VAR, DATASEC, DECL_TAG, ENUM64 = 12, 13, 14, 15, 17, 19
MORE = {INT: 4, ARRAY: 12, VAR: 4, DECL_TAG: 4}
EACH = {STRUCT: 12, UNION: 12, ENUM: 8, FUNC_PROTO: 8, DATASEC: 12, ENUM64: 12}


def kind_of(info):
    return info >> 24 & 0x1f


class Btf:
    """offsets: where each type is in data, by its number; end: where they end."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = data = bytearray(f.read())
        magic, _, _, self.hdr_len, type_off, type_len, str_off, str_len = struct.unpack_from(
                "=HBBIIIII", data)
        assert magic == 0xeb9f, "no BTF"
        self.strings = data[self.hdr_len + str_off:self.hdr_len + str_off + str_len]
        self.offsets = [None]
        at, self.end = self.hdr_len + type_off, self.hdr_len + type_off + type_len
        while at < self.end:
            self.offsets.append(at)
            info = struct.unpack_from("=I", data, at + 4)[0]
            at += 12 + MORE.get(kind_of(info), 0) + EACH.get(kind_of(info), 0) * (info & 0xffff)

    def name(self, text):
        """Where a name is among the strings; ValueError: nowhere."""
        return self.strings.index(b"\0%s\0" % text.encode()) + 1

    def function(self, text):
        """The number of a function."""
        name = self.name(text)
        for number, offset in enumerate(self.offsets[1:], 1):
            at, info = struct.unpack_from("=II", self.data, offset)
            if at == name and kind_of(info) == FUNC:
                return number
        raise ValueError(text)
