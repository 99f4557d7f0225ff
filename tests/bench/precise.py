#!/usr/bin/python3
"""Makes a recording of a precise event from one of cpu-clock: the ip of each sample in user code moves some bytes back.

    precise.py FROM.data TO.data [BYTES]

As with PEBS, the callchain then begins later than the ip: by 3 bytes, mostly in the same function.
"""
import struct
import sys

SAMPLE, USER, IDENTIFIER = 9, 2, 1 << 16


def main(source, target, skid=3):
    data = bytearray(open(source, "rb").read())
    attrs, _, begin, size = struct.unpack_from("<QQQQ", data, 24)
    sample_type, = struct.unpack_from("<Q", data, attrs + 24)
    ip_at = 16 if sample_type & IDENTIFIER else 8
    at, end, moved = begin, begin + size, 0
    while at < end:
        kind, misc, length = struct.unpack_from("<IHH", data, at)
        if kind == SAMPLE and misc & 7 == USER:
            ip, = struct.unpack_from("<Q", data, at + ip_at)
            struct.pack_into("<Q", data, at + ip_at, ip - int(skid))
            moved += 1
        at += length
    with open(target, "wb") as file:
        file.write(data)
    print(f"{target}: {moved} samples moved")


main(*sys.argv[1:])
