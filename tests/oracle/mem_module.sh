#!/bin/bash
# perfsift-mem.so in perf 6.1, and in perfsift as its host, against perfsift mem: the overviews must be equal, on
# recordings of simulated accesses and on recordings made now.
#
#   mem_module.sh PERFSIFT MODEL_RECORDING
#
# The module is in the folder of PERFSIFT. Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 here.
set -u
perfsift=$(realpath -e "$1") && model=$(realpath -e "$2") || exit 1
module=$(dirname "$perfsift")/perfsift-mem.so
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

# perf gives a module neither the processor nor the nodes, and no events without samples.
without_machine() {
  grep -v -e '^page on the node' -e '^nodes ' -e '^latency: ' -e ' does not sample loads that took' \
    -e ' events have periods of their own' -e ' is not precise: ' -e ' is precise to a constant: '
}

compare() { # RECORDING [OPTION…]
  local recording=$1 arguments=() option
  shift
  for option; do arguments+=(--dlarg "$option"); done
  "$perfsift" mem -q "$recording" "$@" 2>errors | without_machine >expected
  perf script -i "$recording" --dlfilter "$module" "${arguments[@]}" 2>>errors | without_machine >actual
  expect_equal "$recording $*"
  "$perfsift" script -q --dlfilter "$module" "${arguments[@]}" "$recording" 2>>errors | without_machine >actual
  expect_equal "$recording $* (in perfsift)"
}

for pmu in intel amd hybrid; do
  "$model" "$pmu" 300 "$pmu.data" "$scratch/model" || exit 1
  compare "$pmu.data"
  compare "$pmu.data" --min-latency=100 --level=ram --level=remote_cache
  compare "$pmu.data" --order=samples --limit=2 --filter='tid == 1001 || addr_sym == "table"'
done

# Real samples have no latencies and data sources. In perf, only variables with an initial value have names.
cat >initial.c <<'END'
struct { long first, second; } initial = {1, 2};
int main(void) {
  for (int i = 0; i < 300; ++i) __atomic_fetch_add(i % 3 ? &initial.first : &initial.second, 1, __ATOMIC_RELAXED);
  return 0;
}
END
if cc -O1 -no-pie -o initial initial.c 2>errors; then
  address=0x$(nm initial | awk '$3 == "initial" { print $1 }')
  record breakpoint.data -c 1 -d -e "mem:$address:w:u" -- ./initial && compare breakpoint.data
fi
# perf 6.1 has wrong names for entries of a PLT, which belong to the data of some page faults.
record faults.data -d -c 1 -e page-faults:u ls / && compare faults.data --filter='addr_dso == "ld-linux*"'
conclude
