#!/bin/bash
# perf script must print the same samples with the same names for a recording that perfsift offcpu cut around a spike,
# and for the whole recording in the same time range.
#
#   offcpu_spikes.sh PERFSIFT OFFCPU_ALLOCATOR
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && allocator=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

without_idle record_whole spikes.data -a -g -m 8M -e sched:sched_switch -e sched:sched_waking -e cpu-clock -- "$allocator" 1000 ||
  skip "the scheduler's tracepoints cannot be recorded: $(perfs_reason)"

around=700000 # nanoseconds
cut() { # FILE
  "$perfsift" offcpu -q --json --filter 'comm == "server" && state == "S" && offcpu > 30us && first(8)' \
    --spikes-over 30us --around ${around}ns --cut-to "$1" spikes.data
}
cut 'spike-%n.data' >each.json && cut all.data >all.json || exit 1

# RECORDING START,END NAME: compares perf's text of the whole recording in this range with the text of the cut-out
# part.
compare() {
  perf script -i spikes.data --ns --time "$2" >expected 2>/dev/null
  perf script -i "$1" --ns >actual 2>/dev/null
  expect_equal "$3"
}

# perf accepts several ranges only if they do not overlap.
python3 - "$around" >windows <<'END'
import json, sys
around = int(sys.argv[1])
def seconds(time): return f"{time // 10**9}.{time % 10**9:09}"
windows = []
for spike in json.load(open("each.json"))["spikes"]:
    start, end = spike["start"] - around, spike["end"] + around
    print(spike["recording"], f"{seconds(start)},{seconds(end)}")
    windows.append([start, end])
joined = []
for start, end in sorted(windows):
    if joined and start <= joined[-1][1]:
        joined[-1][1] = max(joined[-1][1], end)
    else:
        joined.append([start, end])
print("all.data", " ".join(f"{seconds(start)},{seconds(end)}" for start, end in joined))
END
(($(wc -l <windows) > 1)) || skip "nothing waited for 30 us"
while read -r recording range; do compare "$recording" "$range" "$recording"; done <windows
conclude
