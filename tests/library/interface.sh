#!/bin/bash
# The binary interface of the library equals the stored interface. Every change that breaks compiled programs is found.
#
#   interface.sh LIBRARY SOURCE
set -euo pipefail
library=$(realpath -e "$1") source=$(realpath -e "$2")
for tool in llvm-dwarfdump g++ objdump; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
export CXX=g++
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" >&2; exit 1; }
stored=$source/library/package/interface.txt
interface() { "$source/tests/library/interface.py" "$library" "$@"; }

interface "$source/include" "$stored"

# Changes headers by FILE SED..., and runs the comparison, which must fail.
changed() {
  rm -rf "$scratch/include"
  cp -r "$source/include" "$scratch"
  while (($# > 0)); do
    cp "$scratch/include/perfsift/$1" "$scratch/before"
    sed -E -i "$2" "$scratch/include/perfsift/$1"
    ! cmp -s "$scratch/before" "$scratch/include/perfsift/$1" || fail "nothing is changed by: $2"
    shift 2
  done
  if interface "$scratch/include" "$stored" >"$scratch/told" 2>"$scratch/help"; then fail "no change is found"; fi
}
told() { grep -qF "$1" "$scratch/told" || fail "not told: $1, but: $(cat "$scratch/told")"; }
helped() { grep -qF "$1" "$scratch/help" || fail "not the help: $1, but: $(cat "$scratch/help")"; }

changed c/recording.h 's/uint32_t line; /uint64_t line; /' \
  c/recording.h '/uint32_t flags; /d' \
  c/recording.h 's/(ERROR_BUSY = )6/\19/' \
  c/recording.h 's/size_t (perfsift_recording_events)/int \1/' \
  c/recording.h 's|(  int type;   .*PERFSIFT_UINT8.*)|\1\n  int more;|' \
  sample.h 's/^  kernel,/  kernel = 7,/' \
  columns.h 's/std::size_t (size\(\))/std::uint8_t \1/'
told "changed: field perfsift_frame::line = 24: uint32_t, now 24: uint64_t"
told "removed: field perfsift_mmap::flags"
told "changed: value PERFSIFT_ERROR_BUSY = 6, now 9"
told "changed: function perfsift_recording_events"
told "new:     field perfsift_array::more"
told "changed: value perfsift::v0::CpuMode::kernel = 1, now 7"
told "changed: returns _ZNK8perfsift2v07Columns4sizeEv = size_t, now uint8_t"
helped "raise SOVERSION"

# Each of these changes is enough, and cannot be stored under the same SONAME.
changed c/recording.h 's/(ERROR_BUSY = )6/\19/'
[[ $(wc -l <"$scratch/told") == 1 ]] || fail "one change, but: $(cat "$scratch/told")"
helped "raise SOVERSION"
cp "$stored" "$scratch/stored"
if interface "$scratch/include" "$scratch/stored" --store >/dev/null 2>&1; then fail "a break is stored under the same SONAME"; fi
cmp "$stored" "$scratch/stored"

# Structs that begin with their sizes may grow.
changed c/recording.h 's|(  size_t damage;  .*)|\1\n  uint64_t more;|'
told "new:     field perfsift_info::more"
helped "breaks no program"

# A function that is no longer exported.
{ cat "$stored"; echo "symbol perfsift_gone = exported"; } >"$scratch/stored"
if interface "$source/include" "$scratch/stored" >"$scratch/told" 2>&1; then fail "a function that is gone is not found"; fi
grep -qF "removed: symbol perfsift_gone" "$scratch/told" || fail "$(cat "$scratch/told")"
# With another SONAME everything may change.
sed -i 's/^soname = .*/soname = libperfsift.so.9/' "$scratch/stored"
interface "$source/include" "$scratch/stored" --store >/dev/null
cmp "$stored" "$scratch/stored"
