#!/bin/bash
# The text of dlfilters under perfsift script and under perf script 6.1, on recordings made now, must be equal.
#
#   dlfilter_host.sh PERFSIFT WORKLOAD MODULES
#
# The probe prints all its input and the result of every call. Exit status: 0 equal, 1 different, 77 when there is no
# perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") && modules=$(realpath -e "$3") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

# For a call inlined from another file, GNU addr2line, which perf runs, may name the file of the enclosing function: see
# the tests of `perfsift symbolize`. So only lines are compared. For an address with a symbol but no line, addr2line
# prints "??", or nothing for the _start of Debian's ld.so. perf prints both as a file name.
without_source_files() { sed -E 's/^(  srcline) (\?\?)? 0$/\1 (null) 0/; s/^(  srcline) [^(].* ([0-9]+)$/\1 FILE \2/' "$1"; }

# Other processes, and their files, come and go, so only a difference in two runs counts.
#
# with_right_plt_symbols does for the probe's lines what with_right_plt_names does for the text: "… symoff 0 sym
# write@plt addr … dso … binding 1".
with_right_plt_symbols() { # PERFS OURS
  perl -e '
    my ($perfs, $ours) = map { open my $text, "<", $_ or die "$_: $!"; $text } @ARGV;
    while (my $line = <$perfs>) {
      my $right = <$ours> // "";
      my ($symbol) = $right =~ /( symoff \S+ sym (?:\S*\@|\.)plt .* binding \d+)/;
      $line =~ s/ symoff .* binding \d+/$symbol/ if defined $symbol;
      print $line;
    }' "$1" "$2"
}

differ() { # RECORDING OPTIONS…
  perf script -i "$@" >answers 2>/dev/null
  perf_status=$?
  # perf loads the symbols of a file twice where the file is visible twice (from here, and in the image of a
  # container): then equal names have two addresses. Our filter finds each name at one address.
  grep -av '^  MOVED ' answers >perfs
  "$perfsift" script -q --perf-style 6.1 -i "$@" >actual 2>errors
  our_status=$?
  with_right_plt_names perfs actual >named
  with_right_plt_symbols named actual >expected
  # perf also does not know where the label _init ends, before the first PLT entry.
  sed -i -E 's/( sym _init addr \S+ start \S+ end) \S+/\1 END/' expected actual
  ! diff <(without_source_files expected) <(without_source_files actual) >difference || [[ $perf_status != "$our_status" ]]
}
compare() { # RECORDING OPTIONS…
  if differ "$@" && differ "$@"; then
    echo "DIFFERENT: $* (exit status $our_status instead of $perf_status)"
    head -n 10 difference errors
    failures=$((failures + 1))
  else
    echo "equal: $* ($(wc -l <expected) lines)"
  fi
}
# The callchains that perf prints are left out, because another test compares them. The probe prints the recorded
# callchains.
probe() { compare "$1" -G --dlfilter "$modules/dlfilter_probe.so" --dlarg "${2:-7}"; }

# With options that drop samples, perf calls filter_event_early with the dropped samples and the reason. It does not do
# so for the options for CPUs and times.
probe_with() { compare "$1" -G --dlfilter "$modules/dlfilter_probe.so" --dlarg 11 "${@:2}"; }
busiest() { # FIELD RECORDING
  perf script -i "$2" -G -F "$1" 2>/dev/null | tr -d '[]' | awk '{ print $NF }' | sort | uniq -c | sort -rn |
    awk 'NR == 1 { print $2 }'
}
# C++ names do not depend on the style of the text: a filter gets the same names of the workload's functions in the
# default style and in perf's style. Other mappings may have changed with an exec, which perf 6.1 does not see.
told_names() { # COMMAND…
  "$@" -i fp.data --dlfilter "$modules/dlfilter_probe.so" --dlarg 7 2>/dev/null |
    sed -n 's/^  \([a-z]*\) .* sym \(workload::.*\) addr .*/\1 \2/p'
}
compare_names() { # [OPTIONS]
  told_names perf script "$@" >expected
  told_names "$perfsift" script -q "$@" >actual
  expect_equal names of C++ "$@"
}
# The ways in which a run can end.
told() { compare fp.data --dlfilter "$modules/dlfilter_misbehaving.so" --dlarg "$1"; }
# The dlfilter that perf ships.
show_cycles() { # RECORDING
  local cycles
  cycles=$(perf --exec-path)/dlfilters/dlfilter-show-cycles.so
  [[ -e $cycles ]] || return
  compare "$1" --dlfilter "$cycles"
  compare "$1" --dlfilter dlfilter-show-cycles.so --dlarg tid
}

record fp.data -g -e cpu-clock "$workload"
record unwound.data --call-graph dwarf,4096 -F 500 -e cpu-clock "$workload"
record switches.data -a -g -e sched:sched_switch -- "$workload"
record compressed.data -z -g -e cpu-clock "$workload"
# Threads do not inherit groups whose counters are read with a sample: the first thread does the work.
record group_read.data -g -e '{cpu-clock,task-clock,page-faults}:S' -- sh -c "$busy_thread"
record_piped piped.data -g -e cpu-clock "$workload"
record faults.data -e page-faults -c 1 -d -g "$workload"
record memory.data -e cpu-clock -d -W --phys-data --data-page-size --code-page-size --sample-cpu -k mono "$workload"

of_fp() {
  local middle tid symbol order
  middle=$(perf script -i fp.data -G -F time --ns | awk '{ t[NR] = $1 + 0 } END { printf "%.9f", t[int(NR / 2)] }')
  tid=$(busiest tid fp.data)
  symbol=$(busiest ip,sym fp.data)
  probe fp.data
  probe_with fp.data --tid "$tid"
  probe_with fp.data --pid 1,2
  probe_with fp.data --comms "$(busiest comm fp.data),none"
  probe_with fp.data --dsos "[kernel.kallsyms],libc.so.6"
  probe_with fp.data -S "$symbol"
  probe_with fp.data --time ",$middle" --tid "$tid"
  probe_with fp.data --tid "$tid" --dsos libc.so.6 -S "$symbol"
  for order in drop "drop early" fails "early fails" "start fails"; do told "$order"; done
  show_cycles fp.data
  compare_names
}
of_unwound() { probe unwound.data; }
of_switches() {
  probe switches.data 17
  probe_with switches.data --cpu 0 --comms swapper --dsos none
}
of_compressed() { probe compressed.data 11; }
of_group_read() {
  probe group_read.data 11
  show_cycles group_read.data
}
of_piped() {
  probe piped.data 11
  probe_with piped.data --comms none --dsos libc.so.6 -S none
}
of_faults() { probe faults.data; }
of_memory() {
  probe memory.data
  probe_with memory.data --cpu 1 -S "$(busiest ip,sym memory.data)"
}

compare_recordings
conclude
