#!/usr/bin/python3
"""The Firefox Profiler's own code opens exports, as its command-line interface has it, and tells the costs of functions.

  firefox_shows.py PERFSIFT WORKLOAD TESTDATA CLI

CLI is dist/profiler-cli.js of the npm package @firefox-devtools/profiler-cli.
"""

import collections
import json
import os
import shutil
import sys
import tempfile

import recordings
from exports import Export, expect


class Profiler:
    """Loads one profile; a process of the interface keeps it until close()."""

    def __init__(self, program, path, home):
        # Sessions are stored in the home; sources and symbols are not to be asked for.
        self.environment = {**os.environ, "HOME": home, "PROFILER_CLI_SESSION_DIR": home, "PROFILER_CLI_NO_SYMBOLICATE": "1"}
        self.program = program
        self.ask("load", path)

    def ask(self, *question):
        return recordings.run("node", self.program, *question, env=self.environment)

    def json(self, *question):
        return json.loads(self.ask(*question, "--json"))

    def threads(self):
        return self.json("thread", "list", "--limit", "0")["threads"]

    def functions(self, thread):
        answer = self.json("thread", "functions", "--thread", thread, "--include-idle", "--limit", "0")
        expect("functions that are listed", len(answer["functions"]), answer["totalFunctionCount"])
        return answer["weightType"], answer["functions"]

    def close(self):
        self.ask("stop", "--all")


def check(profiler, export):
    own = collections.defaultdict(collections.Counter)
    total = collections.defaultdict(collections.Counter)
    events = list(export.totals)
    for thread in profiler.threads():
        event = next((name for name in events if thread["name"].endswith(f"({name})")), events[0])
        unit, functions = profiler.functions(thread["threadHandle"])
        scale = 1_000_000 if unit == "tracing-ms" else 1
        for function in functions:
            own[event][function["name"]] += round(function["selfSamples"] * scale)
            total[event][function["name"]] += round(function["totalSamples"] * scale)
    for event, (_, periods) in export.totals.items():
        expect(f"costs of {event}", sum(own[event].values()), periods)
        expected_own, expected_total = export.functions(event)
        expect(f"own costs of {event}", +own[event], +expected_own)
        expect(f"costs of {event} with callees", total[event], expected_total)


def main():
    perfsift, workload, testdata, program = sys.argv[1:]
    for needed in ("perf", "node"):
        if not shutil.which(needed):
            print("skipped: no", needed)
            sys.exit(77)
    version = recordings.run("node", "--version").decode()
    if int(version.strip("v").split(".")[0]) < 20:
        print("skipped: node is older than 20:", version)
        sys.exit(77)
    if not os.path.exists(program):
        print("skipped: no profiler-cli (./dev test unpacks it from npm)")
        sys.exit(77)
    os.environ.update(DEBUGINFOD_URLS="", PERFSIFT_CACHE_SIZE="0")
    with tempfile.TemporaryDirectory() as folder:
        for recording in recordings.all_recordings(folder, testdata, workload):
            export = Export(perfsift, recording, "firefox", folder)
            profiler = Profiler(program, export.path, folder)
            try:
                check(profiler, export)
            finally:
                profiler.close()
            print("equal:", os.path.basename(recording), export.totals)


if __name__ == "__main__":
    main()
