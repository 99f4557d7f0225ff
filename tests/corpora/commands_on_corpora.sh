#!/bin/bash
# Runs every command on every recording of the corpora, which come from elsewhere and are not part of this repository.
#
#   commands_on_corpora.sh PERFSIFT CORPORA LIMIT
#
# No command may crash, hang, or use more memory of its own (RLIMIT_DATA: its data and its private writable mappings)
# than twice the size of the recording plus LIMIT kB, which the program needs for an empty recording; LIMIT may be
# "none". Where perf 6.1 is installed and reads a recording without an error, `script --perf-style 6.1` must print the
# same.
#
# Exit status: 0 right, 1 wrong, 77 when the corpora are missing.
set -u
perfsift=$(realpath -e "$1") || exit 1
corpora=$2
limit=$3
[[ -d $corpora ]] || { echo "skipped: $corpora is not there"; exit 77; }
corpora=$(realpath "$corpora")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir nothing
export DEBUGINFOD_URLS= PERFSIFT_CACHE_SIZE=0
failures=0

fail() { echo "$*"; failures=$((failures + 1)); }

run() { # RECORDING COMMAND [OPTIONS], with the recording on standard input
  local recording=$1 kilobytes status
  shift
  kilobytes=$(($(stat -c %s "$recording") / 1024))
  (
    [[ $limit == none ]] || ulimit -d $((limit + 2 * kilobytes))
    exec timeout 60 "$perfsift" "$@" >output 2>errors
  )
  status=$?
  ((status == 0)) || fail "$*: exit status $status for ${recording#"$corpora"/}: $(head -n 1 errors)"
}

compare_with_perf() { # RECORDING
  perf script --symfs nothing -i "$1" >expected 2>/dev/null || return
  compared=$((compared + 1))
  "$perfsift" script -q --perf-style 6.1 --symfs nothing "$1" | diff expected - >difference ||
    fail "another text than perf's for ${1#"$corpora"/}:" "$(head -n 4 difference)"
}

recordings=0 compared=0 has_perf=no
[[ $(perf --version 2>/dev/null) == *" 6.1"* ]] && has_perf=yes
while read -r file; do
  recording=$corpora/$file
  recordings=$((recordings + 1))
  # The commands use one thread, because each thread has its own stack and arena, even for a small recording.
  for command in "info -j1 --json --quality" "fold -j1" "fold --compat flamegraph" script; do
    # shellcheck disable=SC2086,SC2094
    run "$recording" $command -q --symfs nothing "$recording"
    # shellcheck disable=SC2086,SC2094
    run "$recording" $command -q --symfs nothing - <"$recording"
  done
  [[ $has_perf == yes ]] && compare_with_perf "$recording"
done < <(sed 's/^{"file": "\([^"]*\)".*/\1/' "$corpora/expected.jsonl")

echo "$recordings recordings, $compared of them compared with perf's text, $failures failures"
((failures == 0 && recordings == 23))
