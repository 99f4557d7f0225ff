#!/bin/bash
# Many recordings of many hosts, made from real ones: each is a part of the time of a recording, with names that are masked by
# the key of its service. Each command on the store gives the same bytes as on the files.
#   store_hosts.sh PERFSIFT WORKLOAD FOLDER_OF_NPM
# LONG=1 takes 2,000 recordings of 200 hosts instead of 48 of 8.
set -u
perfsift=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
testdata=$(realpath "$here/../../testdata")

# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
need_libchdb "$3"
in_scratch

hosts=8 services=3
[[ -z ${LONG:-} ]] || hosts=200 services=5

# For each service and version, a part of a recording, with a key of the service. Names of functions stay those of binaries that are
# not here: the symfs names them before they are masked.
recordings=("$testdata/demo.data" "$testdata/oracle/mixed.data")
mkdir parts
for ((service = 0; service < services; ++service)); do
  head -c 32 /dev/zero | tr '\0' "$service" >key
  for version in 1 2; do
    for part in 0 1 2 3; do
      from=$((20 * part + 10 * (version - 1)))
      "$perfsift" filter -q --anonymize --anonymize-key key --time "$from%-$((from + 20))%" \
        -o "parts/service-$service-$version.$part" "${recordings[service % 2]}" 2>errors || bad "filter: $(<errors)"
    done
  done
done
# Each host has two versions of each service, and one of the four parts of each: a recording is the same on every fourth host, and
# the labels keep the hosts apart.
for ((host = 0; host < hosts; ++host)); do
  mkdir -p "hosts/host-$host"
  for ((service = 0; service < services; ++service)); do
    for version in 1 2; do
      ln "parts/service-$service-$version.$((host % 4))" "hosts/host-$host/service-$service-$version.data"
    done
  done
done
echo 'path hosts/(?P<host>[^/]+)/(?P<service>[^/]+)-(?P<version>\d)\.data$' >rules
"$perfsift" store add -q --label-rules rules --label made=here chdb:fleet hosts >out 2>errors || bad "store add: $(<errors)"
echo "$(<out)"
[[ $(<out) == "added $((hosts * services * 2)) recordings, "* ]] || bad "store add prints $(<out)"

compare() { # URL FILE... -- COMMAND [OPTION...]
  local url=$1 files=()
  shift
  while [[ $1 != -- ]]; do files+=("$1"); shift; done
  shift
  "$perfsift" "$@" "${files[@]}" >expected 2>expected.errors
  local status=$?
  "$perfsift" "$@" "$url" >actual 2>actual.errors || { local other=$?; ((status == other)) || bad "status $other instead of $status: $*: $(<actual.errors)"; }
  if [[ $1 == flame ]]; then  # pictures name their inputs
    sed -i "s|${#files[@]} inputs: |INPUT: |" expected
    sed -i "s|chdb:[^ ]*: |INPUT: |" actual
  fi
  expect_equal "$*: $url"
}
all=(hosts/*/*.data)
compare chdb:fleet "${all[@]}" -- fold --event '*'
compare chdb:fleet "${all[@]}" -- fold --weight samples --no-inline
compare chdb:fleet "${all[@]}" -- report --event '*'
compare chdb:fleet "${all[@]}" -- report --sort comm,dso,symbol --json
compare chdb:fleet "${all[@]}" -- flame --title x
compare chdb:fleet "${all[@]}" -- report --tree
compare 'chdb:fleet?host=host-3' hosts/host-3/*.data -- fold --event '*'
compare 'chdb:fleet?service=service-1' hosts/*/service-1-*.data -- report --csv
compare 'chdb:fleet?service=service-0&version=2' hosts/*/service-0-2.data -- fold

# shellcheck disable=SC2046
"$perfsift" diff $(printf -- '--before %s ' hosts/*/service-0-1.data) $(printf -- '--after %s ' hosts/*/service-0-2.data) >expected 2>errors
"$perfsift" diff 'chdb:fleet?service=service-0&version=1' 'chdb:fleet?service=service-0&version=2' >actual 2>errors
expect_equal "diff of two versions"

# Labels as columns: the sums of each host and service are those of its files.
"$perfsift" report --sort host,service --csv --event '*' chdb:fleet >with_cr 2>errors || bad "report --sort host,service: $(<errors)"
tr -d '\r' <with_cr >columns
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
  { sum[$column["host"] " " $column["service"]] += $column["self_samples"] }
  END { for (key in sum) print key, sum[key] }' columns | sort >actual
for ((host = 0; host < 4; ++host)); do
  for ((service = 0; service < services; ++service)); do
    "$perfsift" fold --event '*' --weight samples "hosts/host-$host/service-$service"-*.data 2>/dev/null |
      awk -v key="host-$host service-$service" '{ sum += $NF } END { print key, sum }'
  done
done | sort >expected
grep -E '^host-[0-3] ' actual >few && mv few actual
expect_equal "samples by host and service"
conclude
