#!/bin/bash
# Projects outside of the tree are built against an installed copy of the library, by CMake, by pkg-config and in C, and
# must find what perfsift itself finds. The library exports its interface only; its headers need nothing but the
# standard library.
#
#   installed.sh PERFSIFT BUILD SOURCE SCHED_RECORDING MODEL_RECORDING
set -euo pipefail
perfsift=$(realpath -e "$1") build=$(realpath -e "$2") source=$(realpath -e "$3")
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "$*" >&2; exit 1; }
demo=$source/testdata/demo.data
symfs=$source/testdata/symfs

for component in library devel; do
  cmake --install "$build" --component "$component" --prefix "$scratch/moved" >/dev/null
done
mv moved installed  # an installation may be moved
libraries=$(dirname "$(find "$scratch/installed" -name libperfsift.a)")
export LD_LIBRARY_PATH=$libraries PKG_CONFIG_PATH=$libraries/pkgconfig

# --- what is exported ---

names=$(nm -D --defined-only "$libraries/libperfsift.so" | awk '{ print $3 }')
others=$(grep -vE '^perfsift_[a-z_]+$|^_ZNK?8perfsift2v0|^_ZT[ISV]N8perfsift2v05ErrorE$' <<<"$names" || true)
[[ -z $others ]] || fail "exported, but not of the interface: $others"
details=$(grep -E '^_ZNK?8perfsift2v06detail' <<<"$names" || true)
[[ -z $details ]] || fail "exported, but a detail: $details"
declared=$(grep -ohE '\bperfsift_[a-z_]+\(' installed/include/perfsift/c/*.h | grep -v '_function(' | tr -d '(' | sort -u)
exported=$(grep '^perfsift_' <<<"$names" | sort -u)
diff <(echo "$declared") <(echo "$exported") || fail "declared and exported functions of C differ"
soname=$(objdump -p "$libraries/libperfsift.so" | awk '$1 == "SONAME" { print $2 }')
[[ $soname == libperfsift.so.0 && -e $libraries/$soname ]] || fail "SONAME: $soname"

# --- the headers ---

warnings=(-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only -I installed/include)
for header in installed/include/perfsift/{,c/}*.h; do
  foreign=$(grep -oE '^#include .*' "$header" | grep -vE '<perfsift/(c/)?[a-z_]+\.h>|<[a-z_]+>|<(stddef|stdint)\.h>' || true)
  [[ -z $foreign ]] || fail "$header: $foreign"
  header=${header#installed/include/}
  echo "#include <$header>" >"alone_${header//\//_}.cpp"
done
printf '%s\n' alone_*.cpp | xargs -P "$(nproc)" -n 4 "${CXX:-c++}" -std=c++20 "${warnings[@]}"
for header in installed/include/perfsift/{perfsift.h,c/*.h}; do
  header=${header#installed/include/}
  echo "#include <$header>" >"alone_${header//\//_}.c"
done
"${CC:-cc}" -std=c99 "${warnings[@]}" alone_*.c

# --- a CMake project ---

cmake -S installed/share/doc/perfsift/examples -B examples -DCMAKE_PREFIX_PATH="$scratch/installed" \
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS="-O0 -Wall -Wextra -Wpedantic -Wshadow -Werror" >/dev/null
cmake --build examples --parallel "$(nproc)" >/dev/null

leaves() { # folded stacks: COUNT LEAF
  sed -E 's/^.*;//' | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (f in sum) print sum[f], f }' | LC_ALL=C sort
}
"$perfsift" fold --weight samples "$demo" 2>/dev/null | leaves >expected
for program in count_functions count_functions_static; do
  examples/$program "$demo" | LC_ALL=C sort | diff expected - || fail "$program does not count as perfsift fold"
done

pid=$("$perfsift" script "$demo" --show-mmap-events 2>/dev/null | grep -oE 'PERF_RECORD_MMAP2? [0-9]+' | awk '{ print $2 }' | sort -n | tail -1)
"$perfsift" script "$demo" --show-mmap-events 2>/dev/null |
  sed -nE "s/.*PERF_RECORD_MMAP2? $pid\/[0-9]+: \[(0x[0-9a-f]+)\((0x[0-9a-f]+)\) .*: [-rwxps]{4} (.*)/\1 \2 \3/p" >expected
[[ -s expected ]] || fail "the demo has no mappings of process $pid"
examples/mappings "$demo" "$pid" | diff expected - || fail "mappings"

filter='sym =~ "sort" || depth > 3'
"$perfsift" fold --filter "$filter" "$demo" 2>/dev/null >expected
examples/filtered_stacks "$demo" "$filter" | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (f in sum) print f, sum[f] }' |
  LC_ALL=C sort | diff expected - || fail "filtered_stacks"
if examples/filtered_stacks "$demo" 'perid > 1' 2>told; then fail "a wrong filter is taken"; fi
grep -q 'did you mean period?' told || fail "$(cat told)"

address=$(nm "$perfsift" | awk '$3 == "main" { print $1 }')
"$perfsift" symbolize -e "$perfsift" -fiC "$address" 2>/dev/null >expected
examples/symbolize "$perfsift" "$address" | diff expected - || fail "symbolize"
samples=$("$perfsift" fold --weight samples "$demo" 2>/dev/null | awk '{ n += $NF } END { print n }')

for processor in intel amd hybrid spe; do
  page=4096 columns=1-6
  # Samples of traces have no sizes of pages, and the text of a level is the same for several remote caches.
  if [[ $processor == spe ]]; then page=0 columns=1-5; fi
  "$5" "$processor" 100 memory.data "$scratch/model"
  "$perfsift" mem -q --raw --csv memory.data | awk -F, -v page="$page" '
    $18 == "LOAD" && $20 ~ /^HitM/ { print $5 "," $6 "," $8 "," $9 "," page "," ($19 ~ /Remote/ ? "remote" : "local") }' |
    cut -d, -f "$columns" | sort >expected
  [[ -s expected ]] || fail "no loads of modified lines"
  examples/memory_accesses memory.data | cut -d, -f "$columns" | sort | diff expected - || fail "memory_accesses ($processor)"
done
[[ $(examples/threads "$demo" | awk '{ n += $3 } END { print n }') == "$samples" ]] || fail "threads"

# --- sampling of one's own program ---

if examples/own_faults >out 2>told; then
  # The allocator may have touched a page of the 256 already.
  grep -qE "^25[5-7] page faults in the memory, 0 samples lost$" out || [[ $(getconf PAGESIZE) != 4096 ]] || fail "own_faults: $(cat out)"
  # 2^22 numbers of 4 bytes: each page is touched, unless the kernel gives huge pages.
  examples/own_memory >out 2>told || fail "own_memory: $(cat told)"
  grep -qE '^(access page fault|load .*|store .*),[0-9]+$' out || fail "own_memory: $(cat out)"
  if grep -q 'samples no memory accesses' told; then
    [[ $(cut -d, -f1 out) == "access page fault" ]] || fail "own_memory without a PMU: $(cat out)"
  fi
  examples/own_stacks >out || fail "own_stacks"
  grep -qE '(^|;)main;.*fibonacci;.*fibonacci [0-9]+$' out || fail "own_stacks: $(cat out)"
else
  grep -q 'cannot open event' told || fail "own_faults: $(cat told)"
  echo "not sampled: $(cat told)"
fi

# --- pkg-config, in C and in C++ ---

read -ra flags < <(pkg-config --cflags --libs perfsift)
"${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror "$source/examples/count_samples.c" -o count_samples \
  "${flags[@]}"
[[ $(./count_samples "$demo" | tail -1) == "$samples samples" ]] || fail "count_samples"
if ./count_samples "$source/README.md" 2>told; then fail "a text is taken for a recording"; fi
grep -q 'README.md' told || fail "$(cat told)"

"${CXX:-c++}" -std=c++20 -O0 -Wall -Wextra -Wpedantic -Wshadow -Werror "$here/consumer.cpp" -o consumer \
  "${flags[@]}"
"$4" switches.data
./consumer "$demo" "$symfs" "$source/README.md" switches.data
"$perfsift" offcpu --output expected switches.data >/dev/null
./consumer switches.data "$symfs" offcpu | cmp expected - || fail "off-CPU time"
for option in "" --with-tid "--kernel-only" "--demangle full"; do
  # shellcheck disable=SC2086
  "$perfsift" fold --symfs "$symfs" $option "$demo" 2>/dev/null >expected || true
  # shellcheck disable=SC2086
  ./consumer "$demo" "$symfs" fold $option | cmp expected - || fail "folded: $option"
done
