#!/bin/bash
# Measures the page of `perfsift report --html` against `perfsift fold` of the same recordings (make_recordings.sh).
# Also prints the sizes of the pages, the time of a browser to show them, and the time of speedscope to show the same
# samples (browser_bench.py):
#   page_bench.sh DIR
# report_bench.sh compares `perfsift report` with perf report; view_bench.sh measures how fast questions are answered.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: page_bench.sh DIR}"

for recording in "$directory"/few.data "$directory"/many.data; do
  page=$scratch/page.html
  "$perfsift" report --quiet "$recording" --html "$page"
  printf '%s: %s MB, page %s MB\n' "$(basename "$recording")" "$(megabytes "$recording")" "$(megabytes "$page")"
  bound=$(median_of_command "$runs" "$perfsift fold $recording -o $scratch/folded.txt")
  row "bound: perfsift fold" "$bound"
  for jobs in 1 2; do
    ours "perfsift report --html -j$jobs" "$perfsift" report --quiet "-j$jobs" "$recording" --html "$page"
  done
  if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
    /usr/bin/python3 -B "$source_directory/browser_bench.py" "$perfsift" "$scratch/browser" "$recording" \
      "$source_directory/../../build/npm/node_modules/speedscope/dist/release" || true
  fi
done
