#!/bin/bash
# How often perfsift check is right, on pairs whose difference is known:
#   gate_simulation.sh BUILD [RECORDINGS [PAIRS [ROUNDS]]]
# BUILD has the program gate_simulation. RECORDINGS times, a program is recorded four times in turn: twice as it is, then
# with 2 and with 5 % more work in one of its functions. Pairs are drawn from the recordings without a change, and chosen
# among all recordings. For each kind of pair a line tells how many failed, for the right function (rightly) and for
# another one (wrongly), how many have a difference of shares over 1 point, how many differ in their numbers of samples
# by a t-test, and for how many of those that were recorded at about the same time perf diff itself prints a Delta over
# 1 %. Then histories of 20 runs: without a change, with a step, with a drift, and with both.
set -euo pipefail
build=$(realpath "${1:?Usage: gate_simulation.sh BUILD [RECORDINGS [PAIRS [ROUNDS]]]}")
recordings=${2:-20} pairs=${3:-1000} rounds=${4:-8000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cc -O2 -g -fno-omit-frame-pointer -o "$scratch/program" "$(dirname "$0")/gate_program.c"
same=() again=() by_2=() by_5=()
for ((i = 0; i < recordings; ++i)); do
  for kind in same again 2 5; do
    data=$scratch/$kind.$i percent=${kind//[a-z]/}
    perf record -q -F 4000 -e cpu-clock:u -g -o "$data" -- "$scratch/program" "$rounds" "${percent:-0}" >/dev/null
  done
  same+=("$scratch/same.$i") again+=("$scratch/again.$i") by_2+=("$scratch/2.$i") by_5+=("$scratch/5.$i")
done
for ((i = 0; i < recordings; ++i)); do
  for ((j = i < 5 ? 0 : i - 5; j <= i + 5 && j < recordings; ++j)); do
    for after in "${again[j]}" "${by_2[j]}" "${by_5[j]}"; do
      # A line has the share of the baseline, and the difference: "  39.12%     +1.34%  program  [.] sorting".
      delta=$(perf diff -q "${same[i]}" "$after" 2>/dev/null | grep -o '[+-][0-9.]*%' | tr -d '+%' | sort -g | tail -n 1)
      echo "${same[i]} $after ${delta:-0}"
    done
  done
done >"$scratch/deltas"
"$build/gate_simulation" "$pairs" sorting "$scratch/deltas" "${same[@]}" --0 "${again[@]}" --2 "${by_2[@]}" --5 "${by_5[@]}"
