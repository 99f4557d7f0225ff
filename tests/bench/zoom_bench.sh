#!/bin/bash
# Measures how long zooms and searches take in pages and pictures of a million samples (make_recordings.sh), and of 50,000
# stacks, in a browser (zoom_bench.py):
#   zoom_bench.sh DIR
# The limit is 50 ms, in the median of RUNS (15).
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: zoom_bench.sh DIR}"

/usr/bin/python3 -B "$source_directory/zoom_bench.py" "$perfsift" "$scratch/browser" "${RUNS:-15}" \
  "$directory"/few.data "$directory"/many.data
