#!/bin/bash
# Compares a store on servers with the recordings that were added to it: two shards, each a double of ClickHouse's HTTP
# interface over libchdb (clickhouse_double.cpp). Answers are lost, a shard and a client are killed during loads, and loads
# are repeated: nothing is lost, and nothing counts twice.
#   store_servers.sh PERFSIFT CLICKHOUSE_DOUBLE FOLDER_OF_NPM
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
export HOME=$scratch XDG_CONFIG_HOME=
# Pictures name their inputs.
expect_same() { # WHAT: as expect_equal
  sed -i -e 's|>fleet?[^ ]*: |>INPUT: |' -e 's|"fleet?[^ ]*: |"INPUT: |g' -e 's|[0-9]* inputs: |INPUT: |' expected actual
  expect_equal "$@"
}
# Recordings of simulated hosts, and texts with stacks of their own.
symfs=(--symfs "$testdata/symfs" --kallsyms "$testdata/oracle/mixed.kallsyms")
for host in a b c; do
  mkdir -p "hosts/$host"
  cp "$testdata/demo.data" "hosts/$host/shop-1.1.data"
  cp "$testdata/demo.data" "hosts/$host/shop-1.2.data"
  cp "$testdata/oracle/mixed.data" "hosts/$host/mail-1.1.data"
done
"$perfsift" fold "${symfs[@]}" "$testdata/demo.data" >demo.folded
mkdir many
for i in $(seq 60); do
  { cat demo.folded; echo "only_in_$i;f$((i % 7)) $i"; } >"many/$i.folded"
done
"$perfsift" fold many/*.folded >many.folded
echo 'path hosts/(?P<host>[^/]+)/(?P<service>[^/]+)-(?P<version>[0-9.]+)\.data$' >rules

start_server one 0 --lose 13
first=$server first_port=$port
start_server two 0 --lose 11
second=$server second_port=$port
servers="127.0.0.1:$first_port,localhost:$second_port"
fleet="clickhouse://$servers/fleet"

"$perfsift" store add --label-rules rules "${symfs[@]}" "$fleet" hosts >out 2>errors || bad "store add: $(<errors)"
[[ $(<out) == "added 9 recordings, "* ]] || bad "store add prints $(<out)"
compare() { # URL FILE... -- COMMAND [OPTION...]
  local url=$1 files=()
  shift
  while [[ $1 != -- ]]; do files+=("$1"); shift; done
  shift
  "$perfsift" "$@" "${symfs[@]}" "${files[@]}" >expected 2>expected.errors
  "$perfsift" "$@" "$url" >actual 2>actual.errors || bad "$* $url: $(head -n 1 actual.errors)"
  expect_same "$*: ${url##*/}"
}
compare_all() {
  compare "$fleet?service=shop" hosts/*/shop-*.data -- fold
  compare "$fleet?service=mail" hosts/*/mail-*.data -- fold --event '*'
  compare "$fleet?host=a" hosts/a/*.data -- report --event '*'
  compare "$fleet?service=mail" hosts/*/mail-*.data -- report --sort comm,dso,symbol --json
  compare "$fleet?service=mail" hosts/*/mail-*.data -- fold --user-only --with-cgroup
  compare "$fleet?service=mail" hosts/*/mail-*.data -- flame --title x
}
compare_all
"$perfsift" diff "${symfs[@]}" --before hosts/a/shop-1.1.data --before hosts/b/shop-1.1.data --after hosts/a/shop-1.2.data >expected 2>errors
"$perfsift" diff "$fleet?version=1.1&service=shop&host=a&host=b" "$fleet?version=1.2&service=shop&host=a" >actual 2>errors || bad "diff: $(<errors)"
expect_same "diff"

# What shards add up for the questions about a fleet is what a store in a folder adds up.
"$perfsift" store add --label-rules rules "${symfs[@]}" chdb:whole hosts >out 2>errors || bad "store add to a folder: $(<errors)"
figures='del(.store, .command) | del(.. | .command?) | .functions |= sort_by([-.value, .function.symbol, .function.dso])
  | del(.. | .began?)'
for query in 'service=mail' 'service=shop'; do
  "$perfsift" fleet --json "chdb:whole?$query" 2>errors | jq "$figures" >expected
  "$perfsift" fleet --json "$fleet?$query" 2>errors | jq "$figures" >actual
  expect_same "fleet: $query"
done
"$perfsift" report --sort host,service --event '*' --csv chdb:whole >expected 2>errors
"$perfsift" report --sort host,service --event '*' --csv "$fleet" >actual 2>errors || bad "report by labels: $(<errors)"
expect_same "report --sort host,service"

# Both shards have rows, and no stack is on both.
stop_server "$first"
stop_server "$second"
for shard in one two; do
  "$here/chdb_sql.py" "$shard" 'SELECT hex(id) FROM fleet.stacks GROUP BY id ORDER BY id' >"$shard.stacks"
  [[ -s $shard.stacks ]] || bad "shard $shard has no stacks"
  "$here/chdb_sql.py" "$shard" 'SELECT sum(samples) FROM fleet.samples'
done | awk '{sum += $1} END {print sum}' >actual
"$perfsift" fold --weight samples --event '*' "${symfs[@]}" hosts/*/*.data 2>/dev/null | awk '{sum += $NF} END {print sum}' >expected
expect_same "the sum of the shards"
[[ -z $(comm -12 <(sort one.stacks) <(sort two.stacks)) ]] || bad "a stack is on both shards"
start_server one "$first_port" --lose 13
first=$server
start_server two "$second_port" --lose 11
second=$server

# Added twice, it counts once.
"$perfsift" store add --label-rules rules "${symfs[@]}" "$fleet" hosts >out 2>&1
[[ $(<out) == "added 0 recordings, 0 samples; 9 already there" ]] || bad "added twice: $(<out)"
compare "$fleet?service=mail" hosts/*/mail-*.data -- fold

# A server is killed during a load and started again.
whole() { # URL WHAT: a repeated load makes it whole
  "$perfsift" store add "$1" many/*.folded >out 2>errors || bad "$2: repeated: $(<errors)"
  "$perfsift" fold "$1" >actual 2>errors || bad "$2: $(<errors)"
  cp many.folded expected
  expect_same "$2"
  "$perfsift" store check "$1" >out || bad "$2: check: $(<out)"
}
many="clickhouse://$servers/killed"
for delay in 0.1 0.3 0.6; do
  "$perfsift" store add "$many$delay" many/*.folded >/dev/null 2>errors.load &
  client=$!
  sleep "$delay"
  stop_server "$second"
  sleep 0.2
  start_server two "$second_port"
  second=$server
  wait "$client" || echo "the load ended after $delay s with: $(<errors.load)"
  whole "$many$delay" "a server was killed after $delay s"
done
# A client is killed.
kills=0
for delay in 0.1 0.25 0.5 0.8; do
  many="clickhouse://$servers/client$delay"
  "$perfsift" store add "$many" many/*.folded >/dev/null 2>&1 &
  client=$!
  sleep "$delay"
  if kill -KILL "$client" 2>/dev/null; then kills=$((kills + 1)); fi
  wait "$client" 2>/dev/null
  whole "$many" "a client was killed after $delay s"
done
((kills > 0)) || bad "no client was killed"

# A load that broke off between the shards: nothing of it counts, and no reader gets a part.
stop_server "$second"
"$here/chdb_sql.py" two 'ALTER TABLE fleet.recordings DELETE WHERE labels['"'host'"'] = '"'c'"' SETTINGS mutations_sync = 1'
start_server two "$second_port"
second=$server
expect_error 3 'its servers have different recordings' "$perfsift" fold "$fleet"
"$perfsift" store check "$fleet" >out 2>errors
(($? == 1)) || bad "check: $(<errors)"
grep -q '^3 recordings not on all servers' out || bad "check does not tell of recordings on one server: $(<out)"
"$perfsift" fold -q "$fleet?host=a" >/dev/null 2>errors || bad "other recordings cannot be read: $(<errors)"
"$perfsift" store check --repair "$fleet" >out || bad "--repair: $(<out)"
compare "$fleet?service=shop" hosts/[ab]/shop-*.data -- fold
"$perfsift" store add --label-rules rules "${symfs[@]}" "$fleet" hosts >out 2>&1
[[ $(<out) == "added 3 recordings, "* ]] || bad "added after repair: $(<out)"
compare "$fleet?service=shop" hosts/*/shop-*.data -- fold

# Removed, and shown.
"$perfsift" store remove "$fleet?host=b" >out 2>errors || bad "remove: $(<errors)"
[[ $(<out) == "removed 3 recordings" ]] || bad "remove: $(<out)"
compare "$fleet?service=shop" hosts/[ac]/shop-*.data -- fold
"$perfsift" store show --json "$fleet" >out || bad "show"
grep -q '"recordings": 6' out || bad "show: $(<out)"

# Addresses and places.
expect_error 3 'shard 1 of 2' "$perfsift" fold "clickhouse://127.0.0.1:$first_port/fleet"
expect_error 3 'in the order in which the store was made' "$perfsift" fold "clickhouse://127.0.0.1:$second_port,127.0.0.1:$first_port/fleet"
expect_error 3 'HTTP status 404: Code: 81\..*; perfsift store add makes the store' "$perfsift" fold "clickhouse://$servers/nowhere"
expect_error 2 'do not belong into an address' "$perfsift" fold "clickhouse://me:secret@127.0.0.1:$first_port/fleet"
grep -q secret errors && bad "a password is printed"
expect_error 2 'no name of a host' "$perfsift" fold "clickhouse://a%20b/x"
expect_error 2 'names no database' "$perfsift" fold "clickhouse://127.0.0.1:$first_port"
expect_error 2 "'99999' is no port" "$perfsift" fold "clickhouse://127.0.0.1:99999/x"
for value in "x' OR 1=1 --" "{host:String}" 'x\' "%27%29%3BDROP%20TABLE%20samples" '%00%0a'; do
  value=${value// /%20}
  expect_error 3 'no recording in the store has these labels' "$perfsift" fold -q "$fleet?host=$value"
done
stop_server "$first"
expect_error 3 "127.0.0.1:$first_port: cannot connect" "$perfsift" fold "$fleet"
[[ ! -s out ]] || bad "a part of a store is read"
stop_server "$second"

# Users and passwords.
start_server three 0 --user reader 'pass word'
server="clickhouse://127.0.0.1:$port/x"
expect_error 3 "HTTP status 403.*the user was not named" "$perfsift" store add "$server" demo.folded
CLICKHOUSE_USER=reader CLICKHOUSE_PASSWORD='pass word' "$perfsift" store add "$server" demo.folded >out 2>errors || bad "a user of the environment: $(<errors)"
CLICKHOUSE_USER=reader CLICKHOUSE_PASSWORD=wrong expect_error 3 "the user was 'reader'" "$perfsift" fold "$server"
grep -q wrong errors && bad "a wrong password is printed"
mkdir -p .config/perfsift
echo 'machine 127.0.0.1 login reader password wrong' >.config/perfsift/credentials
chmod 644 .config/perfsift/credentials
expect_error 3 'others can read these credentials: chmod 600' "$perfsift" fold "$server"
chmod 600 .config/perfsift/credentials
expect_error 3 "the user was 'reader'" "$perfsift" fold "$server"
echo 'machine 127.0.0.1 user reader' >.config/perfsift/credentials
expect_error 3 'word 3 is not understood' "$perfsift" fold "$server"
rm .config/perfsift/credentials
PERFSIFT_CREDENTIALS=/nowhere expect_error 3 'no such file' "$perfsift" fold "$server"

# TLS is verified.
certificate() { # NAME HOST
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$2" -addext "subjectAltName=DNS:$2" \
    -keyout "$1.key" -out "$1.pem" 2>/dev/null
}
if certificate good localhost && certificate other elsewhere.example; then
  start_server four 0 --tls good.pem good.key
  expect_error 3 'its certificate cannot be trusted: self-signed certificate' "$perfsift" store add "clickhouses://localhost:$port/x" demo.folded
  SSL_CERT_FILE=$scratch/good.pem "$perfsift" store add "clickhouses://localhost:$port/x" demo.folded >out 2>errors || bad "TLS: $(<errors)"
  SSL_CERT_FILE=$scratch/good.pem "$perfsift" fold "clickhouses://localhost:$port/x" >actual 2>errors || bad "TLS: $(<errors)"
  "$perfsift" fold demo.folded >expected
  expect_same "over TLS"
  # Requests and answers of many records of TLS.
  seq 20000 | sed 's/.*/main;f& &/' >large.folded
  SSL_CERT_FILE=$scratch/good.pem "$perfsift" store add "clickhouses://localhost:$port/large" large.folded >out 2>errors || bad "TLS, large: $(<errors)"
  SSL_CERT_FILE=$scratch/good.pem "$perfsift" fold "clickhouses://localhost:$port/large" >actual 2>errors || bad "TLS, large: $(<errors)"
  "$perfsift" fold large.folded >expected
  expect_same "a large store over TLS"
  SSL_CERT_FILE=$scratch/good.pem expect_error 3 'its certificate cannot be trusted: IP address mismatch' "$perfsift" fold "clickhouses://127.0.0.1:$port/x"
  expect_error 3 "no whole answer\|was not sent" "$perfsift" fold "clickhouse://localhost:$port/x"
  start_server five 0 --tls other.pem other.key
  SSL_CERT_FILE=$scratch/other.pem expect_error 3 'ostname mismatch' "$perfsift" fold "clickhouses://localhost:$port/x"
else
  bad "no certificates: $(openssl version)"
fi

conclude
