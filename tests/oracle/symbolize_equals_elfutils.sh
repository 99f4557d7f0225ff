#!/bin/bash
# perfsift symbolize against eu-addr2line, on random code addresses of perfsift, of programs compiled now, and of other
# given programs.
#
#   [ADDRESSES=2000] symbolize_equals_elfutils.sh PERFSIFT WORKLOAD [BINARY...]
#
# BINARY: see symbolize_equals_llvm.sh.
#
# compare_frames.pl lists the permitted differences, with reasons and limits; LLVM decides where the two tools
# disagree.
# Exit status: 0 equal, 1 different, 77 when there is no eu-addr2line or no llvm-symbolizer.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
shift 2
# shellcheck source=tests/oracle/frames.sh
source "$(dirname "$0")/frames.sh"
third_party "$@"
command -v eu-addr2line >/dev/null || skip "no eu-addr2line"
begin
count=${ADDRESSES:-2000}

compare() { # NAME BINARY
  local whole
  whole=$(whole_of "$2")
  addresses "$2" "$count" >addresses
  "$perfsift" symbolize -afi -e "$2" <addresses >ours
  eu-addr2line -a -f -i -e "$whole" <addresses >theirs
  ask_llvm "$whole" >witness
  judge "$1" "$whole" witness
}

# elfutils finds units by .debug_aranges, which Clang writes only with an option.
build clang clang++ -O2 -gdwarf-4 -gdwarf-aranges && compare clang clang
build gcc g++ -O2 -gdwarf-5 && compare gcc gcc
for binary in "$perfsift" "$workload" "${binaries[@]}"; do compare "${binary##*/}" "$binary"; done

conclude
