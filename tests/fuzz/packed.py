#!/usr/bin/env python3
"""Mutated packed recordings: no crash, no hang, nothing is written.

  packed.py PERFSIFT [--count 300] [--seed 1] [--finds FOLDER]

Packs the recording of testdata, and changes what is packed in several ways: bytes of the compressed file; bytes of the
archive; numbers and names of the manifest; members that are added, left out, doubled, renamed, or of another type; ends
that are cut. Sums of changed headers and contents are mostly made right again, so that readers get further.

Each input is read by one of several commands. A find, an exit status that no rule allows, a run of more than 20 s, or a
file that appears in the home folder, in the folder for temporary files or in the working folder, is stored in FOLDER
(finds) and makes the exit status 1. The same seed gives the same inputs. With 20,000 inputs, it takes half an hour.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import zlib

TESTDATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata")
BLOCK = 512
NAME, SIZE, SUM, TYPE, PREFIX = (0, 100), (124, 136), (148, 156), (156, 157), (345, 500)
COMMANDS = (["fold"], ["report"], ["script"], ["info"], ["report", "--annotate", "demo::scramble"], ["flame", "-o", "-"],
            ["export", "--to", "pprof", "-o", "-"], ["pack", "-o", "-"], ["diff"])
ALLOWED = range(0, 6)
NASTY_NAMES = ("../../escaped", "/escaped", "files/../../escaped", "files", "recording/perf.data", "perfsift-pack.json", "",
               "files/" + "x" * 200, "files/\n", "C:\\escaped")
NASTY_NUMBERS = (0, 1, 511, 512, 513, 2**31, 2**32, 2**33 - 1, 2**33, 2**40, 2**63, -1)


def members_of(archive):
    """Name, type and contents of each member."""
    members, at = [], 0
    while at + BLOCK <= len(archive) and archive[at]:
        header = archive[at : at + BLOCK]
        size = int(header[slice(*SIZE)].rstrip(b"\0 "), 8)
        members.append([header, archive[at + BLOCK : at + BLOCK + size]])
        at += BLOCK + (size + BLOCK - 1) // BLOCK * BLOCK
    return members


def with_field(header, field, text):
    return header[: field[0]] + text[: field[1] - field[0]].ljust(field[1] - field[0], b"\0") + header[field[1] :]


def with_sum(header):
    header = with_field(header, SUM, b"        ")
    return with_field(header, SUM, b"%06o\0 " % sum(header))


def header_for(like, name, size):
    return with_sum(with_field(with_field(like, NAME, name), SIZE, b"%011o" % size))


def archive_of(members):
    text = b""
    for header, contents in members:
        text += header + contents + bytes(-len(contents) % BLOCK)
    return text + bytes(2 * BLOCK)


def flip(data, pick, most=4):
    data = bytearray(data)
    for _ in range(pick.randint(1, most)):
        if data:
            data[pick.randrange(len(data))] = pick.randrange(256)
    return bytes(data)


def change_manifest(manifest, pick):
    """A number, a name or a list in it becomes another."""
    lists = [entries for entries in (manifest["recording"], manifest["files"], manifest["missing"]) if entries]
    entry = pick.choice(pick.choice(lists))
    key = pick.choice(sorted(entry))
    how = pick.randrange(6)
    if how == 0:
        entry[key] = pick.choice(NASTY_NUMBERS)
    elif how == 1:
        entry[key] = pick.choice(NASTY_NAMES)
    elif how == 2:
        del entry[key]
    elif how == 3:
        entry[key] = pick.choice(([], {}, None, True, [[[]]], "%", "%zz", "\udcff"))
    elif how == 4:
        manifest["perfsift-pack"] = pick.choice((0, 2, -1, "1", None, 1.5))
    else:
        manifest[pick.choice(("recording", "files", "missing"))] = pick.choice(([], {}, None, manifest["files"] * 2))


def with_manifest(members, change, pick):
    manifest = json.loads(members[0][1])
    change(manifest, pick)
    text = json.dumps(manifest).encode("utf-8", "replace")
    return [[header_for(members[0][0], b"perfsift-pack.json", len(text)), text]] + members[1:]


def follow_contents(manifest, members):
    """The manifest says what is really there."""
    for entry, (_, contents) in zip(manifest["recording"] + manifest["files"], members[1:]):
        entry["size"], entry["crc32"] = len(contents), f"{zlib.crc32(contents):08x}"


def change_contents(members, pick):
    """Other bytes of the recording or of a binary, with the right sums: what is behind the archive must bear them."""
    number = pick.randrange(1, len(members))
    header, contents = members[number]
    contents = flip(contents, pick, 40) if pick.random() < 0.8 else contents[: pick.randrange(len(contents) + 1)]
    members = list(members)
    members[number] = [with_sum(with_field(header, SIZE, b"%011o" % len(contents))), contents]
    return with_manifest(members, lambda manifest, _: follow_contents(manifest, members), pick)


def change_members(members, pick):
    members = [list(member) for member in members]
    number = pick.randrange(len(members))
    how = pick.randrange(7)
    if how == 0:
        del members[number]
    elif how == 1:
        members.insert(pick.randrange(len(members)), list(members[number]))
    elif how == 2:
        members[number][0] = with_sum(with_field(members[number][0], NAME, pick.choice(NASTY_NAMES).encode()))
    elif how == 3:
        members[number][0] = with_sum(with_field(members[number][0], TYPE, bytes([pick.randrange(256)])))
    elif how == 4:
        size = b"%011o" % (pick.choice(NASTY_NUMBERS) & (2**33 - 1))
        members[number][0] = with_sum(with_field(members[number][0], SIZE, size))
    elif how == 5:
        pick.shuffle(members)
    else:
        members[number][0] = flip(members[number][0], pick)
    return members


def mutated(compressed, archive, pick):
    how = pick.randrange(6)
    if how == 0:
        return flip(compressed, pick)
    if how == 1:
        return compressed[: pick.randrange(len(compressed))]
    members = members_of(archive)
    if how == 2:
        text = archive_of(with_manifest(members, change_manifest, pick))
    elif how == 3:
        text = archive_of(change_members(members, pick))
    elif how == 4:
        text = archive_of(change_contents(members, pick))
    else:
        text = flip(archive, pick, 8)
    return text if pick.random() < 0.5 else pressed(text)


def pressed(text):
    return subprocess.run(["zstd", "-q", "-1", "-c"], input=text, stdout=subprocess.PIPE, check=True).stdout


class Place:
    """Folders in which nothing may appear."""

    def __init__(self, root):
        self.folders = {name: os.path.join(root, name) for name in ("home", "tmp", "work")}
        for folder in self.folders.values():
            os.mkdir(folder)
        self.root = root
        self.environment = dict(os.environ, HOME=self.folders["home"], TMPDIR=self.folders["tmp"], DEBUGINFOD_URLS="",
                                PERFSIFT_CACHE_SIZE="0")
        self.before = self.names()

    def names(self):
        return sorted(os.path.join(folder, name) for folder, folders, files in os.walk(self.root)
                      for name in folders + files)

    def problem(self, words):
        """What is wrong with a run; nothing if it was well."""
        try:
            ran = subprocess.run(words, cwd=self.folders["work"], env=self.environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=20, check=False)
        except subprocess.TimeoutExpired:
            return "takes more than 20 s"
        if ran.returncode not in ALLOWED:
            return "exit status %d: %s" % (ran.returncode, ran.stderr[-2000:].decode("utf-8", "replace"))
        if ran.returncode == 3 and not ran.stderr.strip():
            return "says nothing about an input that it cannot use"
        left = [name for name in self.names() if name not in self.before]
        return "leaves %s" % left if left else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("perfsift")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--finds", default="finds")
    wanted = parser.parse_args()
    perfsift = os.path.abspath(wanted.perfsift)
    scratch = tempfile.mkdtemp()
    finds = 0
    try:
        whole = os.path.join(scratch, "whole.tar.zst")
        subprocess.run([perfsift, "pack", "-q", "--symfs", os.path.join(TESTDATA, "symfs"),
                        os.path.join(TESTDATA, "demo.data"), "-o", whole], check=True)
        with open(whole, "rb") as file:
            compressed = file.read()
        archive = subprocess.run(["zstd", "-d", "-q", "-c", whole], stdout=subprocess.PIPE, check=True).stdout
        recording = os.path.join(TESTDATA, "demo.data")
        os.mkdir(os.path.join(scratch, "place"))
        place = Place(os.path.join(scratch, "place"))
        for number in range(wanted.count):
            pick = random.Random(wanted.seed * 1_000_003 + number)
            path = os.path.join(scratch, "input")
            with open(path, "wb") as file:
                file.write(mutated(compressed, archive, pick))
            command = pick.choice(COMMANDS)
            words = [perfsift] + command + ([recording] if command == ["diff"] else []) + [path]
            problem = place.problem(words)
            if problem is None:
                continue
            finds += 1
            os.makedirs(wanted.finds, exist_ok=True)
            kept = os.path.join(wanted.finds, "packed-%d-%d" % (wanted.seed, number))
            shutil.copy(path, kept)
            print("%s: %s: %s" % (kept, " ".join(command), problem))
        print("%d packed recordings, %d finds" % (wanted.count, finds))
    finally:
        shutil.rmtree(scratch)
    return finds != 0


if __name__ == "__main__":
    if shutil.which("zstd") is None:
        print("skipped: no zstd")
        sys.exit(77)
    sys.exit(main())
