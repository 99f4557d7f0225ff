#!/bin/bash
# Runs perfsift filter on every recording of the corpora, which come from elsewhere and are not part of this
# repository.
#
#   filter_on_corpora.sh PERFSIFT CORPORA
#
# A rewritten recording must give the same results as the recording itself, in perfsift, and in perf 6.1 if it is
# installed and reads the recording without an error. This is also tested for the samples of the busiest thread.
#
# Exit status: 0 right, 1 wrong, 77 when the corpora are missing.
set -u
perfsift=$(realpath -e "$1") || exit 1
corpora=$2
[[ -d $corpora ]] || { echo "skipped: $corpora is not there"; exit 77; }
corpora=$(realpath "$corpora")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir nothing
export DEBUGINFOD_URLS=
failures=0 recordings=0 compared=0

fail() { echo "$*"; failures=$((failures + 1)); }

ours() { "$perfsift" script -q --symfs nothing -i "$@"; }
perfs() { perf script --symfs nothing -i "$@" 2>/dev/null; }

filter() { # RECORDING OPTIONS...
  timeout 60 "$perfsift" filter -q "$@" 2>errors || fail "$*: exit status $?: $(head -n 1 errors)"
}

# In pipe form, perf script 6.1 makes up the name of an event that lacks a field printed by default, before it knows
# the name. An EVENT_UPDATE record would set the name, but not for events without ids, as in this recording.
renamed_by_perf=quipper/perf.data.branch-4.14

compare() { # RECORDING PROGRAM
  local recording=$1 program=$2
  $program "$recording" >expected || return 1
  $program whole.data | cmp -s expected - || fail "$program reads something else of all of $recording"
  $program compressed.data | cmp -s expected - || fail "$program reads something else of $recording, compressed"
  [[ $program == perfs && $recording == *"$renamed_by_perf" ]] && return
  $program - <piped.data | cmp -s expected - || fail "$program reads something else of $recording in pipe form"
}

compare_busiest_thread() { # RECORDING TID
  filter "$1" --tid "$2" -o thread.data
  perfs "$1" --tid "$2" >expected
  perfs thread.data | cmp -s expected - || fail "perf reads something else of thread $2 of $1"
}

while read -r file; do
  recording=$corpora/$file
  recordings=$((recordings + 1))
  filter "$recording" -o whole.data
  filter "$recording" -z -o compressed.data
  filter "$recording" -o - >piped.data
  compare "$recording" ours || fail "$file cannot be read"
  [[ $(perf --version 2>/dev/null) == *" 6.1"* ]] && perfs "$recording" >/dev/null || continue
  compare "$recording" perfs
  tid=$(perf script --symfs nothing -G -F tid -i "$recording" 2>/dev/null | grep -vw 0 | sort | uniq -c | sort -rn |
    awk 'NR == 1 { print $2 }')
  [[ -z $tid ]] || compare_busiest_thread "$recording" "$tid"
  compared=$((compared + 1))
done < <(sed -n 's/.*"file": *"\([^"]*\)".*/\1/p' "$corpora/expected.jsonl")

echo "$recordings recordings, $compared of them read by perf, $failures failures"
((failures == 0 && recordings == 23))
