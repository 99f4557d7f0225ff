# Shared code of the benchmarks: medians of whole commands after one warm-up, as multiples of a bound.
#
#   source measure.sh; begin DIR     DIR has the recordings of make_recordings.sh; $scratch is a folder in DIR
#
# The environment may set RUNS (5), PEER_RUNS (3) and PERFSIFT (build/release/perfsift).
begin() { # DIR
  directory=$(cd "$1" && pwd)
  runs=${RUNS:-5}
  peer_runs=${PEER_RUNS:-3}
  source_directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
  perfsift=$(realpath "${PERFSIFT:-$source_directory/../../build/release/perfsift}")
  export DEBUGINFOD_URLS=  # no time may be spent on the network
  scratch=$(mktemp -d "$directory/bench.XXXXXX")  # on the disk of the recordings
  trap 'rm -rf "$scratch"' EXIT
  for program in hash_bound walk_headers peak_memory; do
    cc -O2 -o "$scratch/$program" "$source_directory/$program.c"
  done
}

megabytes() { awk -v bytes="$(stat -c %s "$1")" 'BEGIN { printf "%.1f", bytes / 1e6 }'; }

median_of_bound() { # hash_bound|walk_headers FILE...
  local program=$1
  shift
  for ((run = 0; run <= runs; ++run)); do "$scratch/$program" "$@" 2>/dev/null; done |
    tail -n "$runs" | sort -g | sed -n "$((runs / 2 + 1))p"
}

# Removes $new_file, if it is set, before each run.
median_of_command() { # RUNS COMMAND
  hyperfine --style none --warmup 1 --runs "$1" --prepare "rm -f ${new_file:-}" --export-csv "$scratch/times.csv" \
    "$2" >/dev/null
  # The fields after the command, which may contain commas: mean, deviation, median, user, system, min, max.
  awk -F, 'NR == 2 { print $(NF - 4) }' "$scratch/times.csv"
}

# The CPU seconds of the last command, of all its threads: other work on the machine changes them less.
cpu_of_last() { awk -F, 'NR == 2 { printf "%.2f", $(NF - 3) + $(NF - 2) }' "$scratch/times.csv"; }

row() { # NAME SECONDS [PEAK MEMORY]
  awk -v name="$1" -v seconds="$2" -v bound="$bound" -v memory="${3:-}" 'BEGIN {
    printf "  %-44s %8.3f s %8.1f x bound", name, seconds, seconds / bound
    if (split(memory, kb, " ") == 2) printf "   %6.0f MB anonymous, %6.0f MB resident", kb[1] / 1e3, kb[2] / 1e3
    print ""
  }'
}

ours() { # NAME COMMAND...: also prints the memory; discards the output
  local name=$1 seconds
  shift
  seconds=$(median_of_command "$runs" "${*@Q}")
  row "$name" "$seconds" "$("$scratch/peak_memory" "$@" | tail -n 1)"
}

peer() { # NAME PROGRAM COMMAND: left out if PROGRAM is not installed
  if command -v "$2" >/dev/null; then row "$1" "$(median_of_command "$peer_runs" "$3 >$scratch/peer.txt")"; fi
}
