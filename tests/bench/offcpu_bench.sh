#!/bin/bash
# Measures `perfsift offcpu` against the bound and against perf sched timehist, on sched.data of make_recordings.sh:
#   offcpu_bench.sh DIR
# The bound is hash_bound over the recording.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: offcpu_bench.sh DIR}"
recording=$directory/sched.data

bound=$(median_of_bound hash_bound "$recording")
printf '%s: %s MB, %s samples\n' "$(basename "$recording")" "$(megabytes "$recording")" \
  "$("$perfsift" info --json "$recording" 2>/dev/null | sed -nE 's/.*"SAMPLE": ([0-9]+).*/\1/p' | head -n 1)"
row "bound" "$bound"
ours "perfsift offcpu" "$perfsift" offcpu -q "$recording"
ours "perfsift offcpu -o" "$perfsift" offcpu -q "$recording" -o "$scratch/folded"
ours "perfsift offcpu --timehist" "$perfsift" offcpu -q --timehist "$recording"
peer "perf sched timehist" perf "perf sched timehist -i $recording 2>/dev/null"
peer "perf sched timehist --no-call-graph" perf "perf sched timehist --no-call-graph -i $recording"
