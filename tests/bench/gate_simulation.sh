#!/bin/bash
# How often perfsift check is right, on pairs whose difference is known:
#   gate_simulation.sh BUILD [RECORDINGS [PAIRS [ROUNDS]]]
# BUILD has the program gate_simulation. RECORDINGS recordings of a program, and as many each with 2 and 5 % more work in
# one of its functions, are made in turn, so that the machine changes under all alike. Pairs are drawn from the recordings
# without a change, and chosen among all recordings. For each kind of pair a line tells how many failed, for the right
# function (rightly) and for another one (wrongly), how many have a difference of shares over 1 point, how many differ in
# their numbers of samples by a t-test, and for how many perf diff itself prints a Delta over 1 %. Then histories of 20
# runs: without a change, with a step, with a drift, and with both.
set -euo pipefail
build=$(realpath "${1:?Usage: gate_simulation.sh BUILD [RECORDINGS [PAIRS [ROUNDS]]]}")
recordings=${2:-20} pairs=${3:-1000} rounds=${4:-8000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cc -O2 -g -fno-omit-frame-pointer -o "$scratch/program" "$(dirname "$0")/gate_program.c"
same=() by_2=() by_5=()
for ((i = 0; i < recordings; ++i)); do
  for percent in 0 2 5; do
    data=$scratch/$percent.$i
    perf record -q -F 4000 -e cpu-clock:u -g -o "$data" -- "$scratch/program" "$rounds" $percent >/dev/null
    case $percent in 0) same+=("$data") ;; 2) by_2+=("$data") ;; 5) by_5+=("$data") ;; esac
  done
done
for before in "${same[@]}"; do
  for after in "${same[@]}" "${by_2[@]}" "${by_5[@]}"; do
    [ "$before" = "$after" ] && continue
    # A line has the share of the baseline, and the difference: "  39.12%     +1.34%  program  [.] sorting".
    delta=$(perf diff -q "$before" "$after" 2>/dev/null | grep -o '[+-][0-9.]*%' | tr -d '+%' | sort -g | tail -n 1)
    echo "$before $after ${delta:-0}"
  done
done >"$scratch/deltas"
"$build/gate_simulation" "$pairs" sorting "$scratch/deltas" "${same[@]}" --2 "${by_2[@]}" --5 "${by_5[@]}"
