#!/bin/bash
# perfsift report --annotate against perf annotate: the samples of each instruction must be equal. This also holds if
# the callchain begins behind the sampled instruction, as with precise events.
#
#   annotate_equals_perf.sh PERFSIFT
#
# perf adds up the samples of all addresses from one instruction to the next; perfsift has a row for each address.
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1")
folder=$(dirname "$(realpath "$0")")
# shellcheck source=tests/oracle/recordings.sh
source "$folder/recordings.sh"
# shellcheck source=tests/oracle/made_vmlinux.sh
source "$folder/made_vmlinux.sh"
begin

cat >work.c <<'C'
static unsigned x = 1;
__attribute__((noinline)) void mix(unsigned n) {
  for (unsigned i = 0; i < n; ++i) x = x * 2654435761u + (x >> 7) + i / 3;
}
__attribute__((noinline)) unsigned divide(unsigned i) { return 1000003 / (i + 1) ^ x % (i + 1); }
__attribute__((noinline)) unsigned add(unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += divide(i);
  return sum;
}
int main(void) {
  for (int i = 0; i < 100; ++i) mix(300000), x += add(300000);
  return 0;
}
C
gcc -O1 -g -fno-omit-frame-pointer work.c -o work || exit 1

# Lines of ADDRESS SAMPLES, for each instruction of a function that has samples.
perfs_instructions() { # RECORDING FUNCTION OPTION…
  perf annotate --stdio -n --no-source -i "$1" -s "$2" "${@:3}" 2>/dev/null |
    perl -ne 'print hex($2), " $1\n" if /^\s*(\d+)\s*:\s*([0-9a-f]+):\s/'
}

compare() { # RECORDING FUNCTION OPTION…
  perfs_instructions "$@" >instructions
  awk '$2 > 0' instructions >expected
  # A small function may have no sample.
  if [[ ! -s expected && " divide add " == *" $2 "* ]]; then
    "$perfsift" report -q --annotate "$2" --json "$1" >out 2>errors && bad "$1 --annotate $2: $(<out)"
    grep -q 'no sample' errors || bad "$1 --annotate $2: $(<errors)"
    return
  fi
  "$perfsift" report -q --annotate "$2" "${@:3}" --json "$1" 2>errors | INSTRUCTIONS=instructions python3 -c '
import bisect, collections, json, os, sys
starts = [int(line.split()[0]) for line in open(os.environ["INSTRUCTIONS"])]
samples = collections.Counter()
for code in json.load(sys.stdin)["annotations"][0]["code"]:
    for line in code["lines"]:
        samples[starts[max(0, bisect.bisect_right(starts, line["address"]) - 1)]] += line["amount"]["samples"]
for start in starts:
    if samples[start]:
        print(start, samples[start])' >actual
  expect_equal "$1" --annotate "$2"
}

for stacks in fp dwarf; do
  record "$stacks.data" -F 2000 --call-graph "$stacks" -e cpu-clock:u ./work || continue
  recordings=("$stacks.data")
  for bytes in 3 20; do
    python3 "$folder/../bench/precise.py" "$stacks.data" "$stacks.$bytes.data" "$bytes" >/dev/null || exit 1
    recordings+=("$stacks.$bytes.data")
  done
  for recording in "${recordings[@]}"; do
    for function in mix divide add; do compare "$recording" "$function"; done
  done
done

# The kernel's functions, of a vmlinux that was linked elsewhere.
if record kernel.data -F 2000 -e cpu-clock:k dd if=/dev/zero of=/dev/null bs=64k count=200000; then
  if make_vmlinux_of_functions kernel.data; then
    while read -r function; do
      grep -q "^$function:" functions.S && compare kernel.data "$function" --vmlinux vmlinux
    done <functions
  else
    echo "not compared, because no vmlinux can be made: $(<errors)"
  fi
fi
conclude
