#!/bin/bash
# perfsift offcpu against perf sched timehist 6.1, on a recording made now of threads that wait in many ways: the
# lines, in order, and the totals of every thread.
#
#   offcpu_equals_timehist.sh PERFSIFT SCHED_WORKLOAD [MILLISECONDS]
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
duration=${3:-1500}
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

# The kernel writes -1 as pid and tid of a sample when a thread leaves its CPU for the last time and its number is
# already gone (perf_event_pid_type()). perf makes a separate thread `:-1` of such samples. perfsift assigns these
# samples to the thread in the tracepoint. So these lines, and the totals of these threads, cannot be compared.
compare_lines() { # RECORDING
  perf sched timehist --no-call-graph -i "$1" >expected.all 2>/dev/null
  "$perfsift" offcpu -q --timehist "$1" >actual.all || failures=$((failures + 1))
  awk 'NR == FNR { if (/ :-1\[/) gone[FNR]; next } FNR in gone' expected.all actual.all |
    sed -E 's/.*\[([0-9]+)(\/[0-9]+)?\] .*/\1/' | sort -u >gone
  awk 'NR == FNR { if (/ :-1\[/) gone[FNR]; next } !(FNR in gone)' expected.all actual.all | tr -s ' ' >actual
  grep -v ' :-1\[' expected.all | tr -s ' ' >expected
  if (($(wc -l <expected) > 1000)) && diff expected actual >difference; then
    echo "equal: $1, $(wc -l <expected) lines ($(wc -l <gone) threads end as :-1)"
  else
    echo "DIFFERENT: lines of $1"
    head -n 10 difference
    failures=$((failures + 1))
  fi
}

# perf prints the wait in three parts, each rounded down to a microsecond.
compare_totals() { # RECORDING
  perf sched timehist -s --state -i "$1" >summary 2>/dev/null
  "$perfsift" offcpu -q --json "$1" >report.json || failures=$((failures + 1))
  python3 - <<'END' || failures=$((failures + 1))
import collections, json, re, sys

def micro(text):
    return round(float(text) * 1000)

gone = set(int(line) for line in open("gone"))
perfs = collections.defaultdict(list)
for line in open("summary"):
    found = re.match(r"\s*(\S.*)\[(-?\d+)(?:/-?\d+)?\]\s+-?\d+\s+\d+((?:\s+[\d.]+){5})\s*$", line)
    if found and int(found[2]) not in gone and int(found[2]) > 0:
        perfs[int(found[2])].append([micro(number) for number in found[3].split()])
ours = collections.defaultdict(list)
for thread in json.load(open("report.json"))["threads"]:
    if sum(thread["times"].values()) != thread["observed"]:
        sys.exit(f"WRONG: the times of {thread['tid']} do not add up")
    if thread["tid"] in perfs:
        ours[thread["tid"]].append([int(round(thread[key] * 1e6)) // 1000 for key in ("run_ms", "wait_ms", "sched_delay_ms")])
different = 0
for tid, totals in perfs.items():
    # A reused tid has several threads. perf does not show threads that never ran.
    for run, sleep, iowait, preempt, delay in totals:
        wait = sleep + iowait + preempt
        if not any(o[0] == run and wait <= o[1] <= wait + 3 and o[2] == delay for o in ours[tid]):
            different += 1
            print(f"DIFFERENT: {tid}: perf has run {run} wait {wait} delay {delay}, we have {ours[tid]}")
print(f"equal: totals of {len(perfs) - different} threads")
sys.exit(different != 0 or len(perfs) < 20)
END
}

record_whole switches.data -a -g -m 16M -e sched:sched_switch -e sched:sched_waking -e sched:sched_wakeup_new \
  -e sched:sched_process_fork -- "$workload" "$duration" ||
  skip "the scheduler's tracepoints cannot be recorded: $(perfs_reason)"
compare_lines switches.data
compare_totals switches.data
# Without sched_waking, sched_wakeup counts.
record_whole wakeups.data -a -m 16M -e sched:sched_switch -e sched:sched_wakeup -- "$workload" $((duration / 4)) &&
  { compare_lines wakeups.data; compare_totals wakeups.data; }
conclude
