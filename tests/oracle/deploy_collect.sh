#!/bin/bash
# deploy/collect/perfsift-collect: a store that is away and comes back, a full spool, runs that are killed between two steps,
# a damaged recording, two runs at once, what Prometheus gets, and the units of systemd.
#   deploy_collect.sh PERFSIFT CLICKHOUSE_DOUBLE FOLDER_OF_NPM
set -u
real=$(realpath "$1")
double=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
units=$(realpath "$here/../../deploy/collect")
unset PERFSIFT_CREDENTIALS CLICKHOUSE_USER CLICKHOUSE_PASSWORD

# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
# shellcheck source=tests/oracle/servers.sh
source "$here/servers.sh"
need_libchdb "$3"
in_scratch
export HOME=$scratch XDG_CONFIG_HOME=
"$real" record -q -e cpu-clock:u -o probe.data true >/dev/null 2>record.errors || skip "perfsift cannot record here: $(perfs_reason)"
stop_servers_at_end

# The program keeps a copy of each recording that is packed, in the order of time, and kills the run that called it after the step $KILL.
mkdir kept
cat >program <<END
#!/bin/bash
"$real" "\$@"
status=\$?
if [[ \$1 == pack && \$status == 0 ]]; then cp "\${@: -2:1}" "$scratch/kept/\$(date +%s%N).tar.zst"; fi
if [[ \$1 == "\${KILL:-}" ]]; then kill -KILL \$PPID; fi
exit \$status
END
chmod +x program
export PERFSIFT=$scratch/program PERFSIFT_SPOOL=$scratch/spool PERFSIFT_METRICS=$scratch/metrics/perfsift.prom
export PERFSIFT_RECORD_SECONDS=0.1 PERFSIFT_LABELS='service=a"b host=node-1'
export PERFSIFT_RECORD="-g -e cpu-clock -F 999 -k realtime -C 0"
"$real" record -q -e cpu-clock -C 0 -o probe.data -- true 2>/dev/null || PERFSIFT_RECORD="-g -e cpu-clock:u -F 999 -k realtime"
mkdir metrics

collect() { # STATUS WHAT
  local status=0
  "$units/perfsift-collect" 2>errors || status=$?
  ((status == $1)) || bad "$2: status $status instead of $1: $(<errors)"
}
expect_metric() { # NAME VALUE WHAT
  local value
  value=$(sed -n "s/^perfsift_$1 //p" "$PERFSIFT_METRICS")
  if [[ $value == "$2" ]]; then echo "right: $3: $1 $2"; else bad "$3: $1 is $value instead of $2"; fi
}
expect_waiting() { # COUNT WHAT
  local files=(spool/[0-9]*.tar.zst)
  [[ -e ${files[0]} ]] || files=()
  if ((${#files[@]} == $1)); then echo "right: $2: $1 recordings wait"; else bad "$2: ${#files[@]} recordings wait instead of $1"; fi
}

# Away: a server that refuses everybody answers at once, and a port without a server after the tries of ten seconds.
start_server away 0 --user nobody secret
away=clickhouse://127.0.0.1:$port/fleet
PERFSIFT=$real PERFSIFT_STORE=clickhouse://127.0.0.1:1/fleet PERFSIFT_SPOOL=$scratch/closed PERFSIFT_METRICS=$scratch/closed.prom \
  "$units/perfsift-collect" 2>closed.errors &
closed=$!
export PERFSIFT_STORE=$away
for _ in 1 2; do collect 75 "a store that is away"; done
grep -q 'the store is away: 2 recordings wait' errors || bad "away: $(<errors)"
expect_waiting 2 "away"
expect_metric spool_recordings 2 "away"
expect_metric spool_bytes "$(cat spool/[0-9]*.tar.zst | wc -c)" "away"
expect_metric recordings_total 2 "away"
expect_metric recordings_sent_total 0 "away"
expect_metric last_run_status 75 "away"

# Full: the oldest recordings go.
largest=$(stat --format=%s spool/[0-9]*.tar.zst | sort -n | tail -n 1)
PERFSIFT_SPOOL_BYTES=$((largest * 5 / 2)) collect 75 "a full spool"
PERFSIFT_SPOOL_BYTES=$((largest * 5 / 2)) collect 75 "a full spool"
bytes=$(cat spool/[0-9]*.tar.zst | wc -c)
((bytes <= largest * 5 / 2)) || bad "the spool has $bytes bytes"
files=(spool/[0-9]*.tar.zst)
dropped=$((4 - ${#files[@]}))
((dropped > 0)) || bad "nothing was dropped"
expect_metric recordings_dropped_total $dropped "full"
kept=(kept/*)
mkdir gone
mv "${kept[@]:0:dropped}" gone  # shall not be in the store
for ((i = dropped; i < 4; ++i)); do cmp "${kept[i]}" "${files[i - dropped]}" || bad "a newer recording was dropped"; done

# Killed between two steps, with a store that answers: the next run goes on, nothing is lost, and nothing counts twice.
start_server one 0
export PERFSIFT_STORE=clickhouse://127.0.0.1:$port/fleet
for step in record pack store; do
  KILL=$step "$units/perfsift-collect" >/dev/null 2>&1 && bad "not killed after $step"
  ls spool/*.part >/dev/null 2>&1 && echo "right: killed after $step: a part is left"
done
# The recording that was being made when its run was killed after packing is lost.
kept=(kept/*)
mv "${kept[-2]}" gone
collect 0 "the store is back"
expect_waiting 0 "the store is back"
for file in spool/*.part spool/*.new metrics/*.new; do [[ ! -e $file ]] || bad "$file is left"; done
expect_metric spool_recordings 0 "back"
expect_metric last_run_status 0 "back"
compare_with_store() { # WHAT
  "$real" fold --event '*' kept/*.tar.zst >expected 2>fold.errors || bad "fold: $(<fold.errors)"
  "$real" fold --event '*' "$PERFSIFT_STORE" >actual 2>fold.errors || bad "fold: $(<fold.errors)"
  expect_equal "$1"
}
compare_with_store "the store has each recording once"
"$real" store list --json "$PERFSIFT_STORE" >labels
for label in '"service": "a\"b"' '"host": "node-1"'; do grep -qF "$label" labels || bad "labels: no $label"; done

# A damaged recording does not stop the others.
head -c 1000 "${kept[0]}" >spool/20200101T000000-1-1.tar.zst
collect 1 "a damaged recording"
expect_waiting 0 "a damaged recording"
expect_metric recordings_failed_total 1 "a damaged recording"
[[ -e spool/refused.tar.zst ]] || bad "the damaged recording is not kept"
compare_with_store "the store has the others"

# Two runs at once, a recorder that fails, metrics that cannot be written, or are a link of another user, and wrong settings.
PERFSIFT_RECORD_SECONDS=1 "$units/perfsift-collect" 2>/dev/null &
first=$!
for ((i = 0; i < 100; ++i)); do
  ! compgen -G 'spool/*.part' >/dev/null || break
  sleep 0.05
done
collect 75 "two runs at once"
grep -q 'another run is at work' errors || bad "two runs: $(<errors)"
wait "$first" || bad "the first of two runs"
PERFSIFT_RECORD='-e no_such_event' collect 1 "a recorder that fails"
expect_metric recordings_failed_total 2 "a recorder that fails"
PERFSIFT_METRICS=/nowhere/x.prom collect 1 "metrics without a folder"
echo precious >precious
ln -s "$scratch/precious" metrics/perfsift.prom.new
collect 0 "a link in the place of metrics"
[[ $(<precious) == precious && ! -L $PERFSIFT_METRICS ]] || bad "metrics followed a link"
PERFSIFT_STORE='' collect 2 "no store"
PERFSIFT_SPOOL_BYTES=1G collect 2 "a size that is no number"
compare_with_store "the store has all of these"

# The form of Prometheus: a HELP and a TYPE before each number.
awk '$1 == "#" {kind[$3] = kind[$3] $2} $1 != "#" && (kind[$1] != "HELPTYPE" || $2 !~ /^[0-9]+$/) {print; wrong = 1} END {exit wrong}' \
  "$PERFSIFT_METRICS" || bad "metrics are not in the form of Prometheus"
[[ $(stat --format=%a "$PERFSIFT_METRICS") == 644 ]] || bad "others cannot read the metrics"

wait "$closed"
(($? == 75)) || bad "a port without a server: $(<closed.errors)"
grep -q '^perfsift_spool_recordings 1$' closed.prom || bad "a port without a server: no recording waits"

if command -v systemd-analyze >/dev/null; then
  mkdir verified && cp "$units"/*.service "$units"/*.timer verified
  sed -i "s|/usr/local/sbin|$units|; s|/usr/bin/perfsift|$real|" verified/*.service
  systemd-analyze verify --man=no verified/* 2>errors || bad "units: $(<errors)"
  [[ ! -s errors ]] || bad "units: $(<errors)"
else
  echo "not compared: no systemd here"
fi
conclude
