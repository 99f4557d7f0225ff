#!/bin/bash
# Stacks by frame pointers that lack the caller of their leaf: perfsift must count them, name the function and mark it.
#
#   leaf.sh PERFSIFT
#
# The leaf is memcpy(), which sets up no frame. Its two callers do nothing else. The truth is a recording of the program
# by --call-graph dwarf. In Go, a leaf with data on the stack has a frame, and one without has none. Exit status: 0 right, 1 wrong, 77 when perf cannot record here.
set -u
perfsift=$(realpath -e "$1") || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export DEBUGINFOD_URLS= PERFSIFT_CACHE_SIZE=0
failures=0

expect() { # WHAT CONDITION
  (($2)) && return
  failures=$((failures + 1))
  echo "not so: $1"
}

bad() {
  failures=$((failures + 1))
  echo "$*"
}

count() { # PATTERN FILE: the number of samples of the stacks
  grep -E "$1" "$2" | awk '{ n += $NF } END { print n + 0 }'
}

command -v perf >/dev/null || { echo "skipped: no perf"; exit 77; }
cat >leaf.c <<'C'
#include <string.h>
static char from[1 << 16], to[1 << 16];
#define COPY(name) \
  __attribute__((noinline)) void name(void) { memcpy(to, from, 60000); __asm__ volatile("" ::: "memory"); }
COPY(copy_for_parser)
COPY(copy_for_cache)
__attribute__((noinline)) void request(int i) {
  copy_for_parser();
  if (i % 2 == 0) copy_for_cache();
  __asm__ volatile("");
}
int main(void) {
  for (int i = 0; i < 150000; ++i) request(i);
  return 0;
}
C
gcc -O1 -g -fno-omit-frame-pointer -fno-builtin-memcpy leaf.c -o leaf || exit 1
record() { perf record -q -F 1000 -e cpu-clock:u "$@" ./leaf 2>errors; }
record -g -o fp.data && record --call-graph dwarf -o dwarf.data ||
  { echo "skipped: perf cannot record here: $(tr -s '\n\t ' ' ' <errors)"; exit 77; }

"$perfsift" fold --weight samples --annotate leaf fp.data -o fp.folded 2>/dev/null
"$perfsift" report fp.data >lines 2>/dev/null
"$perfsift" fold --weight samples --annotate leaf dwarf.data -o dwarf.folded 2>/dev/null
all=$(count . fp.folded) marked=$(count '_\[l\] [0-9]+$' fp.folded)
read -r lost functions < <("$perfsift" info --json --quality fp.data |
  python3 -c 'import json, sys; q = json.load(sys.stdin)["quality"]; print(q["stacks_without_a_caller"], len(q["lost_callers"]))')
echo "$all stacks by frame pointers, $marked marked, $lost counted in $functions functions"
expect "nearly all stacks lack a caller" "100 * marked > 95 * all"
expect "the marks are the count" "marked == lost"
expect "memcpy() is the function" "$(grep -c "the leaf's caller may be missing: $lost stacks .*mem" lines)"
expect "frame pointers lose copy_for_cache()" "20 * $(count 'copy_for_cache' fp.folded) < all"
expect "unwinding finds it" "5 * $(count 'copy_for_cache;.*mem' dwarf.folded) > $(count . dwarf.folded)"
expect "no unwound stack is marked" "$(count '_\[l\]' dwarf.folded) == 0"

go_leaves() {
  cat >leaves.go <<'GO'
package main

var total int

//go:noinline
func framed(n int) int {
	var numbers [64]int
	for i := 0; i < n; i++ {
		numbers[i&63] += i * numbers[(i*7)&63]
	}
	return numbers[3]
}

//go:noinline
func frameless(n int) int {
	sum := 1
	for i := 0; i < n; i++ {
		sum = sum*31 + i
	}
	return sum
}

//go:noinline
func caller(n int) int { return framed(n) + frameless(n) }

func main() {
	for i := 0; i < 200; i++ {
		total += caller(500000)
	}
}
GO
  GOCACHE=$scratch/cache GOPROXY=off go build -o leaves leaves.go 2>errors || { bad "go build: $(<errors)"; return; }
  perf record -q -F 1000 -e cpu-clock:u -g -o go.data ./leaves 2>errors || { bad "perf record: $(<errors)"; return; }
  "$perfsift" fold --weight samples --annotate leaf go.data -o go.folded 2>/dev/null
  echo "Go: $(count 'framed' go.folded) stacks of framed(), $(count 'frameless' go.folded) of frameless()"
  expect "both leaves have samples" "$(count 'main.framed(_\[l\])? [0-9]+$' go.folded) * $(count 'main.frameless' go.folded) > 0"
  expect "framed() has its caller" "$(count 'main.caller;main.framed [0-9]+$' go.folded) * 100 > 95 * $(count 'main.framed' go.folded)"
  expect "frameless() has not, and is marked" "$(count 'main.main;main.frameless_\[l\] [0-9]+$' go.folded) * 100 > 95 * $(count 'main.frameless' go.folded)"
}
if command -v go >/dev/null; then go_leaves; else echo "not compared for want of Go: leaves of Go"; fi
((failures == 0))
