#!/usr/bin/python3
"""The code of the Firefox Profiler, in its command-line interface, opens exports and prints the costs of functions.

  firefox_shows.py PERFSIFT WORKLOAD TESTDATA CLI

CLI is dist/profiler-cli.js of the npm package @firefox-devtools/profiler-cli.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile

import recordings
from exports import Export, expect


def patient(program, folder):
    """A copy of the interface that waits a minute for its process, because half a second is too short on a busy
    machine."""
    text = pathlib.Path(program).read_text(encoding="utf-8")
    changed = text.replace("g=10,y=0;for", "g=1200,y=0;for")
    if changed == text:
        raise SystemExit("another profiler-cli than 0.10.0: where does it wait for its process?")
    copy = pathlib.Path(folder) / "profiler-cli.js"
    copy.write_text(changed, encoding="utf-8")
    return copy


class Profiler:
    """Loads one profile at a time. A process of the interface keeps it while the context lasts."""

    def __init__(self, program, home):
        # Sessions are stored in the home. No sources and symbols may be requested.
        self.environment = {**os.environ, "HOME": home, "PROFILER_CLI_SESSION_DIR": home, "PROFILER_CLI_NO_SYMBOLICATE": "1"}
        self.program = program

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ask("stop", "--all")

    def load(self, path):
        try:
            self.ask("load", path)
        except SystemExit as failure:
            # A process that does not listen yet cannot receive a request to stop.
            for pid in re.findall(r'run "kill (\d+)"', str(failure)):
                os.kill(int(pid), signal.SIGKILL)
            raise

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
        program = patient(program, folder)
        for recording in recordings.all_recordings(folder, testdata, workload):
            export = Export(perfsift, recording, "firefox", folder)
            with Profiler(program, folder) as profiler:
                profiler.load(export.path)
                check(profiler, export)
            print("equal:", os.path.basename(recording), export.totals)


if __name__ == "__main__":
    main()
