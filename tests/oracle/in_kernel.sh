#!/bin/bash
# What perfsift offcpu --in-kernel sums up must be what perfsift offcpu computes from a recording of every switch of the same
# run.
#
#   in_kernel.sh PERFSIFT IN_KERNEL_WAITS
#
# Exit status: 0 all is well, 1 something is not, 77 when BPF programs cannot be loaded here.
set -u
perfsift=$(realpath -e "$1") && waits=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
in_scratch
ran_well() { # WHAT STATUS PATTERN COMMAND…: the exit status, and a message
  local status=0
  timeout 60 "${@:4}" >output 2>errors || status=$?
  [[ $status == "$2" ]] || { bad "$1: status $status instead of $2"; head -n 3 errors; }
  [[ ! $3 ]] || grep -qE -- "$3" errors output || { bad "$1: no message has '$3':"; head -n 3 errors; }
}
programs_left() { # COUNT: the programs of perfsift that are in the kernel
  command -v bpftool >/dev/null || return 0
  local count
  count=$(bpftool prog list | grep -cE 'name on_(switch|waking|wakeup|wakeup_new|fork|exec) ')
  [[ $count == "$1" ]] || bad "$count programs are attached instead of $1"
}

"$perfsift" record --preset offcpu --in-kernel -a -o probe.data --max-time 100ms >/dev/null 2>errors ||
  skip "BPF programs cannot be loaded here: $(head -n 1 errors)"

# Two recorders at the same time disturb each other: a run that another process disturbs, too, is repeated.
repeated() { # FUNCTION
  for _ in 1 2 3; do "$1" && return; done
  return 1
}

same_run() {
"$perfsift" record -q --preset offcpu -a -m 16M -o full.data -- \
  "$perfsift" record --preset offcpu --in-kernel --over 2ms -a -o sums.data -- "$waits" >log 2>errors || return 1
grep warning errors
cat log
for input in full sums; do
  "$perfsift" offcpu -q --json "$input.data" >"$input.json" 2>"$input.errors" || return 1
  "$perfsift" offcpu -q --csv "$input.csv" "$input.data" >/dev/null 2>&1 || return 1
  for comm in k-sleep k-pipe k-short; do
    "$perfsift" offcpu -q --json --comms $comm "$input.data" >"$input.$comm.json" 2>/dev/null || bad "offcpu --comms"
  done
done

python3 - <<'END_OF_PYTHON'
import collections, csv, json, sys
wrong = 0
def check(is_right, *what):
    global wrong
    if not is_right:
        wrong += 1
        if wrong < 20: print("DIFFERENT:", *what)

def totals(name):
    """Of the threads of the program, by tid: threads that have one tid, one after the other, are one."""
    sums = collections.defaultdict(lambda: collections.Counter())
    threads = [thread for thread in json.load(open(name))["threads"]
               if "off_cpu" in thread and thread["comm"].startswith(("k-", "in_k"))]
    tids = {thread["tid"] for thread in threads if thread["comm"].startswith("k-")}
    for thread in threads:
        if thread["tid"] not in tids: continue
        sums[thread["tid"]].update({key: thread["off_cpu"][key] for key in ("off_cpu", "blocked", "run_queue", "intervals")})
        for key in ("run", "unknown"): sums[thread["tid"]][key] += thread["times"][key]
        sums[thread["tid"]]["threads"] += 1
    return sums
full, sums = totals("full.json"), totals("sums.json")
# Kernels of some virtual machines do not trace the switches away from some threads. perfsift says for how long it is not
# known what a thread did; the recording has records of switches beside the tracepoints.
# The clock is read twice for each switch, by one after the other, and in between a stack is walked: that of the thread that
# leaves, which takes up to 6 us, or that of the idle thread.
def close(ours, theirs, key):
    slack = ours["unknown"] + theirs["unknown"] + 8_000 * theirs["intervals"]
    return abs(ours[key] - theirs[key]) <= max(0.01 * theirs[key], 500_000) + slack
# A thread whose one wait was not seen has no interval under its own name.
missing = len(set(full) ^ set(sums))
check(missing <= (5 if any(one["unknown"] for one in sums.values()) else 0), "threads", len(full), len(sums), missing)
for tid in set(full) & set(sums):
    # A switch that one of the two has not seen is much of the few intervals of a short thread: those count together.
    for key in ("off_cpu", "run") if full[tid]["intervals"] > 10 else ():
        check(close(sums[tid], full[tid], key), tid, key, sums[tid], full[tid])
every = {key: (sum(one[key] for one in sums.values()), sum(one[key] for one in full.values()))
         for key in ("threads", "intervals", "off_cpu", "blocked", "run_queue", "run", "unknown")}
print("in the kernel, and in full:", every)
for key in ("intervals", "off_cpu", "run"):
    walks = 8_000 * every["intervals"][1] if key != "intervals" else 0
    unseen = sum(every["unknown"]) if key != "intervals" else 0.002 * every["intervals"][1]
    check(abs(every[key][0] - every[key][1]) <= 0.002 * every[key][1] + unseen + walks, key, every[key])
check(every["threads"][0] >= 10_000, "threads", every["threads"])

# A bucket is at most an eighth of its values wide, and a value stands for the mean of its bucket.
for comm in ("k-sleep", "k-pipe", "k-short"):  # with hundreds of intervals
    ours, theirs = (json.load(open(f"{name}.{comm}.json"))["distributions"] for name in ("sums", "full"))
    for part in ("off_cpu", "blocked", "run_queue"):
        # Where switches are missing, one of the two may lack the rarest intervals, and the wakeups which divide them.
        rare = ("p99", "p99_9", "max")
        if every["unknown"][1]: rare = ("p99",) if part == "off_cpu" else ()
        for percentile in ("p50", *rare):
            a, b = ours[part][percentile], theirs[part][percentile]
            if a is None or b is None: continue
            # Times of the wakeup differ: sched_waking here, sched_wakeup there.
            slack = 8_000 if part == "off_cpu" else 30_000
            check(abs(a - b) <= 0.125 * b + slack, comm, part, percentile, a, b)
    print(comm, {p: (ours["off_cpu"][p], theirs["off_cpu"][p]) for p in ("p50", "p99", "p99_9", "max")})

# Each interval of at least 2 ms is there once. The two programs read the clock one after the other.
def intervals(name):
    return [(int(row["tid"]), int(row["start_ns"]), int(row["off_cpu_ns"]), row) for row in csv.DictReader(open(name))
            if row["comm"].startswith("k-") and row["cut"] == ""]
ours = collections.defaultdict(list)
for tid, start, length, row in intervals("sums.csv"): ours[tid].append((start, length, row))
unseen = 0
expected = [one for one in intervals("full.csv") if one[2] >= 2_100_000]
for tid, start, length, row in expected:
    found = [one for one in ours[tid] if abs(one[0] - start) < 100_000 and abs(one[1] - length) < 100_000]
    if not found: unseen += 1
    check(len(found) <= 1, "over 2 ms", tid, start, length, len(found))
    for _, _, mine in found:
        check(mine["state"] == row["state"], "state", tid, mine["state"], row["state"])
        leaves = [one["stack"].replace("__traceiter_sched_switch;", "").split(";")[:3] for one in (mine, row)]
        check(row["stack_of"] != "switch" or leaves[0] == leaves[1], "stack", *leaves)
        check(mine["cpu_left"] == row["cpu_left"] and mine["cpu_entered"] == row["cpu_entered"], "CPU", tid, start)
lengths = [length for _, _, length, _ in intervals("sums.csv")]
check(all(length >= 2_000_000 for length in lengths), "an interval is shorter than the threshold", min(lengths))
check(len(lengths) <= len([one for one in intervals("full.csv") if one[2] >= 1_900_000]), "more than there are")
print(len(expected), "intervals over 2 ms,", unseen, "of them not seen, because a switch was not traced")
check(unseen <= json.load(open("sums.json"))["input"]["contradictions"], "intervals over 2 ms are missing", unseen)
check(len(expected) > 100, "too few to say anything")
sys.exit(wrong != 0)
END_OF_PYTHON
}
echo "== the same run, summed in the kernel and recorded in full"
repeated same_run || bad "the sums"

# By the program's own clock, before and after each call that waits. A real-time priority, so that nothing else takes the
# CPU from the program between the calls.
own_log() {
# shellcheck disable=SC2016
"$perfsift" offcpu --in-kernel --stacks none -q --json -- sh -c 'chrt -f 1 "$0" own >own.log' "$waits" >own.json 2>errors || return 1
python3 - <<'END_OF_PYTHON'
import json, sys
own = {int(tid): (name, int(time)) for tid, name, time in map(str.split, open("own.log"))}
found = {thread["tid"]: thread for thread in json.load(open("own.json"))["threads"] if thread["tid"] in own}
wrong = len(own) != 3
for tid, (name, time) in own.items():
    ours, unknown = found[tid]["off_cpu"]["off_cpu"], found[tid]["times"]["unknown"]
    print(f"{name}: {time} ns by its own clock, {ours} ns in the kernel, {unknown} ns unknown")
    wrong |= abs(ours - time) > max(0.01 * time, 500_000) + unknown
sys.exit(wrong)
END_OF_PYTHON
}
if chrt -f 1 true 2>/dev/null; then
  echo "== the program's own log"
  repeated own_log || bad "the program's own log"
fi

small_tables() {
"$perfsift" record -q --preset offcpu -a -m 16M -o full.data -- \
  "$perfsift" record --preset offcpu --in-kernel --table-rows 64 -o small.data -- "$waits" 500 >log 2>errors
grep -q 'had no room in the table' errors || bad "no message about a full table"
for input in full small; do "$perfsift" offcpu -q --json "$input.data" >"$input.json" 2>/dev/null; done
"$perfsift" offcpu -q small.data 2>/dev/null | grep 'Not in the table' || bad "the report does not say what is missing"
"$perfsift" offcpu -q --csv full.csv full.data >/dev/null 2>&1
python3 - <<'END_OF_PYTHON'
import csv, json, sys
full, small = (json.load(open(f"{name}.json")) for name in ("full", "small"))
# The program waits, before it begins, until perfsift measures.
lengths = [int(row["off_cpu_ns"]) for row in csv.DictReader(open("full.csv"))
           if row["comm"].startswith(("k-", "in_k")) and int(row["start_ns"]) >= small["start"]]
lost = small["in_kernel"]
kept = [thread["off_cpu"] for thread in small["threads"] if "off_cpu" in thread]
count = sum(one["intervals"] for one in kept) + lost["left_out"]
time = sum(one["off_cpu"] for one in kept) + lost["left_out_time"]
unknown = sum(t["times"]["unknown"] for t in full["threads"] + small["threads"] if t["comm"].startswith(("k-", "in_k")))
print(f"{len(lengths)} intervals, {sum(lengths)} ns; {count - lost['left_out']} in the table, {lost['left_out']} left out,"
      f" {time} ns; {unknown} ns unknown")
sys.exit(not (lost["left_out"] > 0 and abs(count - len(lengths)) <= 0.01 * len(lengths) + 5
              and abs(time - sum(lengths)) <= 0.01 * time + 5e6 + unknown))
END_OF_PYTHON
}
echo "== tables that are too small"
repeated small_tables || bad "what the table had no room for"

echo "== a reader that sleeps: waits over the threshold are in sums where the ring buffer is full"
# shellcheck disable=SC2016
"$perfsift" record --preset offcpu --in-kernel --over 1us -o slept.data -- sh -c \
  'kill -STOP $PPID; for i in 1 2 3 4; do "$0" 0 >/dev/null; done; kill -CONT $PPID' "$waits" 2>errors || bad "a recorder that sleeps"
"$perfsift" offcpu -q --json slept.data >slept.json
python3 - <<'END_OF_PYTHON' || bad "a reader that sleeps"
import json, sys
all = json.load(open("slept.json"))
pipe = sum(t["off_cpu"]["intervals"] for t in all["threads"] if t["comm"] == "k-pipe")
print(all["in_kernel"]["not_sent"], "not sent,", pipe, "intervals of k-pipe")
sys.exit(not (all["in_kernel"]["not_sent"] > 1000 and all["in_kernel"]["left_out"] == 0 and pipe >= 36000))
END_OF_PYTHON

echo "== other outputs"
ran_well "the command's status" 3 '' "$perfsift" offcpu --in-kernel -q -- sh -c 'sleep 0.01; exit 3'
"$perfsift" offcpu --in-kernel -q -o - -- "$waits" 0 >folded || bad "folded stacks"
grep -qE '^k-pipe;.*__schedule [0-9]+$' folded || bad "no folded stack of k-pipe"
"$perfsift" offcpu --in-kernel -q --live --prometheus metrics -- "$waits" 0 >live || bad "--live"
grep -q 'perfsift_offcpu_seconds_count{part="off_cpu",comm="k-pipe"' metrics || bad "no metrics of k-pipe"
"$perfsift" script sums.data 2>/dev/null | grep -qE 'perfsift:wait: count=[0-9]+ blocked=' || bad "script shows no fields"
# shellcheck disable=SC2016
ran_well "full standard output" 3 '' sh -c '"$0" offcpu --in-kernel --max-time 100ms >/dev/full' "$perfsift"

echo "== filters in the kernel leave what the same filters leave of a recording"
only() { # COMMS NAMES… OPTIONS: the threads that are left, and how many intervals of them
  # shellcheck disable=SC2016
  "$perfsift" offcpu --in-kernel -q --json "$@" -- sh -c '"$0" 100 >/dev/null' "$waits" 2>errors | python3 -c '
import collections, json, sys
count = collections.Counter()
for thread in json.load(sys.stdin)["threads"]:
    if "off_cpu" in thread: count[thread["comm"]] += thread["off_cpu"]["intervals"]
print(" ".join(f"{comm}={n}" for comm, n in sorted(count.items()) if n))'
}
for options in '--comms k-move' '--comms k-move --state D' '--comms k-sleep --min-block 14ms' '--user-threads --state N'; do
  # shellcheck disable=SC2086
  left=$(only $options)
  echo "$options: $left"
  case $options in
    *k-move) [[ $left =~ ^k-move=(39[0-9]|4[0-9][0-9])$ ]] ;;
    *'k-move --state D') [[ $left =~ ^k-move=(1[0-9][0-9]|200)$ ]] ;;
    *14ms) [[ $left =~ ^k-sleep=([5-9]|1[0-9])$ ]] ;;
    *N) [[ $left == *in_kernel_waits=* && ! $left =~ k-pipe=[0-9]{3} ]] ;;
  esac || bad "$options leaves $left"
done

echo "== nothing stays in the kernel"
"$perfsift" offcpu --in-kernel -a --max-time 60s >/dev/null 2>&1 &
recorder=$!
sleep 1
programs_left 6
kill -KILL $recorder
wait $recorder 2>/dev/null
sleep 0.5
programs_left 0

echo "== refused"
ran_well "a user without rights" 3 'lets only root' setpriv --reuid=65534 --clear-groups --inh-caps=-all \
  "$perfsift" record --preset offcpu --in-kernel -o /dev/null -- true
ran_well "no preset" 2 'needs --preset offcpu' "$perfsift" record --in-kernel -a -o x.data
ran_well "no BPF" 2 'they need --in-kernel' "$perfsift" offcpu --over 1ms full.data
ran_well "a file" 2 'reads no file' "$perfsift" offcpu --in-kernel full.data
ran_well "timehist" 2 'leave --in-kernel away' "$perfsift" offcpu --in-kernel --timehist

conclude
