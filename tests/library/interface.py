#!/usr/bin/env python3
"""Guards the binary interface of libperfsift between two commits: compares it with the stored interface.

    interface.py LIBRARY INCLUDE STORED [--store]

The interface consists of the facts on which compiled programs rely: the exported symbols, the parameters and results of
functions, sizes and offsets of the public types, values of enumerators and constants. The compiler describes the
headers (DWARF), llvm-dwarfdump prints this description, and STORED has it as text, one fact per line. So a change can
be read in a commit.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

TYPES = {"DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type", "DW_TAG_enumeration_type"}
HELP_EXTENDED = """The interface has more than before, which breaks no program. Store it, so that it is guarded, too:
    ./dev abi store"""
HELP_BROKEN = """Programs that were compiled before this change would break. Undo the change, or make another version
of the library: raise SOVERSION in library/CMakeLists.txt, the SONAME in python/perfsift/_library.py and the namespace in
include/perfsift/export.h, and store the interface: ./dev abi store"""


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


class Entry:
    """A DIE of DWARF: its tag, its attributes in the form of llvm-dwarfdump, and the entries below it."""

    def __init__(self, tag):
        self.tag, self.attributes, self.children = tag, {}, []

    def text(self, attribute):
        return self.attributes.get(attribute, "").strip('"')

    def type(self):
        """Removes the namespaces, because versions of llvm-dwarfdump print them differently."""
        return re.sub(r'^0x[0-9a-f]+ ?"?|"$|\b[a-zA-Z_]\w*::', "", self.attributes.get("DW_AT_type", "")) or "void"

    def number(self, attribute):
        return int(self.attributes.get(attribute, "0"), 0)


def parse(dump):
    """The root of the entries. Each entry is indented by two more columns than its parent."""
    root = Entry("")
    path = [(-1, root)]
    for line in dump.splitlines():
        tag = re.match(r"0x[0-9a-f]{8}:( +)(DW_TAG_\w+)", line)
        if tag:
            depth = len(tag[1])
            while path[-1][0] >= depth:
                path.pop()
            entry = Entry(tag[2])
            path[-1][1].children.append(entry)
            path.append((depth, entry))
            continue
        attribute = re.match(r" +(DW_AT_\w+)\t\((.*)\)$", line)
        if attribute:
            path[-1][1].attributes[attribute[1]] = attribute[2]
    return root


class Interface:
    """The facts, one text each."""

    def __init__(self, headers, symbols):
        self.headers, self.symbols, self.facts = headers, symbols, {}

    def add(self, key, value):
        self.facts[key] = value

    def visit(self, entry, scope=""):
        for child in entry.children:
            name = child.text("DW_AT_name")
            if child.tag in TYPES and child.text("DW_AT_decl_file").startswith(self.headers):
                if "DW_AT_byte_size" in child.attributes:
                    self.add_type(child, scope + name)
            elif child.tag == "DW_TAG_typedef" and child.text("DW_AT_decl_file").startswith(self.headers):
                self.add(f"typedef {scope}{name}", child.type())
            elif child.tag == "DW_TAG_variable" and name.startswith("function_"):
                self.add("function " + name[len("function_"):], child.type())
            if child.tag == "DW_TAG_compile_unit":
                self.visit(child)
            elif child.tag in TYPES or child.tag == "DW_TAG_namespace":
                self.visit(child, scope + name + "::" if name else scope)

    def add_type(self, entry, name):
        if entry.tag == "DW_TAG_enumeration_type":
            if entry.text("DW_AT_name"):
                self.add(f"enum {name}", f"{entry.number('DW_AT_byte_size')} bytes")
            for value in entry.children:
                if value.tag == "DW_TAG_enumerator":
                    self.add(f"value {name}::{value.text('DW_AT_name')}".replace(" ::", " "),
                             str(value.number("DW_AT_const_value")))
            return
        if not entry.text("DW_AT_name"):
            return
        self.add(f"type {name}", f"{entry.number('DW_AT_byte_size')} bytes")
        for child in entry.children:
            if child.tag in ("DW_TAG_member", "DW_TAG_inheritance"):
                self.add_member(child, name)
            elif child.tag == "DW_TAG_subprogram":
                self.add_function(child)

    def add_member(self, entry, name):
        member = entry.text("DW_AT_name") or "base " + entry.type()
        if "DW_AT_data_member_location" in entry.attributes:
            self.add(f"field {name}::{member}", f"{entry.number('DW_AT_data_member_location')}: {entry.type()}")
        elif "DW_AT_const_value" in entry.attributes:
            self.add(f"value {name}::{member}", str(entry.number("DW_AT_const_value")))

    def add_function(self, entry):
        linkage = entry.text("DW_AT_linkage_name")
        if linkage in self.symbols:
            self.add(f"returns {linkage}", entry.type())
        if "DW_AT_vtable_elem_location" in entry.attributes:
            self.add(f"virtual {linkage or entry.text('DW_AT_name')}", entry.text("DW_AT_vtable_elem_location"))


def macros_of(compiler, include, source):
    """The macros of the interface that have a value, except the words before declarations."""
    for line in run(*compiler, "-dM", "-E", f"-I{include}", source).splitlines():
        macro = re.match(r"#define (PERFSIFT_\w+) (.+)", line)
        if macro and not macro[2].startswith("__"):
            yield macro[1], macro[2]


def describe(library, include):
    soname = re.search(r"SONAME +(\S+)", run("objdump", "-p", library))[1]
    # Weak functions are inline functions, and each program has its own copy. Not every build of the library has them.
    symbols = {line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()
               if line.split()[-2] != "W"}
    compiler = [os.environ.get("CXX", "c++"), "-std=c++20"]
    functions = sorted(name for name in symbols if name.startswith("perfsift_"))
    with tempfile.TemporaryDirectory() as folder:
        source, compiled = os.path.join(folder, "all.cpp"), os.path.join(folder, "all.o")
        pathlib.Path(source).write_text("\n".join(
            ["#include <perfsift/all.h>", "#include <perfsift/perfsift.h>"]
            + [f"decltype(&{name}) function_{name} = &{name};" for name in functions]) + "\n")
        run(*compiler, "-g", "-fno-eliminate-unused-debug-types", f"-I{include}", "-c", source, "-o", compiled)
        interface = Interface(os.path.join(include, "perfsift") + os.sep, symbols)
        interface.visit(parse(run("llvm-dwarfdump", "--debug-info", compiled)))
        for name, value in macros_of(compiler, include, source):
            interface.add("macro " + name, value)
    for symbol in symbols:
        interface.add("symbol " + symbol, "exported")
    interface.add("soname", soname)
    return interface.facts


def lines_of(facts):
    return "".join(f"{key} = {facts[key]}\n" for key in sorted(facts))


def read(stored):
    return dict(line.split(" = ", 1) for line in pathlib.Path(stored).read_text().splitlines())


def may_grow(name, facts):
    """Whether a type begins with its size. The library then knows which fields a program has."""
    return facts.get(f"field {name}::size", "").startswith("0: ")


def breaks(key, old, before, now):
    """Whether a change breaks programs that were compiled before. `old`: None for a new fact."""
    kind, name = key.split(" ", 1) if " " in key else (key, "")
    owner = name.rsplit("::", 1)[0]
    if kind == "macro" and name.endswith("_INIT"):
        return False  # a program has the old struct
    if old is None:
        return kind == "virtual" or (kind == "field" and f"type {owner}" in before and not may_grow(owner, before))
    if kind == "type" and key in now and may_grow(name, now):
        return int(now[key].split()[0]) < int(old.split()[0])
    return True


def compare(before, now):
    """The differences in words: changes that break programs, and other changes."""
    broken, extended = [], []
    for key in sorted(before.keys() | now.keys()):
        old, new = before.get(key), now.get(key)
        if old == new:
            continue
        text = f"new:     {key} = {new}" if old is None else f"removed: {key} = {old}"
        if None not in (old, new):
            text = f"changed: {key} = {old}, now {new}"
        (broken if breaks(key, old, before, now) else extended).append(text)
    return broken, extended


def main():
    library, include, stored = sys.argv[1], os.path.realpath(sys.argv[2]), sys.argv[3]
    now = describe(library, include)
    before = read(stored) if os.path.exists(stored) else {"soname": ""}
    broken, extended = compare(before, now)
    for line in broken + extended:
        print(line)
    another = before["soname"] != now["soname"]
    if "--store" in sys.argv[4:]:
        if broken and not another:
            sys.exit(HELP_BROKEN)
        pathlib.Path(stored).write_text(lines_of(now))
        print(f"{stored}: {len(now)} facts of {now['soname']}")
    elif broken and not another:
        sys.exit(HELP_BROKEN)
    elif broken or extended:
        sys.exit(HELP_EXTENDED)
    else:
        print(f"{len(now)} facts of {now['soname']} are as stored")


if __name__ == "__main__":
    main()
