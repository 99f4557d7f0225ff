#!/bin/bash
# perfsift bench with perf, and pprof of Go on the stored profile: the samples of all runs, and of each run, equal those
# of the recordings.
#
#   bench.sh PERFSIFT WORKLOAD
set -euo pipefail
perfsift=$1
for tool in perf go; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder/private XDG_CACHE_HOME=$folder/cache PPROF_TMPDIR=$folder
mkdir "$TMPDIR"
fail() { echo "$*"; exit 1; }
# perf writes the counts of the kernel: cpu-clock needs no counters of the processor.
record=("$perfsift" bench -e cpu-clock -w 1)
busy='i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'

"${record[@]}" -n 3 --keep "$folder/kept" -o "$folder/stored.pb.gz" "$busy" > "$folder/times"
grep -q '^command  *3 ' "$folder/times" || fail "no line of 3 runs: $(cat "$folder/times")"
[ "$(ls "$folder/kept")" = "$(printf 'command-00%d.data\n' 1 2 3)" ] || fail "kept: $(ls "$folder/kept")"
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"

samples_of() { "$perfsift" fold -q --weight samples "$@" | awk '{ sum += $NF } END { print sum + 0 }'; }
# An ordinary user may not record the kernel, so the event is cpu-clock:u.
type=$(go tool pprof -symbolize=none -raw "$folder/stored.pb.gz" 2>/dev/null | sed -n '/^Samples:/{n;s|/.*||p}')
pprof_total() {
  go tool pprof -symbolize=none -sample_index="$type" -top "$folder/stored.pb.gz" 2>/dev/null |
    sed -n 's/.* of \([0-9]*\) total.*/\1/p'
}
[ "$(pprof_total)" = "$(samples_of "$folder"/kept/*)" ] || fail "pprof: $(pprof_total), fold: $(samples_of "$folder"/kept/*)"
for run in 0 1 2; do
  shown=$(go tool pprof -symbolize=none -sample_index="$type" -tagfocus=run=${run}run -traces "$folder/stored.pb.gz" \
    2>/dev/null | awk '$1 ~ /^[0-9]+$/ { sum += $1 } END { print sum + 0 }')
  expected=$(samples_of "$folder/kept/command-00$((run + 1)).data")
  [ "$shown" = "$expected" ] || fail "run $run: pprof shows $shown samples, the recording has $expected"
done

# An interrupted run leaves nothing behind, neither files nor processes.
"${record[@]}" -n 3 -o "$folder/interrupted.pb.gz" -- sleep 987654 &
bench=$!
for _ in $(seq 1200); do
  sleeper=$(pgrep -P "$(pgrep -P $bench perf || echo 0)" sleep) && break
  sleep 0.05
done
[ -n "$sleeper" ] || fail "perf did not start the command within a minute"
kill -TERM $bench
status=0
wait $bench || status=$?
[ $status = 143 ] || fail "ended with $status, not by SIGTERM"
kill -0 "$sleeper" 2>/dev/null && fail "the command still runs"
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"
[ ! -e "$folder/interrupted.pb.gz" ] || fail "a profile of an interrupted run"
