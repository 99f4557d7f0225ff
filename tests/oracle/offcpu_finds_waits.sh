#!/bin/bash
# A program logs its own waits. The intervals of perfsift offcpu must contain each wait: with the off-CPU time by the
# program's own clocks, to 50 us, and with the right stack, state, waker and way of waiting.
#
#   offcpu_finds_waits.sh PERFSIFT OFFCPU_WAITS
#
# Exit status: 0 all found, 1 a wait is missing, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && waits=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

find_waits() {
# shellcheck disable=SC2016
without_idle record_whole waits.data -a -g -k CLOCK_MONOTONIC -m 8M --switch-events -e sched:sched_switch -e sched:sched_waking \
  -e sched:sched_wakeup_new -- sh -c 'exec "$0" "$1" >log' "$waits" "$scratch/file" ||
  skip "the scheduler's tracepoints cannot be recorded: $(perfs_reason)"
"$perfsift" offcpu -q --csv intervals.csv waits.data >report || return
# The function of libc that waits for a mutex has a name only with libc's own symbols (libc6-dbg). Without them only the
# futex is known.
"$perfsift" offcpu -q -o - --filter 'stack has "wait_in_lock"' waits.data | grep -q lll_lock_wait && lock=lock || lock=futex
declare -A way=([futex]=futex [pipe]=pipe [lock]=$lock [socket]=socket [poll]=poll [nanosleep]=sleep [disk_write]=io
  [page_fault]=page_fault)
for kind in "${!way[@]}"; do
  "$perfsift" offcpu -q --csv - --filter "wait == ${way[$kind]}" waits.data >"way.$kind" || return
done

# For a switch away from a CPU's idle thread, there may be only a SWITCH record and no tracepoint.
perf script -i waits.data --ns -G --show-switch-events -F tid,time,event,trace 2>/dev/null |
  sed -nE -e 's/^ *[0-9]+ +([0-9]+)\.([0-9]{9}): +sched:sched_switch:.* prev_pid=(-?[0-9]+) .* next_pid=(-?[0-9]+) .*/\1\2 tracepoint \3 \4/p' \
    -e 's/^ *([0-9]+) +([0-9]+)\.([0-9]{9}): +PERF_RECORD_SWITCH_CPU_WIDE OUT .*/\2\3 record \1 -/p' \
    -e 's/^ *([0-9]+) +([0-9]+)\.([0-9]{9}): +PERF_RECORD_SWITCH_CPU_WIDE IN .*/\2\3 record - \1/p' >switches

python3 - <<'END'
import bisect, csv, sys

intervals = {}
for row in csv.DictReader(open("intervals.csv")):
    intervals.setdefault(int(row["tid"]), []).append(row)
# The times when each thread left its CPU and came back, according to perf: a wait that is not in the recording cannot
# be found.
left, came = {}, {}
for line in open("switches"):
    time, source, before, after = line.split()
    left.setdefault((source, before), []).append(int(time))
    came.setdefault((source, after), []).append(int(time))

def off_by_perf(tid, start, end):
    """How long a thread was off its CPU by the switches that perf prints; None where one is not in the recording."""
    for source in ("tracepoint", "record"):
        gone, back = (times.get((source, str(tid)), []) for times in (left, came))
        gone, back = (times[bisect.bisect_left(times, start):bisect.bisect_right(times, end)] for times in (gone, back))
        if len(gone) == len(back) > 0:
            return sum(back) - sum(gone)
    return None

states = {"futex": "sleeping", "pipe": "sleeping", "nanosleep": "sleeping", "disk_write": "uninterruptible",
          "page_fault": "uninterruptible", "lock": "sleeping", "socket": "sleeping", "poll": "sleeping"}
wakers = {"futex": "waker", "pipe": "writer", "lock": "holder", "socket": "sender"}
# The starts of the intervals for each way of waiting, by --filter.
ways = {kind: {(row["tid"], row["start_ns"]) for row in csv.DictReader(open(f"way.{kind}"))} for kind in states}
checked, by_own_clocks, worst, wrong, unseen = {}, {}, 0, 0, 0
for line in open("log"):
    kind, tid, start, end, cpu = line.split()
    tid, start, end, cpu = int(tid), int(start), int(end), int(cpu)
    off_of_perf = off_by_perf(tid, start, end)
    if end - start - cpu > 50_000 and off_of_perf is None:
        unseen += 1
        continue
    inside = [row for row in intervals.get(tid, []) if start <= int(row["start_ns"]) and int(row["end_ns"]) <= end]
    off = sum(int(row["off_cpu_ns"]) for row in inside)
    # A thread's CPU time includes time that a hypervisor took during a switch. Then the thread was off the CPU for
    # longer, but never for longer than the wait. It does not include time that a hypervisor took while the thread ran.
    # Then the off-CPU time is shorter, and perf's time is the lower limit.
    least, most = end - start - cpu, end - start
    by_own_clocks[kind] = by_own_clocks.get(kind, 0) + (least - 50_000 <= off <= most + 50_000)
    if off_of_perf is not None:
        least = min(least, off_of_perf)
    difference = max(least - off, off - most)
    # A page fault has no call, so the faulting function is the leaf, without a frame, and hides its caller.
    function = "page_fault" if kind == "page_fault" else f"wait_in_{kind}"
    blocked = [row for row in inside if row["state"] == states[kind] and function in row["stack"].split(";")]
    problem = None
    worst = max(worst, difference)
    if difference > 50_000:
        problem = f"off for {off} ns, and not for {least} to {most}"
    elif kind in ("disk_write", "page_fault"):
        if off > 200_000 and not blocked and not any(row["state"] == "preempted" for row in inside):
            problem = "not blocked on the right stack"
    elif not blocked:
        problem = "not blocked on the right stack"
    elif kind in wakers and blocked[-1]["waker_comm"] != wakers[kind]:
        problem = f"woken by {blocked[-1]['waker_comm']}"
    elif not any((row["tid"], row["start_ns"]) in ways[kind] for row in blocked):
        problem = "waits in another way"
    if problem:
        wrong += 1
        print(f"WRONG: {kind} at {start}: {problem}")
    checked[kind] = checked.get(kind, 0) + 1
# Waits for the disk contain milliseconds of work, and a hypervisor may take a part of this time.
for kind in states.keys() - {"disk_write", "page_fault"}:
    if 2 * by_own_clocks.get(kind, 0) < checked.get(kind, 0):
        wrong += 1
        print(f"WRONG: by its own clocks only {by_own_clocks[kind]} of {checked[kind]} waits of {kind} are right")
print(f"found: {checked}, the worst is off by {worst} ns; by the own clocks {by_own_clocks} to 50 us; "
      f"{unseen} are not in the recording")
sys.exit(1 if wrong != 0 else 2 if len(checked) != len(states) else 0)
END
}

# A switch away from a thread of another pid namespace is not recorded, so the next thread is unknown, too. Busy threads
# of another namespace may hide a wait, so an error counts only after three failed runs.
unseen=0
for ((try = 0; try < 3; ++try)); do
  find_waits
  case $? in
    0) conclude; exit ;;
    2) unseen=1 ;;
  esac
done
((unseen)) && skip "of some kinds of waits no switch was recorded"
failures=1
conclude
