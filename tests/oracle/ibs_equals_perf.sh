#!/bin/bash
# The registers of AMD's IBS that perfsift script prints against those of perf script -D.
#
#   ibs_equals_perf.sh PERFSIFT MODEL_RECORDING
#
# perf 7.2 was compared by hand with the default style, with the same result.
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 here.
set -u
perfsift=$(realpath -e "$1") && model=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

registers='^\s*(ibs_op_ctl|ibs_op_data[23]?|ibs_fetch_ctl|ic_ibs_ext_ctl|Ibs[A-Za-z]+):'
for kind in ibs ibs_zen2 ibs_zen3 ibs_zen6 ibs_random ibs_zen2_random ibs_zen3_random ibs_zen6_random; do
  "$model" "$kind" 100 "$kind.data" program || exit 1
  perf script -D -i "$kind.data" 2>/dev/null | grep -aE "$registers" >expected
  "$perfsift" script -q --perf-style 6.1 -F +ibs "$kind.data" 2>errors | grep -E "$registers" | sed 's/^\t//' >actual
  expect_equal "$kind.data" registers
done

# The fields that the kernel makes from the registers, and the fields that perfsift makes.
"$model" ibs_fields 100 fields.data program || exit 1
fields=comm,tid,time,ip,addr,data_src,weight,ins_lat,phys_addr
perf script -i fields.data -F $fields 2>/dev/null >expected
"$perfsift" script -q --perf-style 6.1 -F $fields ibs.data 2>errors >actual
expect_equal ibs.data fields
conclude
