"""CSV as Python's reader parses it."""

import collections
import csv

PROGRAMS = []


def check(export, expect):
    own = collections.defaultdict(collections.Counter)
    samples = collections.Counter()
    with open(export.path, encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text, strict=True):
            samples[row["event"]] += int(row["samples"])
            own[row["event"]][row["stack"].split(";")[-1]] += int(row["period"])
    for event, (count, periods) in export.totals.items():
        expect(f"samples of {event}", samples[event], count)
        expect(f"periods of {event}", sum(own[event].values()), periods)
        expect(f"costs of {event}", own[event], export.functions(event)[0])
