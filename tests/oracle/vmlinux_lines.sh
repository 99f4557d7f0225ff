#!/bin/bash
# The kernel's functions, inlined calls and lines from a made vmlinux, against perf.
#
#   vmlinux_lines.sh PERFSIFT WORKLOAD
#
# Exit status: 0 right, 1 wrong, 77 when there is no perf 6.1 that can record the kernel here.
set -u
perfsift=$(realpath -e "$1") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
# shellcheck source=tests/oracle/made_vmlinux.sh
source "$(dirname "$0")/made_vmlinux.sh"
[[ $(uname -m) == x86_64 ]] || skip "the kernel is made for x86-64"
begin

fail() {
  echo "WRONG: $*"
  failures=$((failures + 1))
}

perf record -q -o kernel.data -g --kernel-callchains -e cpu-clock:k find /usr -name nothing >/dev/null 2>record.errors || skip "perf cannot record the kernel: $(perfs_reason)"
make_vmlinux kernel.data || skip "no kernel can be made: $(head -n 1 errors)"

fields=time,ip,sym,srcline
"$perfsift" script -q --perf-style 6.1 --vmlinux vmlinux -F "$fields" --ns kernel.data >actual
perf script --vmlinux vmlinux -F "$fields" --ns -i kernel.data >expected 2>/dev/null
diff expected actual >difference || fail "with --vmlinux: $(head -n 4 difference)"
[[ $(grep -c 'everything.c:2' actual) -gt 20 ]] || fail "too few lines: $(head -n 4 actual)"

# perfsift finds the vmlinux by itself, with the call that perf leaves out.
mkdir -p there/boot && cp vmlinux "there/boot/vmlinux-$(uname -r)"
"$perfsift" script -q --perf-style 6.1 --symfs there -F "$fields" --ns kernel.data | diff actual - >difference ||
  fail "found in /boot: $(head -n 4 difference)"
"$perfsift" fold -q --symfs there kernel.data | grep -q ';everything;inner' || fail "no inlined call"
"$perfsift" fold -q --symfs there --no-inline kernel.data | grep -q ';inner' && fail "an inlined call"

conclude
