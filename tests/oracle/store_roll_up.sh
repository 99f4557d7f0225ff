#!/bin/bash
# Rolls up the recordings of stores: the sums of questions stay as they were, and are those of the files. Roll-ups are killed,
# repeated, and run beside each other and beside loads, in a folder and on two servers that lose answers.
#   store_roll_up.sh PERFSIFT CLICKHOUSE_DOUBLE FOLDER_OF_NPM
set -u
perfsift=$(realpath "$1")
double=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
testdata=$(realpath "$here/../../testdata")

# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
# shellcheck source=tests/oracle/servers.sh
source "$here/servers.sh"
begin_with_stores "$3"

# The recordings of two hosts from 12:00 on, each three minutes later.
symfs=(--symfs "$testdata/symfs" --kallsyms "$testdata/oracle/mixed.kallsyms")
mkdir -p files/a files/b
make() { # HOST NUMBER FILE
  local file=files/$1/$2.data
  cp "$3" "$file"
  # Other bytes behind the last section make another recording.
  echo "$1 $2" >>"$file"
  touch -d "2026-03-01T12:$(printf %02d $((3 * $2 + 1))):00Z" "$file"
}
for host in a b; do
  for i in 0 1 2 3 4; do make "$host" "$i" "$testdata/oracle/mixed.data"; done
  make "$host" 5 "$testdata/demo.data"
done
echo 'path files/(?P<host>[^/]+)/' >rules
add=(store add -q --label-rules rules --label service=shop "${symfs[@]}")
fold_files() { "$perfsift" fold --event '*' "${symfs[@]}" "$@" 2>/dev/null; }
fold_store() { "$perfsift" fold -q --event '*' "$1" 2>errors || echo "fold $1: $(head -n 1 errors)"; }
fold_files files/*/* >all.folded

expect_all() { # URL WHAT
  fold_store "$1" >actual
  cp all.folded expected
  expect_equal "$2"
}
"${add[@]}" chdb:s files >out || bad "store add: $(<errors)"
expect_all chdb:s "before"
"$perfsift" report -q --event '*' --sort comm,dso,symbol --json 'chdb:s?host=a' >before.json
fold_store 'chdb:s?from=2026-03-01T12:10&to=2026-03-01T12:20' >before.folded
[[ -s before.folded ]] || bad "no samples between 12:10 and 12:20"

# What is younger stays.
expect_says 'nothing to roll up' store roll-up --older-than 9000d chdb:s
cp -r s killed

# Those before 12:10, and those from then on, of two hosts: four roll-ups. A recording begins before its file is written.
expect_says 'rolled up 12 recordings into 4: * rows of samples became *' store roll-up --older-than 0s chdb:s
read -r before after <<<"$(sed -E 's/.*: ([0-9]+) rows of samples became ([0-9]+)$/\1 \2/' out)"
((after < before)) || bad "there are no fewer rows: $(<out)"
expect_all chdb:s "after"
"$perfsift" report -q --event '*' --sort comm,dso,symbol --json 'chdb:s?host=a' | sed "s|$PWD/||" >actual
cp before.json expected
expect_equal "report after"
fold_store 'chdb:s?from=2026-03-01T12:10&to=2026-03-01T12:20' >actual
cp before.folded expected
expect_equal "from and to at the ends of roll-ups"
expect_says 'nothing to roll up' store roll-up --older-than 0s chdb:s
expect_says 'the store is whole' store check chdb:s
store list --json chdb:s | jq -c '[.[] | [.labels.host, .recordings, .seconds_of_rows]] | sort' >actual
echo '[["a",2,600],["a",4,600],["b",2,600],["b",4,600]]' >expected
expect_equal "list"
store list chdb:s | grep -c ' recordings in 10m$' >actual
echo 4 >expected
expect_equal "list of roll-ups"
store show --json chdb:s | jq .recordings >actual
echo 12 >expected
expect_equal "show"
"$here/chdb_sql.py" s 'SELECT uniq(load) FROM samples' 'SELECT countIf(toUnixTimestamp(time) % 600 != 0) FROM samples' >actual
printf '4\n0\n' >expected
expect_equal "rows of SQL"

# Added again, each counts once.
"${add[@]}" chdb:s files >out
[[ $(<out) == "added 0 recordings, 0 samples; 12 already there" ]] || bad "added again: $(<out)"
expect_all chdb:s "added again"

# A late one joins its roll-up, and ten minutes become a day.
make a 9 "$testdata/demo.data"
touch -d 2026-03-01T12:02:00Z files/a/9.data
fold_files files/*/* >all.folded
"${add[@]}" chdb:s files/a/9.data >out
[[ $(<out) == "added 1 recording, "* ]] || bad "a late one: $(<out) $(<errors)"
expect_says 'rolled up 2 recordings into 1: *' store roll-up --older-than 0s chdb:s
expect_all chdb:s "with a late one"
expect_says 'rolled up 4 recordings into 2: *' store roll-up --older-than 0s --to 1d chdb:s
expect_all chdb:s "by days"
expect_says 'nothing to roll up' store roll-up --older-than 0s --to 10m chdb:s
"${add[@]}" chdb:s files >out
[[ $(<out) == "added 0 recordings, 0 samples; 13 already there" ]] || bad "added after days: $(<out)"

# Removed only when all of its time is chosen; then its recordings can be added again.
expect_says 'removed 0 recordings' store remove 'chdb:s?to=2026-03-01T13:00'
expect_all chdb:s "removed nothing"
expect_says 'removed 7 recordings' store remove 'chdb:s?host=a&to=2026-03-02'
fold_files files/b/* >expected
fold_store chdb:s >actual
expect_equal "the other host"
"${add[@]}" chdb:s files >out
[[ $(<out) == "added 7 recordings, "* ]] || bad "added after it was removed: $(<out)"
expect_all chdb:s "added after it was removed"
expect_says 'removed 13 recordings' store remove --older-than 1d chdb:s
expect_says 'the store is whole' store check chdb:s

# Alone in its time, a short recording stays as it is, also where a store has many of them; another one makes a roll-up of both. A
# long one has rows to add up: that of 30 s here is made by SQL.
expect_rows() { # STORE SECONDS COUNT
  "$here/chdb_sql.py" "$1" "SELECT countIf(bucket = $2), count() FROM recordings FINAL WHERE NOT removed" >actual
  echo "$3" >expected
  expect_equal "recordings of $1 in $2 s"
}
"${add[@]}" chdb:alone files/a/0.data files/b/0.data >out || bad "store add: $(<errors)"
cp -r alone long
expect_says 'nothing to roll up' store roll-up --older-than 0s --to 1d chdb:alone
"${add[@]}" chdb:alone files/a/1.data >out || bad "store add: $(<errors)"
expect_says 'rolled up 2 recordings into 1: *' store roll-up --older-than 0s chdb:alone
expect_says 'nothing to roll up' store roll-up --older-than 0s --to 1d chdb:alone
expect_rows alone 600 "$(printf '1\t2')"
"$here/chdb_sql.py" long \
  'INSERT INTO samples SELECT service, event, time + later, stack, thread, cgroup, load, samples, value FROM samples ARRAY JOIN [10, 20] AS later' \
  'INSERT INTO recordings SELECT * REPLACE (toUInt64(30000000000) AS duration, samples * 3 AS samples) FROM recordings FINAL'
fold_store chdb:long >expected
expect_says 'rolled up 2 recordings into 2: *' store roll-up --older-than 0s --to 1d chdb:long
fold_store chdb:long >actual
expect_equal "after the roll-up of long recordings"
expect_rows long 86400 "$(printf '2\t2')"
"$here/chdb_sql.py" long 'SELECT uniqExact(load), count() = uniqExact(load, service, event, stack, thread, cgroup) FROM samples' >actual
printf '2\t1\n' >expected
expect_equal "rows of long recordings"
expect_says 'the store is whole' store check chdb:long

# A roll-up that is missing is found.
cp -r killed damaged
store roll-up --older-than 0s chdb:damaged >/dev/null
"$here/chdb_sql.py" damaged 'ALTER TABLE recordings DELETE WHERE bucket != 0 SETTINGS mutations_sync = 1'
expect_status 1 "$perfsift" store check chdb:damaged
grep -q 'missing: the roll-up of 12 recordings' out || bad "check: $(<out)"
expect_says 'the store is whole' store check --repair chdb:damaged
rm files/a/9.data
fold_files files/*/* >all.folded
"${add[@]}" chdb:damaged files >/dev/null
expect_all chdb:damaged "added after repair"

# Killed at different times, everything counts once, and again after it was repeated.
cp -r killed original
kills=0
for delay in 0.2 0.4 0.6 0.8 1 1.3; do
  rm -rf killed
  cp -r original killed
  setsid "$perfsift" store roll-up --older-than 0s chdb:killed >/dev/null 2>&1 &
  child=$!
  sleep "$delay"
  if kill -KILL "$child" 2>/dev/null; then kills=$((kills + 1)); fi
  wait "$child" 2>/dev/null
  expect_all chdb:killed "killed after $delay s"
  store roll-up --older-than 0s chdb:killed >/dev/null || bad "repeated: $(<errors)"
  expect_all chdb:killed "killed after $delay s and repeated"
  expect_says 'the store is whole' store check --repair chdb:killed
done
((kills > 0)) || bad "no roll-up was killed"

# Mistakes.
expect_status 2 "$perfsift" store roll-up --to 7m chdb:s
expect_status 2 "$perfsift" store roll-up --to 10s chdb:s
expect_status 2 "$perfsift" store roll-up --older-than soon chdb:s
expect_status 2 "$perfsift" store roll-up 'chdb:s?thread=x'
expect_status 2 "$perfsift" store remove --all --older-than 1d chdb:s
expect_status 3 "$perfsift" store roll-up chdb:nowhere

# Two servers, which lose answers.
start_server one 0 --lose 17
first_port=$port
start_server two 0 --lose 13
second=$server second_port=$port
servers="127.0.0.1:$first_port,localhost:$second_port"
fleet="clickhouse://$servers/fleet"
"${add[@]}" "$fleet" files >out || bad "store add on servers: $(<errors)"
expect_says 'rolled up 12 recordings into 4: *' store roll-up --older-than 0s "$fleet"
expect_all "$fleet" "on servers"
expect_says 'the store is whole' store check --repair "$fleet"

# Broken off between the servers: nobody reads half, and the next roll-up completes it.
stop_server "$second"
"$here/chdb_sql.py" two 'ALTER TABLE fleet.recordings DELETE WHERE bucket != 0 SETTINGS mutations_sync = 1'
start_server two "$second_port" --lose 13
second=$server
expect_status 3 "$perfsift" fold "$fleet"
grep -q 'its servers have different recordings' errors || bad "half a roll-up: $(<errors)"
"${add[@]}" "$fleet" files >out
[[ $(<out) == "added 0 recordings, 0 samples; 12 already there" ]] || bad "added beside half a roll-up: $(<out)"
expect_says 'nothing to roll up' store roll-up --older-than 0s "$fleet"
expect_all "$fleet" "completed"

# Two at the same time, and a load beside them: nothing is lost, and nothing counts twice.
for round in 1 2; do
  fleet="clickhouse://$servers/round$round"
  "${add[@]}" "$fleet" files/a files/b/[012]* >/dev/null || bad "store add: $(<errors)"
  "$perfsift" store roll-up --older-than 0s "$fleet" >one.out 2>one.errors &
  child=$!
  "$perfsift" store roll-up --older-than 0s --to 1h "$fleet" >two.out 2>two.errors &
  other=$!
  "${add[@]}" "$fleet" files >/dev/null || bad "a load beside roll-ups: $(<errors)"
  wait "$child" || grep -q 'try again' one.errors || bad "a roll-up beside another: $(<one.errors)"
  wait "$other" || grep -q 'try again' two.errors || bad "another roll-up: $(<two.errors)"
  expect_all "$fleet" "two roll-ups and a load"
  store roll-up --older-than 0s --to 1d "$fleet" >/dev/null || bad "a third one: $(<errors)"
  expect_all "$fleet" "a third one"
  expect_says 'the store is whole' store check --repair "$fleet"
done

conclude
