"""callgrind_annotate of Valgrind."""

import collections
import json
import re

import recordings

PROGRAMS = ["callgrind_annotate"]

# Functions of one name in two binaries, which call each other and themselves.
TEXTS = {"namesakes.script": """\
app 7/7 [001] 1.000001: 5 cycles:
\t7f0000001000 wait (/opt/libb.so)
\t401000 wait (/opt/app)

app 7/7 [001] 1.000002: 30 cycles:
\t401000 wait (/opt/app)
\t7f0000001000 wait (/opt/libb.so)
\t401000 wait (/opt/app)
\t401000 wait (/opt/app)

app 7/7 [001] 1.000003: 200 cycles:
\t7f0000001000 wait (/opt/libb.so)

"""}


def annotate(export, column, *options):
    """By file and function: the cost in a column, and the shown total."""
    # callgrind_annotate would shorten the paths of functions in the working directory, but not the paths of called
    # functions.
    text = recordings.run("callgrind_annotate", "--threshold=100", "--auto=no", *options, export.path,
                          silent=True, cwd="/").decode()
    costs, total = collections.Counter(), None
    for line in text.splitlines():
        numbers = re.match(r"((?:\s*(?:[\d,]+(?: \([^)]*\))?|\.))+)\s{2,}(\S.*)$", line)
        if not numbers:
            continue
        values = [int(value.replace(",", "")) if value != "." else 0
                  for value in re.sub(r"\([^)]*\)", "", numbers[1]).split()]
        if numbers[2] == "PROGRAM TOTALS":
            total = values[column]
        elif ":" in numbers[2] and values[column] != 0:
            file, name = re.sub(r" \[.*\]$", "", numbers[2]).split(":", 1)
            costs[file, name] += values[column]
    return costs, total


def columns(export):
    """The columns of costs, by the words in the line of events."""
    with open(export.path, encoding="utf-8") as text:
        line = next(line for line in text if line.startswith("events: "))
    return {word: place for place, word in enumerate(line.split()[1:])}


def functions(export):
    """By event and weight: the self costs of functions, and the costs with their callees. callgrind_annotate separates
    files, such as those of the futex_wait of libc and of the kernel, but not binaries. It adds up both calls where
    functions of one name call each other."""
    costs = collections.defaultdict(lambda: (collections.Counter(), collections.Counter()))
    rows = recordings.run(export.perfsift, "export", "--to", "jsonl", "-q", export.recording)
    for sample in map(json.loads, rows.splitlines()):
        stack = [(frame.get("file", "???"), frame.get("sym", "[unknown]"), frame.get("dso")) for frame in sample["stack"]]
        for weight in ("samples", "period"):
            own, total = costs[sample["event"], weight]
            own[stack[0][:2]] += sample[weight]
            for file, name, _ in set(stack):
                total[file, name] += sample[weight]
    return costs


def check(export, expect):
    # All source files that exist here must be listed, without a complaint.
    recordings.run("callgrind_annotate", "--threshold=100", export.path, silent=True, cwd="/")
    places, costs = columns(export), functions(export)
    for event, (samples, periods) in export.totals.items():
        word = re.sub(r"[^\w./-]", "_", event)
        for title, weight, total in ((word, "period", periods), (word + "_samples", "samples", samples)):
            shown, shown_total = annotate(export, places[title])
            expect(f"total of {title}", shown_total, total)
            own, cumulative = costs[event, weight]
            expect(f"costs of {title}", sum(shown.values()), sum(export.functions(event, weight)[0].values()))
            inclusive, _ = annotate(export, places[title], "--inclusive=yes")
            for file, name in cumulative:
                if re.fullmatch(r"[\w.]+", name):  # other names are cut at their brackets
                    expect(f"cost of {file}:{name}", shown[file, name] + shown[file, name + "'2"], own[file, name])
                    expect(f"inclusive cost of {file}:{name}", inclusive[file, name], cumulative[file, name])
