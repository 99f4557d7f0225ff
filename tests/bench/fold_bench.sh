#!/bin/bash
# Measures `perfsift fold` against the bound and against similar tools, all in the same run, on the recordings of
# make_recordings.sh:
#   fold_bench.sh DIR
# The bound is hash_bound over the recording and over the folded output.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: fold_bench.sh DIR}"
folded=$scratch/folded.txt

for recording in "$directory"/few.data "$directory"/precise.data "$directory"/many.data; do
  "$perfsift" fold "$recording" -o "$folded"
  bound=$(median_of_bound hash_bound "$recording" "$folded")
  printf '%s: %s MB, folded %s MB in %s stacks\n' "$(basename "$recording")" \
    "$(megabytes "$recording")" "$(megabytes "$folded")" "$(wc -l <"$folded")"
  row "bound" "$bound"
  for jobs in 1 2; do
    ours "perfsift fold -j$jobs" "$perfsift" fold "-j$jobs" "$recording"
    new_file=$scratch/new.txt
    ours "perfsift fold -j$jobs -o NEW_FILE" "$perfsift" fold "-j$jobs" "$recording" -o "$new_file"
    new_file=
    ours "perfsift fold -j$jobs -o OLD_FILE" "$perfsift" fold "-j$jobs" "$recording" -o "$scratch/old.txt"
  done
  peer "cat of the folded text into a file" cat "cat $folded"
  peer "perf report -g folded" perf "perf report -i $recording --stdio --no-children -g folded,0,caller,function,count"
  peer "perf script" perf "perf script -i $recording"
  peer "perf script | inferno-collapse-perf" inferno-collapse-perf "perf script -i $recording | inferno-collapse-perf"
  peer "perf script | stackcollapse-perf.pl" stackcollapse-perf.pl "perf script -i $recording | stackcollapse-perf.pl"
done
