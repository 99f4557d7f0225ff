#!/bin/bash
# How well incomplete stacks are estimated for stacks by frame pointers. The test has programs whose stacks are known to
# be complete, or known to be broken.
#
#   completeness.sh PERFSIFT FOLDER_OF_TESTS all | some
#
# Prints a line for each case: its name, its number of stacks, and the number of stacks that are called incomplete.
# False alarms are complete stacks that are called incomplete. Misses are broken stacks that are not. Fails if false
# alarms are 2 % or more of the complete stacks, or misses are 5 % or more of the broken stacks. "some" leaves out all
# but one case of each kind of start, and languages that take long to compile. A case without an installed compiler is
# named, but not counted.
#
# Exit status: 0 right, 1 wrong, 77 when perf cannot record here.
set -u
perfsift=$(realpath -e "$1") && folder=$(realpath -e "$2") || exit 1
which=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export DEBUGINFOD_URLS= PERFSIFT_CACHE_SIZE=0
whole_stacks=0 alarms=0 broken_stacks=0 missed=0 cases=0

command -v perf >/dev/null || { echo "skipped: no perf"; exit 77; }
perf record -q -g -e cpu-clock:u -o probe.data true 2>errors ||
  { echo "skipped: perf cannot record here: $(tr -s '\n\t ' ' ' <errors)"; exit 77; }

working='stack has (sym =~ "work")'

# Judges the samples that the filter keeps, because a run-time system has other stacks, too.
judge() { # whole | broken NAME FILTER COMMAND...
  local kind=$1 name=$2 filter=$3 stacks incomplete
  shift 3
  perf record -q -g -F 2000 -e cpu-clock:u -o recording "$@" >/dev/null 2>errors ||
    { echo "not judged: $name ($(head -n 1 errors))"; return; }
  "$perfsift" filter -q --filter "$filter" recording -o kept --force 2>errors >/dev/null ||
    { echo "not judged: $name ($(head -n 1 errors))"; return; }
  read -r stacks incomplete < <("$perfsift" info --json --quality kept 2>errors |
    python3 -c 'import json, sys; q = json.load(sys.stdin)["quality"]; print(q["callchains"], q["incomplete_stacks"])')
  ((stacks > 20)) || { echo "not judged: $name: $stacks stacks only"; return; }
  cases=$((cases + 1))
  if [[ $kind == whole ]]; then
    whole_stacks=$((whole_stacks + stacks)) alarms=$((alarms + incomplete))
  else
    broken_stacks=$((broken_stacks + stacks)) missed=$((missed + stacks - incomplete))
  fi
  printf '%-6s  %-52s %5d stacks, %5d called incomplete\n' "$kind" "$name" "$stacks" "$incomplete"
}

starts() { # COMPILER LINKED FLAG HOW...
  local compiler=$1 linked=$2 flag=$3 how
  shift 3
  local keep=(-O1 -g -pthread -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer)
  # shellcheck disable=SC2086
  { "$compiler" -x c -O1 -fomit-frame-pointer ${flag/-static*/} -c "$folder/through.c" -o through.o &&
    "$compiler" -std=c++20 -w "${keep[@]}" $flag $openmp "$folder/starts.cpp" -x none through.o -o starts; } 2>errors ||
    { echo "not judged: $compiler, $linked ($(grep -m 1 -E 'error|found' errors))"; return; }
  for how; do
    # GOMP_parallel() of libgomp and the sorting of the C library use the register for other values. So the stacks of
    # OpenMP's main thread, and of callbacks of qsort(), end there.
    if [[ $how == qsort ]]; then
      judge broken "$compiler, $linked: called by qsort()" "$working" ./starts qsort
    elif [[ $how == openmp ]]; then
      judge whole "$compiler, $linked: a worker of OpenMP" "$working && tid != pid" ./starts openmp
      judge broken "$compiler, $linked: the main thread of OpenMP" "$working && tid == pid" ./starts openmp
    else
      judge whole "$compiler, $linked: $how" "$working" ./starts "$how"
    fi
  done
  judge broken "$compiler, $linked: $1 through another function" "$working" ./starts "$1" broken
}

if [[ $which == all ]]; then
  every=(main pthread std::thread signal qsort)
  openmp=-fopenmp starts g++ dynamic "" "${every[@]}" openmp
  openmp=-fopenmp starts g++ static -static "${every[@]}" openmp
  openmp='' starts g++ static-pie -static-pie "${every[@]}"
  openmp='' starts clang++ dynamic "" "${every[@]}"
  openmp='' starts clang++ static -static "${every[@]}"
else
  openmp=-fopenmp starts g++ dynamic "" std::thread openmp
  openmp='' starts g++ static -static pthread std::thread
fi

if [[ $which == all ]]; then
  cat >starts.go <<'GO'
package main

var sink float64

//go:noinline
func work() {
	for n := 0; n < 200; n++ {
		for i := 1; i < 1000000; i++ {
			sink += 1.0 / float64(i)
		}
	}
}
func main() {
	done := make(chan bool)
	go func() { work(); done <- true }()
	<-done
	work()
}
GO
  go build -o starts_go starts.go 2>errors && judge whole "Go: main and a goroutine" "$working" ./starts_go
  cat >starts.rs <<'RUST'
#[inline(never)]
fn work() -> f64 {
    let mut sum = 0.0;
    for i in 1..200_000_000u64 { sum += 1.0 / std::hint::black_box(i) as f64; }
    sum
}
fn main() {
    let thread = std::thread::spawn(|| work() + std::hint::black_box(0.0));
    println!("{}", thread.join().unwrap() + work());
}
RUST
  rustc -O -C force-frame-pointers=yes starts.rs -o starts_rust 2>errors &&
    judge whole "Rust: main and a thread" "$working" ./starts_rust
  python3 -c 'print("sum(x * x for x in range(3 * 10 ** 6))")' >starts.py
  judge broken "Python, built without frame pointers" 'stack has (sym =~ "PyEval")' python3 starts.py
  printf 'let s = 0; for (let i = 1; i < 3e8; ++i) s += 1 / i; console.log(s);\n' >starts.js
  judge whole "Node: main" 'stack has (sym =~ "JS:")' node --perf-basic-prof --interpreted-frames-native-stack starts.js
  cat >Starts.java <<'JAVA'
public class Starts {
  static double work() { double s = 0; for (int i = 1; i < 300000000; ++i) s += 1.0 / i; return s; }
  public static void main(String[] a) { System.out.println(work()); }
}
JAVA
  javac Starts.java 2>errors && judge whole "Java: main" 'depth > 0' \
    java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit Starts
fi

printf '%d cases: %d of %d whole stacks called incomplete, %d of %d broken stacks not\n' \
  "$cases" "$alarms" "$whole_stacks" "$missed" "$broken_stacks"
((whole_stacks > 0 && broken_stacks > 0)) || exit 1
((100 * alarms < 2 * whole_stacks && 100 * missed < 5 * broken_stacks))
