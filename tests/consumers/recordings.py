"""Recordings to export, and their totals according to perf."""

import collections
import os
import re
import subprocess

RECORDED = {  # made while the test runs
    "fp.data": ["-e", "cpu-clock", "-F", "2000", "--call-graph", "fp"],
    "events.data": ["-e", "cpu-clock,task-clock", "-c", "1000000", "--call-graph", "fp"],
    "dwarf.data": ["-e", "task-clock", "-F", "500", "--call-graph", "dwarf,4096"],
}


def run(*command, silent=False, **options):
    """Returns the standard output of a command, which must succeed. With `silent` it must not print errors either."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        raise SystemExit(f"{command} failed: {done.stderr.decode(errors='replace')}")
    if silent and done.stderr:
        raise SystemExit(f"{command} complains: {done.stderr.decode(errors='replace')}")
    return done.stdout


def totals(recording):
    """By event: the number of samples, and the sum of their periods. Where perf script has no period, it is 1."""
    sums = collections.defaultdict(lambda: [0, 0])
    if recording.endswith(".script"):
        with open(recording, encoding="utf-8") as file:
            text = file.read()
    else:
        text = run("perf", "script", "-i", recording, "-f", "-G", "-F", "event,period").decode(errors="replace")
    for line in text.splitlines():
        match = re.search(r"(?:^|\s)(\d+)\s+(\S+):\s*$", line)
        if match:
            sums[match[2]][0] += 1
            sums[match[2]][1] += int(match[1])
    return {event: tuple(sum_) for event, sum_ in sums.items()}


def record_whole(path, options, workload):
    """Makes a recording without lost records, because some exports also count losses. Returns the result of perf
    record."""
    tries = 20
    for _ in range(tries):
        command = ["perf", "record", "-q", "-o", path, *options, "--", workload]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0 or b"LOST" not in run("perf", "report", "--stats", "-i", path):
            return done
    raise SystemExit(f"records were lost in each of {tries} recordings of {options}")


def written(folder, texts):
    """The paths of texts of perf script, by their names in the folder."""
    paths = []
    for name, text in texts.items():
        paths.append(os.path.join(folder, name))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text)
    return paths


def all_recordings(folder, testdata, workload):
    """The paths of the recordings of the repository, and of recordings that perf can make here."""
    paths = [os.path.join(testdata, "demo.data"), os.path.join(testdata, "oracle", "mixed.data")]
    for name, options in RECORDED.items():
        path = os.path.join(folder, name)
        done = record_whole(path, options, workload)
        if done.returncode == 0:
            paths.append(path)
        else:
            print(f"not recorded: {name} ({' '.join(done.stderr.decode(errors='replace').split())[:300]})")
    return paths
