#!/bin/bash
# Results with the symbol cache must equal results without it, byte for byte, for perfsift itself, its C library and a
# recording of both: while the cache is filled, when it answers, and when several commands fill it at once.
#   symbol_cache.sh PERFSIFT WORKLOAD
# Exit status: 0 equal, 1 different.
set -u
perfsift=$(realpath -e "$1") workload=$(realpath -e "$2") || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export DEBUGINFOD_URLS= XDG_CACHE_HOME=$scratch/caches
unset PERFSIFT_CACHE_SIZE
failures=0

addresses() { # BINARY COUNT: the same addresses every time
  readelf -SW "$1" | sed -nE 's/.* \.text +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) .*/\1 \2/p' | head -n 1 |
    perl -ane 'BEGIN { $count = shift; srand 1 } printf "0x%x\n", hex($F[0]) + int rand hex $F[1] for 1 .. $count' "$2"
}

compare() { # NAME INPUT COMMAND...: four times with the cache, two of them at the same time
  local name=$1 input=$2 run
  shift 2
  "$@" --no-cache <"$input" >expected
  [[ -s expected ]] || { echo "$name: no answers"; failures=$((failures + 1)); }
  "$@" <"$input" >1 & "$@" <"$input" >2
  wait
  "$@" <"$input" >3
  "$@" <"$input" >4
  for run in 1 2 3 4; do
    cmp -s expected $run || { echo "$name: run $run differs"; failures=$((failures + 1)); }
  done
}

library=$(ldd "$perfsift" | awk '$1 ~ /^libc\.so/ { print $3 }')
for binary in "$perfsift" "$workload" "$library"; do
  addresses "$binary" 2000 >addresses
  compare "symbolize ${binary##*/}" addresses "$perfsift" symbolize -fiC -e "$binary"
done
for graph in fp dwarf,8192; do
  perf record -q -F 999 -e cpu-clock --call-graph $graph -o recording "$workload" >/dev/null 2>errors ||
    { echo "not recorded: $graph ($(tr -s '\n\t ' ' ' <errors))"; continue; }
  compare "fold of $graph" /dev/null "$perfsift" fold -i recording
  compare "script of $graph" /dev/null "$perfsift" script -i recording
done
[[ -n $(ls "$XDG_CACHE_HOME/perfsift") ]] || { echo "nothing was kept"; failures=$((failures + 1)); }

echo "$failures different"
((failures == 0))
