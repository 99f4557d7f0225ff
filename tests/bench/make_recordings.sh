#!/bin/bash
# Makes the recordings for the benchmarks. few.data, many.data and sched.data have about a million samples each:
#   DIR/few.data     a few thousand distinct stacks
#   DIR/many.data    more than 300,000 distinct stacks of 24 frames; its folded text is larger than the recording
#   DIR/precise.data few.data as if recorded with a precise event
#   DIR/dwarf.data   40,000 samples with 8 KiB of their stacks
#   DIR/sched.data   scheduler events with callchains; only where tracepoints can be recorded
# Needs two cores and takes a minute. The recorded program, DIR/call_paths, must stay in its place: the benchmarks read
# its symbols.
set -euo pipefail
directory=${1:?Usage: make_recordings.sh DIR}
period_ns=25000          # 40,000 samples per second of CPU time and thread
seconds_per_thread=12.5  # 2 threads x 12.5 s x 40,000/s = 1,000,000 samples

source_directory=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$directory"
cd "$directory"
g++ -std=c++20 -O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls \
  -o call_paths "$source_directory/call_paths.cpp" -pthread

record() { # NAME PATHS
  perf record -q -g -e cpu-clock -c $period_ns -m 4096 -o "$1.data" ./call_paths "$2" $seconds_per_thread 2 >/dev/null
  printf '%s/%s.data: %s bytes\n' "$PWD" "$1" "$(stat -c %s "$1.data")"
}
record few 60
record many 19500
"$source_directory/precise.py" few.data precise.data
perf record -q --call-graph dwarf,8192 -e cpu-clock -c 500000 -m 8192 -o dwarf.data ./call_paths 60 10 2 >/dev/null
printf '%s/dwarf.data: %s bytes\n' "$PWD" "$(stat -c %s dwarf.data)"

g++ -std=c++20 -O2 -fno-omit-frame-pointer -o sched_workload "$source_directory/../oracle/sched_workload.cpp" -pthread
perf record -q -a -g -m 16M -e sched:sched_switch -e sched:sched_waking -o sched.data ./sched_workload 12000 >/dev/null &&
  printf '%s/sched.data: %s bytes\n' "$PWD" "$(stat -c %s sched.data)"
