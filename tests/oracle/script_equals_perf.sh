#!/bin/bash
# perfsift script --perf-style 6.1 against perf script 6.1, on recordings made now.
#
#   script_equals_perf.sh PERFSIFT WORKLOAD
#
# Run by hand with THOROUGH=1, the test has more comparisons.
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

differ() { # RECORDING [OPTIONS]
  write_texts "$@"
  ${adjust:-:}
  ! diff expected actual >difference
}

# Other processes, and their files, come and go, so only a difference in two runs counts.
compare() { # RECORDING [OPTIONS]
  if differ "$@" && differ "$@"; then
    echo "DIFFERENT: $*"
    head -n 10 difference errors
    failures=$((failures + 1))
  else
    echo "equal: $* ($(wc -l <expected) lines, $(diff perfs expected | grep -c '^<') with another PLT name)"
  fi
}

# perf ends some unwound stacks too early: in clone3(), whose CFI says that it has no caller, which is true in the new
# thread but not in the creating thread; and in epilogues. Where there is no memory to read, perf shows the address
# ffffffffffffffff. Where perf's stack is the beginning of ours, ours replaces it.
#
# While a process starts and ends, libdw often follows the frame pointer although the register has another value, and
# shows callers that never called. One stack in 200 may differ after its first frame, and two more stacks, because a
# short recording consists mostly of start and end. tests/truth checks our frames.
allow_deeper_stacks() {
  perl -e '
    $/ = "";
    my ($perfs, $ours) = map { open my $text, "<", $_ or die "$_: $!"; [<$text>] } @ARGV;
    my $astray = 0;
    for my $i (0 .. $#$perfs) {
      my ($perf, $our) = ($perfs->[$i], $ours->[$i] // "");
      my $beginning = $perf =~ s/\n\tf{16} \[unknown\][^\n]*(?=\n+$)//r =~ s/\n+$//r;
      my $deeper = index($our, "$beginning\n") == 0;
      my ($perf_leaf, $our_leaf) = map { join "\n", (split /\n/)[0, 1] } $perf, $our;
      ++$astray if !$deeper && $perf ne $our && $perf_leaf eq $our_leaf;
      print $deeper || $perf_leaf eq $our_leaf && $astray <= 2 + @$perfs / 200 ? $our : $perf;
    }' expected actual >adjusted && mv adjusted expected
}
compare_unwound() { adjust=allow_deeper_stacks compare "$@"; }

# perf runs addr2line, which gives wrong file names for inlined code in other binaries (the file of the unit). So only
# the lines of the workload are compared, with their frames.
keep_lines_of_workload() {
  for text in expected actual; do grep -B 1 "^  .*workload\.cpp:" "$text" >kept && mv kept "$text"; done
}
compare_lines() { adjust=keep_lines_of_workload compare "$@"; }

# perf shows flags of timer_start that are not set: libtraceevent before 1.8 calculates with names that it does not
# know.
leave_flags_of_timers_out() {
  sed -i -E '/timer:timer_start:/s/ flags=[^ ]*$//' expected actual
}
compare_timers() { adjust=leave_flags_of_timers_out compare "$@"; }

# The recording is read from a file, and from a stream on standard input.
compare_stream() { # RECORDING
  "$perfsift" script -q --perf-style 6.1 "$1" >expected
  if "$perfsift" script -q --perf-style 6.1 - < <(cat "$1") | cmp -s - expected; then
    echo "equal: $1 on standard input"
  else
    echo "DIFFERENT: $1 on standard input"
    failures=$((failures + 1))
  fi
}

record threads.data -g -F 1500 -e cpu-clock "$workload"
record lines.data -g -F 500 -e cpu-clock "$workload"
record everywhere.data -a -g -F 1500 -e cpu-clock -- "$workload"
record shell.data -g -F 1500 -e cpu-clock -- sh -c "$busy_shell"
record shell_tasks.data --namespaces --all-cgroups --switch-events -F 1500 -e cpu-clock -- sh -c "$busy_shell"
record switches.data -a -g -e sched:sched_switch -- "$workload"
record timers.data -a -e 'timer:*' -e 'workqueue:*' -- sleep 0.3
record unwound.data --call-graph dwarf,32768 -F 2000 -e cpu-clock "$workload"
record compressed.data -z -g -F 1500 -e cpu-clock "$workload"
record_piped piped.data -F 1500 -g -e cpu-clock "$workload"
record directory.data -a --threads -g -F 1500 -e cpu-clock -- "$workload"
record several.data -F 1500 -e cpu-clock -e page-faults -e context-switches -a -- "$workload"
record group.data -g -F 1500 -e '{cpu-clock,task-clock}' "$workload"
# Threads do not inherit groups whose counters are read with a sample: the first thread does the work.
record group_read.data -g -F 1500 -e '{cpu-clock,task-clock,page-faults}:S' -- sh -c "$busy_thread"
record memory.data -F 1500 -e cpu-clock -d -W --phys-data --data-page-size --code-page-size --sample-cpu -k mono \
  --user-regs=ax,bx,sp,ip --intr-regs=ax,cx,r15,ip "$workload"
record faults.data -e page-faults -c 1 -d -g "$workload"

of_threads() {
  local options more=()
  compare threads.data
  [[ ! ${THOROUGH:-} ]] || more=(-G --ns "--max-stack 3" "-F ip,sym" "-F misc,comm,time" "--show-mmap-events")
  for options in "-G --reltime" --deltatime --header "--header-only -I" "--show-task-events --show-mmap-events --ns" \
    "-F comm,pid,tid,time,event,ip,sym,dso --max-stack 3" "-F +pid,-comm" "-F ip,sym,symoff,dso" "-F sw:comm,ip,misc" \
    "${more[@]}"; do
    # shellcheck disable=SC2086
    compare threads.data $options
  done
}
of_lines() {
  compare_lines lines.data -F comm,time,ip,sym,srcline
  compare_lines lines.data -F ip,sym,srcline --full-source-path
}
of_everywhere() {
  compare everywhere.data -F comm,pid,tid,cpu,time,event,ip,sym,dso
}
of_shell() { compare shell.data; }
of_shell_tasks() {
  compare shell_tasks.data --show-task-events --show-mmap-events --show-namespace-events --show-cgroup-events \
    --show-switch-events --show-lost-events --show-bpf-events
}
of_switches() {
  compare switches.data
  compare switches.data -G -F comm,tid,time,event,trace
}
of_timers() { compare_timers timers.data; }
# With inlined calls, perf treats some functions as inlined because of their names: see the tests of `perfsift
# symbolize`.
of_unwound() {
  compare_unwound unwound.data --no-inline
  compare_unwound unwound.data --no-inline --max-stack 3
  compare_unwound unwound.data --no-inline -F comm,ip,sym,symoff,dso
}
of_compressed() { compare compressed.data; }
of_piped() {
  compare piped.data
  compare_stream piped.data
}
of_directory() { compare directory.data; }
of_several() { compare several.data; }
of_group() { compare group.data; }
of_group_read() { compare group_read.data; }
of_memory() {
  local fields
  compare memory.data
  for fields in addr,data_src,weight phys_addr,data_page_size,code_page_size +iregs,+uregs,+addr +tod,+pid,+cpu; do
    compare memory.data -F $fields
  done
}
of_faults() {
  compare faults.data -F +addr
  compare faults.data -G -F +addr
}

compare_recordings
conclude
