#!/bin/bash
# Measures `perfsift fold` for --call-graph dwarf, on dwarf.data of make_recordings.sh:
#   dwarf_bench.sh DIR
# The bound is hash_bound over the recording and over the folded output.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: dwarf_bench.sh DIR}"
recording=$directory/dwarf.data folded=$scratch/folded.txt

"$perfsift" fold "$recording" -o "$folded"
bound=$(median_of_bound hash_bound "$recording" "$folded")
printf '%s: %s MB, folded %s MB\n' "$(basename "$recording")" "$(megabytes "$recording")" "$(megabytes "$folded")"
row "bound" "$bound"
ours "perfsift fold --no-inline" "$perfsift" fold -q --no-inline "$recording" -o "$folded"
ours "perfsift fold, warm cache" "$perfsift" fold -q "$recording" -o "$folded"
ours "perfsift fold --no-cache" "$perfsift" fold -q --no-cache "$recording" -o "$folded"
peer "perf script" perf "perf script -i $recording 2>/dev/null"
