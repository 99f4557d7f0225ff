#!/bin/bash
# perfsift script against perf script, on recordings with random traces of Arm SPE.
#
#   spe_equals_perf.sh PERFSIFT MODEL_RECORDING
#
# perf 6.1 knows fewer data sources, so data sources are not compared. It treats some operations without an address as
# accesses to memory, so these samples are left out. It makes samples of mispredicted branches only, and gives
# instructions other addresses. perf 7.2 was compared by hand: its text is the same for all events and fields, except
# for a sample without content that perf makes for each trace without times.
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 here.
set -u
perfsift=$(realpath -e "$1") && model=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

compare() { # RECORDING LETTERS FIELDS
  perf script -i "$1" --itrace="$2" -F "$3" 2>/dev/null | grep -v 'memory: *0 ' >expected
  "$perfsift" script -q --perf-style 6.1 -i "$1" --itrace="$2" -F "$3" 2>errors | grep -v 'memory: *0 ' >actual
  expect_equal "$1" --itrace="$2" -F "$3"
}

for kind in spe1 spe1_switches; do
  "$model" "$kind" 300 "$kind.data" program || exit 1
  compare "$kind.data" fmtaM comm,pid,tid,cpu,time,event,addr,weight,ip,phys_addr
  compare "$kind.data" i1i tid,time,event,weight,ip
done
conclude
