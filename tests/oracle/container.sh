#!/bin/bash
# Names of a program in its own namespaces, from files that only these namespaces have.
#
#   container.sh PERFSIFT JIT_WORKLOAD
#
# Exit status: 0 right, 1 wrong, 77 when no namespaces can be made or perf cannot record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
[[ $(uname -m) == x86_64 ]] || skip "the workload makes code for x86-64"
unshare --mount --pid --fork --mount-proc true || skip "no namespaces can be made here"
begin

fail() {
  echo "WRONG: $*"
  failures=$((failures + 1))
}

# The names of the program change while it is recorded and compared.
record_alone

# Only the program sees the file system with /tmp/inside and /tmp/perf-1.map.
unshare --mount --pid --fork --mount-proc --kill-child sh -c \
  'mount -t tmpfs none /tmp && cp "$0" /tmp/inside && exec /tmp/inside >/dev/null' "/proc/self/fd/3" 3<"$workload" &
container=$!
for ((i = 0; i < 600; i++)); do  # a busy machine needs time
  pid=$(cat "/proc/$container/task/$container/children" 2>/dev/null) && pid=${pid%% *}
  [[ -n $pid && -s /proc/$pid/root/tmp/perf-1.map ]] && break
  sleep 0.1
done
decoy=/tmp/perf-$pid.map
trap 'kill -KILL $container 2>/dev/null; rm -rf "$scratch" "$decoy"' EXIT

# A map outside, as an earlier process with the same pid leaves it.
awk '/r[-w]xp 00000000 00:00 0 *$/ { sub("-.*", "", $1); print $1, "1000 decoy" }' "/proc/$pid/maps" >"$decoy"
[[ -s $decoy ]] || fail "the program has no code of its own making"
export HOME=$PWD  # an empty build-id cache
# -N: without copies of the files, such as the kernel's.
record inside.data -N -g -e cpu-clock:u -p "$pid" -- sleep 0.5 || skip "perf cannot record another process: $(perfs_reason)"
record namespaces.data -N --namespaces -g -e cpu-clock:u -p "$pid" -- sleep 0.5

for recording in inside.data namespaces.data; do
  "$perfsift" fold "$recording" >folded 2>messages
  grep -q ';main;(anonymous namespace)::run;mapped ' folded || fail "$recording: $(head -n 3 folded messages)"
  grep -q decoy folded && fail "$recording: a map of outside was used"
done

# After the program has ended, only the files outside are left.
kill -KILL "$container"  # unshare waits for its child and ignores other signals
wait "$container" 2>/dev/null
for ((i = 0; i < 600; i++)); do  # unshare has ended, and its child is being killed: an ended process has no root
  [[ -e /proc/$pid/root ]] || break
  sleep 0.1
done
"$perfsift" fold inside.data >folded 2>messages
grep -q 'decoy ' folded || fail "after the end: $(head -n 3 folded messages)"
grep -q 'run;' folded && fail "after the end: names of a file that is gone"

conclude
