#!/bin/bash
# The walk-through of perfsift-offcpu(1): a thread that is usually fast, but sometimes blocks on the mutex of an
# allocator. The percentiles show the waits; the list of spikes and the folded stacks show the holder of the mutex.
#
#   offcpu_allocator.sh PERFSIFT OFFCPU_ALLOCATOR
#
# Exit status: 0 found, 1 not, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && allocator=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

expect() { # WHAT COMMAND...
  local what=$1
  shift
  "$@" && echo "found: $what" && return
  echo "NOT FOUND: $what"
  failures=$((failures + 1))
}

# The program has a high priority, if permitted, so that other work of this machine does not interfere.
urgently=(chrt -f 5)
"${urgently[@]}" true 2>/dev/null || urgently=()
without_idle record_whole allocator.data -a -g -m 8M -e sched:sched_switch -e sched:sched_waking -- "${urgently[@]}" "$allocator" 1500 ||
  skip "the scheduler's tracepoints cannot be recorded: $(perfs_reason)"

tid=$("$perfsift" offcpu -q --json allocator.data | python3 -c '
import json, sys
print([thread["tid"] for thread in json.load(sys.stdin)["threads"] if thread["comm"] == "server"][0])')
"$perfsift" offcpu -q --json --tid "$tid" allocator.data >report
"$perfsift" offcpu -q --tid "$tid" --min-block 500us --state S --spikes-over 500us allocator.data >spikes
"$perfsift" offcpu -q --tid "$tid" --min-block 500us --state S --waker -o folded allocator.data >/dev/null

"$perfsift" offcpu -q --csv all.csv allocator.data >/dev/null
"$perfsift" offcpu -q --csv kept --filter 'blocked > 100us && stack has "handle_request" && waker_comm == "compactor"' \
  allocator.data >/dev/null
python3 - <<'END'
import csv
with open("all.csv", newline="") as table, open("chosen", "w", newline="") as out:
    rows = csv.DictReader(table)
    chosen = csv.DictWriter(out, rows.fieldnames, lineterminator="\n")
    chosen.writeheader()
    for row in rows:
        if int(row["blocked_ns"]) > 100_000 and "handle_request" in row["stack"].split(";") and \
                row["waker_comm"] == "compactor":
            chosen.writerow(row)
END

expect "blocked for long, at P99.99 at the latest, and not at P50" python3 -c '
import json
blocked = json.load(open("report"))["distributions"]["blocked"]
print({key: blocked[key] for key in ("intervals", "p50", "p99_9", "p99_99", "max")})
# With fewer than 10,000 waits there is no P99.99, so the longest wait is used.
assert blocked["p50"] < 200_000 and (blocked["p99_99"] or blocked["max"]) > 700_000'
expect "the mutex in the list of spikes" grep -q "left on: .*lll_lock_wait < .*handle_request < " spikes
expect "who held it" grep -q "woken .* after its start by compactor\[" spikes
expect "where that was" grep -q "there on: .*keep_tidy" spikes
expect "by a filter, the same intervals that are chosen by hand from all" cmp chosen kept
expect "both in one folded stack" grep -q "^server;.*;handle_request;.*;--;.*;keep_tidy;.*;compactor [0-9]*$" folded
conclude
