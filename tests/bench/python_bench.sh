#!/bin/bash
# Measures the module for Python on the recordings of make_recordings.sh, with the library of build/release:
#   python_bench.sh DIR
# Medians of runs in new processes: opening a recording of a million samples and reading its columns, without and with
# stacks and names. Fails above the bounds, half a second and a second.
set -euo pipefail
directory=$(cd "${1:?Usage: python_bench.sh DIR}" && pwd)
source_directory=$(cd "$(dirname "$0")/../.." && pwd)
export LD_LIBRARY_PATH=$source_directory/build/release PYTHONPATH=$source_directory/python
exec /usr/bin/python3 -B - "$directory" "${RUNS:-5}" <<'END'
import statistics
import subprocess
import sys

ONE = """
import sys, time, perfsift
start = time.perf_counter()
samples = perfsift.open(sys.argv[1]).samples(stacks=sys.argv[2] == "names")
if sys.argv[2] == "names":
    samples.names[samples.leaf]
print(time.perf_counter() - start, len(samples), max(len(samples.stack_starts) - 1, 0))
"""
failed = False
for name in "few", "many":
    for what, bound in ("columns", 0.5), ("names", 1.0):
        runs = [subprocess.run([sys.executable, "-B", "-c", ONE, f"{sys.argv[1]}/{name}.data", what], check=True,
                               stdout=subprocess.PIPE, text=True).stdout.split() for _ in range(int(sys.argv[2]) + 1)]
        median = statistics.median(float(run[0]) for run in runs[1:])
        print(f"{name}.data: {runs[0][1]} samples, {what:7} {median:6.3f} s, bound {bound} s, {runs[0][2]} stacks")
        failed |= median > bound
sys.exit(failed)
END
