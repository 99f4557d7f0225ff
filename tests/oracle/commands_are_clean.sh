#!/bin/bash
# Every command reads recordings of this machine without a report of a sanitizer. The other oracle tests compare what an
# ordinary build prints; this test runs an instrumented build on the same kinds of recordings, and compares nothing.
#
#   commands_are_clean.sh PERFSIFT WORKLOAD
#
# Exit status: 0 clean, 1 a report or a failure, 77 when perf cannot record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

# Exit status 3 means that the recording has no data for this command, for example no switches. 5 means that check
# cannot judge the data.
run() { # ARGUMENTS…
  "$perfsift" "$@" >printed 2>messages </dev/null
  local status=$?
  if ((status != 0 && status != 3 && status != 5)) || grep -qE 'Sanitizer|runtime error' messages; then
    echo "status $status: perfsift $*"
    head -n 40 messages
    failures=$((failures + 1))
  fi
  runs=$((runs + 1))
}
runs=0

hottest() { # RECORDING: the function with the most samples
  "$perfsift" report -q --json --limit 1 --sort symbol "$1" 2>/dev/null |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["events"][0]["rows"][0]["symbol"])'
}

record threads.data -g -F 500 -e cpu-clock "$workload"
record everywhere.data -a -g -F 300 -e cpu-clock -- "$workload"
record tasks.data --namespaces --all-cgroups --switch-events -F 300 -e cpu-clock -- sh -c "$busy_shell"
record switches.data -a -g -e sched:sched_switch -e sched:sched_waking -- "$workload"
record timers.data -a -e 'timer:*' -e 'workqueue:*' -- sleep 0.1
record unwound.data --call-graph dwarf,16384 -F 500 -e cpu-clock "$workload"
record short.data --call-graph dwarf,512 -F 500 -e cpu-clock "$workload"
record compressed.data -z -g -F 500 -e cpu-clock "$workload"
record_piped piped.data -F 500 -g -e cpu-clock "$workload"
record directory.data -a --threads -g -F 300 -e cpu-clock -- "$workload"
record group_read.data -g -F 300 -e '{cpu-clock,task-clock,page-faults}:S' -- sh -c "$busy_thread"
record memory.data -e page-faults -c 1 -d -W --phys-data --data-page-size --code-page-size --sample-cpu -k mono "$workload"

for recording in *.data; do
  run info "$recording"
  run fold "$recording"
  run report --json --sort pid,cpu,cgroup,time,srcline -j 2 "$recording"
  run mem --raw --csv "$recording"
  run script "$recording"
  run offcpu "$recording"
  run filter "$recording" --filter 'cpu == 0' -o "kept.$recording" --anonymize
done
# Other ways to print, for the recordings that differ most.
for recording in unwound.data switches.data; do
  run info --json "$recording"
  run info --header "$recording"
  run fold --compat flamegraph --with-tid --addresses "$recording"
  run fold --filter 'stack has "*work*" or period > 0' -j 2 "$recording"
  run fold --filter 'context != user' --interrupts apart "$recording"
  run fold --interrupts drop -j 2 "$recording"
  run report --tree "$recording"
  run report --annotate "$(hottest "$recording")" "$recording"
  run diff "$recording" "$recording"
  run diff --folded "$recording" "$recording"
  run script -F +ip,+sym,+symoff,+srcline --skip-missing-fields "$recording"
  run script --dlfilter perfsift-filter.so --dlarg 'sym == "*work*"' "$recording"
done
run check unwound.data unwound.data
for option in --json "-o folded" --timehist; do
  # shellcheck disable=SC2086
  run offcpu $option switches.data
done
run mem memory.data
run mem --folded - memory.data
run c2c -j 2 memory.data
for format in pprof speedscope firefox perfetto callgrind jsonl csv; do
  run export --to "$format" -o "exported.$format" threads.data
done
run fold exported.pprof
run merge -o again.pb.gz exported.pprof tasks.data
run check again.pb.gz again.pb.gz
run symbolize -e "$workload" 0x1100 0x1200
run explain 'comm == "x" and stack has "a"'
run script threads.data
mv printed script.txt
for text in folded script.txt; do run fold "$text"; done

echo "$runs commands, $failures not clean"
((failures == 0 && runs > 50))
