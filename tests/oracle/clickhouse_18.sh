#!/bin/bash
# Asks a real server of ClickHouse as stores do: 18.16 of Debian, which is too old for a store. Statements, rows with hostile
# texts, a large answer, errors, users, and a server that is killed are the same for it as for later ones.
#   clickhouse_18.sh PERFSIFT CLICKHOUSE_CLIENT
# By hand, as it needs Debian's clickhouse-server, which is started on loopback in a folder of its own, and ended.
set -u
perfsift=$(realpath "$1")
client=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
testdata=$(realpath "$here/../../testdata")
unset PERFSIFT_CREDENTIALS

# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
# shellcheck source=tests/oracle/servers.sh
source "$here/servers.sh"
PATH=$PATH:/usr/sbin
command -v clickhouse-server >/dev/null || skip "no clickhouse-server"
in_scratch
stop_servers_at_end
export HOME=$scratch XDG_CONFIG_HOME=

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >config.xml <<END
<yandex>
  <logger><level>warning</level><log>$scratch/log</log><errorlog>$scratch/errorlog</errorlog></logger>
  <http_port>$port</http_port><listen_host>127.0.0.1</listen_host>
  <path>$scratch/data/</path><tmp_path>$scratch/tmp/</tmp_path><mark_cache_size>100000000</mark_cache_size>
  <users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
</yandex>
END
cat >users.xml <<'END'
<yandex>
  <profiles><default/><reader><readonly>1</readonly></reader></profiles>
  <quotas><default/></quotas>
  <users>
    <default><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
    <writer><password>pass'"&amp;&lt;\ ö</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></writer>
  </users>
</yandex>
END
start_clickhouse() {
  clickhouse-server --config-file=config.xml >server.out 2>&1 &
  server=$!
  pids+=("$server")
  local i
  for ((i = 0; i < 200; ++i)); do
    if (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then return 0; fi
    sleep 0.1
  done
  bad "no server: $(tail -n 3 server.out errorlog)"
  exit 1
}
mkdir data tmp
start_clickhouse
export CLICKHOUSE_USER=writer CLICKHOUSE_PASSWORD="pass'\"&<\\ ö"
user=(X-ClickHouse-User "$CLICKHOUSE_USER" X-ClickHouse-Key "$CLICKHOUSE_PASSWORD")
query() { "$client" "$port" query "$@"; }
refuses() { expect_error 3 "$1" "$client" "$port" query "${@:2}"; }  # PATTERN DATABASE SQL
post() { "$client" "$port" post "$1" "${user[@]}" "${@:2}"; }
query default 'SELECT version() FORMAT TabSeparated' >out 2>errors || bad "version: $(<errors)"
echo "server: $(<out)"

# Names that would end a parameter or a statement.
name="a&b=c?d#%41'\"e"
post '/' >out 2>&1 <<<"CREATE DATABASE \`$name\` ENGINE = Ordinary" || bad "create: $(<out)"
query "$name" 'SELECT currentDatabase() FORMAT TabSeparatedRaw' >actual 2>errors || bad "database: $(<errors)"
printf '%s\n' "$name" >expected
expect_equal "the name of a database"

# Rows with hostile texts, in the types of a store that this server has.
python3 - <<'END'
import random, struct
def leb(n):
    out = b""
    while n >= 0x80: out, n = out + bytes([n & 0x7f | 0x80]), n >> 7
    return out + bytes([n])
texts = [b"", b"plain", b"quotes ' \" ` ''", b"lines\nand\r\nand\ttabs", b"nul \0 nul", b"\xff\xfe\xc3\x28\xed\xa0\x80",
         b"\\'; DROP TABLE hostile; --", b"{id:UInt64} %41 &database=x", b"\\N", b"\xe2\x80\xae", bytes(range(256)), b"x" * 127, b"x" * 128, b"y" * 3_000_000]
numbers = random.Random(1)
with open("rows", "wb") as rows, open("hex", "w") as hexadecimal:
    for i, text in enumerate(texts):
        frames = [numbers.randbytes(16) for _ in range(i)]
        rows.write(struct.pack("<Q", i) + leb(len(text)) + text + leb(len(frames)) + b"".join(frames) + struct.pack("<IQ", 1795000000 + i, 2**64 - 1 - i))
        hexadecimal.write(text.hex().upper() + "\n")
END
post '/' >out 2>&1 <<<"CREATE TABLE hostile (id UInt64, text String, frames Array(FixedString(16)), time DateTime, value UInt64)
  ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY id" || bad "create table: $(<out)"
insert='/?query=INSERT%20INTO%20hostile%20FORMAT%20RowBinary'
post "$insert" <rows >out 2>&1 || bad "insert: $(<out)"
compare_rows() { # WHAT
  query default 'SELECT * FROM hostile ORDER BY id' >actual 2>errors || bad "select: $(<errors)"
  cp rows expected
  expect_equal "$1: bytes"
  query default 'SELECT hex(text) FROM hostile ORDER BY id FORMAT TabSeparated' >actual 2>errors || bad "select hex: $(<errors)"
  cp hex expected
  expect_equal "$1: as the server has them"
}
compare_rows "rows"
# It has gzip, for bodies, and not zstd, which answers are asked for: they come as they are.
post '/' <<<'TRUNCATE TABLE hostile' >out 2>&1 || bad "truncate: $(<out)"
gzip -c rows | post "$insert" Content-Encoding gzip >out 2>&1 || bad "gzip: $(<out)"
compare_rows "rows in gzip"
zstd -q -c rows | expect_error 3 'HTTP status 500' "$client" "$port" post "$insert" "${user[@]}" Content-Encoding zstd
compare_rows "after rows in zstd, which were refused"
head -c 1000 rows | expect_error 3 'HTTP status 500' "$client" "$port" post "$insert" "${user[@]}"
grep -q 'Cannot read all data' out || bad "rows that end early: $(head -n 1 out)"
compare_rows "after rows that ended early"

# Large: 200 MB.
query default 'SELECT number FROM numbers(25000000)' 2>errors | sha256sum >actual
python3 -c 'import array, sys; array.array("Q", range(25000000)).tofile(sys.stdout.buffer)' | sha256sum >expected
expect_equal "a large answer"

# Errors, of which one comes after rows were made.
refuses "^127.0.0.1:$port: HTTP status 404: Code: 60[,.].*nowhere" default 'SELECT * FROM nowhere'
refuses "^127.0.0.1:$port: the server is ClickHouse 18.16.1, and a store needs 23.3 or later$" default 'SELEC 1'
refuses "HTTP status 404: Code: 81[,.].*; perfsift store add makes the store$" nowhere 'SELECT 1'
refuses "HTTP status 500: Code: 395[,.].*throwIf" default 'SELECT throwIf(number = 4000000) FROM numbers(5000000)'
[[ ! -s out ]] || bad "rows before an error: $(wc -c <out)"
(($(wc -l <errors) == 1)) || bad "an error in several lines: $(<errors)"

# Users.
refuses_user() { CLICKHOUSE_USER=$2 CLICKHOUSE_PASSWORD=$3 refuses "HTTP status 401: Code: $1" default 'SELECT 1'; }
refuses_user "193[,.].*; the user was 'writer': ~/.config/perfsift/credentials" writer wrong-secret
! grep -q wrong-secret errors || bad "a password is printed"
refuses_user "192[,.].*; the user was 'nobody'" nobody x
refuses_user "194[,.].*; the user was not named" '' ''
mkdir -p .config/perfsift
(umask 077; echo 'machine 127.0.0.1 login default password secret' >.config/perfsift/credentials)
query default 'SELECT user FROM system.processes FORMAT TabSeparated' >actual 2>errors || bad "a user of the file: $(<errors)"
echo default >expected
expect_equal "a user of the file"
rm -r .config

# A store needs a later one, and says so in one line.
url=clickhouse://127.0.0.1:$port/fleet
old="^perfsift: clickhouse://127.0.0.1:$port/fleet: 127.0.0.1:$port: the server is ClickHouse 18.16.1, and a store needs 23.3 or later$"
expect_error 3 "$old" "$perfsift" store add "$url" "$testdata/demo.data"
(($(wc -l <errors) == 1)) || bad "too old, in several lines: $(<errors)"
expect_error 3 "^127.0.0.1:$port: the server is ClickHouse 18.16.1" "$client" "$port" insert default hostile <rows
for command in fold 'store list' 'store check' fleet; do
  # shellcheck disable=SC2086
  expect_error 3 "Database fleet doesn't exist.*; perfsift store add makes the store$" "$perfsift" $command "$url"
done
post '/' <<<'CREATE DATABASE fleet' >out 2>&1 || bad "create: $(<out)"
expect_error 3 "$old" "$perfsift" store add "$url" "$testdata/demo.data"
expect_error 3 'there is no store; perfsift store add makes one$' "$perfsift" fold "$url"
query default "SELECT name FROM system.tables WHERE database = 'fleet' FORMAT TabSeparated" >out
[[ ! -s out ]] || bad "tables in a store that was refused: $(<out)"

# Killed while it computes an answer, and started again in time: the statement is repeated.
query default 'SELECT sleep(2), 7 FORMAT TabSeparated' >actual 2>errors &
asking=$!
sleep 0.7  # the server has the statement by then
stop_server "$server"
start_clickhouse
wait "$asking" || bad "asked again: $(<errors)"
printf '0\t7\n' >expected
expect_equal "an answer of a server that was started again"
compare_rows "after a kill"
# In the middle of an answer: no rows are taken for all rows.
post '/?max_block_size=5' >part 2>errors <<<"SELECT sleepEachRow(0.05), arrayStringConcat(arrayMap(x -> 'x', range(200000))) FROM numbers(1000)" &
asking=$!
sleep 2
stop_server "$server"
if wait "$asking"; then bad "half an answer"; fi
grep -q '^no whole answer: ' errors || bad "killed in the middle: $(<errors)"
refuses "^127.0.0.1:$port: cannot connect: Connection refused$" default 'SELECT 1'
conclude
