#!/bin/bash
# symbolize_bench.sh PERFSIFT BINARY: prints the time, in seconds, to name 20,000 and 200,000 random code addresses of
# BINARY with all inlined calls, as the best of five runs. The file is in the page cache. "cold" reads the file again,
# "first" also fills an empty symbol cache, and "warm" reads the symbol cache. The 146 MB program in docs/speed.md is
# perfsift itself, compiled with -O3 -g.
set -euo pipefail
perfsift=$(realpath -e "$1") binary=$(realpath -e "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export DEBUGINFOD_URLS= XDG_CACHE_HOME=$scratch/caches

readelf -SW "$binary" | sed -nE 's/.* \.text +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) .*/\1 \2/p' | head -n 1 |
  perl -ane 'srand 1; printf "0x%x\n", hex($F[0]) + int rand hex $F[1] for 1 .. 200000' >"$scratch/200000"
head -n 20000 "$scratch/200000" >"$scratch/20000"

best_time() { # COUNT COMMAND...: reads addresses
  local count=$1 TIMEFORMAT=%R
  shift
  for _ in 1 2 3 4 5; do
    { time "$@" <"$scratch/$count" >/dev/null 2>&1; } 2>&1
  done | sort -n | head -n 1
}

measure() { # NAME COMMAND...
  local name=$1
  shift
  command -v "$1" >/dev/null || { echo "not measured: $name"; return; }
  printf '%-30s %8s %8s\n' "$name" "$(best_time 20000 "$@")" "$(best_time 200000 "$@")"
}

printf '%-30s %8s %8s\n' "${binary##*/}" 20000 200000
first() {
  rm -rf "$XDG_CACHE_HOME"
  "$perfsift" symbolize -f -i -e "$binary"
}

measure "perfsift symbolize -fi cold" "$perfsift" symbolize --no-cache -f -i -e "$binary"
measure "perfsift symbolize -fiC cold" "$perfsift" symbolize --no-cache -f -i -C -e "$binary"
measure "perfsift symbolize -fi first" first
measure "perfsift symbolize -fi warm" "$perfsift" symbolize -f -i -e "$binary"
measure "perfsift symbolize -fiC warm" "$perfsift" symbolize -f -i -C -e "$binary"
measure "llvm-symbolizer" llvm-symbolizer --no-demangle -f -i -e "$binary"
measure "addr2line -fi" addr2line -f -i -e "$binary"
