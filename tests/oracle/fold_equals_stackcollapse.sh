#!/bin/bash
# perfsift fold --compat flamegraph against perf script 6.1 | stackcollapse-perf.pl, on recordings made now.
#
#   fold_equals_stackcollapse.sh PERFSIFT WORKLOAD
#
# FlameGraph's script is searched in $STACKCOLLAPSE_PERF, else in the PATH. Exit status: 0 equal, 1 different, 77 when
# the script is missing or there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
collapse=${STACKCOLLAPSE_PERF:-$(command -v stackcollapse-perf.pl)}
[[ -e $collapse ]] || skip "no stackcollapse-perf.pl (from FlameGraph) in STACKCOLLAPSE_PERF or PATH"
collapse=$(realpath "$collapse")
begin

# The options of the script and our options for the same.
declare -A our_options=(
  [--pid]="--with-pid" [--tid]="--with-tid" [--kernel]="--annotate kernel" [--jit]="--annotate jit" [--all]="--annotate all"
  [--addrs]="--addresses"
)

# perf's text of a recording, which both tools fold.
write_text() { # RECORDING
  write_texts "$1"
  mv expected text
}

differ() { # RECORDING [OPTIONS OF THE SCRIPT]
  local recording=$1 option ours=()
  shift
  for option; do
    if [[ $option == --event-filter=* ]]; then
      ours+=(--event "${option#*=}")
    else
      # shellcheck disable=SC2206
      ours+=(${our_options[$option]})
    fi
  done
  perl "$collapse" "$@" <text >expected.folded 2>/dev/null
  "$perfsift" fold -q --compat flamegraph "${ours[@]}" "$recording" >actual.folded 2>errors
  ! diff expected.folded actual.folded >difference
}

# Other processes, and their files, come and go, so only a difference in two runs counts.
compare() { # RECORDING [OPTIONS OF THE SCRIPT]
  if differ "$@" && write_text "$1" && differ "$@"; then
    echo "DIFFERENT: $*"
    head -n 10 difference errors
    failures=$((failures + 1))
  else
    echo "equal: $* ($(wc -l <expected.folded) lines)"
  fi
}

compare_with_every_option() { # RECORDING
  local recording=$1 options
  write_text "$recording"
  for options in "" --pid --tid --kernel --jit --all --addrs "--tid --all --addrs"; do
    # shellcheck disable=SC2086
    compare "$recording" $options
  done
}

record threads.data -g -e cpu-clock "$workload" && compare_with_every_option threads.data
record everywhere.data -a -g -e cpu-clock -- "$workload" && compare_with_every_option everywhere.data
record shell.data -g -e cpu-clock -- sh -c "$busy_shell" && compare_with_every_option shell.data
record switches.data -a -g -e sched:sched_switch -- "$workload" && compare_with_every_option switches.data
record several.data -g -e cpu-clock -e page-faults "$workload" && {
  compare_with_every_option several.data
  compare several.data --event-filter=page-faults
  compare several.data --event-filter=cpu-clock
}
# Threads do not inherit groups whose counters are read with a sample: the first thread does the work.
record group.data -g -e '{cpu-clock,task-clock}:S' -- sh -c "$busy_thread" && compare_with_every_option group.data
record flat.data -e cpu-clock "$workload" && { write_text flat.data; compare flat.data; }
record compressed.data -z -g -e cpu-clock "$workload" && { write_text compressed.data; compare compressed.data; }
record directory.data -a --threads -g -e cpu-clock -- "$workload" && { write_text directory.data; compare directory.data; }
record_piped piped.data -g -e cpu-clock "$workload" && { write_text piped.data; compare piped.data; }

# The same text as an input of perfsift.
if diff <(perl "$collapse" <text 2>/dev/null) <("$perfsift" fold -q --compat flamegraph text); then
  echo "equal: the text of piped.data"
else
  echo "DIFFERENT: the text of piped.data"
  failures=$((failures + 1))
fi

conclude
