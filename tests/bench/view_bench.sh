#!/bin/bash
# Measures how long `perfsift view` takes to answer questions about recordings of a million samples
# (make_recordings.sh), and how long a browser takes to show the answers (view_bench.py):
#   view_bench.sh DIR
# The limit is 300 ms from the question to the new picture. Run it by hand, on a machine without other work.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: view_bench.sh DIR}"

measure() {
  /usr/bin/python3 -B "$source_directory/view_bench.py" "$perfsift" "$scratch/browser" "$runs" "$@"
}

for recording in "$directory"/few.data "$directory"/many.data; do
  printf '%s: %s MB\n' "$(basename "$recording")" "$(megabytes "$recording")"
  measure "$recording"
done
echo 'many.data compared with few.data'
measure "$directory"/few.data "$directory"/many.data
