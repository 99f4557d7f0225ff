"""A decoder of protobuf messages without a schema: by field, the values in their order."""

import collections

FIXED = {1: 8, 5: 4}  # bytes of a number, by wire type


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    message, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value = data[at:at + size]
            if len(value) != size:
                raise SystemExit("a message is cut")
            at += size
        elif key & 7 in FIXED:
            size = FIXED[key & 7]
            value = int.from_bytes(data[at:at + size], "little")
            at += size
            if at > len(data):
                raise SystemExit("a message is cut")
        else:
            raise SystemExit(f"unexpected wire type {key & 7}")
        message[key >> 3].append(value)
    return message


def one(message, field, default=None):
    values = message.get(field, [])
    return values[-1] if values else default
