"""JSON Lines against the output of perf script: time, thread, CPU, period and leaf of each sample, in the order of
time."""

import collections
import json

PROGRAMS = []


def name_of(frame):
    """What other outputs call the frame: a frame without a name has that of its binary, in brackets."""
    binary = frame.get("dso", "[unknown]").rsplit("/", 1)[-1]
    return frame.get("sym", binary if binary.startswith("[") else f"[{binary}]")


def check(export, expect):
    own = collections.defaultdict(collections.Counter)
    samples, last = collections.Counter(), 0
    with open(export.path, encoding="utf-8") as lines:
        for line in lines:
            sample = json.loads(line)
            expect("order of times", sample["time"] >= last, True)
            last = sample["time"]
            samples[sample["event"]] += sample["samples"]
            own[sample["event"]][name_of(sample["stack"][0])] += sample["period"]
    for event, (count, periods) in export.totals.items():
        expect(f"samples of {event}", samples[event], count)
        expect(f"periods of {event}", sum(own[event].values()), periods)
        expect(f"costs of {event}", own[event], export.functions(event)[0])
