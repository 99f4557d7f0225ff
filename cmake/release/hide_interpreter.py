#!/usr/bin/env python3
"""Hides the path of the dynamic loader (PT_INTERP) of a 64-bit program from the kernel: tools/portable/start.c loads it.

  hide_interpreter.py PROGRAM

The linker's --no-dynamic-linker would also remove PT_PHDR, by which glibc's loader finds where the program is.
"""
import pathlib
import struct
import sys

PT_NULL, PT_INTERP = 0, 3

path = pathlib.Path(sys.argv[1])
program = bytearray(path.read_bytes())
first, = struct.unpack_from("<Q", program, 0x20)
size, count = struct.unpack_from("<HH", program, 0x36)
found = [at for at in range(first, first + size * count, size) if struct.unpack_from("<I", program, at)[0] == PT_INTERP]
if len(found) != 1:
    sys.exit(f"{path}: {len(found)} program headers PT_INTERP, not 1")
struct.pack_into("<I", program, found[0], PT_NULL)
path.write_bytes(program)
