#!/bin/bash
# `perfsift script` with an expression or a short form must keep the same lines as perf script 6.1 with its own option,
# on recordings made now.
#
#   filter_equals_perf.sh PERFSIFT WORKLOAD
#
# Run by hand with THOROUGH=1, the test has more comparisons.
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

# compare RECORDING EXPRESSION OPTION...: the expression, and perfsift's option, must keep the lines that perf's option
# keeps. Some samples must be kept and others left out. Otherwise nothing is compared. `printing`: options for all
# commands.
printing=()
compare() {
  local recording=$1 expression=$2
  shift 2
  perf script -i "$recording" "${printing[@]}" "$@" >perfs 2>/dev/null
  "$perfsift" script -q --perf-style 6.1 -i "$recording" "${printing[@]}" --filter "$expression" >actual 2>errors
  with_right_plt_names perfs actual >expected
  "$perfsift" script -q --perf-style 6.1 -i "$recording" "${printing[@]}" "$@" >with_option 2>>errors
  if [[ ! -s expected || $(wc -l <expected) -ge $(wc -l <all) ]]; then
    echo "compares nothing: $recording $* ($(wc -l <expected) of $(wc -l <all) lines)"
    failures=$((failures + 1))
  elif diff expected actual >difference && diff expected with_option >difference; then
    echo "equal: $recording: $expression: $* ($(wc -l <expected) of $(wc -l <all) lines)"
  else
    echo "DIFFERENT: $recording: $expression: $*"
    head -n 10 difference errors
    failures=$((failures + 1))
  fi
}

begin_recording() { perf script -i "$1" "${printing[@]}" >all 2>/dev/null; }

# The most frequent value of the samples. Values that a list of perf cannot hold, or that have a special meaning here,
# are left out.
most_frequent() { # RECORDING FIELD
  perf script -i "$1" -G -F "$2" 2>/dev/null | without_address "$2" | sed 's/^ *//; s/ *$//' |
    grep -v "^$\|[],*?'\\[]" | sort | uniq -c | sort -rn | sed -n '1s/^ *[0-9]* //p'
}
# perf prints symbols only after their addresses.
without_address() { # FIELD
  if [[ $1 == ip,sym ]]; then sed 's/^ *[0-9a-f]* *//'; else cat; fi
}

# The time, in seconds, of the sample after that percentage of all samples.
time_after() { # RECORDING PERCENT
  perf script -i "$1" --ns -G -F time 2>/dev/null | tr -d ' :' |
    awk -v share="$2" '{ times[NR] = $1 } END { print times[int(NR * share / 100) + 1] }'
}

compare_all() { # RECORDING
  local recording=$1 tid symbol from until
  begin_recording "$recording"
  tid=$(most_frequent "$recording" tid)
  symbol=$(most_frequent "$recording" ip,sym)
  from=$(time_after "$recording" 20)
  until=$(time_after "$recording" 60)
  compare "$recording" "time >= ${from}s && time <= ${until}s" --time "$from,$until"
  compare "$recording" "time in 0%..20% or time in 50%..70%" --time 0%-20%,50%-70%
  compare "$recording" "sym == '$symbol'" -S "$symbol"
  [[ ${THOROUGH:-} ]] || return
  compare "$recording" "time in 25%..50%" --time 25%/2
  compare "$recording" "tid == $tid" --tid "$tid"
}

record threads.data -g -F 1500 -e cpu-clock "$workload"
record everywhere.data -a -g -F 1500 -e cpu-clock -- "$workload"
record shell.data -g -F 1500 -e cpu-clock -- sh -c "$busy_shell; $busy_thread"
record switches.data -a -e sched:sched_switch -- sh -c "$busy_shell"
record unwound.data --call-graph dwarf,16384 -F 1000 -e cpu-clock "$workload"
record compressed.data -z -g -F 1500 -e cpu-clock -- sh -c "$busy_shell"
record group.data -g -F 1500 -e '{cpu-clock,task-clock}' -- sh -c "$busy_shell"
# Threads do not inherit groups whose counters are read with a sample: the first thread does the work.
record group_read.data -g -F 1500 -e '{cpu-clock,task-clock}:S' -- sh -c "$busy_thread"

of_threads() { compare_all threads.data; }
of_everywhere() {
  local comm
  comm=$(most_frequent everywhere.data comm)
  if [[ ${THOROUGH:-} ]]; then compare_all everywhere.data; else begin_recording everywhere.data; fi
  compare everywhere.data "cpu == 0" -C 0
  compare everywhere.data "comm == \"$comm\"" --comms "$comm"
  compare everywhere.data 'comm != "swapper" && comm in {"swapper", "wl 0"}' --comms "wl 0"
}
of_shell() {
  local pid
  compare_all shell.data
  [[ ! ${THOROUGH:-} ]] || compare shell.data 'comm == "ls"' --comms ls
  compare shell.data 'comm in {"ls", "grep"}' --comms ls,grep
  [[ ! ${THOROUGH:-} ]] || compare shell.data 'dso == "[kernel.kallsyms]"' --dsos '[kernel.kallsyms]'
  compare shell.data 'dso in {"libc.so.6", "ls"}' --dsos libc.so.6,ls
  pid=$(most_frequent shell.data pid)
  compare shell.data "pid == $pid" --pid "$pid"
  compare shell.data "comm == 'ls' and time in 0%..50%" --comms ls --time 50%
}
of_switches() {
  begin_recording switches.data
  compare switches.data 'comm == "ls"' --comms ls
  local cpu  # a CPU on which ls ran: ls may not have run on all CPUs
  cpu=$(perf script -i switches.data --comms ls -F cpu 2>/dev/null | tr -d ' []' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 + 0 }')
  compare switches.data "cpu == $cpu && comm == 'ls'" -C "$cpu" --comms ls
  # A thread that the kernel has already forgotten is recorded with pid -1, which has no name for --comms.
  compare switches.data 'sched:sched_switch.prev_comm == "ls" && comm != ":-1"' --comms ls
}
of_unwound() {
  printing=(-F comm,tid,time,event,ip,sym -G)
  begin_recording unwound.data
  compare unwound.data "time in 50%..100%" --time 50%/2
  compare unwound.data 'comm == "b"' --comms b
}
of_compressed() {
  begin_recording compressed.data
  compare compressed.data 'comm == "ls"' --comms ls
}
of_group() {
  begin_recording group.data
  compare group.data 'comm == "ls"' --comms ls
}
of_group_read() {
  begin_recording group_read.data
  compare group_read.data "time in 0%..50%" --time 50%
}

compare_recordings
conclude
