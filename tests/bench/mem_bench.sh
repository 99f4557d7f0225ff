#!/bin/bash
# Measures `perfsift mem` and `perfsift c2c` against the bound and against perf, on recordings of simulated accesses:
#   mem_bench.sh DIR MODEL_RECORDING
# MODEL_RECORDING is the program model_recording of a build with tests, which writes the recordings into DIR. The bound is
# hash_bound over the recording. Traces of Arm SPE are decoded by one thread, and are given in MB per second.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
model=$(realpath -e "${2:?Usage: mem_bench.sh DIR MODEL_RECORDING}")
begin "$1"

for pmu in intel amd hybrid ibs; do
  recording=$directory/mem_$pmu.data
  [[ -e $recording ]] || "$model" "$pmu" "${ROUNDS:-40000}" "$recording" "$directory/mem_program"
  bound=$(median_of_bound hash_bound "$recording")
  printf '%s: %s MB, %s samples\n' "$(basename "$recording")" "$(megabytes "$recording")" \
    "$("$perfsift" info --json "$recording" 2>/dev/null | sed -nE 's/.*"SAMPLE": ([0-9]+).*/\1/p' | head -n 1)"
  row "bound" "$bound"
  ours "perfsift mem" "$perfsift" mem -q "$recording"
  ours "perfsift mem --sort symbol,member" "$perfsift" mem -q --sort symbol,member "$recording"
  ours "perfsift c2c" "$perfsift" c2c -q "$recording"
  [[ $pmu == ibs ]] && continue  # perf mem does not decode registers
  peer "perf mem report" perf "perf mem report -i $recording -- --stdio"
  peer "perf c2c report" perf "perf c2c report -i $recording --stdio"
done

recording=$directory/mem_spe.data
[[ -e $recording ]] || "$model" spe "${ROUNDS:-400000}" "$recording" "$directory/mem_program"
seconds=$(median_of_command "$runs" "$perfsift mem -q -j1 $recording")
printf '%s: %s MB, perfsift mem -j1 %.3f s, %.0f MB/s\n' "$(basename "$recording")" "$(megabytes "$recording")" "$seconds" \
  "$(awk -v mb="$(megabytes "$recording")" -v s="$seconds" 'BEGIN { print mb / s }')"
