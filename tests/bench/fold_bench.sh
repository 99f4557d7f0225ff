#!/bin/bash
# Measures `perfsift fold` against the bound and against its peers, all in the same run, on the recordings
# of make_recordings.sh:
#   fold_bench.sh DIR           [RUNS=5] [PEER_RUNS=3] [PERFSIFT=build/release/perfsift]
# The bound is hash_bound over the recording and over the folded output. Times are medians of whole
# commands after one warm-up. A peer that is not installed is left out.
set -euo pipefail
directory=$(cd "${1:?Usage: fold_bench.sh DIR}" && pwd)
runs=${RUNS:-5}
peer_runs=${PEER_RUNS:-3}
source_directory=$(cd "$(dirname "$0")" && pwd)
perfsift=$(realpath "${PERFSIFT:-$source_directory/../../build/release/perfsift}")
export DEBUGINFOD_URLS=  # nobody may spend the time on the network

scratch=$(mktemp -d "$directory/fold_bench.XXXXXX")  # on the recordings' disk
trap 'rm -rf "$scratch"' EXIT
cc -O2 -o "$scratch/hash_bound" "$source_directory/hash_bound.c"
cc -O2 -o "$scratch/peak_memory" "$source_directory/peak_memory.c"
folded=$scratch/folded.txt

megabytes() { awk -v bytes="$(stat -c %s "$1")" 'BEGIN { printf "%.1f", bytes / 1e6 }'; }

median_of_bound() { # FILE...
  for ((run = 0; run <= runs; ++run)); do "$scratch/hash_bound" "$@" 2>/dev/null; done |
    tail -n "$runs" | sort -g | sed -n "$((runs / 2 + 1))p"
}

median_of_command() { # RUNS COMMAND
  hyperfine --style none --warmup 1 --runs "$1" --export-csv "$scratch/times.csv" "$2" >/dev/null
  # The fields after the command, which may itself have commas: mean, deviation, median, user, system, min, max.
  awk -F, 'NR == 2 { print $(NF - 4) }' "$scratch/times.csv"
}

row() { # NAME SECONDS [PEAK MEMORY]
  awk -v name="$1" -v seconds="$2" -v bound="$bound" -v memory="${3:-}" 'BEGIN {
    printf "  %-44s %8.3f s %8.1f x bound", name, seconds, seconds / bound
    if (split(memory, kb, " ") == 2) printf "   %6.0f MB anonymous, %6.0f MB resident", kb[1] / 1e3, kb[2] / 1e3
    print ""
  }'
}

fold() { # JOBS
  local command=("$perfsift" fold "-j$1" "$recording" -o "$folded")
  row "perfsift fold -j$1" "$(median_of_command "$runs" "${command[*]}")" "$("$scratch/peak_memory" "${command[@]}")"
}

peer() { # NAME PROGRAM COMMAND
  if command -v "$2" >/dev/null; then row "$1" "$(median_of_command "$peer_runs" "$3 >$scratch/peer.txt")"; fi
}

for recording in "$directory"/few.data "$directory"/many.data; do
  "$perfsift" fold "$recording" -o "$folded"
  bound=$(median_of_bound "$recording" "$folded")
  printf '%s: %s MB, folded %s MB in %s stacks\n' "$(basename "$recording")" \
    "$(megabytes "$recording")" "$(megabytes "$folded")" "$(wc -l <"$folded")"
  row "bound" "$bound"
  fold 1
  fold 2
  peer "perf report -g folded" perf "perf report -i $recording --stdio --no-children -g folded,0,caller,function,count"
  peer "perf script" perf "perf script -i $recording"
  peer "perf script | inferno-collapse-perf" inferno-collapse-perf "perf script -i $recording | inferno-collapse-perf"
  peer "perf script | stackcollapse-perf.pl" stackcollapse-perf.pl "perf script -i $recording | stackcollapse-perf.pl"
done
