#!/bin/bash
# Compares the waits and memory accesses of a store with those of the recordings that were added to it: offcpu of the store gives
# the sums of offcpu of each file, and mem of the store is mem of all files. The store is rolled up, added to twice, brought up from an earlier version, put on two servers, and
# asked by SQL.
#   store_waits.sh PERFSIFT CLICKHOUSE_DOUBLE FOLDER_OF_NPM WAITS_RECORDING MODEL_RECORDING
set -u
perfsift=$(realpath "$1")
double=$(realpath "$2")
waits_recording=$(realpath "$4")
model_recording=$(realpath "$5")

here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
# shellcheck source=tests/oracle/servers.sh
source "$here/servers.sh"
begin_with_stores "$3"

cat >waits_kallsyms <<'END'
ffffffff81000000 T _text
ffffffff81000100 T schedule
ffffffff81000200 T futex_wait
ffffffff81000300 T ep_poll
ffffffff81000400 T do_nanosleep
ffffffff81000500 T io_schedule
ffffffff81000600 T do_sched_yield
ffffffff81000700 T pipe_read
ffffffff81000800 T wait_for_completion
ffffffff81000900 T entry_SYSCALL_64
ffffffff81001000 T _etext
END
kallsyms=(--kallsyms "$scratch/waits_kallsyms")
for host in a b; do
  mkdir -p "files/$host"
  for i in 0 1; do
    "$waits_recording" "files/$host/$i.data" "$((2 * i + ${#host}))$([[ $host == a ]] || echo 7)" || bad "no recording"
    touch -d "2026-03-01T12:0$((3 * i + 1)):00Z" "files/$host/$i.data"
  done
done
echo 'path files/(?P<host>[^/]+)/' >rules
add=(store add -q --label-rules rules --label service=shop "${kallsyms[@]}")

# The sums of the lines of folded texts.
fold_sums() { perl -ne '/^(.*) (\d+)$/ or next; $sum{$1} += $2; END { print map "$_ $sum{$_}\n", sort keys %sum }'; }
offcpu_files() { # FILES... -- OPTIONS...
  local files=()
  while [[ $1 != -- ]]; do files+=("$1"); shift; done
  shift
  for file in "${files[@]}"; do "$perfsift" offcpu -q "${kallsyms[@]}" -o - "$@" "$file" 2>/dev/null; done | fold_sums
}
all_folds=("--unit ns" "--unit ns --split state" "--unit ns --split cgroup" "--unit ns --ignore-idle" "--unit count --comms web")
folds=("--unit count --split wait")
expect_folded() { # URL WHAT FILES...: by the options in folds
  local url=$1 what=$2 options
  shift 2
  for options in "${folds[@]}"; do
    # shellcheck disable=SC2086
    offcpu_files "$@" -- $options >expected
    # shellcheck disable=SC2086
    "$perfsift" offcpu -q -o - $options "$url" 2>errors | fold_sums >actual
    expect_equal "$what: $options"
  done
}
# Sums that are exact: of all intervals, of those that are cut, by kind of wait, and by thread name.
sums='def sums: {intervals, off_cpu, blocked, run_queue, unknown};
  def total: map(sums) | {intervals: map(.intervals) | add, off_cpu: map(.off_cpu) | add, blocked: map(.blocked) | add,
    run_queue: map(.run_queue) | add, unknown: map(.unknown) | add};
  {off_cpu: map(.off_cpu) | total, cut: map(.cut) | total, longest: map(.off_cpu.longest) | max,
   waits: map(.waits[]) | group_by(.wait) | map({wait: .[0].wait, sums: total}),
   threads: map(.threads[] | select(.off_cpu.intervals > 0)) | group_by(.comm) |
     map({comm: .[0].comm, sums: map(.off_cpu) | total, involuntary: map(.involuntary) | add})}'
expect_sums() { # URL WHAT FILES...
  local url=$1 what=$2
  shift 2
  for file in "$@"; do "$perfsift" offcpu -q "${kallsyms[@]}" --json "$file" 2>/dev/null; done | jq -s "$sums" >expected
  "$perfsift" offcpu -q --json "$url" 2>errors >store.json || bad "$url: $(head -n 1 errors)"
  jq -s "$sums" store.json >actual
  expect_equal "$what: sums"
}
expect_waits() {
  expect_folded "$@"
  expect_sums "$@"
}

"${add[@]}" chdb:s files >out || bad "store add: $(<errors)"
folds+=("${all_folds[@]}")
expect_waits chdb:s "all" files/*/*
folds=("${folds[0]}")
expect_waits 'chdb:s?host=b' "a host" files/b/*
cp -r s original

# Percentiles have the error of the histogram: an eighth.
"$perfsift" offcpu -q "${kallsyms[@]}" --json files/b/1.data >one.json 2>/dev/null
"$perfsift" offcpu -q --json 'chdb:s?host=b&from=2026-03-01T12:03' >store.json 2>errors
for distribution in blocked run_queue off_cpu; do
  for key in intervals sum p50 p90 p99 p99_9 max; do
    jq -rn --slurpfile one one.json --slurpfile all store.json \
      "\$one[0].distributions.$distribution.$key, \$all[0].distributions.$distribution.$key" | tr '\n' ' '
    echo "$distribution.$key"
  done
done >percentiles
awk '$1 == "null" || $2 < $1 / 1.126 || $2 > $1 * 1.126 || ($3 ~ /intervals|sum|off_cpu.max/ && $1 != $2) { print "off: " $0; bad = 1 }
  END { print NR " compared"; exit bad }' percentiles >compared || bad "percentiles: $(<compared)"
[[ $(<compared) == "21 compared" ]] || bad "percentiles: $(<compared)"

# The engine itself.
sql() { "$here/chdb_sql.py" "$@"; }
sql s "SELECT sum(intervals), sum(blocked + run_queue + unknown), max(longest) FROM waits WHERE service = 'shop'" \
  "SELECT thread, sum(intervals) FROM waits WHERE wait LIKE 'futex%' GROUP BY thread ORDER BY thread" >actual
jq -r -s '[(map(.off_cpu.intervals) | add), (map(.off_cpu.off_cpu) | add), (map(.off_cpu.longest) | max)] | @tsv' \
  <(for file in files/*/*; do "$perfsift" offcpu -q "${kallsyms[@]}" --json "$file" 2>/dev/null; done) >expected
offcpu_files files/*/* -- --unit count --split wait | perl -ne '/^(.*?);.*;\[futex\] (\d+)$/ and $sum{$1} += $2;
  END { print map "$_\t$sum{$_}\n", sort keys %sum }' | sed 's/a b:c/a b;c/' >>expected
expect_equal "SQL"

# Nothing counts twice, and a roll-up keeps the sums.
"${add[@]}" chdb:s files >out
[[ $(<out) == "added 0 recordings, 0 samples; 4 already there" ]] || bad "added again: $(<out)"
store roll-up --older-than 0s chdb:s >out || bad "roll-up: $(<errors)"
[[ $(<out) == "rolled up 4 recordings into 2: "* ]] || bad "roll-up: $(<out)"
expect_waits chdb:s "rolled up" files/*/*
sql s 'SELECT uniqExact(load), countIf(toUnixTimestamp(time) % 600 != 0) FROM waits' >actual
printf '2\t0\n' >expected
expect_equal "rows of a roll-up"
expect_says 'the store is whole' store check chdb:s
expect_says 'removed 2 recordings' store remove 'chdb:s?host=a'
expect_sums chdb:s "removed a host" files/b/*
sql s 'SELECT uniqExact(load) FROM waits' >actual
echo 1 >expected
expect_equal "rows after a removal"

# Rows of a load that broke off count nothing, and are found.
sql original "INSERT INTO waits SELECT * REPLACE (1 AS load) FROM waits LIMIT 5"
expect_sums chdb:original "a load that broke off" files/*/*
expect_status 0 "$perfsift" store check chdb:original
grep -q '5 rows of loads that broke off' out || bad "check: $(<out)"
expect_says 'the store is whole' store check --repair chdb:original

# An earlier store has no waits until its recordings are added again.
sql original 'DROP TABLE waits' 'DROP TABLE accesses' 'ALTER TABLE quality MODIFY COLUMN place String' \
  'ALTER TABLE schema_versions DELETE WHERE version > 3 SETTINGS mutations_sync = 1'
expect_error 3 'perfsift store check brings it up' "$perfsift" offcpu chdb:original
expect_says 'the store is whole' store check chdb:original
expect_error 3 'has no waits of these recordings' "$perfsift" offcpu chdb:original
store remove --all chdb:original >/dev/null
"${add[@]}" chdb:original files >out || bad "store add: $(<errors)"
expect_sums chdb:original "brought up" files/*/*

# Memory accesses. Latencies have the error of the histogram.
mkdir -p memory/a memory/b
"$model_recording" intel 300 memory/a/0.data intel.elf 2>/dev/null
"$model_recording" amd 200 memory/b/0.data amd.elf 2>/dev/null
"$model_recording" spe 100 memory/b/1.data spe.elf 2>/dev/null
"$model_recording" amd 100 memory/b/2.data amd.elf 2>/dev/null
touch -d 2026-03-01T12:01:00Z memory/*/*
sed -i s/files/memory/ rules
mem_files() { "$perfsift" mem -q "$@" memory/*/* 2>/dev/null; }
expect_accesses() { # URL WHAT
  local keys
  for keys in "" "--sort mem,symbol,dso" "--sort op,tlb,locked,blocked,snoop,event" "--sort comm,cgroup" "--sort variable,kind,dso_daddr"; do
    # shellcheck disable=SC2086
    mem_files --json $keys | jq 'del(.. | .latency?, .notes?, .skipped?)' >expected
    # shellcheck disable=SC2086
    "$perfsift" mem -q --json $keys "$1" 2>errors | jq 'del(.. | .latency?, .notes?, .skipped?)' >actual
    expect_equal "$2: mem $keys"
  done
  mem_files --folded - >expected
  "$perfsift" mem -q --folded - "$1" >actual 2>errors
  expect_equal "$2: mem --folded"
}
"${add[@]}" chdb:m memory >out || bad "store add of accesses: $(<errors)"
expect_accesses chdb:m "all"
mem_files --json | jq '.latency | .samples, .mean, .p50, .p90, .p99, .max' >latencies.files
"$perfsift" mem -q --json chdb:m | jq '.latency | .samples, .mean, .p50, .p90, .p99, .max' >latencies.store
paste latencies.files latencies.store | awk 'NR == 1 && $1 != $2 || $2 < $1 / 1.126 || $2 > $1 * 1.126 { print; bad = 1 } END { exit bad || NR != 6 }' >compared ||
  bad "latencies: $(<compared)"
sql m "SELECT level, sum(accesses), sum(weight) FROM accesses WHERE operation = 'LOAD' GROUP BY level ORDER BY level" >actual
mem_files --json --sort op,mem | jq -r '.tables[0].rows[] | select(.op == "LOAD") | [.mem, .samples, .weight] | @tsv' |
  LC_ALL=C sort >expected
expect_equal "SQL of accesses"
"${add[@]}" chdb:m memory >out
[[ $(<out) == "added 0 recordings, "*"; 4 already there" ]] || bad "accesses added again: $(<out)"
store roll-up --older-than 0s chdb:m >out || bad "roll-up of accesses: $(<errors)"
[[ $(<out) == "rolled up 2 recordings into 1: "* ]] || bad "roll-up of accesses: $(<out)"
expect_accesses chdb:m "rolled up"
expect_says 'the store is whole' store check chdb:m
expect_error 2 'has no addresses and thread ids: --sort daddr' "$perfsift" mem --sort daddr chdb:m
expect_error 2 'c2c needs a recording' "$perfsift" c2c chdb:m
expect_error 2 'has no single accesses' "$perfsift" mem --raw chdb:m
expect_error 2 'are chosen by labels' "$perfsift" mem --filter 'cpu == 1' chdb:m
expect_error 3 'has no waits of these recordings' "$perfsift" offcpu chdb:m
expect_error 3 'has no memory accesses of these recordings' "$perfsift" mem chdb:s
"$perfsift" mem -q --json 'chdb:m?host=a' 2>/dev/null | jq .samples >actual
"$perfsift" mem -q --json memory/a/0.data 2>/dev/null | jq .samples >expected
expect_equal "accesses of a host"

# What a store does not have.
for option in --timehist --live "--csv out.csv" "--spikes-over 1ms" "--min-block 5" "--pid 10" "--waker -o -" "--filter offcpu>5us" \
  "--wall-clock -o out.folded"; do
  # shellcheck disable=SC2086
  expect_error 2 'is a store' "$perfsift" offcpu $option chdb:original
done
expect_error 2 'a wait has no event' "$perfsift" offcpu 'chdb:original?event=cycles'
expect_error 3 'no recording in the store has these labels' "$perfsift" offcpu 'chdb:original?host=x'
expect_status 1 "$perfsift" offcpu --fail-empty --comms nobody chdb:original

# Two servers, which lose answers.
start_server one 0 --lose 17
first_port=$port
start_server two 0 --lose 13
fleet="clickhouse://127.0.0.1:$first_port,localhost:$port/fleet"
"${add[@]}" "$fleet" files >out || bad "store add on servers: $(<errors)"
expect_waits "$fleet" "servers" files/*/*
store roll-up --older-than 0s --to 1d "$fleet" >/dev/null || bad "roll-up on servers: $(<errors)"
expect_sums "$fleet" "rolled up on servers" files/*/*
"${add[@]}" "clickhouse://127.0.0.1:$first_port,localhost:$port/memory" memory >out || bad "accesses on servers: $(<errors)"
expect_accesses "clickhouse://127.0.0.1:$first_port,localhost:$port/memory" "servers"
expect_says 'the store is whole' store check "$fleet"

conclude
