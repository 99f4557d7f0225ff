#!/bin/bash
# Every kind of file that names and stacks come from is packed: debug files by build id, by link, fetched, with a common part
# (dwz) and split (.dwo, .dwp), perf maps, jitdumps, the kernel's list of symbols and its vmlinux. Where none of them is, fold,
# report and script print of the packed recording the same bytes as where all of them are.
#
#   pack_files.sh PERFSIFT JIT_WORKLOAD
#
# Exit status: 0 right, 1 wrong, 77 when nothing can be recorded here.
set -u
here=$(dirname "$(realpath "$0")")
perfsift=$(realpath -e "$1") && jit_workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
# shellcheck source=tests/oracle/servers.sh
source "$here/servers.sh"
# shellcheck source=tests/oracle/made_vmlinux.sh
source "$here/made_vmlinux.sh"
# shellcheck source=tests/oracle/expect.sh
source "$here/expect.sh"
for tool in g++ objcopy strip readelf zstd python3; do command -v $tool >/dev/null || skip "no $tool"; done
in_scratch
stop_servers_at_end
export HOME=$scratch/home
mkdir home
# shellcheck source=tests/oracle/elsewhere.sh
source "$here/elsewhere.sh"

# A program, two functions of which are known by debug information only: `inner` is inlined, `local` is in no .dynsym.
cat >program.cpp <<'END'
#include <ctime>
#include <map>
#include <string>
static inline __attribute__((always_inline)) int inner(volatile int& sum, int rounds) {
  for (int i = 0; i < rounds; ++i) sum = sum + i;
  return sum;
}
static __attribute__((noinline)) int local(int rounds) {
  volatile int sum = 0;
  return inner(sum, rounds);
}
int main() {
  std::map<std::string, int> results;
  const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 10;
  while (std::clock() < end) results["rounds"] += local(20000);
}
END

own_record() { # NAME ARGUMENTS…
  local name=$1
  shift
  "$perfsift" record -q -F 999 -o "$name" "$@" >/dev/null 2>record.errors && [[ -s $name ]]
}

# The files of a packed recording: "member: role role …".
packed_files() {
  zstd -dqc "$packed" | tar -xO perfsift-pack.json |
    python3 -c '
import json, sys, urllib.parse
for file in json.load(sys.stdin)["files"]:
    print(file["member"] + ":", *(urllib.parse.unquote(purpose).split()[0] for purpose in file["for"]))'
}

# What is packed with OPTIONS has a file with the role, whose name matches, and a text that names of it show.
check() { # WHAT FILE ROLE TEXT RECORDING [OPTION…]
  local what=$1 file=$2 role=$3 text=$4 recording=$5
  shift 5
  echo "== $what"
  pack "$@" "$recording"
  packed_files >packed.files
  expect "$what: $role is packed" grep -qE "^[^:]*$file: (.* )?$role( |$)" packed.files || cat packed.files
  compare "$recording" "$@" -- fold
  expect "$what: '$text' is shown" grep -qE -- "$text" actual
  compare "$recording" "$@" -- report --limit 0
  compare "$recording" "$@" -- report --limit 0 --sort sym,srcline
  compare "$recording" "$@" -- script -F +srcline
}

check_names_only() { # WHAT TEXT RECORDING [OPTION…]
  local what="$1, names only" text=$2 recording=$3
  shift 3
  pack --names-only "$@" "$recording"
  compare "$recording" "$@" -- fold
  expect "$what: '$text' is shown" grep -qE -- "$text" actual
  compare "$recording" "$@" -- script -F +srcline
}

# Compiles the program in a folder of its own, and sets `id` to its build id.
compile() { # FOLDER COMPILER FLAGS…
  mkdir "$1"
  (cd "$1" && "$2" -O1 -fno-omit-frame-pointer "${@:3}" ../program.cpp -o program) 2>errors ||
    { echo "not compared: $1 ($(head -n 1 errors))"; return 1; }
  id=$(readelf -n "$1/program" | sed -n 's/.*Build ID: //p')
  [[ -n $id ]] || skip "the compiler gives no build ids"
}
record_program() { # FOLDER
  own_record "$1.data" -g -e cpu-clock:u "$1/program" || skip "perfsift cannot record here: $(perfs_reason)"
}
# Moves the debug information to a path by build id below a folder.
split_off() { # PROGRAM FOLDER
  local path=$2/.build-id/${id:0:2}/${id:2}.debug
  mkdir -p "$(dirname "$path")"
  objcopy --only-keep-debug "$1" "$path" && strip "$1"
}

by_build_id() {
  compile by_id g++ -g || return
  split_off by_id/program debug
  record_program by_id
  check "debug file by build id" "${id:2}.debug" debug-info ';inner ' by_id.data --debug-dir "$scratch/debug"
  check_names_only "debug file by build id" ';inner ' by_id.data --debug-dir "$scratch/debug"
}

by_link() {
  compile by_link g++ -g || return
  mkdir by_link/.debug
  objcopy --only-keep-debug by_link/program by_link/.debug/program.debug
  strip by_link/program && objcopy --add-gnu-debuglink=by_link/.debug/program.debug by_link/program
  record_program by_link
  check "debug file by link" by_link/.debug/program.debug debug-info ';inner ' by_link.data
}

# The cache of debuginfod clients has it, or a server.
fetched() {
  ldconfig -p | grep -q 'libdebuginfod\.so\.1' || { echo "not compared: fetched debug files (no libdebuginfod)"; return; }
  compile fetched g++ -g || return
  start_debuginfod
  mkdir -p "served/buildid/$id"
  objcopy --only-keep-debug fetched/program "served/buildid/$id/debuginfo" && strip fetched/program
  record_program fetched
  export DEBUGINFOD_URLS=$url DEBUGINFOD_CACHE_PATH=$scratch/cache
  check "fetched debug file" "usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" debug-info ';inner ' fetched.data --debuginfod
  expect "the server was asked once" test "$(grep -c "$id/debuginfo" requests)" = 1
  stop_server "$server"
  check "debug file of the cache" "usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" debug-info ';inner ' fetched.data --debuginfod
  export DEBUGINFOD_URLS=''
}

# Two programs have a part of their debug information in common, in a third file.
with_common_part() {
  command -v dwz >/dev/null || { echo "not compared: a common part (no dwz)"; return; }
  compile common g++ -g || return
  cp common/program common/other
  dwz -m common/part.debug -M "$scratch/common/part.debug" common/program common/other 2>errors ||
    { echo "not compared: a common part ($(head -n 1 errors))"; return; }
  expect "dwz made a common part" grep -q gnu_debugaltlink <(readelf -SW common/program)
  record_program common
  check "common part" common/part.debug supplementary ';inner ' common.data
  check_names_only "common part" ';inner ' common.data

  # As Debian has them: the debug file by build id has the link, and the common part is below .dwz.
  split_off common/program debug
  mkdir -p debug/.dwz
  mv common/part.debug debug/.dwz/part.debug
  check "common part below .dwz" debug/.dwz/part.debug supplementary ';inner ' common.data --debug-dir "$scratch/debug"
}

split_units() { # FOLDER COMPILER FLAGS…
  compile "$@" || return
  record_program "$1"
  check "split units of $2" "$1/[^/]*\.dwo" split-unit ';inner ' "$1.data"
}
split_package() {
  command -v llvm-dwp >/dev/null || { echo "not compared: a split package (no llvm-dwp)"; return; }
  compile package clang++ -gdwarf-5 -gsplit-dwarf || return
  (cd package && timeout 60 llvm-dwp -e program -o program.dwp && rm ./*.dwo) 2>errors ||
    { echo "not compared: a split package ($(head -n 1 errors))"; return; }
  record_program package
  check "split package" package/program.dwp split-package ';inner ' package.data
}

# A perf map is read by the path that every process has, and jit_workload runs for half a minute.
perf_map() {
  "$jit_workload" >/dev/null &
  local pid=$! map=/tmp/perf-$!.map i
  pids+=("$pid")
  for ((i = 0; i < 200; ++i)); do [[ ! -s $map ]] || break; sleep 0.05; done
  own_record map.data -g -e cpu-clock:u -p "$pid" sleep 0.5 || { rm "$map"; skip "perfsift cannot record here: $(perfs_reason)"; }
  kill "$pid" && wait "$pid" 2>/dev/null
  check "perf map" "$map" made-code 'run;mapped ' map.data
  check_names_only "perf map" 'run;mapped ' map.data
  rm "$map"
}

# Code that replaces other code has the name of its time; code without frame pointers is unwound by rules of the dump.
jit_dump() {
  own_record jit.data -k mono -g -e cpu-clock:u "$jit_workload" . || skip "perfsift cannot record here: $(perfs_reason)"
  check "jitdump" 'jit-[0-9]*.dump' made-code 'run;gamma ' jit.data
  check_names_only "jitdump" 'run;gamma ' jit.data
  own_record frameless.data -k mono --call-graph dwarf -e cpu-clock:u "$jit_workload" . frameless || skip "perfsift cannot record here: $(perfs_reason)"
  check "jitdump with rules" 'jit-[0-9]*.dump' made-code 'main;(.*;)?outer;small ' frameless.data
  check_names_only "jitdump with rules" 'main;(.*;)?outer;small ' frameless.data
}

# The list of this machine, and a vmlinux that is made as large as the kernel, with its debug information inside or beside.
kernel() {
  own_record kernel.data -g -e cpu-clock:k find /usr/share/doc -name nothing || { echo "not compared: perfsift cannot record the kernel: $(perfs_reason)"; return; }
  if grep -qv '^0*  *' /proc/kallsyms; then
    check "kernel's list" kallsyms kallsyms '(do_syscall_64|el0_svc)' kernel.data
    check_names_only "kernel's list" '(do_syscall_64|el0_svc)' kernel.data
  else
    echo "not compared: /proc/kallsyms hides its addresses"
  fi
  make_vmlinux kernel.data || { echo "not compared: a vmlinux ($(head -n 1 errors))"; return; }
  check "vmlinux" /vmlinux symbols ';everything;inner ' kernel.data --vmlinux "$scratch/vmlinux"
  expect "vmlinux: no list is packed" test -z "$(grep kallsyms packed.files)"
  check_names_only "vmlinux" ';everything;inner ' kernel.data --vmlinux "$scratch/vmlinux"

  # Debug information in a file by itself, as packages of distributions have it.
  id=$(readelf -n vmlinux | sed -n 's/.*Build ID: //p')
  objcopy --strip-debug vmlinux stripped_vmlinux
  split_off vmlinux debug
  check "vmlinux with a debug file" "${id:2}.debug" debug-info ';everything;inner ' kernel.data --vmlinux "$scratch/stripped_vmlinux" \
    --debug-dir "$scratch/debug"
}

by_build_id
by_link
fetched
with_common_part
split_units gcc_split g++ -g -gsplit-dwarf
split_units clang_split clang++ -g -gsplit-dwarf
split_package
if [[ $(uname -m) == x86_64 ]]; then
  perf_map
  jit_dump
  kernel
else
  echo "not compared: made code and a vmlinux, which are made for x86-64"
fi
conclude
