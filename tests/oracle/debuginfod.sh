#!/bin/bash
# perfsift --debuginfod with a test server on this machine.
#
#   debuginfod.sh PERFSIFT WORKLOAD
#
# Exit status: 0 right, 1 wrong, 77 when a required tool or library is missing.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
# shellcheck source=tests/oracle/servers.sh
source "$(dirname "$0")/servers.sh"
for tool in python3 objcopy strip readelf; do command -v $tool >/dev/null || skip "no $tool"; done
ldconfig -p | grep -q 'libdebuginfod\.so\.1' || skip "no libdebuginfod"
begin
stop_servers_at_end
# The libraries of libdebuginfod leak memory, and an instrumented program asks llvm-symbolizer about the leaks, which
# then asks the servers.
export ASAN_OPTIONS=detect_leaks=0

fail() {
  echo "WRONG: $*"
  failures=$((failures + 1))
}

# A program without names, and a server that has the names and logs all requests.
cp "$workload" whole
id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
[[ -n $id ]] || skip "the compiler gives no build ids"
strip whole -o app
mkdir -p "served/buildid/$id" "hidden" home
objcopy --only-keep-debug whole "served/buildid/$id/debuginfo"
record app.data -g -F 999 -e cpu-clock:u ./app || skip "perf cannot record here: $(perfs_reason)"
start_debuginfod

# Uses its own home and cache folders, so that no file of this machine is found.
fold() { # [NAME=VALUE…] -- OPTIONS…
  local environment=()
  while [[ $1 != -- ]]; do environment+=("$1") && shift; done
  shift
  env -u DEBUGINFOD_MAXSIZE -u DEBUGINFOD_MAXTIME -u DEBUGINFOD_PROGRESS HOME="$PWD/home" XDG_CACHE_HOME="$PWD/home" \
    DEBUGINFOD_URLS="$url" DEBUGINFOD_CACHE_PATH="$PWD/cache" "${environment[@]}" \
    "$perfsift" fold --debug-dir "$PWD/hidden" "$@" app.data 2>messages
}
named() { grep -c ';workload::run;' || true; }

[[ $(fold -- | named) == 0 ]] || fail "names without debug info: the program is not what this test is about"
[[ ! -s requests ]] || fail "the network was asked without --debuginfod: $(<requests)"

[[ $(fold -- --debuginfod | named) -gt 0 ]] || fail "no names with --debuginfod: $(<messages)"
[[ $(grep -c "/buildid/$id/debuginfo" requests) == 1 ]] || fail "asked for $(<requests)"
grep -qv "/buildid/$id/" requests && ! grep -q "/debuginfo$" requests && fail "asked for more: $(<requests)"

: >requests
[[ $(fold -- --debuginfod | named) -gt 0 ]] || fail "no names from the cache: $(<messages)"
grep -q "$id" requests && fail "asked for what is in the cache: $(<requests)"
[[ $(fold DEBUGINFOD_URLS= -- | named) == 0 ]] || fail "the cache was used without --debuginfod"

[[ $(fold DEBUGINFOD_URLS="$url/drops" DEBUGINFOD_CACHE_PATH="$PWD/drops" -- --debuginfod --debuginfod-max-bytes 1k |
  named) == 0 ]] || fail "1 KiB was exceeded"
grep -q 'more than what is left of its bytes' messages || fail "nothing said of the bytes: $(<messages)"

SECONDS=0
[[ $(fold DEBUGINFOD_URLS="$url/slow" DEBUGINFOD_CACHE_PATH="$PWD/slow" -- --debuginfod --debuginfod-max-time 1s |
  named) == 0 ]] || fail "names in no time"
((SECONDS < 120)) || fail "1 s became $SECONDS s"  # limit for a busy machine; the server answers after 300 s
grep -q 'its time is over' messages || fail "nothing said of the time: $(<messages)"

fold DEBUGINFOD_URLS= -- --debuginfod >folded
[[ $? == 2 ]] || fail "no servers is no usage error: $(<messages)"

# Objects with less than 1 % of the samples are not requested.
cat >brief.cpp <<'END'
#include <ctime>
int main(int argc, char** argv) {
  const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 1000 * (argc > 1 ? *argv[1] - '0' : 100);
  while (std::clock() < end)
    for (volatile int i = 0; i < 20000; ++i) {}
}
END
g++ -O1 brief.cpp -o brief || fail "no brief program"
brief_id=$(readelf -n brief | sed -n 's/.*Build ID: //p')
strip brief
# The kernel decides how many samples a few milliseconds give, which may be none, or too many on a busy machine.
for ((i = 0; i < 10; i++)); do
  record app.data -g -F 999 -e cpu-clock:u sh -c 'for i in $(seq "$0"); do ./app; done; ./brief 4' $((4 + 2 * i)) ||
    fail "a second recording"
  perf script -i app.data -F comm,ip,sym,dso -G >places 2>/dev/null
  samples=$(grep -c / places) brief=$(grep -c '/brief)' places)
  ((brief > 0 && brief * 110 < samples)) && break
done
((brief > 0 && brief * 110 < samples)) || fail "$brief of $samples samples are no small share, ten times"
: >requests
fold DEBUGINFOD_CACHE_PATH="$PWD/shares" -- --debuginfod >folded
grep -q "$brief_id" requests && fail "asked for what $brief of $samples samples lie in"
record app.data -g -F 999 -e cpu-clock:u ./brief
fold DEBUGINFOD_CACHE_PATH="$PWD/shares" -- --debuginfod >folded
grep -q "$brief_id" requests || fail "not asked for what all samples lie in"
record app.data -g -F 999 -e cpu-clock:u ./app

# A missing program is requested, too: the debug file does not have the file offsets of functions.
mv app "served/buildid/$id/executable"
[[ $(fold -- --debuginfod | named) -gt 0 ]] || fail "no names without the program: $(<messages)"
grep -q "/buildid/$id/executable" requests || fail "the program was not asked for: $(<requests)"

conclude
