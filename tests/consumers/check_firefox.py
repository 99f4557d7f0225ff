"""A check of the types in src/types/profile.ts of the Firefox Profiler, version 61 of its processed format, and of the
references between tables. The types are not published in a package. firefox_shows.py lets the profiler's own code read
the files, but this code ignores unknown parts, so unknown types and columns are detected here."""

import collections
import gzip
import json
from decimal import Decimal

PROGRAMS = []

NUMBER, STRING, BOOL, NULL = (int, Decimal), (str,), (bool,), (type(None),)
INDEX = (int,)

# Each column of each shared table: the types of its values, and the table to which it refers.
TABLES = {
    "stackTable": {"frame": (INDEX, "frameTable"), "prefix": (INDEX + NULL, "stackTable")},
    "frameTable": {
        "address": (INDEX, None), "inlineDepth": (INDEX, None), "category": (INDEX + NULL, None),
        "subcategory": (INDEX + NULL, None), "func": (INDEX, "funcTable"),
        "nativeSymbol": (INDEX + NULL, "nativeSymbols"), "innerWindowID": (INDEX + NULL, None),
        "line": (INDEX + NULL, None), "column": (INDEX + NULL, None)},
    "funcTable": {
        "name": (INDEX, "stringArray"), "isJS": (BOOL, None), "relevantForJS": (BOOL, None),
        "resource": (INDEX, "resourceTable"), "source": (INDEX + NULL, "sources"), "lineNumber": (INDEX + NULL, None),
        "columnNumber": (INDEX + NULL, None)},
    "resourceTable": {
        "lib": (INDEX + NULL, "libs"), "name": (INDEX, "stringArray"), "host": (INDEX + NULL, "stringArray"),
        "type": (INDEX, None)},
    "nativeSymbols": {
        "libIndex": (INDEX, "libs"), "address": (INDEX, None), "name": (INDEX, "stringArray"),
        "functionSize": (INDEX + NULL, None)},
    "sources": {
        "id": (STRING + NULL, None), "filename": (INDEX, "stringArray"), "startLine": (INDEX, None),
        "startColumn": (INDEX, None), "sourceMapURL": (INDEX + NULL, "stringArray")},
}
META = {
    "interval": NUMBER, "startTime": NUMBER, "processType": INDEX, "product": STRING, "stackwalk": INDEX,
    "version": INDEX, "preprocessedProfileVersion": INDEX, "categories": (list,), "markerSchema": (list,),
    "symbolicated": BOOL, "importedFrom": STRING, "oscpu": STRING, "usesOnlyOneStackType": BOOL,
    "sourceCodeIsNotOnSearchfox": BOOL, "sampleUnits": (dict,), "initialVisibleThreads": (list,), "extra": (list,),
}
THREAD = {
    "processType": STRING, "processStartupTime": NUMBER, "processShutdownTime": NUMBER + NULL, "registerTime": NUMBER,
    "unregisterTime": NUMBER + NULL, "pausedRanges": (list,), "name": STRING, "isMainThread": BOOL,
    "processName": STRING, "pid": STRING, "tid": INDEX + STRING, "showMarkersInTimeline": BOOL, "samples": (dict,),
    "markers": (dict,),
}
LIB = {"arch": STRING, "name": STRING, "path": STRING, "debugName": STRING, "debugPath": STRING, "breakpadId": STRING,
       "codeId": STRING + NULL}
MARKERS = {"data": (dict,) + NULL, "name": INDEX, "startTime": NUMBER + NULL, "endTime": NUMBER + NULL,
           "phase": INDEX, "category": INDEX}


def members(value, types, expect, what):
    expect(f"members of {what}", sorted(value), sorted(types))
    for name, kinds in types.items():
        expect(f"type of {what}.{name}", type(value[name]) in kinds, True)


def column(values, kinds, length, size, expect, what):
    expect(f"length of {what}", len(values), length)
    expect(f"types of {what}", {type(value) for value in values} <= set(kinds), True)
    if size is not None:
        expect(f"references of {what}", all(value is None or -1 <= value < size for value in values), True)


def check_shared(profile, expect):
    shared = profile["shared"]
    expect("shared tables", sorted(shared), sorted(list(TABLES) + ["stringArray"]))
    size = {name: table["length"] for name, table in shared.items() if name != "stringArray"}
    size.update(stringArray=len(shared["stringArray"]), libs=len(profile["libs"]))
    for name, columns in TABLES.items():
        table = shared[name]
        expect(f"columns of {name}", sorted(table), sorted(list(columns) + ["length"]))
        for title, (kinds, other) in columns.items():
            column(table[title], kinds, table["length"], size.get(other), expect, f"{name}.{title}")
    prefix = shared["stackTable"]["prefix"]
    expect("parents come first", all(p is None or p < i for i, p in enumerate(prefix)), True)


def stack_of(shared, stack):
    names = []
    while stack is not None:
        func = shared["frameTable"]["func"][shared["stackTable"]["frame"][stack]]
        names.append(shared["stringArray"][shared["funcTable"]["name"][func]])
        stack = shared["stackTable"]["prefix"][stack]
    return names


def check(export, expect):
    with gzip.open(export.path) as file:
        profile = json.load(file, parse_float=Decimal)
    expect("members", sorted(profile), ["libs", "meta", "pages", "profilerOverhead", "shared", "threads"])
    members(profile["meta"], META, expect, "meta")
    expect("version", profile["meta"]["preprocessedProfileVersion"], 61)
    for lib in profile["libs"]:
        members(lib, LIB, expect, "lib")
        expect("breakpad id", len(lib["breakpadId"]), 33)
    check_shared(profile, expect)
    shared, names = profile["shared"], list(export.totals)
    found, samples_found = collections.Counter(), collections.Counter()
    own = collections.defaultdict(collections.Counter)
    for thread in profile["threads"]:
        members(thread, THREAD, expect, "thread")
        samples, markers = thread["samples"], thread["markers"]
        for name, kinds in MARKERS.items():
            column(markers[name], kinds, markers["length"], None, expect, f"markers.{name}")
        column(samples["stack"], INDEX + NULL, samples["length"], shared["stackTable"]["length"], expect, "stack")
        column(samples["time"], NUMBER, samples["length"], None, expect, "time")
        expect("order of times", samples["time"] == sorted(samples["time"]), True)
        if samples["weight"] is None:
            continue
        column(samples["weight"], NUMBER, samples["length"], None, expect, "weight")
        event = next((name for name in names if thread["name"].endswith(f"({name})")), names[0])
        scale = 1_000_000 if samples["weightType"] == "tracing-ms" else 1
        found[event] += sum(weight * scale for weight in samples["weight"])
        samples_found[event] += samples["length"]
        for stack, weight in zip(samples["stack"], samples["weight"]):
            own[event][stack_of(shared, stack)[0] if stack is not None else ""] += int(weight * scale)
    for event, (samples, periods) in export.totals.items():
        expect(f"samples of {event}", samples_found[event], samples)
        expect(f"weights of {event}", found[event], periods)
        expect(f"costs of {event}", own[event], export.functions(event)[0])
