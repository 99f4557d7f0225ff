#!/bin/bash
# Our dlfilter modules in perf 6.1 against our own commands, on recordings made now: perfsift-filter.so must keep
# exactly the samples that `perfsift script --filter` keeps, and perfsift-fold.so must write exactly what `perfsift
# fold` writes.
#
#   filter_modules.sh PERFSIFT WORKLOAD
#
# The modules are in the folder of PERFSIFT. READING_PERF names the perf that loads the modules, if it is not the perf
# that records: run by hand, the test also compares in newer versions. Newer versions print other blanks and forget the
# names of threads that have ended, which recordings of all CPUs have; 7.2 also complains about a header that 6.1 wrote
# into a pipe.
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
modules=$(dirname "$perfsift")
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
# shellcheck source=tests/oracle/module_names.sh
source "$(dirname "$0")/module_names.sh"
begin
reading_perf=${READING_PERF:-perf}

compared=0
nothing=0
fields=comm,tid,time,event,ip

# Some samples must be kept and others left out. Otherwise nothing is compared. Exceptions are expressions that keep all
# or no samples by their meaning (all, none), or possibly (any). Recordings vary a little, so a few comparisons may
# compare nothing.
same_samples() { # RECORDING EXPRESSION [all|none|any]
  local recording=$1 expression=$2 share=${3:-some} kept
  "$reading_perf" script -i "$recording" -F "$fields" -G --ns --dlfilter "$modules/perfsift-filter.so" --dlarg "$expression" \
    >expected 2>errors.all
  grep -v '^Invalid HEADER_' errors.all >errors
  "$perfsift" script -q --perf-style 6.1 -i "$recording" -F "$fields" -G --ns --filter "$expression" >actual 2>>errors
  kept=$(wc -l <expected)
  compared=$((compared + 1))
  without_plt expected | in_one_style >expected.named
  without_plt actual | in_one_style >actual.named
  if ! diff expected.named actual.named >difference || [[ -s errors ]]; then
    echo "DIFFERENT: $recording: $expression"
    head -n 6 difference errors
    failures=$((failures + 1))
  elif [[ $share == some && ($kept == 0 || $kept == "$samples") || $share == all && $kept != "$samples" ||
    $share == none && $kept != 0 ]]; then
    echo "compares nothing: $recording: $expression ($kept of $samples)"
    nothing=$((nothing + 1))
  fi
}

# perf has wrong names for samples with a PLT entry in their stack: see recordings.sh.
without_plt() { grep -vFf in_plt "$1"; }
in_one_style() { if [[ $reading_perf == perf ]]; then cat; else sed 's/^ *//; s/  */ /g; s/ *$//'; fi; }

begin_recording() { # RECORDING
  "$perfsift" script -q --perf-style 6.1 -i "$1" -F time -G --ns --filter 'stack has (sym =~ "plt$")' |
    sed '/^ *$/d; s/^ *//' >in_plt
  perf script -i "$1" -F "$fields" -G --ns >all 2>/dev/null
  samples=$(wc -l <all)
  echo "$1: $samples samples"
}

same_stacks() { # RECORDING [OPTION...]: compares the stacks of both
  local recording=$1 options=()
  shift
  for option; do options+=(--dlarg "$option"); done
  "$reading_perf" script -i "$recording" --dlfilter "$modules/perfsift-fold.so" "${options[@]}" >perfs 2>errors.all
  grep -v '^Invalid HEADER_' errors.all >errors
  "$perfsift" fold -q --no-inline --event '*' "$recording" "$@" >ours 2>>errors
  comparable <perfs >expected
  comparable <ours >actual
  compared=$((compared + 1))
  if [[ -s perfs && ! -s errors ]] && diff expected actual >difference; then
    cmp -s perfs ours && how=identical || how="equal but for names that perf has otherwise"
    echo "fold $*: $recording: $how ($(wc -l <ours) stacks)"
  else
    echo "DIFFERENT STACKS: $recording $*"
    head -n 10 difference errors
    failures=$((failures + 1))
  fi
}

# --- recordings: perf script warns of lost records, and a warning is a difference ---

record_whole fp.data -F 2000 -g -e cpu-clock "$workload"
record_whole events.data -F 1000 -g -e cpu-clock,task-clock:u,context-switches -- bash -c "$busy_shell; '$workload'"
record_whole dwarf.data -F 500 --call-graph dwarf,1024 -d -e cpu-clock "$workload"
record_whole unwound.data -F 2000 --call-graph dwarf -e cpu-clock -- bash -c "$busy_shell; '$workload'"
record_whole faults.data -c 1 -d -g -e page-faults -e minor-faults:u "$workload"
record compressed.data -z -F 2000 -W --phys-data -e cpu-clock "$workload" ||
  record compressed.data -z -F 2000 -e cpu-clock "$workload"
record_piped pipe.data -F 1000 -g -e cpu-clock "$workload"
record_whole tracepoints.data -e sched:sched_switch,sched:sched_process_fork,sched:sched_process_exec -a -- bash -c "$busy_shell"
# Counters that a sample reads are printed one after another. Threads do not inherit such groups.
record_whole group.data -a -F 500 --call-graph dwarf,4096 -e '{cpu-clock,page-faults}:S' -- "$workload"
# An ordinary user may not record the kernel, so perf makes the event cpu-clock:u.
[[ $(perf evlist -i fp.data) == *:u ]] && part=--user-only || part=--kernel-only

# --- comparisons for each recording ---

# Comparisons that work for every recording. Run by hand with THOROUGH=1, the test has more of these and of other
# comparisons. An operator of the language has the same code for all facts, so ./dev test tests each fact once.
common() { # RECORDING
  local recording=$1 tid comm from until
  begin_recording "$recording"
  [[ ${THOROUGH:-} || $recording == ./fp.data || $recording == ./tracepoints.data ]] || return
  perf script -i "$recording" -F tid,time -G --ns 2>/dev/null | tr -d : >times
  tid=$(awk '{ print $1 }' times | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
  from=$(awk 'NR == 1 { print $2 }' times)
  until=$(awk -v half=$((samples / 2)) 'NR == half { print $2 }' times)
  same_samples "$recording" "tid == $tid && time >= ${from}s, time < ${until}s" any
  same_samples "$recording" "random(30%, 3)"
  [[ ${THOROUGH:-} ]] || return
  same_samples "$recording" "tid == $tid"
  same_samples "$recording" "time >= ${from}s, time < ${until}s"
  same_samples "$recording" "sym =~ '^[a-m]'" any
  same_samples "$recording" "every(7)"
}

of_fp() {
  common ./fp.data
  same_samples fp.data 'cpumode == user && stack has "*thread*"'
  same_samples fp.data 'stack has (cpumode == kernel && sym == "*fault*")'
  same_samples fp.data 'context in {syscall, exception}'
  same_samples fp.data 'context in {interrupt, softirq}' any
  same_samples fp.data 'caller =~ "e" && root.dso == "libc*"' any
  same_samples fp.data 'depth in {1, 3, 5..9} && symoff < 512' any
  same_samples fp.data 'dso not in {"[kernel.kallsyms]", "libc.so.6"}'
  same_samples fp.data 'stack is truncated' any
  same_samples fp.data 'comm == "wl *" && stack has "*" && first(20)'
  same_samples fp.data 'period == 500us && ip > 0xffff' all
  same_samples fp.data 'addr == 0 || cpu >= 0' none
  same_stacks fp.data --weight=samples --annotate=kernel
  same_stacks fp.data --filter 'stack has "*thread*" && comm == "wl *"'
  [[ ${THOROUGH:-} ]] || return
  same_stacks fp.data
  same_stacks fp.data --with-pid --user-only --max-depth=3
  same_samples fp.data 'caller =~ "e"'
  same_samples fp.data 'root.dso == "libc*"'
  same_samples fp.data 'depth in {1, 3, 5..9}'
  same_samples fp.data 'symoff < 64'
  same_samples fp.data 'cpumode == kernel'
  same_samples fp.data 'stack has (dso == "libc.so.6" && sym =~ "m")'
  same_samples fp.data 'leaf =~ "o"'
  same_samples fp.data 'root =~ "main|clone|start|run"'
  same_samples fp.data 'depth > 6'
  same_samples fp.data 'symoff & 1'
  same_samples fp.data 'sym !~ "[aeiou]{2}" && !(dso == "lib*")'
  same_samples fp.data 'ip >= 0xffffffff80000000'
  same_samples fp.data 'misc & 2'
  same_stacks fp.data --with-tid
  same_stacks fp.data --no-comm --delimiter
}

of_events() {
  common ./events.data
  same_samples events.data 'event in {"context-switches", "task-clock:u"}'
  same_samples events.data 'comm == "ls" && sym =~ "."'
  same_stacks events.data --with-tid "$part"
  [[ ${THOROUGH:-} ]] || return
  same_samples events.data 'event == "cpu-clock"'
  same_samples events.data 'event == "task-clock"'
  same_samples events.data 'comm in {"ls", "grep"}'
  same_samples events.data 'event == "cpu-clock" && stack has (dso == "libc.so.6")'
  same_samples events.data 'comm == "bash" || depth < 5'
  same_stacks events.data
}

of_dwarf() {
  common ./dwarf.data
  same_samples dwarf.data 'has addr' all
  same_samples dwarf.data 'stack has (cpumode == kernel) && root =~ "start|clone"' any
  same_samples dwarf.data 'depth > 6 && caller =~ "e"' any
  same_samples dwarf.data 'stack is truncated' any
  same_stacks dwarf.data --filter 'stack has "*thread*"' --delimiter
  [[ ${THOROUGH:-} ]] || return
  same_samples dwarf.data 'stack has "*thread*"'
  same_samples dwarf.data 'depth > 6'
  same_samples dwarf.data 'caller =~ "e"'
  same_stacks dwarf.data
  same_stacks dwarf.data --annotate=guess --weight=samples
}

of_faults() {
  common ./faults.data
  same_samples faults.data 'addr_dso == "*workload"'
  # Only functions are compared: perf has no names for variables of .bss, which are behind the mapping of their file.
  same_samples faults.data 'addr_sym in {"_start", "_dl_start", "main"}'
  same_samples faults.data 'addr > 0x7f0000000000 && event == "page-faults" && period == 1'
  same_stacks faults.data
  [[ ${THOROUGH:-} ]] || return
  same_samples faults.data 'addr_dso == "libc.so.6"'
}

of_compressed() {
  common ./compressed.data
  same_samples compressed.data 'has weight' any
  same_stacks compressed.data
  [[ ${THOROUGH:-} ]] || return
  same_samples compressed.data 'symoff >= 256 || dso == "*workload"'
}

of_pipe() {
  common ./pipe.data
  same_samples pipe.data 'depth > 4 && stack has "*thread*"'
  same_stacks pipe.data
}

of_tracepoints() {
  common ./tracepoints.data
  same_samples tracepoints.data 'event == "sched:*fork" or event == "sched:*exec"'
  same_samples tracepoints.data 'raw_size > 64 && cpu == 0' any
  same_stacks tracepoints.data --weight=samples
  [[ ${THOROUGH:-} ]] || return
  same_samples tracepoints.data 'event == "sched:sched_switch"'
  same_samples tracepoints.data 'raw_size > 64'
  same_samples tracepoints.data 'cpu == 0'
  same_samples tracepoints.data 'comm == "swapper" && cpu in 0..1' any
}

of_group() {
  common ./group.data
  same_samples group.data 'event == "page-faults" && depth > 6' any
  # Only stacks of our threads are compared. The idle thread of CPU 0 was started by code that only /proc/kcore maps,
  # where perf finds its names. For a function without instructions (clang's libraries have some), perf also gives its
  # name to the next function.
  same_stacks group.data --filter 'comm in {"wl 0", "b", "wl 2"} && event == "page-faults" && stack has "*"' --weight=samples
  [[ ${THOROUGH:-} ]] || return
  same_samples group.data 'stack has "*_M_run*"'
  same_stacks group.data --filter 'comm in {"wl 0", "b", "wl 2"}'
}

of_unwound() {
  same_stacks unwound.data
  [[ ! ${THOROUGH:-} ]] || same_stacks unwound.data --filter 'cpumode == user' --user-only --max-depth=5
}

counters+=(compared nothing)
compare_recordings
echo "$compared comparisons, $nothing of nothing"
((nothing * 10 <= compared)) || failures=$((failures + 1))
conclude
