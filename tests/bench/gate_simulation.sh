#!/bin/bash
# How often perfsift check is right, on pairs with a known difference:
#   gate_simulation.sh BUILD [RECORDINGS [PAIRS [ROUNDS]]]
# BUILD has the program gate_simulation. RECORDINGS times, a program is recorded four times in turn: twice unchanged,
# then with 2 and with 5 % more work in one of its functions. Pairs are drawn from the recordings without a change, and
# chosen among all recordings. A line for each kind of pair has these numbers: failures for the right function (rightly)
# and for another function (wrongly), pairs with a difference of shares over 1 point, pairs with different numbers of
# samples by a t-test, and pairs recorded at about the same time for which perf diff prints a Delta over 1 %. Then
# histories of 20 runs follow: without a change, with a step, with a drift, and with both.
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
