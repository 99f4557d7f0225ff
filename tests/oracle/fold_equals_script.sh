#!/bin/bash
# perfsift fold of unwound stacks against perfsift fold of what perfsift script prints of them: two ways to the same.
# What script prints is compared with perf's in script_equals_perf.sh. (Of callchains with frame pointers the two differ:
# fold looks for the call in front of a return address, script and perf do not.)
#
#   fold_equals_script.sh PERFSIFT WORKLOAD
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

# Script does not show where a stack was cut. Here that can only be a thread that has just been made, between the system
# call and its first instruction: it still has the frame pointer of the one that made it.
folded() { # [OPTIONS] RECORDING
  "$perfsift" fold -q --demangle full "$@" | sed 's/;\[truncated\];/;/' | "$perfsift" fold -q -
}

compare() { # RECORDING [OPTIONS]
  "$perfsift" script -q "$@" | "$perfsift" fold -q - >expected
  folded "$@" >actual
  expect_equal "$@"
}

# As FlameGraph's script makes stacks of it: from the recording, and from the text of perf's options.
compare_for_flamegraph() { # RECORDING [OPTIONS]
  "$perfsift" script -q --perf-style 6.1 "$@" | "$perfsift" fold -q --compat flamegraph - >expected
  "$perfsift" fold -q --compat flamegraph "$@" >actual
  expect_equal --compat flamegraph "$@"
}

record unwound.data --call-graph dwarf,32768 -F 2000 -e cpu-clock "$workload" && {
  compare unwound.data
  compare unwound.data --no-inline
  mv actual uninlined
  compare_for_flamegraph unwound.data
  mv actual with_inlined
  compare_for_flamegraph unwound.data --no-inline
  ! cmp -s actual with_inlined || { echo "WRONG: nothing was inlined"; failures=$((failures + 1)); }
  compare_for_flamegraph unwound.data --max-stack 3
  # Another order of reading, and nothing to repair: the copies are larger than the stacks.
  folded --no-inline --repair-stacks unwound.data | cmp - uninlined || failures=$((failures + 1))
}
# Copies that are too short: each stack ends in a frame of its own, but for those that have their end in the copy.
record short.data --call-graph dwarf,256 -F 2000 -e cpu-clock "$workload" && {
  "$perfsift" fold -q --no-inline --no-comm --user-only short.data >folded
  grep -q '^\[truncated\];' folded || { echo "WRONG: nothing is cut"; failures=$((failures + 1)); }
  "$perfsift" fold -q --max-truncated 5 short.data >/dev/null 2>&1
  [[ $? == 1 ]] || { echo "WRONG: --max-truncated"; failures=$((failures + 1)); }
}

conclude
