#!/bin/bash
# Asks perfsift fleet about stores of simulated hosts: a version that is slower on a tenth of the hosts and a rogue host are
# named, fleets without them have no names, and the sums are those of SQL. Names and labels are hostile; stores are empty or small.
#   fleet.sh PERFSIFT WORKLOAD FOLDER_OF_NPM
# LONG=1 asks 20 fleets without a change and 20 with one.
set -u
perfsift=$(realpath "$1")
here=$(dirname "$(realpath "$0")")

# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
need_libchdb "$3"
in_scratch

echo 'path (?P<host>[^/]+)/(?P<service>[^/]+)-(?P<version>[0-9.]+)\.folded$' >rules
fleet_of() { # NAME SEED [OPTION...]: the store NAME
  local name=$1
  "$here/fleet_hosts.py" "$name.hosts" "${@:2}"
  "$perfsift" store add -q --label-rules rules "chdb:$name" "$name".hosts/*/*.folded >out 2>errors || bad "store add: $(<errors)"
}
# What is named: changed functions, and odd hosts with their functions.
names_in() {
  jq -r '(.comparisons[] | .service as $service | .verdict.findings[] | select(.kind | IN("dearer", "added", "cheaper", "gone"))
      | "\($service) \(.kind) \(.function.symbol)"), (.odd_hosts[] | "\(.service) \(.host) \(.function.function.symbol)")' "$1" | sort
}
# Each false alarm of a fleet in which something changed is allowed by the rate of false discoveries; a fleet without a change must
# have none.
more_names=0
expect_names() { # STORE NAME...
  local store=$1
  shift
  expect_status 0 "$perfsift" fleet --json "chdb:$store"
  printf '%s\n' "$@" | sort >expected
  echo "names:" | cat - expected >expected.names && mv expected.names expected
  { echo "names:"; names_in out; } >actual
  [[ $# != 0 ]] || echo "names:" >expected
  if (($# != 0)) && [[ -z $(comm -23 <(sort expected) <(sort actual)) ]]; then
    more_names=$((more_names + $(wc -l <actual) - $(wc -l <expected)))
    echo "named: $*"
  else
    expect_equal "names in $store"
  fi
}

fleets=1
[[ -z ${LONG:-} ]] || fleets=20
for ((seed = 1; seed <= fleets; ++seed)); do
  fleet_of "same-$seed" "$seed"
  expect_names "same-$seed"
  fleet_of "changed-$seed" "$((1000 + seed))" --slower 0.5 --rogue
  expect_names "changed-$seed" "shop dearer shop_sort" "mail web-20 mine"
done
((more_names <= fleets / 10)) || bad "$more_names false names in $fleets fleets with a change"

# The sums of functions are those of SQL.
store=changed-1
"$perfsift" fleet --json "chdb:$store" >fleet.json
jq -r '.functions[] | "\(.function.symbol)\t\(.samples)\t\(.hosts)"' fleet.json | sort >actual
"$here/chdb_sql.py" "$store" "SELECT name, sum(samples), uniqExact(labels['host']) FROM samples INNER JOIN (SELECT DISTINCT id, frames
  FROM stacks) AS k ON stack = k.id INNER JOIN (SELECT DISTINCT id, name FROM functions) AS f ON f.id = frames[-1] INNER JOIN
  (SELECT load, labels FROM recordings FINAL) AS r USING load GROUP BY name" | sort >expected
expect_equal "sums of functions"
[[ $(jq '[.functions[].share.value] | add * 1e6 | round' fleet.json) == 1000000 ]] || bad "shares do not add up"
jq -e '[.functions[].share | .low <= .value and .value <= .high and .low < .high] | all' fleet.json >/dev/null || bad "an interval without its value"

# The commands show what they say.
run_commands() { # FILE
  local command
  while IFS= read -r command; do
    rm -f fleet.svg diff.svg
    PATH=$(dirname "$perfsift"):$PATH bash -c "$command" >out 2>errors || bad "$command: $(<errors)"
    [[ -s fleet.svg || -s diff.svg ]] || bad "$command draws nothing"
  done <"$1"
}
jq -r '.command, .functions[0].command, .comparisons[0].command, .odd_hosts[0].command' fleet.json >commands
[[ $(wc -l <commands) == 4 ]] || bad "there are not four commands"
run_commands commands
"$perfsift" fleet "chdb:$store" >text 2>errors || bad "text: $(<errors)"
for word in 'shop_sort costs more' 'service shop: version 1.2 (4 hosts, since 20' 'against version 1.1 (36 hosts)' \
  'service mail, host web-20: ' 'perfsift flame -o' 'perfsift diff -o'; do
  grep -qF "$word" text || bad "the text has no '$word'"
done
[[ $(grep -c '95 %' text) -ge 2 ]] || bad "the text has no intervals"

# Two times, and a baseline.
expect_status 5 "$perfsift" fleet --since 2000-01-01 "chdb:$store"
grep -q 'not compared: no samples: before' out || bad "--since without samples before: $(<out)"
for host in $(seq 0 39); do touch -d 2026-03-01T12:00:00Z "same-1.hosts/web-$host/"*.folded; done
"$perfsift" store add -q --label-rules rules --label age=old "chdb:$store" same-1.hosts/*/*-1.1.folded >out 2>errors || bad "older: $(<errors)"
expect_status 0 "$perfsift" fleet --since 2026-03-02 --json "chdb:$store?service=shop"
jq -e '.comparisons[0] | .before.hosts == 36 and .after.hosts == 40 and .before.name == "before 2026-03-02T00:00:00Z"' out >/dev/null ||
  bad "--since: $(jq -c '.comparisons[0] | del(.verdict)' out)"
expect_status 0 "$perfsift" fleet --baseline 'version=1.1&age=' --json "chdb:$store?service=shop&version=1.2"
[[ $(names_in out) == "shop dearer shop_sort" ]] || bad "--baseline: $(names_in out)"
jq -e '.comparisons[0].before.hosts == 36 and .comparisons[0].after.hosts == 4' out >/dev/null || bad "the hosts of a baseline"

# Little, and nothing.
mkdir one
cp same-1.hosts/web-1/shop-1.1.folded one/shop-1.1.folded
"$perfsift" store add -q --label-rules rules chdb:single one/shop-1.1.folded >out 2>errors
expect_status 5 "$perfsift" fleet chdb:single
grep -q 'nothing to compare' out && grep -q 'not judged, as 8 hosts with 100 samples or more are needed; it has 1' out || bad "one host: $(<out)"
"$perfsift" store remove --all chdb:single >out
expect_status 3 "$perfsift" fleet chdb:single
grep -q 'no recording in the store' errors || bad "an empty store: $(<errors)"
expect_status 3 "$perfsift" fleet chdb:nowhere
expect_status 3 "$perfsift" fleet "chdb:$store?host=nobody"
expect_status 3 "$perfsift" fleet "chdb:$store?to=1999-01-01"
expect_status 2 "$perfsift" fleet
expect_status 2 "$perfsift" fleet same-1.hosts
expect_status 2 "$perfsift" fleet --since yesterday "chdb:$store"
expect_status 2 "$perfsift" fleet --since 2026-01-01 --baseline version=1 "chdb:$store"
expect_status 2 "$perfsift" fleet --baseline version "chdb:$store"
expect_status 2 "$perfsift" fleet "chdb:$store?event=a&event=b"
"$perfsift" fleet "chdb:$store" >/dev/full 2>errors && bad "a full disk is no error"
expect_status 3 "$perfsift" fleet -o "$scratch/missing/file" "chdb:$store"

# Hostile names of hosts, services, versions and functions: each command is one line, and draws what it says.
hostile=$'a\'b"c$(touch hacked)`touch hacked`\\d\n;--\x1b[31m\xff&%'
mkdir names
for host in $(seq 9); do
  awk -v host="$host" 'BEGIN { print "main;f\\x$(touch hacked)'"'"'\033[31m*", 500 + host; print "main;g", (host == 7 ? 9000 : 500) }' >"names/$host"
  "$perfsift" store add -q --label "host=$hostile$host" --label "service=$hostile" --label "version=1.$((host % 2))$hostile" chdb:hostile "names/$host" >out 2>errors ||
    bad "hostile names: $(<errors)"
done
expect_status 0 "$perfsift" fleet chdb:hostile
grep -qP '[\x00-\x09\x0b-\x1f]' out && bad "control characters in the text"
expect_status 0 "$perfsift" fleet --json chdb:hostile
cp out hostile.json
jq -e '.odd_hosts | length == 1' hostile.json >/dev/null || bad "the odd host among hostile names: $(names_in hostile.json)"
jq -r '.command, .functions[].command, .comparisons[].command, .odd_hosts[].command' hostile.json >commands
run_commands commands
[[ ! -e hacked ]] || bad "a name became a command"
conclude
