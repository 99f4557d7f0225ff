#!/bin/bash
# Runs all tests of a build, or those that options of ctest choose. Fails if a test fails, or is skipped for a reason that is not
# in may_be_left_out.txt.
#
#   run.sh BUILD [ALLOWED [CTEST OPTION...]]
set -u
build=$(realpath -e "$1") || exit 1
here=$(dirname "$(realpath "$0")")
allowed=${2:-$here/may_be_left_out.txt}

rm -f "$build/results.xml"
status=0
# Tests wait for programs that they record, for browsers and for each other. Two tests at a time would leave CPUs idle.
UBSAN_OPTIONS=print_stacktrace=1 ctest --test-dir "$build" --output-on-failure --parallel "$((2 * $(nproc)))" \
  --test-output-size-passed 10000000 --test-output-size-failed 10000000 --output-junit "$build/results.xml" "${@:3}" || status=1
"$here/left_out.py" "$build/results.xml" "$allowed" || status=1
exit $status
