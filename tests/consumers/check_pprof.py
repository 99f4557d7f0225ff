"""pprof of Go: the same profile.proto and the same reports as github.com/google/pprof."""

import collections
import os
import re

import recordings

PROGRAMS = ["go"]


def pprof(export, *options):
    return recordings.run("go", "tool", "pprof", "-symbolize=none", *options, export.path).decode()


def numbers(text):
    """The lines of -top: flat, flat%, sum%, cum, cum%, name."""
    own, total = {}, {}
    for line in text.splitlines():
        match = re.match(r"\s*(\d+)\s+\S+%\s+\S+%\s+(\d+)\s+\S+%  ?(.*?)(?: \((?:partial-)?inline\))?$", line)
        if match:
            own[match[3]], total[match[3]] = int(match[1]), int(match[2])
    return own, total


def shown_total(text):
    return int(re.search(r"of (\d+) total", text)[1])


def sum_of_traces(text):
    return sum(int(value) for value in re.findall(r"^ *(\d+)   ", text, re.MULTILINE))


def callers_and_callees(text, function):
    """The output of -peek for one function: its own line, and the sums above and below."""
    block = re.search(r"-{20,}\+-+\n((?:(?!-{20,}).*\n)*?.*%.*\| *" + re.escape(function) + r"\n(?:(?!-{20,}).*\n)*)", text)
    return block[1]


def check(export, expect):
    for event, (samples, periods) in export.totals.items():
        for suffix, weight, total in (("_sample", "samples", samples), ("_event", "period", periods)):
            index = "-sample_index=" + event + suffix
            text = pprof(export, index, "-top", "-nodecount=1000000", "-nodefraction=0")
            expect(f"total of {event}", shown_total(text), total)
            own, cumulative = export.functions(event, weight)
            shown_own, shown_cumulative = numbers(text)
            expect(f"-top of {event}", collections.Counter(shown_own), own)
            expect(f"-top of {event}, cumulative", collections.Counter(shown_cumulative), cumulative)
        traces = pprof(export, "-sample_index=" + event + "_event", "-traces")
        expect(f"-traces of {event}", sum_of_traces(traces), periods)
        function = max(cumulative, key=cumulative.get)
        peek = pprof(export, "-sample_index=" + event + "_event", "-peek=^" + re.escape(function) + "$")
        expect(f"-peek of {function}", str(cumulative[function]) in peek, True)
    # pprof converts a recording by the program with the name perf_to_profile. Losses are added.
    path = os.path.dirname(os.path.abspath(export.perfsift)) + os.pathsep + os.environ["PATH"]
    converted = recordings.run("go", "tool", "pprof", "-symbolize=none", "-sample_index=" + event + "_event", "-top",
                               export.recording, env={**os.environ, "PATH": path}).decode()
    expect("total of a recording", shown_total(converted), periods)
    raw = pprof(export, "-raw")
    expect("comments", "perf-version:" in raw or "demo" in export.recording, True)
