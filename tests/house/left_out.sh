#!/bin/bash
# A test run must fail if a test, or a part of a test, was left out for a reason that is not in the list.
#   left_out.sh
set -euo pipefail
run=$(dirname "$(realpath "$0")")/../run.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

tests=0
begin() { tests=0 && : >CTestTestfile.cmake; }
add() { # COMMAND [PROPERTY VALUE...]: a test named test1, test2, …
  local name=test$((++tests))
  printf 'add_test(%s sh -c [==[%s]==])\n' "$name" "$1" >>CTestTestfile.cmake
  shift
  (($# == 0)) || printf 'set_tests_properties(%s PROPERTIES %s)\n' "$name" "$*" >>CTestTestfile.cmake
}
skips_by_status=(SKIP_RETURN_CODE 77)
skips_by_text=(SKIP_REGULAR_EXPRESSION '"\\[  SKIPPED \\]"')

expect() { # STATUS LINE...: the exit status of a run, and lines of its output
  local status=0 line
  "$run" . allowed >told 2>&1 || status=$?
  for line in "${@:2}"; do
    [[ $status == "$1" ]] && grep -qxF -- "$line" told && continue
    echo "exit status $status, not $1, or not this line: $line"
    cat CTestTestfile.cmake allowed told
    exit 1
  done
}

printf '# of no use\n\ntest[1-3] :: no hammer :: hammers are in no package\n' >allowed
begin
add 'echo all is well'
expect 0 "1 tests; left out, in whole or in part: 0"

begin
add 'echo "skipped: no hammer"; exit 77' "${skips_by_status[@]}"
add 'printf "a.cpp:7: Skipped\nno hammer here\n\n[  SKIPPED ] A.B (0 ms)\n"' "${skips_by_text[@]}"
add 'echo "not compared: a nail (no hammer)"'
expect 0 "    3 hammers are in no package: test1, test2, test3"

# Another test, another reason, and no reason.
add 'echo "skipped: no hammer"; exit 77' "${skips_by_status[@]}"
expect 1 "  test4: no hammer"
begin
add 'echo "skipped: no saw"; exit 77' "${skips_by_status[@]}"
add 'printf "a.cpp:7: Skipped\nno saw\n\n[  SKIPPED ] A.B (0 ms)\n"' "${skips_by_text[@]}"
add 'exit 77' "${skips_by_status[@]}"
expect 1 "  test1: no saw" "  test2: no saw" "  test3: no reason given"

# Parts of a test that passes, anywhere in its output.
begin
add 'seq 100000; echo "not compared: wood (no saw)"; seq 100000; echo "not recorded: noise (no ear)"'
expect 1 "  test1: not compared: wood (no saw)" "  test1: not recorded: noise (no ear)"

begin
add 'true' DISABLED TRUE
expect 1 "  test1: Disabled"
begin
expect 1 "0 tests; left out, in whole or in part: 0"

# A program of GoogleTest is counted as its tests. GoogleTest puts the reason for a skip before the end of the test.
begin
add 'printf "[ RUN      ] A.Nails\na.cpp:7: Skipped\nno hammer here\n\n[  SKIPPED ] A.Nails (0 ms)\n[ RUN      ] A.Wood\n[       OK ] A.Wood (0 ms)\n[  SKIPPED ] 1 test, listed below:\n[  SKIPPED ] A.Nails\n"'
printf 'A.Nails :: no hammer :: hammers are in no package\n' >>allowed
expect 0 "2 tests; left out, in whole or in part: 1"
expect 0 "    1 hammers are in no package: A.Nails"
begin
add 'printf "[ RUN      ] A.Wood\na.cpp:7: Skipped\nno saw\n\n[  SKIPPED ] A.Wood (0 ms)\n"'
expect 1 "  A.Wood: no saw"
begin
add 'printf "[ RUN      ] A.Wood\n[       OK ] A.Wood (0 ms)\n[ RUN      ] A.Nails\na.cpp:7: Failure\n[  FAILED  ] A.Nails (0 ms)\n[ RUN      ] A.Crash\n"; exit 1'
expect 1 "FAILED: A.Nails"
expect 1 "FAILED: A.Crash"

# A failed test fails the run, also if tests were left out.
begin
add 'echo "skipped: no hammer"; exit 77' "${skips_by_status[@]}"
add 'exit 3'
expect 1 "    1 hammers are in no package: test1"
