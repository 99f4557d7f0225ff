#!/bin/bash
# Measures `perfsift export` against `perfsift fold` of the same recordings, in the same run, on the recordings of
# make_recordings.sh:
#   export_bench.sh DIR
# The bound is fold: an export to pprof may take twice fold's time.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: export_bench.sh DIR}"

for recording in "$directory"/few.data "$directory"/many.data; do
  bound=$(median_of_command "$runs" "$perfsift fold -q -o $scratch/folded $recording")
  printf '%s: %s MB\n' "$(basename "$recording")" "$(megabytes "$recording")"
  row "perfsift fold" "$bound"
  for format in pprof speedscope firefox perfetto callgrind jsonl csv; do
    ours "perfsift export --to $format" "$perfsift" export -q --to "$format" -o "$scratch/out" "$recording"
    printf '  %-44s %8s MB\n' "" "$(megabytes "$scratch/out")"
  done
done
