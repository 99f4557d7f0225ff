#!/bin/bash
# Measures a store: adding a million samples, beside perfsift fold and gzip of the same recordings; then 2,000 recordings of
# 200 simulated hosts, which are parts of few.data, and the time of questions about all and about a few of them.
#   store_bench.sh DIR
# DIR has the recordings of make_recordings.sh. Needs libchdb: see perfsift store setup.
set -euo pipefail
# shellcheck source=tests/bench/measure.sh
source "$(dirname "$0")/measure.sh"
begin "${1:?Usage: store_bench.sh DIR}"
cd "$scratch"

size_of() { du -sb --apparent-size "$1" | cut -f 1; }
store_bytes() { "$perfsift" store show --json "chdb:$1" | sed -n 's/^    "bytes": \([0-9]*\),/\1/p'; }

for recording in "$directory"/few.data "$directory"/many.data; do
  echo "$(basename "$recording"): $(megabytes "$recording") MB"
  bound=$(median_of_command "$runs" "$perfsift fold -o folded.txt $recording && gzip -c folded.txt >folded.gz")
  row "bound: perfsift fold, and gzip" "$bound"
  ours "perfsift fold" "$perfsift" fold -o folded.txt "$recording"
  row "perfsift store add" "$(median_of_command "$runs" "rm -rf one; $perfsift store add chdb:one $recording")"
  "$perfsift" export -q --to pprof -o one.pb.gz "$recording"
  echo "  store $(store_bytes one) bytes, pprof $(size_of one.pb.gz), folded.gz $(size_of folded.gz)"
done

# Ten parts of few.data, each on 200 hosts, in 10 services and 2 versions, on 10 days.
mkdir parts hosts
for part in 0 1 2 3 4 5 6 7 8 9; do
  "$perfsift" filter -q --time "$((10 * part))%-$((10 * part + 1))%" -o "parts/$part.data" "$directory/few.data"
  touch -d "2026-11-1$part 12:00 UTC" "parts/$part.data"
done
for host in $(seq 200); do
  mkdir "hosts/$host"
  for part in 0 1 2 3 4 5 6 7 8 9; do
    ln "parts/$part.data" "hosts/$host/service-$part-$((host % 2 + 1)).data"
  done
done
echo 'path hosts/(?P<host>\d+)/(?P<service>service-\d)-(?P<version>\d)\.data$' >rules
start=$(date +%s.%N)
"$perfsift" store add -q --label-rules rules chdb:fleet hosts | sed 's/^/fleet: /'
awk -v start="$start" -v end="$(date +%s.%N)" 'BEGIN { printf "  %.1f s\n", end - start }'
"$perfsift" store show chdb:fleet | sed 's/^/  /'
bound=$(median_of_command "$runs" "$perfsift store list --json chdb:fleet?host=none")
row "bound: the engine starts and ends" "$bound"
question() { # NAME COMMAND
  local seconds
  seconds=$(median_of_command "$runs" "$2 >answer.txt")
  row "$1, $(cpu_of_last) s of CPU" "$seconds"
}
question "flame, everything" "$perfsift flame -o fleet.svg chdb:fleet"
question "flame, one service and an hour" \
  "$perfsift flame -o one.svg 'chdb:fleet?service=service-3&from=2026-11-13T11:00&to=2026-11-13T13:00'"
question "fold, one host" "$perfsift fold 'chdb:fleet?host=7'"
question "diff, two versions" "$perfsift diff 'chdb:fleet?version=1' 'chdb:fleet?version=2'"
question "fleet, everything" "$perfsift fleet chdb:fleet"
question "fleet, one service" "$perfsift fleet 'chdb:fleet?service=service-3'"
