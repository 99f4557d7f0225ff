#!/bin/bash
# perfsift mem --sort kind on page faults of programs, against the programs' own facts: the addresses of [heap] in
# /proc/self/maps.
#
#   mem_heap.sh PERFSIFT
#
# Exit status: 0 equal, 1 different, 77 when page faults cannot be recorded here, or no compiler is here.
set -u
perfsift=$(realpath -e "$1") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin
command -v gcc >/dev/null || skip "no gcc"

cat >heap.c <<'END_OF_PROGRAM'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static char unset[40 * 4096];
static void touch(volatile char* block, int pages) {
  for (int i = 0; i < pages; ++i) block[i * 4096] = 1;
}
int main(int count, char** arguments) {
  touch(unset, 40);
  for (int i = 0; i < atoi(arguments[1]); ++i) touch(malloc(30000), 7);
  touch(malloc(4 << 20), 100); /* mapped */
  touch(mmap(NULL, 50 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 50);
  char line[4096];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof(line), maps)) fputs(line, stderr);
  return count == 0;
}
END_OF_PROGRAM

compare() { # BLOCKS FLAGS…
  local blocks=$1
  shift
  gcc -O0 "$@" heap.c -o heap 2>errors || { echo "DIFFERENT: gcc $* failed"; cat errors; failures=$((failures + 1)); return; }
  perf_record -q -o heap.data -c 1 -d -e page-faults:u -- ./heap "$blocks" 2>maps || skip "page faults cannot be recorded"
  "$perfsift" mem -q --raw --csv heap.data | tr -d '\r' >accesses
  awk -v heap="$(awk '$6 == "[heap]" { print $1 }' maps)" '
    function padded(digits) { digits = sprintf("%16s", digits); gsub(" ", "0", digits); return digits }
    BEGIN { FS = ","; split(heap, end, "-") }
    NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    { address = padded(substr($column["addr"], 3))
      print $column["addr"], (address >= padded(end[1]) && address < padded(end[2]) ? "heap" : "other") }' accesses >expected
  awk '
    BEGIN { FS = "," }
    NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    { print $column["addr"], ($column["kind"] == "heap" ? "heap" : "other") }' accesses >actual
  grep -q heap expected || { echo "DIFFERENT: no access to the heap"; failures=$((failures + 1)); }
  expect_equal "$* with $blocks blocks: the heap"
}

for blocks in 1 60; do
  compare "$blocks" -pie -fPIE
  compare "$blocks" -static
done
conclude
