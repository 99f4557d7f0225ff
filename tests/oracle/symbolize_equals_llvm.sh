#!/bin/bash
# perfsift symbolize against llvm-symbolizer, on random code addresses of programs compiled now in many ways, for this machine
# and for aarch64, and of perfsift itself.
#
#   [ADDRESSES=20000] [VERSIONS="2 3 4 5"] [LEVELS="0 2"] [WAYS="O3 lto"] [DEBUG_FOLDER=/usr/lib/debug]
#   symbolize_equals_llvm.sh PERFSIFT WORKLOAD [BINARY...]
#
# VERSIONS: of DWARF. LEVELS: of optimization. WAYS: names of the other ways to compile (all).
# BINARY: other binaries; stripped ones need installed debug files. For example on Debian, after apt-get install
# python3.11-dbg libc6-dbg libstdc++6-12-dbg librados2-dbg: C, assembly, and C++ with all of Boost's templates:
#
#   /usr/bin/python3.11d /lib/x86_64-linux-gnu/libc.so.6 /usr/lib/x86_64-linux-gnu/debug/libstdc++.so.6
#   /usr/lib/x86_64-linux-gnu/librados.so.2 /usr/lib/x86_64-linux-gnu/ceph/libceph-common.so.2
#
# Binaries of aarch64 need no such processor. After cmake/sysroot.sh arm64 FOLDER libc6-dbg libstdc++6-12-dbg, with
# DEBUG_FOLDER=FOLDER/root/usr/lib/debug:
#
#   FOLDER/root/lib/aarch64-linux-gnu/libc.so.6 FOLDER/root/usr/lib/aarch64-linux-gnu/debug/libstdc++.so.6
#
# compare_frames.pl lists the permitted differences, with reasons. Exit status: 0 equal, 1 different, 77 when there is
# no llvm-symbolizer.
set -u
perfsift=$(realpath -e "$1") || exit 1
shift 2
# shellcheck source=tests/oracle/frames.sh
source "$(dirname "$0")/frames.sh"
third_party "$@"
begin
count=${ADDRESSES:-20000}

compare() { # NAME BINARY
  local whole
  whole=$(whole_of "$2")
  addresses "$2" "$count" >addresses
  "$perfsift" symbolize -afi --debug-dir "$debug_folder" -e "$2" <addresses >ours
  ask_llvm "$whole" >theirs
  judge "$1" "$whole"
}

for compiler in g++ clang++; do
  for version in ${VERSIONS:-2 3 4 5}; do
    for level in ${LEVELS:-0 2}; do
      name=$compiler-$version-O$level
      build "$name" "$compiler" "-gdwarf-$version" "-O$level" && compare "$name" "$name"
    done
  done
  while read -r name flags; do
    [[ " ${WAYS:-$name} " == *" $name "* ]] || continue
    # shellcheck disable=SC2086
    build "$compiler-$name" "$compiler" -g -O2 $flags && compare "$compiler-$name" "$compiler-$name"
  done <<'END'
O1 -O1
O3 -O3
split-5 -gdwarf-5 -gsplit-dwarf
split-4 -gdwarf-4 -gsplit-dwarf
compressed -gz=zlib
sections -ffunction-sections -Wl,--gc-sections
lto -flto
static -static
no-pie -no-pie
64-bit -gdwarf64 -gdwarf-5
os -Os -gno-column-info
END
done

# Instructions, padding and relocations of aarch64 differ from those of x86; signed return addresses have rules of their own.
for level in ${LEVELS:-0 2}; do
  name=aarch64-g++-O$level
  build "$name" aarch64-linux-gnu-g++ -g "-O$level" -mbranch-protection=standard && compare "$name" "$name"
  name=aarch64-clang++-O$level
  build "$name" clang++ --target=aarch64-linux-gnu -fuse-ld=lld -g "-O$level" -ffunction-sections && compare "$name" "$name"
done

build old-compressed g++ -g -O2 -gz=zlib-gnu && compare old-compressed old-compressed

# The answers must stay the same after other tools changed the debug information. LLVM 14 cannot read all forms.
same_answers() { # BINARY ORIGINAL
  [[ -s $1 ]] || { echo "not compared: $1"; return; }
  addresses "$2" "$count" >addresses
  "$perfsift" symbolize -afi -e "$2" <addresses >before
  if "$perfsift" symbolize -afi -e "$1" <addresses | cmp -s - before; then
    echo "the same answers: $1"
  else
    echo "OTHER ANSWERS: $1"
    failures=$((failures + 1))
  fi
}

for version in 4 5; do
  original=g++-$version-O2
  [[ -e $original ]] || continue
  objcopy --only-keep-debug "$original" "linked-$version.debug" &&
    objcopy --strip-all --add-gnu-debuglink="linked-$version.debug" "$original" "linked-$version"
  same_answers "linked-$version" "$original"
  if command -v dwz >/dev/null; then
    dwz -o "dwz-$version" "$original" && same_answers "dwz-$version" "$original"
    cp "$original" "multi-$version" && cp "$original" "other-$version"
    dwz -m "common-$version" "multi-$version" "other-$version" && same_answers "multi-$version" "$original"
    cp "$original" "standard-$version" && cp "$original" "other-$version"
    dwz --dwarf-5 -m "sup-$version" "standard-$version" "other-$version" && same_answers "standard-$version" "$original"
  else
    echo "not compared: dwz"
  fi
  # A package of split units, without the files from which it was made.
  mkdir "package-$version" && cp "g++-split-$version" "package-$version/program"
  # LLVM 14 never ends for some DWARF 5 of GCC.
  if timeout 5 llvm-dwp -e "g++-split-$version" -o "package-$version/program.dwp" 2>/dev/null ||
    dwp -e "g++-split-$version" -o "package-$version/program.dwp" 2>/dev/null; then
    "$perfsift" symbolize -afi -e "g++-split-$version" <addresses >before
    rm -f -- *"-split-$version"*.dwo
    "$perfsift" symbolize -afi -e "package-$version/program" <addresses | cmp - before || failures=$((failures + 1))
    echo "compared: package-$version"
  else
    echo "not compared: package-$version"
  fi
done

for binary in "$perfsift" "${binaries[@]}"; do compare "${binary##*/}" "$binary"; done

conclude
