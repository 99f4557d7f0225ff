#!/bin/bash
# Measures `perfsift report`, `perfsift diff` and `perfsift check` against `perfsift fold` of the same recordings, and
# against perf report, perf diff and difffolded.pl, all in the same run, on the recordings of make_recordings.sh:
#   report_bench.sh DIR
# The bound is fold: of the recording, or of both recordings of a comparison.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: report_bench.sh DIR}"

for recording in "$directory"/few.data "$directory"/many.data; do
  bound=$(median_of_command "$runs" "$perfsift fold -q -o $scratch/folded $recording")
  printf '%s: %s MB\n' "$(basename "$recording")" "$(megabytes "$recording")"
  row "perfsift fold" "$bound"
  ours "perfsift report" "$perfsift" report -q "$recording"
  ours "perfsift report --sort comm,cpu" "$perfsift" report -q --sort comm,cpu "$recording"
  ours "perfsift report --tree" "$perfsift" report -q --tree "$recording"
  peer "perf report --stdio -g none" perf "perf report --stdio -g none -i $recording 2>/dev/null"
  peer "perf report --stdio -g caller --no-children" perf \
    "perf report --stdio -g caller --no-children -i $recording 2>/dev/null"
done

before=$directory/few.data after=$directory/many.data
bound=$(median_of_command "$runs" "$perfsift fold -q -o $scratch/before $before && $perfsift fold -q -o $scratch/after $after")
printf '%s and %s\n' "$(basename "$before")" "$(basename "$after")"
row "perfsift fold of both" "$bound"
ours "perfsift diff" "$perfsift" diff -q "$before" "$after"
ours "perfsift diff --folded" "$perfsift" diff -q --folded "$before" "$after"
ours "perfsift diff -o changes.svg" "$perfsift" diff -q -o "$scratch/changes.svg" "$before" "$after"
ours "perfsift check" "$perfsift" check -q "$before" "$after"
peer "perf diff" perf "perf diff $before $after 2>/dev/null"
peer "difffolded.pl of the folded texts" difffolded.pl "difffolded.pl $scratch/before $scratch/after"
