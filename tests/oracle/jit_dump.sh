#!/bin/bash
# Names of generated code, against the program's own log of what ran when, and against perf inject.
#
#   jit_dump.sh PERFSIFT JIT_WORKLOAD
#
# Exit status: 0 right, 1 wrong, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
[[ $(uname -m) == x86_64 ]] || skip "the workload makes code for x86-64"
begin

fail() {
  echo "WRONG: $*"
  failures=$((failures + 1))
}

# "TIME NAME" for every sample; times in nanoseconds.
timed_names() { # COMMAND…
  "$@" -F time,ip,sym --ns -G 2>/dev/null | sed -E 's/^ *([0-9]+)\.([0-9]{9}): +[0-9a-f]+ /\1\2 /'
}

jitted=' (alpha|beta|gamma|delta)'

# Counts the samples inside the intervals that the workload logged, and prints samples with another name.
check_against_truth() { # NAMES
  awk '
    FNR == NR { name[FNR] = $1; from[FNR] = $2; to[FNR] = $3; next }
    { for (i in name) if ($1 > from[i] + 1000000 && $1 < to[i] - 1000000) {
        if ($2 == name[i]) right++
        else if ($2 !~ /^((__interceptor_)?clock_gettime|now|run|__vdso|\(anonymous)/) { print; wrong++ }
      } }
    END { print right + 0, "right,", wrong + 0, "wrong"; exit wrong > 0 || right < 200 }' truth "$1"
}

record_workload() { # NAME OPTIONS…
  perf_record -q -o "$@" -g -F 999 -e cpu-clock:u "$workload" . >truth 2>record.errors
}

record_workload mono.data -k mono || skip "perf cannot record here with -k mono: $(perfs_reason)"
timed_names "$perfsift" script mono.data >ours
check_against_truth ours || fail "names at the time of the sample"

# perf's own method, with files and mappings made from the dump.
perf inject --jit -i mono.data -o injected.data >/dev/null 2>&1
timed_names perf script -i injected.data >theirs
diff <(grep -E "$jitted$" theirs) <(grep -E "$jitted$" ours) >difference || fail "as perf inject and perf script: $(head -n 3 difference)"

# The lines in the dump, compared with the lines in the ELF files that perf makes from the dump. For code that was just
# loaded, perf sometimes has a name but no line.
lines_of_jitted() { # COMMAND…
  "$@" -F time,ip,sym,srcline --ns -G 2>/dev/null | sed -nE "
    /$jitted\$/ { h; d }
    /^ *[^ ]+:[0-9]+\$/ { x; G; s/\n */ /; s/^ *([0-9.]+): +[0-9a-f]+ /\1 /p; s/.*//; h }"
}
lines_of_jitted "$perfsift" script mono.data >our_lines
lines_of_jitted perf script -i injected.data >their_lines
grep -vxFf our_lines their_lines >difference && fail "lines: $(head -n 3 difference)"
(($(wc -l <our_lines) <= $(wc -l <their_lines) + 5)) || fail "perf has fewer lines: $(wc -l <their_lines)"
[[ $(grep -cE '(alpha|beta|gamma|delta)\.js:[34]$' our_lines) -gt 200 ]] || fail "too few lines: $(head -n 3 our_lines)"

# The functions at the end of folded stacks, with their samples. At the first instruction of a function, its frame
# pointer is not set yet: such a stack lacks a caller, and is a different stack.
leaves() { sed -E 's/^.*;//' | awk '{ count[$1] += $2 } END { for (name in count) print name, count[name] }' | sort; }
"$perfsift" fold -q --weight samples --annotate jit mono.data | grep -F '_[j]' | leaves >folded
grep -E "$jitted$" theirs | awk '{ count[$2]++ } END { for (name in count) print name "_[j]", count[name] }' | sort >expected
diff expected folded >difference || fail "folded: $(cat difference)"

# A recording with the names of perf inject can be read, too.
"$perfsift" fold -q --weight samples injected.data | leaves | grep -E '^(alpha|beta|gamma|delta) ' >folded
diff <(sed 's/_\[j\]//' expected) folded >difference || fail "injected: $(cat difference)"

# With another clock, times have no meaning: the latest code at an address counts, and a warning says so.
record_workload other.data
"$perfsift" fold --annotate jit other.data 2>warnings | leaves | sed -n 's/_\[j\].*//p' | uniq >folded
[[ $(tr '\n' ' ' <folded) == "beta delta gamma " ]] || fail "the latest names: $(cat folded)"
grep -q 'record with -k mono' warnings || fail "no warning: $(cat warnings)"

# Code without frame pointers, unwound by the CFI in the dump: compared with the workload's log, and with perf inject
# and perf script where their stacks are complete. (libunwind keeps the rules of an address after other code was loaded
# there, and jit_repipe_code_move() maps moved code without its .eh_frame. Then libunwind sometimes takes a stale
# return address on the stack for the caller: only `outer` calls the other functions, and only `run` calls `outer`.)
stacks() { # COMMAND…: "TIME leaf;caller;…" of each sample; times in nanoseconds
  "$@" -F time,ip,sym --ns --no-inline 2>/dev/null | awk '
    function flush() { if (line != "") print line }
    /^ *[0-9]+\.[0-9]+: *$/ { flush(); line = $1; sub(/\./, "", line); sub(/:/, " ", line); separator = ""; next }
    NF { sub(/^[ \t]+[0-9a-f]+ /, ""); sub(/\((\(anonymous namespace\)|[^()])*\)$/, ""); line = line separator $0; separator = ";" }
    END { flush() }'
}
perf_record -q -o frameless.data -k mono --call-graph dwarf -F 999 -e cpu-clock:u "$workload" . frameless >truth 2>record.errors ||
  skip "perf cannot record here with --call-graph dwarf: $(perfs_reason)"
stacks "$perfsift" script frameless.data >ours
grep -E '^[0-9]+ (small|large|outer);' ours | awk '
  FNR == NR { name[FNR] = $1; from[FNR] = $2; to[FNR] = $3; next }
  { for (i in name) if ($1 > from[i] + 1000000 && $1 < to[i] - 1000000) {
      stack = $0; sub(/^[0-9]+ /, "", stack)
      if (stack ~ "^(" name[i] ";)?outer;\\(anonymous namespace\\)::run;\\(anonymous namespace\\)::run_frameless;main;.*;_start$") right++
      else { print; wrong++ }
    } }
  END { print right + 0, "unwound through code without frame pointers,", wrong + 0, "wrong"; exit wrong > 0 || right < 100 }
' truth - || fail "stacks through jitted code"
perf inject --jit -i frameless.data -o frameless_injected.data >/dev/null 2>&1
stacks perf script -i frameless_injected.data | grep -E '^[0-9]+ ((small|large);)?outer;\(anonymous namespace\)::run;\(anonymous namespace\)::run_frameless;main;.*;_start$' >theirs
[[ $(wc -l <theirs) -gt 20 ]] || fail "perf completes too few stacks: $(wc -l <theirs)"
grep -vxFf ours theirs >difference && fail "stacks as perf has them: $(head -n 1 difference)"
stacks "$perfsift" script frameless_injected.data | diff ours - >difference || fail "injected: $(head -n 3 difference)"

conclude
