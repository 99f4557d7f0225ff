#!/bin/bash
# Measures filters on few.data of make_recordings.sh: the cost of selecting samples, the cost of writing samples, and
# the cost of a dlfilter that drops all samples, with and without perf.
#   filter_bench.sh DIR
# The bound is walk_headers, which reads the header of every record.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: filter_bench.sh DIR}"
recording=$directory/few.data
for stage in early late; do
  g++ -std=c++20 -O2 -shared -fPIC -DDROPS_"${stage^^}" -o "$scratch/drop_$stage.so" \
    "$source_directory/drop_all.cpp"
done

bound=$(median_of_bound walk_headers "$recording")
printf '%s: %s MB\n' "$(basename "$recording")" "$(megabytes "$recording")"
row "bound" "$bound"
"$perfsift" script -F pid,time "$recording" 2>/dev/null | sed -nE '1s/^ *([0-9]+) +([0-9.]+):.*/\1 \2/p' >"$scratch/first" || true
read -r pid start <"$scratch/first"
middle=$(awk -v start="$start" 'BEGIN { printf "%.6f", start + 6 }')
ours "filter pid and time, count only" "$perfsift" filter --dry-run -q --filter "pid == $pid && time < ${middle}s" "$recording"
ours "fold" "$perfsift" fold -q "$recording" -o "$scratch/folded"
ours "fold, sym =~" "$perfsift" fold -q --filter 'sym =~ "^call_1"' "$recording" -o "$scratch/folded"
ours "fold, stack has" "$perfsift" fold -q --filter 'stack has "call_1*"' "$recording" -o "$scratch/folded"
ours "filter, keeping 10 %" "$perfsift" filter -q --filter 'random(10%)' "$recording" -o "$scratch/kept.data"
for stage in early late; do
  ours "script --dlfilter, dropping $stage" "$perfsift" script --dlfilter "$scratch/drop_$stage.so" "$recording"
  peer "perf script --dlfilter, dropping $stage" perf "perf script -i $recording --dlfilter $scratch/drop_$stage.so"
done
