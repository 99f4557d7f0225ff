#!/bin/bash
# perfsift fold of unwound stacks against perfsift fold of the output of perfsift script: both must be equal.
# script_equals_perf.sh compares the output of script with perf's. (For callchains with frame pointers the results
# differ: fold looks for the call before a return address; script and perf do not.)
#
#   fold_equals_script.sh PERFSIFT WORKLOAD
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

# script does not show where a stack was cut. In this test only a thread that was just created can have a cut stack,
# between the system call and its first instruction: the thread still has the frame pointer of its creator.
folded() { # [OPTIONS] RECORDING
  "$perfsift" fold -q --demangle full "$@" | sed 's/;\[truncated\];/;/' | "$perfsift" fold -q -
}

compare() { # RECORDING [OPTIONS]
  "$perfsift" script -q "$@" | "$perfsift" fold -q - >expected
  folded "$@" >actual
  expect_equal "$@"
}

# Stacks in the form of FlameGraph's script, from the recording, and from the text with perf's options.
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
  # With another order of reading. Nothing is repaired, because the stack copies are larger than the stacks.
  folded --no-inline --repair-stacks unwound.data | cmp - uninlined || failures=$((failures + 1))
}
# Stack copies that are too short: each stack ends in the frame [truncated], except stacks whose end is in the copy.
record short.data --call-graph dwarf,256 -F 2000 -e cpu-clock "$workload" && {
  "$perfsift" fold -q --no-inline --no-comm --user-only short.data >folded
  grep -q '^\[truncated\];' folded || { echo "WRONG: nothing is cut"; failures=$((failures + 1)); }
  "$perfsift" fold -q --max-truncated 5 short.data >/dev/null 2>&1
  [[ $? == 1 ]] || { echo "WRONG: --max-truncated"; failures=$((failures + 1)); }
}

conclude
