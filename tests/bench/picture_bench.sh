#!/bin/bash
# Measures `perfsift flame` against `perfsift fold` of the same recording and against flamegraph.pl, all in the same
# run, on the recordings of make_recordings.sh:
#   picture_bench.sh DIR
# The bound is hash_bound over the recording and over the folded output.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: picture_bench.sh DIR}"
folded=$scratch/folded.txt

for recording in "$directory"/few.data "$directory"/many.data; do
  "$perfsift" fold "$recording" -o "$folded"
  "$perfsift" flame "$recording" -o "$scratch/picture.svg"
  "$perfsift" flame "$recording" -o "$scratch/picture.html"
  bound=$(median_of_bound hash_bound "$recording" "$folded")
  printf '%s: %s MB, folded %s MB in %s stacks, SVG %s MB, HTML %s MB\n' "$(basename "$recording")" \
    "$(megabytes "$recording")" "$(megabytes "$folded")" "$(wc -l <"$folded")" \
    "$(megabytes "$scratch/picture.svg")" "$(megabytes "$scratch/picture.html")"
  row "bound" "$bound"
  for jobs in 1 2; do
    ours "perfsift fold -j$jobs" "$perfsift" fold "-j$jobs" "$recording"
    ours "perfsift flame -j$jobs, SVG" "$perfsift" flame "-j$jobs" "$recording"
    ours "perfsift flame -j$jobs, HTML" "$perfsift" flame "-j$jobs" --format html "$recording"
    ours "perfsift flame -j$jobs --reverse" "$perfsift" flame "-j$jobs" --reverse "$recording"
    ours "perfsift flame -j$jobs --flamechart" "$perfsift" flame "-j$jobs" --flamechart "$recording"
  done
  peer "flamegraph.pl of the folded text" flamegraph.pl "flamegraph.pl $folded"
  peer "perf script | stackcollapse-perf.pl | flamegraph.pl" flamegraph.pl \
    "perf script -i $recording | stackcollapse-perf.pl | flamegraph.pl"
done
