"""callgrind_annotate of Valgrind."""

import collections
import re

import recordings

PROGRAMS = ["callgrind_annotate"]


def annotate(export, column, *options):
    """By function: the cost in a column, and the total that is shown."""
    text = recordings.run("callgrind_annotate", "--threshold=100", "--auto=no", *options, export.path,
                          silent=True).decode()
    costs, total = collections.Counter(), None
    for line in text.splitlines():
        numbers = re.match(r"((?:\s*(?:[\d,]+(?: \([^)]*\))?|\.))+)\s{2}(.*)$", line)
        if not numbers:
            continue
        values = [int(value.replace(",", "")) if value != "." else 0
                  for value in re.sub(r"\([^)]*\)", "", numbers[1]).split()]
        if numbers[2] == "PROGRAM TOTALS":
            total = values[column]
        elif ":" in numbers[2] and values[column] != 0:
            name = re.sub(r" \[.*\]$", "", numbers[2].split(":", 1)[1])
            costs[name] += values[column]
    return costs, total


def columns(export):
    """The places of costs, by the words in the line of events."""
    with open(export.path, encoding="utf-8") as text:
        line = next(line for line in text if line.startswith("events: "))
    return {word: place for place, word in enumerate(line.split()[1:])}


def check(export, expect):
    places = columns(export)
    for event, (samples, periods) in export.totals.items():
        word = re.sub(r"[^\w./-]", "_", event)
        for title, weight, total in ((word, "period", periods), (word + "_samples", "samples", samples)):
            shown, shown_total = annotate(export, places[title])
            expect(f"total of {title}", shown_total, total)
            own, cumulative = export.functions(event, weight)
            expect(f"costs of {title}", sum(shown.values()), sum(own.values()))
            inclusive, _ = annotate(export, places[title], "--inclusive=yes")
            for name in cumulative:
                if re.fullmatch(r"[\w.]+", name):  # other names are cut at their brackets
                    expect(f"cost of {name}", shown[name] + shown[name + "'2"], own[name])
                    expect(f"inclusive cost of {name}", inclusive[name], cumulative[name])
