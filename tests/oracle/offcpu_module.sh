#!/bin/bash
# perfsift-offcpu.so in perf 6.1 against perfsift offcpu, on recordings made now of threads that wait in many ways: the
# folded stacks must be equal, and the numbers of every thread.
#
#   offcpu_module.sh PERFSIFT SCHED_WORKLOAD [MILLISECONDS]
#
# The module is in the folder of PERFSIFT. Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can
# record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
duration=${3:-600}
module=$(dirname "$perfsift")/perfsift-offcpu.so
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
# shellcheck source=tests/oracle/module_names.sh
source "$(dirname "$0")/module_names.sh"
begin

# perf shows a dlfilter neither LOST records nor the records of threads that start or end. So the recording must have
# no LOST records, and must end with a switch or wakeup. Other processes that start or end may prevent this.
record_comparable() { # NAME ARGUMENTS…
  local name=$1 try tries=20
  for ((try = 0; try < tries; ++try)); do
    record_whole "$@" || return
    perf script --show-task-events -G --ns -F comm,tid,time,event,trace -i "$name" 2>/dev/null >events
    ! tail -n 1 events | grep -q PERF_RECORD && return
  done
  not_recorded "$name" "the last record is not of a switch or wakeup in each of $tries recordings"
}

# perf gives a dlfilter less information in five cases. A new thread has a FORK record, and its tracepoint comes later,
# after the difference in perf's text. Until then the thread was blocked or, without its first switch, its state is
# unknown. A thread created while the recording begins or ends may have a record and no tracepoint, so it is not
# compared. The process of a thread is known from the thread's own samples, but not if the thread only left its CPU when
# it ended. Threads outside of perf's namespaces have their names only in the tracepoint, which only perfsift reads. A
# thread that was created and never ran has its name only in records.
compare_threads() { # RECORDING
  "$perfsift" offcpu -q --json "$1" >ours.json || failures=$((failures + 1))
  perf script -i "$1" --dlfilter "$module" --dlarg --json >perfs.json 2>errors
  python3 - <<'END' || failures=$((failures + 1))
import collections, json, re, sys

# The times when each thread was created, by the records, and when the tracepoints first mention it, before the next
# thread with this tid is created.
made, told = collections.defaultdict(list), collections.defaultdict(list)
for line in open("events"):
    of_time = re.search(r" (\d+)\.(\d{9}): +(?:PERF_RECORD_FORK\(\d+:(\d+)\)|sched:(?:sched_process_fork:.* child_pid|"
                        r"sched_wakeup_new:.* pid)=(\d+))", line)
    if of_time and int(of_time[1] + of_time[2]) != 0:  # 0: existed before
        tid, times = (of_time[3], made) if of_time[3] else (of_time[4], told)
        times[int(tid)].append(int(of_time[1] + of_time[2]))
lags, untold = collections.defaultdict(set), set()
for tid, births in made.items():
    for birth, next_one in zip(births, births[1:] + [sys.maxsize]):
        first = min((time for time in told[tid] if birth <= time < next_one), default=None)
        if first is None:
            untold.add(tid)
        else:
            lags[tid].add(first - birth)

ours, perfs = (json.load(open(name)) for name in ("ours.json", "perfs.json"))
for report in (ours, perfs):
    report["threads"] = [thread for thread in report["threads"] if thread["tid"] not in untold]
different = [key for key in ("start", "end", "switches", "wakeups", "input") if ours[key] != perfs[key]]
if len(ours["threads"]) != len(perfs["threads"]):
    different.append("number of threads")
unseen = set()
for threads in (ours["threads"], perfs["threads"]):  # the threads are in order of their times, which may differ
    threads.sort(key=lambda thread: (thread["tid"], thread["first"]))
for one, other in zip(ours["threads"], perfs["threads"]):
    if one["comm"].startswith(":"):
        unseen |= {one["comm"], other["comm"]}
        one["comm"] = other["comm"]
    elif other["comm"].startswith(":") and one["times"]["run"] == 0:
        unseen |= {one["comm"], other["comm"]}
        other["comm"] = one["comm"]
    born_later = other["first"] - one["first"]
    if born_later in lags[one["tid"]]:
        is_unknown = one["times"]["unknown"] - other["times"]["unknown"] == born_later
        blocked = ((other["times"], "blocked"), (other["off_cpu"], "blocked"), (other["off_cpu"], "off_cpu"))
        for figures, key in ((other, "observed"), *([(other["times"], "unknown")] if is_unknown else blocked)):
            figures[key] += born_later
        other["first"] = one["first"]
        for key in ("involuntary", "p50", "p99", "p99_9"):
            one.pop(key, None), other.pop(key, None)
        other["off_cpu"]["longest"] = max(other["off_cpu"]["longest"], one["off_cpu"]["longest"])
    if other["pid"] == -1:
        other["pid"] = one["pid"]
    if one != other:
        different.append(f"{one}\n  {other}")
open("unseen", "w").writelines(f"{name}\n" for name in unseen)
print("\n".join(["DIFFERENT:"] + different[:5]) if different else
      f"equal: figures of {len(ours['threads'])} threads ({len(untold)} are only in records)")
sys.exit(bool(different) or len(ours["threads"]) < 20)
END
}

# Time before a thread first ran is compared above. The kernel's startup code is outside of the recorded kernel mapping,
# but perf finds names there.
with_stacks() {
  grep -v -e ';\[no stack\]' -e ';rest_init' | of_known_programs |
    awk -F ';' 'FILENAME == "unseen" { unseen[$0]; next } !($1 in unseen)' unseen -
}

# Other programs of this machine may have functions with several names at one address, and perf may choose another name.
# So only stacks of the workload, of perf and of kernel threads are compared, and only if a waker in the stack is one of
# them, too.
of_known_programs() {
  awk -F ';' '
    function known(name) { return name ~ /^(sched_workload|swapper|perf|rcu_.*|k[a-z]+d[0-9]*|.*\/.*)$/ }
    { waker = $NF; sub(/ [0-9]+$/, "", waker) }
    known($1) && (!/;--;/ || known(waker))'
}

compare_stacks() { # RECORDING [OPTION…]
  local recording=$1 options=()
  shift
  for option; do options+=(--dlarg "$option"); done
  perf script -i "$recording" --dlfilter "$module" --dlarg --output=- "${options[@]}" 2>errors | with_stacks >perfs
  "$perfsift" offcpu -q --no-inline --output - "$recording" "$@" 2>>errors | with_stacks >ours
  comparable <perfs >expected
  comparable <ours >actual
  if (($(wc -l <perfs) >= 5)) && [[ ! -s errors ]] && diff expected actual >difference; then
    cmp -s perfs ours && how=identical || how="equal but for names that perf has otherwise"
    echo "$recording $*: $how ($(wc -l <ours) stacks)"
  else
    echo "DIFFERENT: $recording $*"
    head -n 10 difference errors
    failures=$((failures + 1))
  fi
}

events=(-e sched:sched_switch -e sched:sched_waking -e sched:sched_wakeup_new -e sched:sched_process_fork
  -e sched:sched_process_exec)
record_comparable fp.data -a -g -m 16M "${events[@]}" -- "$workload" "$duration" ||
  skip "the scheduler's tracepoints cannot be recorded: $(perfs_reason)"
compare_threads fp.data
compare_stacks fp.data
compare_stacks fp.data --unit=ns --split=state --delimiter
compare_stacks fp.data --unit=ns --waker --min-block=50us
compare_stacks fp.data --unit=count --ignore-idle --state=S,D
record_comparable wakeups.data -a -g -m 16M -e sched:sched_switch -e sched:sched_wakeup -e sched:sched_wakeup_new -- \
  "$workload" $((duration / 4)) && { compare_threads wakeups.data; compare_stacks wakeups.data; }
record_comparable unwound.data -a -m 32M --call-graph dwarf,2048 -e sched:sched_switch -e sched:sched_waking \
  -e sched:sched_wakeup_new -- "$workload" $((duration / 6)) &&
  { compare_threads unwound.data; compare_stacks unwound.data --unit=ns; }
conclude
