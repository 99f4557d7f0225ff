#!/bin/bash
# perfsift record --flight --when must catch every spike that a program makes at times that it logs: a recording each,
# which perf 6.1 reads, with the stack of the blocked thread and that of the thread that woke it.
#
#   flight_spikes.sh PERFSIFT FLIGHT_SPIKES
#
# LONG=1 makes 1,000 spikes in ten minutes, and prints the memory and the CPU time of the recorder. REALTIME=1 gives the
# recorder a real-time priority, which a machine whose CPUs are all busy needs.
#
# Exit status: 0 all caught, 1 some not, 77 when the scheduler's tracepoints cannot be read here.
#
# The names of recordings have no white space:
# shellcheck disable=SC2012
set -u
perfsift=$(realpath -e "$1") && spikes=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin
perf record -q -a -e sched:sched_switch -o switches.data true >/dev/null 2>record.errors ||
  skip "the scheduler's tracepoints cannot be recorded: $(perfs_reason)"

if [[ ${LONG:-} ]]; then count=1000 gap=590; else count=50 gap=60; fi
held=4000 # microseconds

# Kernels of some virtual machines do not trace what their idle threads do, such as the wakeup by another CPU: of 1,000
# spikes, 13 had no record of their end. So no CPU is idle here.
for ((cpu = 0; cpu < $(nproc); ++cpu)); do chrt --idle 0 bash -c 'while :; do :; done' & loops+=($!); done
trap 'kill "${loops[@]}"; rm -rf "$scratch"' EXIT

mkfifo commands answers
# Recordings of a second each; the files of a long run would fill the disk, so all but each hundredth only count.
"$perfsift" record --flight 1s --when 'blocked > 2ms && comm == "rx-0"' --flight-limit 1000000 -a -g -o flight.data \
  --max-time 1800s ${REALTIME:+-r 1} --control fifo:commands,answers >messages 2>&1 &
recorder=$!
exec {commands}<>commands {answers}<>answers
echo ping >&"$commands"
read -r -t 30 -u "$answers" || { cat messages; exit 1; }
sleep 2 # the rings get their size
"$spikes" "$count" "$held" "$gap" >spikes.log &
workload=$!
: >caught
check() { # RECORDING: the spikes in it that have both stacks
  "$perfsift" offcpu -q --json --spikes-over 2ms --filter 'blocked > 2ms && stack has (sym == "handle_packet")' "$1" 2>>errors |
    python3 -c '
import json, sys
for spike in json.load(sys.stdin)["spikes"]:
    waker = spike.get("waker", {"frames": [], "comm": ""})  # not known: its record is missing
    if "handle_packet" in spike["frames"] and "hold_lock" in waker["frames"] and waker["comm"] == "holder":
        print(spike["start"], spike["end"])' >>caught
}
checked=0
check_new() { # [MOST]
  local file
  for file in $(ls flight.data.* 2>/dev/null | sort -t. -k4n | head -n "${1:-1000000}"); do
    check "$file"
    if ((checked++ % 100 == 0)); then
      perf script -F comm,tid,time,event -i "$file" >/dev/null 2>perf.errors || { echo "perf cannot read $file"; failures=$((failures + 1)); }
      [[ ! -s perf.errors ]] || { cat perf.errors; failures=$((failures + 1)); }
    fi
    rm -f "$file"
  done
}
while kill -0 "$workload" 2>/dev/null; do
  sleep 2
  # The newest recording may still be written.
  [[ ! ${LONG:-} ]] || check_new "$(($(ls flight.data.* 2>/dev/null | wc -l) - 1))"
done
wait "$workload"
sleep 0.5
[[ ! ${LONG:-} ]] || grep -E "VmHWM|VmRSS" "/proc/$recorder/status"
[[ ! ${LONG:-} ]] || awk '{printf "CPU time of the recorder: %.2f s\n", ($14 + $15) / 100}' "/proc/$recorder/stat"
kill -TERM "$recorder"  # a script ignores SIGINT for what it starts in the background
wait "$recorder"
check_new

# Each logged spike must have the begin of a caught one in it (the end may not be known), unless rx-0 was blocked for less than the condition says.
python3 - <<'END' || failures=$((failures + 1))
import sys
caught = {tuple(map(int, line.split())) for line in open("caught")}
logged = [tuple(map(int, line.split())) for line in open("spikes.log").readlines()[1:]]
def is_caught(spike):
    return any(spike[0] <= start <= spike[1] for start, end in caught)

# A tenth of a millisecond for the two readings of the clocks themselves.
shorter = [spike for spike in logged if spike[2] < 2_100_000 and not is_caught(spike)]
logged = [spike for spike in logged if spike not in shorter]
missing = [spike for spike in logged if not is_caught(spike)]
print(f"{len(logged) - len(missing)} of {len(logged)} spikes are caught, with the stacks of the waiter and the waker; "
      f"{len(shorter)} were too short, because rx-0 waited for a CPU")
for spike in missing[:5]:
    print("MISSING:", spike)
sys.exit(1 if missing or not logged else 0)
END
((failures == 0)) || { tail -n 5 messages; head -n 5 errors; }
conclude
