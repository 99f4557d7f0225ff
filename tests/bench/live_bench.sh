#!/bin/bash
# Measures `perfsift offcpu --live` with about a million switches a minute, by pairs of threads that wake each other:
#   live_bench.sh [SECONDS]
# SECONDS: the duration, by default 60. Prints the last line of the output, the CPU time and the memory.
set -euo pipefail
seconds=${1:-60}
perfsift=$(realpath "${PERFSIFT:-$(dirname "$0")/../../build/release/perfsift}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

(
  end=$((SECONDS + seconds))
  while ((SECONDS < end)); do
    perf bench sched pipe -l 9000 >/dev/null
    sleep 0.75
  done
) &
perf record -q -a -g -m 4M -e sched:sched_switch -e sched:sched_waking -o - -- sleep "$seconds" |
  command time -f '%U + %S s of processor time, %M KB' "$perfsift" offcpu -q --live >"$scratch/live"
wait
tail -n 1 "$scratch/live"
