#!/usr/bin/python3
"""Opens exports with the programs that read them. All totals must equal perf's, and the costs of functions must equal
those of the folded stacks.

  exports.py PERFSIFT WORKLOAD TESTDATA FORMAT
"""

import collections
import importlib
import os
import shutil
import sys
import tempfile

import recordings


class Export:
    """A recording, its exported form, and the expected contents of the consumer."""

    def __init__(self, perfsift, recording, form, folder):
        self.perfsift, self.recording = perfsift, recording
        self.path = os.path.join(folder, "export." + form)
        recordings.run(perfsift, "export", "--to", form, "-q", "-o", self.path, recording)
        self.totals = recordings.totals(recording)

    def functions(self, event, weight="period"):
        """By function: its self cost, and its cost with its callees."""
        text = recordings.run(
            self.perfsift, "fold", "-q", "--no-comm", "--weight", weight, "--event", event, self.recording)
        own, total = collections.Counter(), collections.Counter()
        for line in text.decode().splitlines():
            stack, count = line.rsplit(" ", 1)
            frames = stack.split(";")
            own[frames[-1]] += int(count)
            for frame in set(frames):
                total[frame] += int(count)
        return own, total


def expect(what, actual, expected):
    if actual != expected:
        raise SystemExit(f"DIFFERENT: {what}\n  expected {expected}\n  found    {actual}")


def main():
    perfsift, workload, testdata, form = sys.argv[1:]
    if not shutil.which("perf"):
        print("skipped: no perf")
        sys.exit(77)
    check = importlib.import_module("check_" + form)
    for program in check.PROGRAMS:
        if not shutil.which(program):
            print("skipped: no", program)
            sys.exit(77)
    os.environ.update(DEBUGINFOD_URLS="", PERFSIFT_CACHE_SIZE="0")
    with tempfile.TemporaryDirectory() as folder:
        texts = recordings.written(folder, getattr(check, "TEXTS", {}))
        for recording in texts + recordings.all_recordings(folder, testdata, workload):
            export = Export(perfsift, recording, form, folder)
            check.check(export, expect)
            print("equal:", os.path.basename(recording), export.totals)


if __name__ == "__main__":
    main()
