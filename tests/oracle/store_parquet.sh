#!/bin/bash
# Reads what perfsift store export writes in DuckDB, and compares it with perfsift fold of the same address: stacks and their
# values, labels, hostile names, and the files of two servers.
#   store_parquet.sh PERFSIFT CLICKHOUSE_DOUBLE FOLDER_OF_NPM
set -u
perfsift=$(realpath "$1")
double=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
testdata=$(realpath "$here/../../testdata")

# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
# shellcheck source=tests/oracle/servers.sh
source "$here/servers.sh"
duckdb=$(realpath "$3")/@duckdb/node-bindings-linux-x64/libduckdb.so
[[ -e $duckdb ]] || skip "no libduckdb"
begin_with_stores "$3"

rows() { "$here/duckdb_sql.py" "$duckdb" "$@"; }
symfs=(--symfs "$testdata/symfs" --kallsyms "$testdata/oracle/mixed.kallsyms")
for host in a b c; do
  mkdir -p "hosts/$host"
  cp "$testdata/demo.data" "hosts/$host/shop-1.1.data"
  cp "$testdata/oracle/mixed.data" "hosts/$host/mail-1.2.data"
done
touch -d 2026-03-01T12:00:00Z hosts/b/shop-1.1.data
echo 'path hosts/(?P<host>[^/]+)/(?P<service>[^/]+)-(?P<version>[0-9.]+)\.data$' >rules
"$perfsift" store add --label-rules rules --label team=x "${symfs[@]}" chdb:fleet hosts >out 2>errors || bad "store add: $(head -n 1 errors)"

compare() { # WHAT URL FILES: the rows of the files are the stacks of fold
  "$perfsift" fold "$2" 2>errors | LC_ALL=C sort >expected
  rows "SELECT line || ' ' || value FROM (SELECT array_to_string(list_prepend(thread, stack), ';') AS line, sum(value) AS value
    FROM '$3' GROUP BY ALL)" | LC_ALL=C sort >actual
  expect_equal "$1"
}
compare_export() { # WHAT URL
  "$perfsift" store export -o rows.parquet "$2" 2>errors || bad "store export $2: $(head -n 1 errors)"
  compare "$1" "$2" rows.parquet
}
event=$("$perfsift" store show --json 'chdb:fleet?service=mail' | jq -r '.events | keys[0]')
compare_export "a service" 'chdb:fleet?service=shop'
compare_export "a host" "chdb:fleet?service=mail&event=$event&host=b"
compare_export "a time" 'chdb:fleet?service=shop&from=2026-03-01&to=2026-03-01T12:00:10Z'

# The columns, and the labels of all recordings.
"$perfsift" store export chdb:fleet >all.parquet 2>errors || bad "to standard output: $(head -n 1 errors)"
printf '%s\t%s\n' recording VARCHAR host VARCHAR service VARCHAR version VARCHAR labels 'MAP(VARCHAR, VARCHAR)' event VARCHAR \
  unit VARCHAR time 'TIMESTAMP WITH TIME ZONE' thread VARCHAR cgroup VARCHAR function VARCHAR dso VARCHAR stack 'VARCHAR[]' \
  dsos 'VARCHAR[]' samples UBIGINT value UBIGINT >expected
rows "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM 'all.parquet')" >actual
expect_equal "columns"
"$perfsift" store list --json chdb:fleet | jq -r '.[] | [.id, .labels.host, .labels.service, .labels.version, .labels.team, .samples] | @tsv' |
  sort >expected
rows "SELECT recording, host, service, version, labels['team'], sum(samples) FROM 'all.parquet' GROUP BY ALL" | sort >actual
expect_equal "labels and samples of recordings"
rows "SELECT count(*) FROM 'all.parquet' WHERE function IS DISTINCT FROM coalesce(stack[-1], '') OR dso IS DISTINCT FROM
  coalesce(dsos[-1], '') OR len(stack) != len(dsos) OR epoch(time) % 10 != 0" >actual
echo 0 >expected
expect_equal "innermost frames and times"
"$perfsift" store export -o again.parquet chdb:fleet
cmp all.parquet again.parquet || bad "equal stores give different bytes"

# Hostile names. Bytes that are not UTF-8 are escaped; all others come back.
label=$'it\'s "x"\\\n;--\t{x:String}\xff'
printf '%s;plain 3\n' 'main;f\x "q"'"'"$'\xe9\xc3\xa9' >hostile.folded
"$perfsift" store add --label "$label=$label" --label host=h chdb:hostile hostile.folded >out 2>errors || bad "hostile: $(head -n 1 errors)"
"$here/chdb_sql.py" hostile "ALTER TABLE functions UPDATE name = unhex('6E756C000A09273B') WHERE name = 'plain' SETTINGS mutations_sync = 1"
"$perfsift" store export -o rows.parquet chdb:hostile 2>errors || bad "hostile: $(head -n 1 errors)"
rows "SELECT hex(function) FROM 'rows.parquet'" "SELECT hex(stack[2]) FROM 'rows.parquet'" \
  "SELECT hex(k.key), hex(k.value) FROM (SELECT unnest(map_entries(labels)) AS k FROM 'rows.parquet') WHERE k.key != 'host'" >actual
in_hex() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n' | tr a-f A-F; }
escaped=$(in_hex "${label%$'\xff'}\\xff")
printf '%s\n' 6E756C000A09273B "$(in_hex "f\\x \"q\"'\\xe9\\xc3\\xa9")" >expected
printf '%s\t%s\n' "$escaped" "$escaped" >>expected
expect_equal "hostile names"

# Files stay as they were, unless a whole one takes their place.
echo old >old.parquet
expect_error 3 'no recording in the store has these labels' "$perfsift" store export -o old.parquet 'chdb:fleet?host=nobody'
[[ $(<old.parquet) == old ]] || bad "an older file was overwritten"
expect_error 2 'read' "$perfsift" store export -o fleet/perfsift-store chdb:fleet
expect_error 2 'takes one store' "$perfsift" store export chdb:fleet chdb:hostile
"$here/chdb_sql.py" hostile 'TRUNCATE TABLE functions'
expect_error 3 'a function is missing' "$perfsift" store export -o old.parquet chdb:hostile
[[ $(<old.parquet) == old ]] || bad "an older file was overwritten"

# Two servers give two files, which are read together.
start_server one 0
first_port=$port
start_server two 0
servers="clickhouse://127.0.0.1:$first_port,localhost:$port/fleet"
"$perfsift" store add --label-rules rules "${symfs[@]}" "$servers" hosts >out 2>errors || bad "store add to servers: $(head -n 1 errors)"
expect_error 2 '%n.parquet' "$perfsift" store export -o x.parquet "$servers"
"$perfsift" store export -o 'shard-%n.parquet' "$servers?service=shop" 2>errors || bad "store export of servers: $(head -n 1 errors)"
[[ -s shard-1.parquet && -s shard-2.parquet ]] || bad "not a file for each server: $(echo shard*)"
compare "two servers" "$servers?service=shop" 'shard-*.parquet'

conclude
