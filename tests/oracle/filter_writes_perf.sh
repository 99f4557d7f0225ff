#!/bin/bash
# perf must read from a recording written by perfsift filter the samples that perf itself keeps of the whole recording.
#
#   filter_writes_perf.sh PERFSIFT WORKLOAD
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

fail() { # WHAT
  echo "DIFFERENT: $*"
  failures=$((failures + 1))
}

# perf's text of the samples, without inlined calls: perf runs addr2line for these, for minutes if large programs run
# while all CPUs are recorded.
#
# The last switch of a thread that the kernel has already forgotten has the tid -1. perf has one thread :-1 for all
# processes, so its --pid keeps or drops such samples by the process of the first of them. perfsift uses the pid of the
# sample, which is right. So samples of :-1 are not compared.
script() { # OPTIONS...
  perf script --ns --no-inline "$@" 2>/dev/null |
    perl -ne '$is_forgotten = /^ *:-1 / unless /^[\t\n]/; print unless $is_forgotten'
}

# The options have the same meaning in both programs. perfsift writes some recordings in every form. It writes all
# recordings in every form if the test is run by hand with THOROUGH=1.
compare() { # RECORDING OPTIONS...
  local recording=$1
  shift
  script -i "$recording" "$@" >expected
  "$perfsift" filter -q "$recording" "$@" -o filtered.data
  script -i filtered.data >actual
  expect_equal "$recording $*"
  [[ ${THOROUGH:-} || $recording == @(all|dwarf|piped).data ]] || return
  "$perfsift" filter -q "$recording" "$@" -z -o filtered_z.data
  script -i filtered_z.data >actual
  expect_equal "$recording $* -z"
  "$perfsift" filter -q "$recording" "$@" -o - | script -i - >actual
  expect_equal "$recording $* -o -"
}

# The recording without the records of processes that no kept sample needs.
compare_pruned() { # RECORDING OPTIONS...
  local recording=$1
  shift
  script -i "$recording" "$@" >expected
  "$perfsift" filter -q "$recording" "$@" --prune -o filtered.data
  script -i filtered.data >actual
  expect_equal "$recording $* --prune"
}

# If everything is kept, the header stays the same, and filtering a filtered recording gives the same file.
compare_whole() { # RECORDING
  "$perfsift" filter -q "$1" -o whole.data
  script -i "$1" >expected
  script -i whole.data >actual
  expect_equal "$1, all of it"
  # Positions of records and the form of the recording may differ. perf record -z does not know the samples' times.
  local form='data offset|data size|feat offset|captured on|# compressed|directory data|missing features'
  [[ $1 != compressed* ]] || form+='|time of|sample duration'
  perf script -i "$1" --header-only -I 2>/dev/null | grep -vE "$form" >expected
  perf script -i whole.data --header-only -I 2>/dev/null | grep -vE "$form" >actual
  expect_equal "the header of $1"
  "$perfsift" filter -q whole.data -o again.data
  cmp -s whole.data again.data || fail "$1 filtered twice"
}

# perf script has no option for events, so this function selects the lines of the event.
compare_event() { # RECORDING EVENT
  perf script -i "$1" -F comm,tid,time,event,ip,sym -G --ns 2>/dev/null | grep " $2: " >expected
  "$perfsift" filter -q "$1" -e "$2" -o filtered.data
  perf script -i filtered.data -F comm,tid,time,event,ip,sym -G --ns >actual 2>/dev/null
  expect_equal "$1 -e $2"
}

# The offsets behind the FINISHED_ROUND records of a recording in pipe form, which begins with a header of 16 bytes.
rounds() { # RECORDING
  python3 - "$1" <<'END'
import struct, sys
TRACING_DATA, FINISHED_ROUND = 66, 68
data, at = open(sys.argv[1], "rb").read(), 16
while at + 12 <= len(data):
    kind, _, size, more = struct.unpack_from("<IHHI", data, at)
    at += size + (more if kind == TRACING_DATA else 0)
    if kind == FINISHED_ROUND:
        print(at)
END
}

# The offset after the first three quarters of the rounds, minus LESS rounds.
most_rounds() { # RECORDING [LESS]
  rounds "$1" | awk -v less="${2:-0}" '{ ends[NR] = $1 } END { print ends[int(NR * 3 / 4) - less] + 0 }'
}

# perf ends a round when it has emptied all buffers. On a busy machine, a recording may have only one round, or all
# samples in the last. compare_live() needs samples two rounds before the end of the first part that it sends, because
# samples are delivered when the round after theirs has ended.
record_rounds() { # NAME ARGUMENTS...
  local name=$1 urgent try tries=20
  be_urgent
  shift
  for ((try = 0; try < tries; ++try)); do
    record_piped "$name" "${urgent[@]}" "$@" || return
    head -c "$(most_rounds "$name" 2)" "$name" | perf script -G -i - 2>/dev/null | grep -q . && return
  done
  not_recorded "$name" "no samples in the first rounds of each of $tries recordings"
}

# A stream is filtered while it arrives: the last quarter of the rounds is sent only after samples of the first part
# have been read.
compare_live() { # RECORDING OPTIONS...
  local recording=$1 first
  shift
  first=$(most_rounds "$recording")
  script -i "$recording" "$@" >expected
  rm -f go_on
  {
    head -c "$first" "$recording"
    for _ in $(seq 3000); do [[ -e go_on ]] && break || sleep 0.1; done
    tail -c +$((first + 1)) "$recording"
  } | "$perfsift" filter -q - "$@" -o - >live.data &
  for _ in $(seq 300); do
    script -i live.data >come
    [[ ! -s come ]] || break
    sleep 0.1
  done
  head -c "$(stat -c %s come)" expected | cmp -s - come && [[ -s come ]] || fail "$recording $* live: what came first"
  touch go_on
  wait $!
  script -i live.data >actual
  expect_equal "$recording $* live, $(wc -l <come) lines before the end"
  "$perfsift" filter -q - "$@" -z -o - < <(cat "$recording") | script -i - >actual
  expect_equal "$recording $* live -z"
}

# The most frequent value in the first of PARTS parts. perf treats 0 as no number, and -1 is a forgotten thread.
busiest() { # FIELD RECORDING [PARTS]
  perf script -i "$2" -G -F "$1" 2>/dev/null |
    awk -v parts="${3:-1}" '$1 > 0 { lines[++n] = $1 } END { for (i = 1; i <= n / parts; ++i) print lines[i] }' |
    sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }'
}

record all.data -a -F 999 -g -e cpu-clock -e context-switches -- "$workload"
record dwarf.data --call-graph dwarf,8192 -F 999 -e cpu-clock "$workload"
record shell.data -F 999 -g -e cpu-clock --namespaces --all-cgroups -- sh -c "$busy_shell"
record trace.data -a -e 'sched:sched_switch,sched:sched_wakeup' -- "$workload"
record compressed.data -z -F 999 -g -e cpu-clock "$workload"
# perf empties small buffers often.
record_rounds piped.data -m 4 -F 4999 -g -a -e cpu-clock "$workload"
record_rounds piped_trace.data -m 1 -a -e sched:sched_switch "$workload"
record_rounds piped_group.data -m 16 -z -a -F 299 --call-graph dwarf,4096 -e '{cpu-clock,task-clock}:S' "$workload"
record directory.data -a --threads -F 999 -g -e cpu-clock -- "$workload"
# The counters of a CPU are read on that CPU only, so all differences between counters stay the same.
record group.data -a -F 999 -g -e '{cpu-clock,task-clock,page-faults}:S' -- "$workload"

of_all() {
  local middle
  compare_whole all.data
  compare all.data --pid "$(busiest pid all.data)"
  compare_pruned all.data --cpu 1
  compare_event all.data context-switches
  middle=$(perf script -i all.data -G -F time | awk '{ t[NR] = $1 + 0 } END { printf "%.6f", t[int(NR / 2)] }')
  compare all.data --time ",$middle"
  perf report -i filtered.data --header-only 2>report.errors | grep -q '# cmdline : .*perf record' ||
    fail "perf report --header-only: $(head -n 1 report.errors)"
}
of_dwarf() { compare dwarf.data --tid "$(busiest tid dwarf.data)"; }
of_shell() {
  compare_whole shell.data
  compare_pruned shell.data --pid "$(busiest pid shell.data)"
}
of_trace() {
  compare_whole trace.data
  compare trace.data --cpu 0
  compare_event trace.data sched:sched_wakeup
}
of_compressed() {
  compare_whole compressed.data
  compare compressed.data --tid "$(busiest tid compressed.data)"
}
of_piped() {
  local tid
  # perf script --cpu refuses recordings in pipe form. The thread is busy at the beginning, as other processes come and
  # go: some of its samples must come before the last quarter is sent.
  tid=$(busiest tid piped.data 4)
  compare piped.data --tid "$tid"
  script -i piped.data --tid "$tid" >expected
  "$perfsift" filter -q - --tid "$tid" -o filtered.data < <(cat piped.data)
  script -i filtered.data >actual
  expect_equal "piped.data on standard input"
  compare_live piped.data --tid "$tid"
}
of_piped_trace() {
  compare piped_trace.data --tid "$(busiest tid piped_trace.data)"
  compare_live piped_trace.data --tid "$(busiest tid piped_trace.data 4)"
}
of_piped_group() { compare_live piped_group.data; }
of_directory() {
  compare_whole directory.data
  compare_pruned directory.data --cpu 1
}
of_group() {
  compare_whole group.data
  compare group.data --cpu 1
}

compare_recordings
conclude
