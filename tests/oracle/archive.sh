#!/bin/bash
# Names of a deleted program, from the files that perf archive packed.
#
#   archive.sh PERFSIFT WORKLOAD
#
# Exit status: 0 right, 1 wrong, 77 when there is no perf 6.1 that can record and pack here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

mkdir home unpacked
export HOME=$PWD/home # holds perf's build-id cache
cp "$workload" app
record app.data -g -F 999 -e cpu-clock:u ./app || skip "perf cannot record here: $(perfs_reason)"
perf archive app.data >/dev/null && tar -xf app.data.tar.bz2 -C unpacked || skip "perf archive does not work here"
rm -r app home/.debug

named() { grep -c ';workload::run;' || true; }
[[ $("$perfsift" fold -q app.data | named) == 0 ]] || failures=1
[[ $("$perfsift" fold -q --buildid-dir unpacked app.data | named) -gt 0 ]] || failures=1
mv unpacked home/.debug
[[ $("$perfsift" fold -q app.data | named) -gt 0 ]] || failures=1
conclude
