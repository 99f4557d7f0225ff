#!/bin/bash
# What doctor says is what happens: as this user, as nobody, in a root without /proc and /sys, and with debuginfod servers that
# answer, fail or keep silent.
#
#   doctor.sh PERFSIFT WORKLOAD
#
# Exit status: 0 right, 1 wrong, 77 without jq.
set -u
here=$(dirname "$(realpath "$0")")
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
command -v jq >/dev/null || { echo "skipped: no jq" && exit 77; }
# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
# shellcheck source=tests/oracle/servers.sh
source "$here/servers.sh"
# shellcheck source=tests/oracle/expect.sh
source "$here/expect.sh"
in_scratch
stop_servers_at_end
chmod 755 "$scratch"
cp "$perfsift" "$scratch/perfsift" && cp "$workload" "$scratch/workload"

health() { jq -r --arg subject "$1" 'first(.findings[] | select(.subject == $subject)) | .health' said.json; }
# A line must be `no` exactly if the command fails.
same_as() { # SUBJECT COMMAND…
  local subject=$1 said
  said=$(health "$1")
  shift
  if "$@" >/dev/null 2>&1; then
    expect "$who: '$subject' is $said, and works" test "$said" != no
  else
    expect "$who: '$subject' is $said, and does not work" test "$said" = no
  fi
}

check_recording() { # WHO COMMAND-PREFIX…
  who=$1
  shift
  "$@" ./perfsift doctor --json >said.json
  local status=$? folder
  expect "$who: exit status $status" test "$((status == 1))" = "$([[ $(health "own programs") == no ]] && echo 1 || echo 0)"
  folder=$("$@" mktemp -d) || return
  same_as "own programs" "$@" ./perfsift record -q -e cpu-clock:u -o "$folder/own.data" true
  same_as "all CPUs" "$@" ./perfsift record -q -a -e cpu-clock -o "$folder/all.data" true
  same_as "memory accesses" "$@" ./perfsift record -q --preset mem -o "$folder/mem.data" true
  same_as "tracepoints" "$@" ./perfsift record -q -e sched:sched_switch -o "$folder/sched.data" true
  # Where nothing hides the addresses of /proc/kallsyms, the first symbol has one.
  same_as "kernel symbols" "$@" sh -c 'head -n 1 /proc/kallsyms | grep -qv "^0*  *"'
  "$@" rm -rf "$folder"
}

check_recording "this user"
if ((EUID == 0)) && command -v setpriv >/dev/null; then
  check_recording "nobody" setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all
fi

# Without /sys the CPUs that are online come from /proc/stat, and tracefs has no folder to be mounted on.
check_without_sys() { # WHO COMMAND-PREFIX…
  check_recording "$@"
  expect "$who: own programs" test "$(health "own programs")" = ok
  expect "$who: memory accesses are not known" grep -q 'whether this machine samples memory accesses is not known' said.json
  expect "$who: /sys is to be mounted first" test "$(jq -r '.findings[] | select(.subject == "tracepoints").remedy' said.json | cut -d : -f 1)" = "mount /sys first"
  shift
  expect "$who: top" timeout --signal INT 60 "$@" ./perfsift top -d 1 -n 1
}
if ((EUID == 0)) && unshare -m true 2>/dev/null; then
  # shellcheck disable=SC2016
  check_without_sys "without /sys" unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' -
else
  echo "not checked: no mount namespaces here"
fi

# A perf that hangs is not waited for.
mkdir hanging
printf '#!/bin/sh\nsleep 60\n' >hanging/perf
chmod +x hanging/perf
begin=$SECONDS
PATH=$PWD/hanging:$PATH ./perfsift doctor --json >said.json
expect "a perf that hangs" test "$((SECONDS - begin))" -lt 40 # busy machines are slow
expect "a perf that hangs is said" test "$(jq -r '.findings[] | select(.subject == "perf").fact' said.json)" = "perf --version did not answer in 2 s"

# In a root with nothing but perfsift, all that is read is missing, and said to be.
mkdir -p root/private
for library in $(ldd perfsift | grep -o '/[^ ]*'); do cp "$library" root/private/; done
cp perfsift root/private/
loader=$(basename "$(ldd perfsift | grep -o '/[^ ]*ld-[^ ]*' | head -n 1)")
bare() { chroot root /private/"$loader" --library-path /private /private/perfsift "$@"; }
if bare --version >/dev/null 2>&1; then
  bare doctor --json >said.json 2>errors
  expect "bare root: says nothing else" test ! -s errors
  for subject in "own programs" "kernel symbols" "tracepoints"; do
    expect "bare root: no $subject" test "$(health "$subject")" = no
  done
  for subject in "kernel lines" "kernel types" "libraries" "perf" "sample rate" "open files"; do
    expect "bare root: $subject limited" test "$(health "$subject")" = limited
  done
  bare doctor >said && expect "bare root: as text" test "$(grep -c '^no\|^limited\|^ok' said)" = "$(jq '.findings | length' said.json)"
  # Each ring belongs to a CPU, and /proc lists the CPUs.
  program=(/private/"$loader" --library-path /private /private/perfsift)
  recording=("${program[@]}" record -q -e cpu-clock:u -o /own.data "${program[@]}" --version)
  mkdir root/proc
  who="bare root"
  bare doctor --json >said.json
  same_as "own programs" chroot root "${recording[@]}"
  # shellcheck disable=SC2016
  with_proc=(unshare -m sh -c 'mount -t proc proc root/proc && exec "$@"' - chroot root)
  who="bare root with /proc"
  if ! unshare -m true 2>/dev/null; then
    echo "not checked: no mount namespaces here"
  elif "${with_proc[@]}" "${program[@]}" doctor --json >said.json 2>errors; then
    expect "$who: own programs" test "$(health "own programs")" = ok
    same_as "own programs" "${with_proc[@]}" "${recording[@]}"
  else
    expect "$who: $(cat errors)" test "$(health "own programs")" = no
  fi
else
  echo "not checked: no chroot here"
fi

# Frame pointers are found where a library was compiled with them, and only there.
if command -v cc >/dev/null; then
  mkdir -p with/lib64 without/lib64
  for ((i = 0; i < 200; ++i)); do
    echo "int f$i(int *a, int n) { int s = $i; for (int i = 0; i < n; ++i) s += g(a + i, s) * a[i]; return s + g(a, n); }"
  done | sed '1i int g(int *, int);' >library.c
  cc -O2 -fno-omit-frame-pointer -fPIC -shared -w -o with/lib64/libc.so.6 library.c
  cc -O2 -fomit-frame-pointer -fPIC -shared -w -o without/lib64/libc.so.6 library.c
  ./perfsift doctor --json --root with >said.json
  expect "with frame pointers" test "$(health "frame pointers")" = ok
  ./perfsift doctor --json --root without >said.json
  expect "without frame pointers" test "$(health "frame pointers")" = limited
fi

# The servers of DEBUGINFOD_URLS: each has a line, and nothing is sent without --network.
fact() { # SERVER
  jq -r --arg server "$1" 'first(.findings[] | select(.subject == "debuginfod server") | select(.fact | startswith($server + " ") or startswith($server + ":"))) | .health + " " + .fact' said.json
}
answers() { # SERVER PATTERN
  local said
  said=$(fact "$1")
  expect "$1: '$said'" grep -qE "^($2) \([0-9]+\.[0-9]{2} s\)$" <<<"${said//"$1"/SERVER}"
}
check_servers() {
  local id library=with/lib64/libc.so.6 begin closed
  id=$(readelf -n "$library" | sed -n 's/.*Build ID: //p')
  start_debuginfod
  mkdir -p "served/buildid/$id" served/empty/buildid
  cp "$library" "served/buildid/$id/debuginfo"
  closed=http://127.0.0.1:1
  export DEBUGINFOD_CACHE_PATH=$PWD/cache
  export DEBUGINFOD_URLS="$url $url/empty/ $url/moved $url/broken $url/slow $closed https://127.0.0.1:$port http://name.invalid no-address"
  ./perfsift doctor --json --root with >said.json
  expect "not asked without --network" test ! -s requests
  expect "no lines of servers without --network" test -z "$(health "debuginfod server")"
  begin=$SECONDS
  ./perfsift doctor --network --json --root with >said.json
  expect "silent servers end after 10 s, all together" test "$((SECONDS - begin))" -lt 60 # busy machines are slow
  expect "a line for each server" test "$(jq '[.findings[] | select(.subject == "debuginfod server")] | length' said.json)" = 9
  expect "the setting is right" test "$(health debuginfod)" = ok
  answers "$url" "ok SERVER has the debug file of libc.so.6"
  answers "$url/empty/" "ok SERVER answers, and does not have the debug file of libc.so.6"
  answers "$url/moved" "ok SERVER has the debug file of libc.so.6"
  answers "$url/broken" "no SERVER: HTTP status 503"
  answers "$url/slow" "no SERVER: no answer in 10 s"
  answers "$closed" "no SERVER: .*(refused|connect).*"
  answers "https://127.0.0.1:$port" "no SERVER: .*(TLS|SSL).*"
  answers http://name.invalid "no SERVER: .*resolve host.*"
  answers no-address "no SERVER: .*resolve host.*"
  sort requests >sorted
  printf '%s\n' "/broken/buildid/$id/debuginfo" "/buildid/$id/debuginfo" "/buildid/$id/debuginfo" "/empty/buildid/$id/debuginfo" \
    "/moved/buildid/$id/debuginfo" "/slow/buildid/$id/debuginfo" | sort >expected
  expect "each server is asked once, for one file" cmp expected sorted
  expect "nothing is kept" test ! -e cache
  ./perfsift doctor --network --root with >said
  expect "as text" test "$(grep -c '^no  *debuginfod server' said)" = 6

  # Where there is no C library, the answer alone counts.
  mkdir -p bare_root
  DEBUGINFOD_URLS=$url ./perfsift doctor --network --json --root bare_root >said.json
  answers "$url" "ok SERVER answers"
  # Without a server there is nothing to ask.
  DEBUGINFOD_URLS=' ' ./perfsift doctor --network --json --root with >said.json
  expect "no server" test "$(health debuginfod) $(health "debuginfod server")" = "limited "
  export DEBUGINFOD_URLS=''
}
if [[ -e with/lib64/libc.so.6 ]] && command -v python3 >/dev/null && command -v readelf >/dev/null &&
  ldconfig -p | grep -q 'libdebuginfod\.so\.1'; then
  check_servers
else
  echo "not compared: servers of debuginfod, because cc, python3, readelf or libdebuginfod is missing"
fi

# Output that does not arrive is an error.
./perfsift doctor >/dev/full 2>errors
expect "a full output" test $? -ne 0

echo "$failures wrong"
((failures == 0))
