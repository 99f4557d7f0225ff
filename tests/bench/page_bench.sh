#!/bin/bash
# Measures the page of `perfsift view --save` against `perfsift fold` of the same recordings (make_recordings.sh), and
# prints the sizes of the pages:
#   page_bench.sh DIR
# tests/browser/page.py measures what the browser does with a page, tests/browser/view.py how fast a filter is answered.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: page_bench.sh DIR}"

for recording in "$directory"/few.data "$directory"/many.data; do
  page=$scratch/page.html
  "$perfsift" view --quiet "$recording" --save "$page"
  printf '%s: %s MB, page %s MB\n' "$(basename "$recording")" "$(megabytes "$recording")" "$(megabytes "$page")"
  bound=$(median_of_command "$runs" "$perfsift fold $recording -o $scratch/folded.txt")
  row "bound: perfsift fold" "$bound"
  ours "perfsift view --save" "$perfsift" view --quiet "$recording" --save "$page"
done
