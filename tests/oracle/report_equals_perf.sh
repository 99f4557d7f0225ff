#!/bin/bash
# perfsift report against perf report: the samples, periods and percentages of each row must be equal.
#
#   report_equals_perf.sh PERFSIFT WORKLOAD MODEL_RECORDING
#
# perf has a row for each address without a name, and a row for each of several functions with the same name. In
# perfsift these are one row, so perf's rows of equal names are added up. Names of symbols are compared in the workload
# only: script_equals_perf.sh compares all names.
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") && model=$(realpath -e "$3") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
# shellcheck source=tests/oracle/report_rows.sh
source "$(dirname "$0")/report_rows.sh"
begin

compare() { # RECORDING KEYS [--children]
  local recording=$1 keys=$2 mode=${3:---no-children}
  perfs_rows "$recording" "$keys" "$mode" >expected
  our_rows "$recording" "$keys" "$mode" >actual
  if [[ $keys == *symbol* ]]; then
    # perf 6.1 uses the label _init before PLT entries as their name: see recordings.sh.
    for side in expected actual; do
      KEYS=event,$keys perl -F'\|' -ane '
        BEGIN { my $i = 0; $at{$_} = $i++ for split /,/, $ENV{KEYS}; }
        print if $F[$at{dso}] eq "oracle_workload" && $F[$at{symbol}] !~ /\@plt$|^_init$/' "$side" >some && mv some "$side"
    done
  fi
  expect_equal "$recording" "$keys" "$mode"
}

record plain.data --sample-cpu -F 5000 -e cpu-clock "$workload" && {
  for keys in comm dso pid cpu comm,dso cpu,pid; do compare plain.data "$keys"; done
  compare plain.data dso,symbol
}
record chains.data -g -F 5000 -e cpu-clock,page-faults "$workload" && {
  for mode in --no-children --children; do
    for keys in comm dso comm,dso,symbol pid,dso; do compare chains.data "$keys" "$mode"; done
  done
}
record all.data -a -g -F 500 -e cpu-clock -- "$workload" && for keys in comm,cpu socket cpu,socket addr; do
  compare all.data "$keys"
done
record thread.data -F 5000 -e cpu-clock "$workload" && compare thread.data socket
renamed='for my $name ("a-longer-name", "short") { $0 = $name; my $end = times + 0.1; 1 while times < $end; }'
record renamed.data -F 5000 -e cpu-clock -- perl -e "$renamed" && for keys in comm comm,cpu; do
  compare renamed.data "$keys"
done
if record numbers.data --sample-cpu --code-page-size --transaction -W -F 5000 -e cpu-clock "$workload"; then
  for keys in code_page_size transaction local_weight; do compare numbers.data "$keys"; done
fi

# Recordings of processors that this machine may not have: two sockets, latencies, transactions.
"$model" intel 300 model.data "$scratch/model" || exit 1
for keys in socket cpu,socket local_weight local_ins_lat code_page_size transaction addr socket,transaction; do
  compare model.data "$keys"
done

conclude
