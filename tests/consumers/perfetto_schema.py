"""The schema that Perfetto publishes of its traces: trace_processor has the descriptors of all messages in it, as a
google.protobuf.FileDescriptorSet.

Fields are wrong if their message does not have them, or has them with another wire type. Numbers are wrong if their
enumeration lacks them.
"""

import re

from protobuf import fields, one, varint

# FieldDescriptorProto.Type: the types that begin with a length.
STRING, MESSAGE, BYTES, ENUM = 9, 11, 12, 14
FIXED64, FIXED32 = (1, 6, 16), (2, 7, 15)  # double, fixed64, sfixed64; float, fixed32, sfixed32
# In the descriptor set: the beginning of a FileDescriptorProto, its length, and its name.
FILE = rb"\x0a(?=[\x80-\xff]{0,3}[\x00-\x7f]\x0a[\x00-\xff]protos/perfetto/)"
# By message: fields that trace_processor v55.3 does not know yet, from profile_common.proto of google/perfetto at
# commit 02603952ce0c.
NEWER = {".perfetto.protos.Frame": {7: ("kind", ENUM, ".perfetto.protos.Frame.Kind")}}
NEWER_ENUMERATIONS = {".perfetto.protos.Frame.Kind": set(range(7))}


class Schema:
    """The messages that trace_processor knows: {full name: {number of a field: (name, type, name of its type)}}."""

    def __init__(self, program):
        self.messages, self.enumerations, self.files = {}, {}, set()
        with open(program, "rb") as file:
            data = file.read()
        for match in re.finditer(FILE, data):
            size, at = varint(data, match.end())
            self._add_file(data[at:at + size])
        for message, newer in NEWER.items():
            self.messages[message] = {**newer, **self.messages.get(message, {})}
        self.enumerations = {**NEWER_ENUMERATIONS, **self.enumerations}

    def _add_file(self, data):
        try:
            file = fields(data)
        except (IndexError, SystemExit):
            return  # other bytes, which only begin in the same way
        self.files.add(one(file, 1).decode())
        scope = "." + one(file, 2, b"").decode()
        self._add_types(scope, file[4], file[5])
        for extension in file[7]:
            field = fields(extension)
            self.messages.setdefault(one(field, 2).decode(), {}).update([self._field(field)])

    def _add_types(self, scope, messages, enumerations):
        for data in enumerations:
            enumeration = fields(data)
            self.enumerations[f"{scope}.{one(enumeration, 1).decode()}"] = {
                one(fields(value), 2, 0) for value in enumeration[2]}
        for data in messages:
            message = fields(data)
            name = f"{scope}.{one(message, 1).decode()}"
            self.messages.setdefault(name, {}).update(self._field(fields(field)) for field in message[2])
            self._add_types(name, message[3], message[4])

    @staticmethod
    def _field(field):
        return one(field, 3), (one(field, 1).decode(), one(field, 5), one(field, 6, b"").decode())

    def check(self, data, message, used):
        """Checks a message, and raises ValueError if it is wrong. Puts the names of the used fields into `used`."""
        known, at = self.messages[message], 0
        while at < len(data):
            key, at = varint(data, at)
            number, wire = key >> 3, key & 7
            if number not in known:
                raise ValueError(f"{message} has no field {number}")
            name, kind, kind_name = known[number]
            used.add(f"{message.rpartition('.')[2]}.{name}")
            at = self._check_value(data, at, wire, kind, kind_name, used, f"{message}.{name}")

    def _check_value(self, data, at, wire, kind, kind_name, used, place):
        expected = 2 if kind in (STRING, MESSAGE, BYTES) else 1 if kind in FIXED64 else 5 if kind in FIXED32 else 0
        if wire != expected:
            raise ValueError(f"{place}: wire type {wire} instead of {expected}")
        if wire == 0:
            value, at = varint(data, at)
            if kind == ENUM and value not in self.enumerations[kind_name]:
                raise ValueError(f"{place}: {kind_name} has no {value}")
            return at
        size, at = varint(data, at) if wire == 2 else (8 if wire == 1 else 4, at)
        value = data[at:at + size]
        if len(value) != size:
            raise ValueError(f"{place} is cut")
        if kind == MESSAGE:
            self.check(value, kind_name, used)
        if kind == STRING:
            value.decode()
        return at + size
