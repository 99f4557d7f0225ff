#!/bin/bash
# The installed headers and CMake package for authors of dlfilters must be enough to build the example. The example must
# then give the same results in perfsift and in perf.
#
#   sdk_package.sh PERFSIFT BUILD SOURCE
set -euo pipefail
perfsift=$(realpath -e "$1") build=$(realpath -e "$2") source=$(realpath -e "$3")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cmake --install "$build" --component dlfilter-sdk --prefix "$scratch/installed" >/dev/null
cmake -S "$source/dlfilters/examples" -B example -DCMAKE_PREFIX_PATH="$scratch/installed" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wshadow -Werror" >/dev/null
cmake --build example >/dev/null

exported=$(nm -D --defined-only example/callers-of.so | awk '$2 ~ /[TBD]/ { print $3 }' | sort | xargs)
[[ $exported == "filter_description filter_event perf_dlfilter_fns start stop" ]] || {
  echo "exported: $exported" >&2
  exit 1
}
"$perfsift" dlfilter test --dlarg main example/callers-of.so "$source/testdata/demo.data"

script=(script -i "$source/testdata/demo.data" --symfs "$source/testdata/symfs" -F comm,tid,time,ip,sym --dlfilter example/callers-of.so --dlarg demo::quick_sort)
"$perfsift" "${script[@]}" --perf-style 6.1 >ours 2>ours.told
grep -qE '^callers-of: [1-9][0-9]* of [0-9]+ samples$' ours.told
if [[ $(perf --version 2>/dev/null) == *" 6.1"* ]]; then
  perf "${script[@]}" >perfs 2>perfs.told
  diff perfs ours
  diff <(grep ^callers-of perfs.told) <(grep ^callers-of ours.told)
else
  echo "not compared: $(perf --version 2>&1) is not 6.1, whose text this compares with"
fi
