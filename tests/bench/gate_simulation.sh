#!/bin/bash
# How often perfsift check is right, on pairs whose difference is known:
#   gate_simulation.sh BUILD [RECORDINGS [PAIRS]]
# BUILD has the program gate_simulation. RECORDINGS recordings of a program, and as many with 5 % more work in one of
# its functions, are made alternately, so that the machine changes under both alike. Pairs are drawn from the recordings
# without a change, and chosen among all recordings. For each kind of pair a line tells how many failed, for the right
# function (rightly) and for another one (wrongly), how many have a difference of shares over 1 point, which is what perf
# diff prints, and how many differ in their numbers of samples by a t-test.
set -euo pipefail
build=$(realpath "${1:?Usage: gate_simulation.sh BUILD [RECORDINGS [PAIRS]]}")
recordings=${2:-20} pairs=${3:-1000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cc -O2 -g -fno-omit-frame-pointer -o "$scratch/program" "$(dirname "$0")/gate_program.c"
same=() slower=()
for ((i = 0; i < recordings; ++i)); do
  for percent in 0 5; do
    data=$scratch/$percent.$i
    perf record -q -F 4000 -e cpu-clock:u -g -o "$data" -- "$scratch/program" 2000 $percent >/dev/null
    if ((percent == 0)); then same+=("$data"); else slower+=("$data"); fi
  done
done
"$build/gate_simulation" "$pairs" sorting "${same[@]}" -- "${slower[@]}"
