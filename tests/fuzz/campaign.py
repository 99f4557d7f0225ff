#!/usr/bin/env python3
"""Mutated inputs of every kind through every command that reads them and every export.

  campaign.py PERFSIFT [--model MODEL_RECORDING] [--server COMMAND_SERVER] [--count 50000] [--seed 1] [--finds FOLDER]

Each input is a seed with a few changes: a profile of pprof, folded text, text of perf script, a recording of Arm SPE or of
AMD's IBS (made by --model, build/release/model_recording; left out without the option), or a jitdump beside its recording.
No command may crash, hang, or take more time and memory than a limit that grows linearly with the input. Outputs must be
well-formed: JSON, XML, protobuf, callgrind, CSV, folded text. The sums in outputs must be the sums of the input.

A find is stored with the command that shows it in FOLDER (finds), and the same seed gives the same inputs. With an
instrumented program the limits are ten times as large. With --server, build/release/command_server runs the commands in
one process, which takes a fifth of the time, and PERFSIFT runs the commands of a find once more. Run it by hand: 50,000
inputs take hours.
"""

import argparse
import collections
import csv
import gzip
import html.parser
import io
import json
import os
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "consumers"))
import protobuf  # noqa: E402

TESTDATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata")
RECORDINGS = ("spe", "ibs", "jitdump")
# Limits for a program that reads an input of a few bytes, in seconds on a CPU and bytes, and the additions per byte of
# the input.
SECONDS, SECONDS_PER_BYTE = 4, 1e-4
BYTES, BYTES_PER_BYTE = 400 << 20, 400
LARGEST = 2**63 - 1
WRONG_USAGE = 2
NO_EVENT = "[no event]"


class Find(Exception):
    """A command broke a rule."""


# --- seeds ---

SCRIPTS = [b"""app 7/8 [001] 12.345678:        250 cycles:u:
\t  401136 work+0x16 (/opt/app)
\t  401200 main+0x20 (/opt/app)
\tffffffff81000100 do_syscall_64 ([kernel.kallsyms])

app    7/7 [000] 12.345679:          1 cycles:u:
\t    1000 LazyCompile:~f a.js:1 (/tmp/perf-7.map)

swapper     0 [003]  13.141592: sched:sched_switch: prev_comm=a b:c prev_pid=0 prev_state=R ==> next_comm=d next_pid=9
\tffffffff81000300 schedule+0x1 ([kernel.kallsyms])

""", b"""# ========
# captured on    : Mon
#
java 12345 [000] 1.5: 77 cpu-clock:  ffffffff81234567 [unknown] ([unknown])
a b c  7 1.625: 5000000 cpu-clock:
\t 10 x+0x1 (/opt/a b (deleted))
  file.c:12
\t 20 y::z(int, char)#2 (inlined)
  main.cpp:7

"""]
FOLDED = [b"main;work;malloc 12\nmain;work 3\n# comment\n\nmain 1\nmain;f(int, char);g_[k] 70000\n",
          b"main;a 10 12\nmain;b 0 7\nmain;c 5 5\n",
          b"main;a_[k];b_[i];c_[j] 1.5\nmain 2\n",
          "main;naïve;<b>&amp;\"x\"]]> 5\nmain;日本 6\n".encode()]


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def message(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def number(field, value):
    return varint(field << 3) + varint(value)


def pprof_seed(types, mapped):
    """A profile of three stacks, by the numbers of profile.proto."""
    strings = ["", "main", "work", "wait", "/opt/app", "thread", "bytes", "a.c"]
    for name, unit in types:
        strings += [name, unit]
    out = b"".join(message(1, number(1, 8 + 2 * i) + number(2, 9 + 2 * i)) for i in range(len(types)))
    for stack, value in (([2, 1], 5), ([3, 1], 7), ([2, 2, 1], 11)):
        label = message(3, number(1, 5) + number(2, 2)) + message(3, number(1, 6) + number(3, 64) + number(4, 6))
        values = message(2, b"".join(varint(value * (i + 1)) for i in range(len(types))))
        out += message(2, message(1, b"".join(map(varint, stack))) + values + label)
    if mapped:
        out += message(3, number(1, 1) + number(2, 0x400000) + number(3, 0x500000) + number(5, 4))
    for i in (1, 2, 3):
        line = message(4, number(1, i) + number(2, 10 * i))
        out += message(4, number(1, i) + (number(2, 1) + number(3, 0x400000 + i) if mapped else b"") + line)
        out += message(5, number(1, i) + number(2, i) + number(4, 7) + number(5, i))
    out += b"".join(message(6, text.encode()) for text in strings)
    return out + number(9, 10**18) + number(10, 10**9) + message(11, number(1, 8) + number(2, 9)) + number(12, 1000)


def jitdump_seed():
    def record(kind, time, content):
        return struct.pack("<IIQ", kind, 16 + len(content), time) + content

    def load(time, address, name, index):
        code = bytes(range(64))
        return record(0, time, struct.pack("<IIQQQQ", 7, 7, address, address, len(code), index) + name + b"\0" + code)

    lines = b"".join(struct.pack("<QII", 0x10000 + 8 * i, 3 + i, 0) + b"a.js\0" for i in range(3))
    return (struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 7, 1, 0) +
            record(2, 5, struct.pack("<QQ", 0x10000, 3) + lines) + load(6, 0x10000, b"first", 1) +
            load(7, 0x10040, b"second(int)", 2) + record(1, 8, struct.pack("<IIQQQQQ", 7, 7, 0x11000, 0x10000, 0x11000, 64, 1)) +
            record(3, 9, b""))


def recording_of_jit(dump):
    """perf.data with samples in the code of the jitdump at a path."""
    def sample_id(time):
        return struct.pack("<IIQ", 7, 7, time)

    def record(kind, misc, content):
        return struct.pack("<IHH", kind, misc, 8 + len(content)) + content

    def padded(text):
        return text + b"\0" * (8 - len(text) % 8)

    flags = 1 << 18  # sample_id_all
    attr = struct.pack("<IIQQQQQ", 1, 128, 0, 1000, 1 | 2 | 4 | 0x100, 0, flags).ljust(128, b"\0")
    data = record(3, 0, struct.pack("<II", 7, 7) + padded(b"app") + sample_id(1))
    data += record(1, 2, struct.pack("<IIQQQ", 7, 7, 0x7000000, 4096, 0) + padded(dump.encode()) + sample_id(2))
    data += record(1, 2, struct.pack("<IIQQQ", 7, 7, 0x10000, 0x2000, 0) + padded(b"//anon") + sample_id(3))
    for i in range(40):
        data += record(9, 2, struct.pack("<QIIQQ", 0x10000 + 0x70 * i, 7, 7, 20 + i, 100))
    attrs = attr + struct.pack("<QQ", 0, 0)
    start = 104
    header = struct.pack("<8sQQQQQQQQ4Q", b"PERFILE2", 104, len(attrs), start, len(attrs), start + len(attrs), len(data),
                         0, 0, 0, 0, 0, 0)
    return header + attrs + data


def seeds(perfsift, model, folder):
    """The seeds by kind."""
    found = collections.defaultdict(list)
    found["script"] += SCRIPTS
    found["folded"] += FOLDED
    for types in ([("samples", "count"), ("cpu", "nanoseconds")], [("inuse_space", "bytes")],
                  [("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"), ("inuse_space", "bytes")]):
        found["pprof"] += [pprof_seed(types, mapped) for mapped in (False, True)]
    demo = os.path.join(TESTDATA, "demo.data")
    symfs = ["--symfs", os.path.join(TESTDATA, "symfs")]
    found["script"].append(subprocess.check_output([perfsift, "script", *symfs, demo])[:6000])
    found["folded"].append(subprocess.check_output([perfsift, "fold", *symfs, demo])[:6000])
    exported = os.path.join(folder, "seed.pb.gz")
    for options in (["export", "--to", "pprof"], ["merge"]):
        subprocess.run([perfsift, *options, "-o", exported, "-q", *symfs, demo], check=True)
        with gzip.open(exported) as file:
            found["pprof"].append(file.read())
    found["jitdump"].append(jitdump_seed())
    for kind, machines in (("spe", ("spe", "spe1", "spe_threads", "spe_switches")),
                           ("ibs", ("ibs", "ibs_zen2", "ibs_random", "ibs_zen6_random", "ibs_fields"))):
        for machine in machines if model else ():
            path = os.path.join(folder, machine)
            subprocess.run([model, machine, "6", path, path + ".program"], check=True)
            with open(path, "rb") as file:
                found[kind].append(file.read())
    return found


# --- mutations ---

NUMBERS = (0, 1, 2, 7, 8, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, LARGEST, 2**63, 2**64 - 1)
WORDS = (b"0", b"1", b"-1", b"18446744073709551615", b"9223372036854775807", b"1e9", b"0x", b";", b" ", b"\t", b"\n", b"\r\n",
         b"\0", b"\xff", b"\xe2\x80\xae", b"#", b"[unknown]", b"(inlined)", b":", b"/", b"'", b'"', b"<", b"&", b"]]>", b"%s", b"\x1b[2J",
         b"_[k]", b"a" * 300, b"x;" * 40)


def changed(dice, data, others):
    data = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 3, 8))):
        at = dice.randrange(len(data) + 1) if data else 0
        size = min(dice.choice((1, 2, 4, 8, 30, 200)), len(data) - at)
        way = dice.randrange(9)
        if way == 0 and at < len(data):
            data[at] ^= 1 << dice.randrange(8)
        elif way == 1 and at < len(data):
            data[at] = dice.randrange(256)
        elif way == 2:
            width = dice.choice((1, 2, 4, 8))
            data[at:at + width] = (dice.choice(NUMBERS) & (1 << 8 * width) - 1).to_bytes(width, dice.choice(("little", "big")))
        elif way == 3:
            del data[at:at + size]
        elif way == 4:
            data[at:at] = data[at:at + size] * dice.choice((1, 2, 20))
        elif way == 5:
            data[at:at + dice.choice((0, size))] = dice.choice(WORDS)
        elif way == 6:
            data[at:at] = varint(dice.choice(NUMBERS))
        elif way == 7:
            other = dice.choice(others)
            begin = dice.randrange(len(other) + 1)
            data[at:at + size] = other[begin:begin + dice.choice((8, 60, 1000))]
        elif dice.random() < 0.3:
            del data[at:]
    return bytes(data)


def fields_of(data):
    """The fields of a message, in order: the number, and the content as a number or bytes. None if it is not a
    message."""
    fields, at = [], 0
    try:
        while at < len(data):
            key, at = protobuf.varint(data, at)
            value, at = protobuf.varint(data, at)
            if key & 7 == 2:
                value, at = data[at:at + value], at + value
            elif key & 7 != 0:
                return None
            fields.append((key >> 3, value))
    except IndexError:
        return None
    return fields if at == len(data) else None


def message_of(fields):
    return b"".join(message(field, value) if isinstance(value, bytes) else number(field, value) for field, value in fields)


# A change of a message that keeps its lengths right, because bytes that are not a message are refused at once.
def changed_message(dice, data, others):
    fields = fields_of(data)
    if not fields:
        return changed(dice, data, others)[:1000]
    at = dice.randrange(len(fields))
    field, value = fields[at]
    way = dice.randrange(10)
    if way == 0:
        del fields[at]
    elif way == 1:
        fields.insert(dice.randrange(len(fields) + 1), (field, value))
    elif way == 2:
        fields[at] = (dice.randrange(1, 16), value)
    elif way == 3:
        dice.shuffle(fields)
    elif isinstance(value, int):
        fields[at] = (field, dice.choice((value ^ 1, value + 1, dice.choice(NUMBERS), dice.randrange(16))))
    else:
        fields[at] = (field, changed_message(dice, value, others))
    return message_of(fields)


def mutated(dice, kind, data, others):
    if kind != "pprof" or dice.random() < 0.1:
        return changed(dice, data, others)
    for _ in range(dice.choice((1, 1, 2, 4, 10))):
        data = changed_message(dice, data, others)
    return data


# --- running ---

class Program:
    def __init__(self, path, folder, server=None):
        self.path, self.folder = path, folder
        with open(path, "rb") as file:
            self.factor = 10 if b"__asan_init" in file.read() else 1
        self.environment = {**os.environ, "HOME": folder, "XDG_CACHE_HOME": folder, "PERFSIFT_CACHE_SIZE": "0",
                            "DEBUGINFOD_URLS": "", "TMPDIR": folder, "UBSAN_OPTIONS": "halt_on_error=1",
                            "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1"}
        self.runs = 0
        self.server_path, self.server = server and os.path.abspath(server), None

    # Returns the exit status, seconds on a CPU, and bytes of memory.
    def run_in_process(self, words, seconds):
        out, err = (open(os.path.join(self.folder, name), "wb") for name in ("stdout", "stderr"))
        with out, err:
            process = subprocess.Popen([self.path, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=self.environment,
                                       cwd=self.folder)
            guard = threading.Timer(seconds, process.kill)
            guard.start()
            _, status, used = os.wait4(process.pid, 0)
            guard.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss << 10

    def run_by_server(self, words, seconds):
        if not self.server:
            self.server = subprocess.Popen([self.server_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self.folder,
                                           env=self.environment)
        request = [str(int(seconds)), str(len(words)), *words]
        self.server.stdin.write(b"".join(os.fsencode(word) + b"\0" for word in request))
        self.server.stdin.flush()
        answer = self.server.stdout.readline().split()
        if answer:
            status, microseconds, kilobytes = map(int, answer)
            return status, microseconds / 1e6, kilobytes << 10
        status, self.server = self.server.wait(), None
        return status, 0, 0

    def written(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def run(self, *words, size=0):
        """Returns the exit status, standard output and standard error. Throws Find."""
        self.runs += 1
        seconds = (SECONDS + SECONDS_PER_BYTE * size) * self.factor
        run = self.run_by_server if self.server_path else self.run_in_process
        status, used, memory = run(words, 40 * seconds)  # other programs may use the CPUs
        told, messages = self.written("stdout"), self.written("stderr").decode(errors="replace")
        if status not in range(6):
            raise Find(f"exit status {status}: {messages[-3000:]}")
        if re.search(r"terminate called|Sanitizer|runtime error:|bad_alloc|basic_string::|vector::", messages):
            raise Find(f"message: {messages[-3000:]}")
        if used > seconds:
            raise Find(f"{used:.1f} s for {size} bytes")
        if memory > (BYTES + BYTES_PER_BYTE * size) * self.factor:
            raise Find(f"{memory >> 20} MiB for {size} bytes")
        return status, told, messages, used


# --- outputs ---

def expect(holds, what):
    if not holds:
        raise Find(what)


def parsed_json(data):
    def no_constant(word):
        raise ValueError(word)
    try:
        return json.loads(data.decode("utf-8"), parse_constant=no_constant)
    except ValueError as error:
        raise Find(f"no JSON: {error}: {data[:300]!r}") from error


def parsed_xml(data):
    try:
        return xml.etree.ElementTree.fromstring(data)
    except xml.etree.ElementTree.ParseError as error:
        raise Find(f"no XML: {error}") from error


def parsed_protobuf(data):
    try:
        return protobuf.fields(data)
    except (SystemExit, IndexError) as error:
        raise Find(f"no protobuf: {error}") from error


def numbers_of(values):
    """The numbers of a packed field, or of a field with one number per entry."""
    for value in values:
        if isinstance(value, int):
            yield value
            continue
        at = 0
        while at < len(value):
            some, at = protobuf.varint(value, at)
            yield some


def parsed_html(data):
    text = data.decode("utf-8")
    html.parser.HTMLParser().feed(text)
    expect(text.rstrip().endswith("</html>"), "HTML without an end")


def sums_of_pprof(data):
    """The sums of all samples by sample type, and then the sums of several types with one name."""
    profile = parsed_protobuf(data)
    sums = [0] * len(profile[1])
    for sample in profile[2]:
        for i, value in enumerate(numbers_of(parsed_protobuf(sample)[2])):
            if i >= len(sums):
                raise Find("more values than types")
            sums[i] += value - 2**64 if value > LARGEST else value
    by_name = collections.Counter()
    for kind, total in zip(profile[1], sums):
        text = protobuf.one(parsed_protobuf(kind), 1, 0)
        by_name[profile[6][text] if text < len(profile[6]) else b""] += total
    return sums + list(by_name.values())


def sum_of_folded(data):
    total = 0
    for line in data.decode("utf-8", errors="surrogateescape").split("\n")[:-1]:
        match = re.fullmatch(r"(?s).+ (\d+)(?: (\d+))?", line)
        expect(match, f"no folded stack: {line!r}")
        total += int(match[1])
    return total


CALLGRIND = re.compile(
    r"|#.*|(version|creator|cmd|positions|events|summary|totals|desc|pid|part|thread|event): ?.*|"
    r"(ob|fl|fi|fe|fn|cob|cfi|cfl|cfn)=\(\d+\)( .*)?|calls=\d+ \d+|[+*-]?\d+( \d+)+")


def sums_of_callgrind(data):
    """The sums of the functions' own costs."""
    totals, sums, is_call = None, None, False
    for line in data.decode("utf-8").split("\n"):
        expect(CALLGRIND.fullmatch(line), f"no callgrind: {line!r}")
        if line.startswith("totals: "):
            totals = list(map(int, line.split()[1:]))
        if line.startswith("calls="):
            is_call = True
        elif line[:1].isdigit() or line[:1] in "+-*" and line:
            costs = list(map(int, line.split()[1:]))
            if not is_call:
                sums = [a + b for a, b in zip(sums, costs)] if sums else costs
            is_call = False
    expect(totals is None or sums is None or totals[:len(sums)] == sums, f"totals: {totals}, {sums} in all")
    return totals or []


def sum_of_rows(rows, column):
    return sum(int(row[column]) for row in rows)


class Checks:
    """Runs all commands on one input. The totals by event are those of perfsift report --json."""

    def __init__(self, program, kind, path, data):
        self.program, self.kind, self.path, self.size = program, kind, path, len(data)
        self.data = data
        self.words = ()

    def run(self, *words):
        self.words = words
        return self.program.run(*words, size=self.size)

    def output(self, name):
        path = os.path.join(self.program.folder, name)
        if not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            content = file.read()
        os.unlink(path)
        return content

    def all(self):
        status, out, messages, _ = self.run("report", "--json", self.path)
        self.whole = status == 0 and not re.search(r"left out|not understood|malformed|no folded|cannot|skipped", messages)
        events = parsed_json(out)["events"] if out else []
        totals = {event["event"]: (event["samples"], event["value"]) for event in events}
        self.value = sum(value for _, value in totals.values())
        self.totals = totals
        sums = [sum(row["self"]["value"] for row in event["rows"]) for event in events]
        if self.kind in RECORDINGS and any(value > LARGEST for value in sums):
            return  # damaged periods: no signed format can hold their sum
        expect(sums == [event["value"] for event in events], f"rows: {sums}, report: {totals}")
        expect(all(value <= LARGEST for _, value in totals.values()), f"a sum of {self.value}")
        self.check_input()
        self.check_reports()
        self.check_pictures()
        self.check_exports()
        self.check_comparisons()
        if self.kind in RECORDINGS:
            self.check_recordings()

    # The sum of the input, counted by this program.
    def check_input(self):
        if not self.whole or not self.totals:
            return
        if self.kind == "pprof":
            sums = sums_of_pprof(self.data)
            for event, (_, value) in self.totals.items():
                # Values without a name are one event, except values that count samples.
                expect(value in sums or event == NO_EVENT, f"{event}: {value}, but the samples have {sums}")
        elif self.kind == "folded":
            lines = [line.rstrip(b"\r") for line in self.data.split(b"\n")]
            counts = [re.fullmatch(rb"(?s).*\S.* (\d+)", line) for line in lines if line.strip() and not line.startswith(b"#")]
            if all(counts) and not any(re.search(rb"[ ;][0-9.eE+-]+$", match[0][:match.start(1) - 1]) for match in counts):
                total = sum(int(match[1]) for match in counts)
                expect(self.value == total, f"{self.value}, but the lines have {total}")

    def check_reports(self):
        for words in (("report",), ("report", "--tree"), ("report", "--sort", "symbol", "--order", "total"),
                      ("report", "--callers", "main"), ("fold", "--compat", "flamegraph"), ("report", "--annotate", "work")):
            self.run(*words, self.path)
        _, out, _, _ = self.run("report", "--csv", self.path)
        rows = list(csv.DictReader(io.StringIO(out.decode("utf-8")), strict=True))
        expect(sum_of_rows(rows, "self_value") <= self.value, "the rows of --csv have more than the report")
        for words in (("report", "--tree", "--json"), ("report", "--annotate", "work", "--json")):
            _, out, _, _ = self.run(*words, self.path)
            if out:
                parsed_json(out)
        _, out, _, _ = self.run("fold", *self.all_events(), self.path)
        total = sum_of_folded(out)
        expect(total == self.value, f"fold: {total}, report: {self.value}")

    def check_pictures(self):
        for words in (("flame", "-o", "x.svg"), ("flame", "--reverse", "-o", "x.svg"), ("flame", "--flamechart", "-o", "x.svg")):
            self.run(*words, self.path)
            if (svg := self.output("x.svg")) is not None:
                parsed_xml(svg)
        for words in (("flame", "-o", "x.html"), ("view", "--save", "x.html"), ("report", "--html", "x.html")):
            self.run(*words, self.path)
            if (page := self.output("x.html")) is not None:
                parsed_html(page)

    # The option that shows all events. Folded text, and some text of perf script, does not name events.
    def all_events(self):
        words = ("--event", "*")
        return words if self.run("fold", *words, self.path)[0] != WRONG_USAGE else ()

    def export(self, form):
        self.run("export", "--to", form, *(self.all_events() if form == "folded" else ()), "-o", "exported", self.path)
        return self.output("exported")

    def check_exports(self):
        if (data := self.export("pprof")) is not None:
            sums = sums_of_pprof(gzip.decompress(data))
            for event, (_, value) in self.totals.items():
                expect(value in sums, f"pprof: {sums}, report: {value} of {event}")
        if (data := self.export("speedscope")) is not None:
            profiles = parsed_json(data)["profiles"]
            expect(all(len(one["samples"]) == len(one["weights"]) for one in profiles), "samples without weights")
            # Samples without frames are the time in which the thread did not run.
            total = sum(weight for one in profiles for stack, weight in zip(one["samples"], one["weights"]) if stack)
            expect(total == self.value or any(isinstance(weight, float) for one in profiles for weight in one["weights"]),
                   f"speedscope: {total}, report: {self.value}")
        if (data := self.export("firefox")) is not None:
            parsed_json(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        if (data := self.export("perfetto")) is not None:
            for packet in parsed_protobuf(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)[1]:
                parsed_protobuf(packet)
        if (data := self.export("callgrind")) is not None:
            totals = sums_of_callgrind(data)
            expect(all(value in totals for _, value in self.totals.values()), f"callgrind: {totals}, report: {self.totals}")
        # The sums of reports, which damaged periods of recordings may change.
        if (data := self.export("jsonl")) is not None:
            total = sum(parsed_json(line).get("period", 0) for line in data.splitlines())
            expect(total % 2**64 == self.value, f"jsonl: {total}, report: {self.value}")
        if (data := self.export("csv")) is not None:
            rows = csv.DictReader(io.StringIO(data.decode("utf-8"), newline=""), strict=True)
            total = sum(int(row["period"] or 0) for row in rows)
            expect(total % 2**64 == self.value, f"csv: {total}, report: {self.value}")
        if (data := self.export("folded")) is not None:
            expect(sum_of_folded(data) == self.value, f"export --to folded: {sum_of_folded(data)}, report: {self.value}")

    def check_comparisons(self):
        for words in (("diff", "--json"), ("check", "--json", "--junit", "x.xml", "--sarif", "x.sarif", "--svg", "x.svg",
                                           "--markdown", "x.md", "--allow", "lost,throttled,build,few,stacks")):
            inputs = ("--baseline", self.path, "--candidate", self.path) if words[0] == "check" else (self.path, self.path)
            _, out, _, _ = self.run(*words, *inputs)
            if out:
                parsed_json(out)
        for name, parse in (("x.xml", parsed_xml), ("x.svg", parsed_xml), ("x.sarif", parsed_json), ("x.md", bytes.decode)):
            if (data := self.output(name)) is not None:
                parse(data)
        self.run("diff", "-o", "x.svg", self.path, self.path)
        if (data := self.output("x.svg")) is not None:
            parsed_xml(data)
        self.run("merge", "-o", "m.pb.gz", self.path, self.path)
        if (data := self.output("m.pb.gz")) is not None:
            sums_of_pprof(gzip.decompress(data))

    def check_recordings(self):
        for words in (("script",), ("script", "-F", "+srcline,+symoff", "--ns"), ("mem",), ("c2c",), ("offcpu",), ("info",),
                      ("script", "--header-only"), ("mem", "--raw"), ("offcpu", "--timehist")):
            self.run(*words, self.path)
        for words in (("info", "--json"), ("mem", "--json"), ("c2c", "--json"), ("offcpu", "--json")):
            _, out, _, _ = self.run(*words, self.path)
            if out:
                parsed_json(out)
        self.run("filter", "-o", "x.data", "--filter", "pid >= 0 || pid < 0", self.path)
        if os.path.exists(copy := os.path.join(self.program.folder, "x.data")):
            _, out, _, _ = self.run("report", "--json", "x.data")
            if out and self.whole and self.kind != "spe":  # samples of a trace are not in the copy
                totals = {event["event"]: (event["samples"], event["value"]) for event in parsed_json(out)["events"]}
                expect(totals == self.totals, f"filtered: {totals}, report: {self.totals}")
            os.unlink(copy)

    # Ten times as much text must take at most about ten times as long.
    def check_growth(self, write):
        if self.kind not in ("folded", "script") or not self.data:
            return
        few = max(1, 200_000 // len(self.data))
        text = self.data if self.data.endswith(b"\n") else self.data + b"\n"
        for words in (("fold",), ("report", "--json"), ("export", "--to", "pprof", "-o", "exported")):
            times = []
            for copies in (few, 10 * few):
                write(text * copies)
                self.words = words
                times.append(self.program.run(*words, self.path, size=len(text) * copies)[3])
            expect(times[1] <= 25 * times[0] + 1, f"{words}: {times[0]:.2f} s for {few} copies, {times[1]:.2f} s for {10 * few}")
        self.output("exported")


def check(checks, grows, write):
    """A find in the process of many commands counts only if a separate process confirms it."""
    program = checks.program
    try:
        checks.all()
        if grows:
            checks.check_growth(write)
    except Find:
        if not program.server_path:
            raise
        server, program.server_path = program.server_path, None
        try:
            write(checks.data)
            check(checks, grows, write)
        finally:
            program.server_path = server
        print(f"not repeated: {' '.join(checks.words)}", flush=True)
        raise


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("perfsift")
    options.add_argument("--model")
    options.add_argument("--server")
    options.add_argument("--count", type=int, default=50_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--finds", default="finds")
    options.add_argument("--kinds", help="only these: pprof,folded,script,spe,ibs,jitdump")
    given = options.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    finds, counts = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(os.path.abspath(given.perfsift), folder, given.server)
        by_kind = seeds(program.path, given.model, folder)
        wanted = given.kinds.split(",") if given.kinds else list(by_kind)
        if not given.model:
            print("without --model: no recordings of SPE and IBS")
        for i in range(given.count):
            dice = random.Random(f"{given.seed}/{i}")
            kind = [kind for kind in wanted if by_kind[kind]][i % sum(bool(by_kind[kind]) for kind in wanted)]
            data = mutated(dice, kind, dice.choice(by_kind[kind]), by_kind[kind])
            name = "jit-7.dump" if kind == "jitdump" else "input"

            def write(content, name=name):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(content)
            write(data)
            if kind == "jitdump":
                with open(os.path.join(folder, "input"), "wb") as file:
                    file.write(recording_of_jit(os.path.join(folder, name)))
            checks = Checks(program, kind, "input", data)
            counts[kind] += 1
            try:
                check(checks, grows=i % 97 < len(wanted), write=write)
            except (Find, ValueError, LookupError) as find:  # ValueError: also text that is not UTF-8
                finds += 1
                place = os.path.join(given.finds, f"{given.seed}-{i}-{kind}")
                os.makedirs(given.finds, exist_ok=True)
                shutil.copy(os.path.join(folder, name), place)
                print(f"FIND {place}: perfsift {' '.join(checks.words)}\n  {find!r}", flush=True)
            if (i + 1) % 1000 == 0:
                print(f"{i + 1} inputs, {program.runs} runs, {finds} finds", flush=True)
    print(f"{sum(counts.values())} inputs ({', '.join(f'{n} {kind}' for kind, n in counts.items())}), {program.runs} runs, {finds} finds")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
