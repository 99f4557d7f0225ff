#!/bin/bash
# A packed recording gives, where none of its files is, what the recording gives where they are.
#
#   pack.sh PERFSIFT WORKLOAD MODEL_RECORDING SCHED_RECORDING
#
# Exit status: 0 right, 1 wrong, 77 when nothing can be recorded here.
set -u
here=$(dirname "$(realpath "$0")")
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") && model=$(realpath -e "$3") && sched=$(realpath -e "$4") || exit 1
testdata=$(realpath -e "$here/../../testdata") || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export DEBUGINFOD_URLS='' PERFSIFT_CACHE_SIZE=0 HOME=$scratch/home
mkdir home
failures=0
# shellcheck source=tests/oracle/expect.sh
source "$here/expect.sh"

# shellcheck source=tests/oracle/elsewhere.sh
source "$here/elsewhere.sh"

compare_all() { # FUNCTION RECORDING OPTIONS…
  local function=$1
  shift
  compare "$@" -- fold
  compare "$@" -- fold --unresolved --incomplete
  compare "$@" -- report --limit 0
  compare "$@" -- report --limit 0 --sort sym,srcline
  compare "$@" -- report --annotate "$function"
  compare "$@" -- script
  compare "$@" -- flame -o -
  compare "$@" -- export --to pprof -o -
}

pack --symfs "$testdata/symfs" "$testdata/demo.data"
compare_all demo::scramble "$testdata/demo.data" --symfs "$testdata/symfs"
pack --symfs "$testdata/symfs" --kallsyms "$testdata/oracle/mixed.kallsyms" "$testdata/oracle/mixed.data"
compare_all demo::scramble "$testdata/oracle/mixed.data" --symfs "$testdata/symfs" --kallsyms "$testdata/oracle/mixed.kallsyms"

# With names only, without instructions and without what needs unwinding rules: leaves whose callers may be missing.
compare_names() { # RECORDING OPTIONS…
  compare "$@" -- fold
  compare "$@" -- script
  compare "$@" -- export --to csv -o -
  compare "$@" -- report --limit 0 --csv
}
pack --names-only --symfs "$testdata/symfs" "$testdata/demo.data"
compare_names "$testdata/demo.data" --symfs "$testdata/symfs"
compare "$testdata/demo.data" --symfs "$testdata/symfs" -- script -F +srcline
expect "no binary is in it" test "$(zstd -dc "$packed" | grep -c 'ELF\|^perfsift-names')" = 1
pack --names-only --symfs "$testdata/symfs" --kallsyms "$testdata/oracle/mixed.kallsyms" "$testdata/oracle/mixed.data"
compare_names "$testdata/oracle/mixed.data" --symfs "$testdata/symfs" --kallsyms "$testdata/oracle/mixed.kallsyms"
pack --symfs "$testdata/symfs" --kallsyms "$testdata/oracle/mixed.kallsyms" "$testdata/oracle/mixed.data"

# A packed recording is packed again, where none of its files is.
elsewhere pack -q "$inside/mixed.data" -o "$inside/again" 2>/dev/null
expect "packed again: equal" cmp "$packed" "$folder/again"

# tar unpacks it, and --symfs finds the files; the sums are those of zlib.
mkdir by_hand
expect "unpacked by tar" tar --use-compress-program=zstd -xf "$packed" -C by_hand
"$perfsift" fold -q "$testdata/oracle/mixed.data" --symfs "$testdata/symfs" --kallsyms "$testdata/oracle/mixed.kallsyms" >expected
"$perfsift" fold -q by_hand/recording/perf.data --symfs by_hand/files --kallsyms "$testdata/oracle/mixed.kallsyms" >actual
expect "unpacked: names" test -s expected
expect "unpacked: equal names" cmp expected actual
expect "sums of zlib" python3 -c '
import json, sys, zlib
manifest = json.load(open("by_hand/perfsift-pack.json"))
members = manifest["recording"] + manifest["files"]
read = lambda member: open("by_hand/" + member["member"], "rb").read()
sys.exit(not members or any(f"{zlib.crc32(read(member)):08x}" != member["crc32"] for member in members))'

# Memory accesses, whose variables and members come from the program, and switches.
"$model" intel 20 accesses.data program && pack accesses.data
for command in "mem" "mem --sort variable,member --limit 0" "mem --json" "c2c" "c2c --json"; do
  # shellcheck disable=SC2086 # the words of a command
  compare accesses.data -- $command
done
"$sched" switches.data && pack switches.data
compare switches.data -- offcpu
compare switches.data -- offcpu --json

# A recording of now: a program that is gone, stacks by frame pointers and by copies, the kernel, code made at run time.
cp "$workload" app
if "$perfsift" record -q -F 999 -e cpu-clock -g -o fp.data ./app >/dev/null 2>record.errors &&
  "$perfsift" record -q -F 499 -e cpu-clock:u --call-graph dwarf -o dwarf.data ./app >/dev/null 2>>record.errors; then
  # perf record copies what it records into its cache: unpacked by hand, the files are where they were.
  mkdir cached
  if HOME=$scratch/cached perf record -q -F 999 -e cpu-clock:u -g -o cached.data ./app >/dev/null 2>record.errors; then
    HOME=$scratch/cached pack cached.data
    HOME=$scratch/cached "$perfsift" fold -q cached.data >expected
    tar --use-compress-program=zstd -xf "$packed" -C cached
    expect "the program is where it was" test -e "cached/files$scratch/app"
    "$perfsift" fold -q --symfs cached/files cached/recording/perf.data >actual
    expect "unpacked by hand: equal names" cmp expected actual
    perf report --stdio -F sym --symfs cached/files -i cached/recording/perf.data >perfs.report 2>/dev/null
    expect "and perf has names" grep -q 'workload::sort_words' perfs.report
  fi
  for recording in fp.data dwarf.data; do
    pack "$recording"
    for command in "fold" "report --limit 0" "script" "flame -o -"; do
      # The files must be here for the first of the two.
      # shellcheck disable=SC2086 # the words of a command
      compare "$recording" -- $command
    done
    # Lines of the program's own source, and of inlined code of the standard library.
    for function in 'workload::Widget<long>::work' workload::sort_words; do  # the first one has few samples, or none
      "$perfsift" fold -q "$recording" | grep -q ";$function [0-9]*$" && compare "$recording" -- report --annotate "$function"
    done
    pack --names-only "$recording"
    compare "$recording" -- fold
    compare "$recording" -- script
  done
  # Copies of stacks, which may hold secrets, are gone.
  expect "the recording with names is smaller" \
    test "$(zstd -dc "$packed" | wc -c)" -lt "$(($(stat -c %s dwarf.data) / 2))"
  mv app gone
  "$perfsift" pack dwarf.data -o without 2>without.errors >without.said
  expect "what is missing is said" grep -q "app: not packed: the file is not on this machine" without.errors
  expect "and counted" grep -q "; [0-9]* missing" without.said
else
  echo "not compared, because nothing can be recorded here: $(tr '\n' ' ' <record.errors | cut -c -300)"
fi

echo "$failures different"
((failures == 0))
