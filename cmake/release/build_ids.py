#!/usr/bin/env python3
"""Gives stripped 64-bit files build ids of what is left of them.

  build_ids.py FILE...

The linker computes a build id of all sections, also of debug information, which has the paths of the machine.
"""
import hashlib
import pathlib
import struct
import sys

PT_NOTE, NT_GNU_BUILD_ID = 4, 3


def aligned(size):
    return (size + 3) & ~3


def build_ids(file):
    """The places and sizes of build ids."""
    first, = struct.unpack_from("<Q", file, 0x20)
    size, count = struct.unpack_from("<HH", file, 0x36)
    for header in range(first, first + size * count, size):
        kind, = struct.unpack_from("<I", file, header)
        offset, = struct.unpack_from("<Q", file, header + 8)
        length, = struct.unpack_from("<Q", file, header + 32)
        at = offset
        while kind == PT_NOTE and at < offset + length:
            name_size, size_of_note, note = struct.unpack_from("<III", file, at)
            content = at + 12 + aligned(name_size)
            if note == NT_GNU_BUILD_ID and file[at + 12:at + 12 + name_size] == b"GNU\0":
                yield content, size_of_note
            at = content + aligned(size_of_note)


def main():
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        file = bytearray(path.read_bytes())
        found = set(build_ids(file))
        if len(found) != 1:
            sys.exit(f"{path}: {len(found)} build ids, not 1")
        (place, size), = found
        file[place:place + size] = bytes(size)
        file[place:place + size] = hashlib.sha1(file).digest()[:size]
        path.write_bytes(file)


main()
