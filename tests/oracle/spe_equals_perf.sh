#!/bin/bash
# perfsift script against perf script, on recordings with random traces of Arm SPE.
#
#   spe_equals_perf.sh PERFSIFT MODEL_RECORDING RECORDED_TRACE
#
# The same traces are recorded once more as perfsift record writes them: as a file, compressed, and through a pipe.
#
# perf 6.1 knows fewer data sources, so data sources are not compared. It treats some operations without an address as
# accesses to memory, so these samples are left out. It makes samples of mispredicted branches only, and gives
# instructions other addresses. perf 7.2 was compared by hand: its text is the same for all events and fields, except
# for a sample without content that perf makes for each trace without times.
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 here.
set -u
perfsift=$(realpath -e "$1") && model=$(realpath -e "$2") && recorder=$(realpath -e "$3") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

# perf 6.1 looks for data behind a record only if a recording in pipe form comes through a pipe.
perf_script() { # RECORDING ARGUMENTS...
  local recording=$1
  shift
  if [[ $recording == pipe.data ]]; then
    # shellcheck disable=SC2002  # a pipe is wanted
    cat "$recording" | perf script -i - "$@"
  else
    perf script -i "$recording" "$@"
  fi
}

compare() { # RECORDING LETTERS FIELDS
  perf_script "$1" --itrace="$2" -F "$3" 2>/dev/null | grep -v 'memory: *0 ' >expected
  "$perfsift" script -q --perf-style 6.1 -i "$1" --itrace="$2" -F "$3" 2>errors | grep -v 'memory: *0 ' >actual
  expect_equal "$1" --itrace="$2" -F "$3"
}

for kind in spe1 spe1_switches; do
  "$model" "$kind" 300 "$kind.data" program || exit 1
  compare "$kind.data" fmtaM comm,pid,tid,cpu,time,event,addr,weight,ip,phys_addr
  compare "$kind.data" i1i tid,time,event,weight,ip
done

compare_recorded() { # RECORDING
  compare "$1" fmtaM comm,pid,tid,cpu,time,event,addr,weight,ip,phys_addr
  compare "$1" i1i tid,time,event,weight,ip
}

# Our recording of a trace has the samples of the trace.
"$perfsift" script -q -i spe1.data --itrace=M -F tid,cpu,time,addr,weight,ip,phys_addr >model.samples
for form in file compressed pipe; do
  case $form in
    file) "$recorder" spe1.data "$form.data" ;;
    compressed) "$recorder" spe1.data "$form.data" 1 ;;
    pipe) mkfifo fifo && { "$recorder" spe1.data fifo & cat fifo >"$form.data"; wait $!; } ;;
  esac || exit 1
  compare_recorded "$form.data"
  "$perfsift" script -q -i "$form.data" --itrace=M -F tid,cpu,time,addr,weight,ip,phys_addr >actual
  cp model.samples expected
  expect_equal "samples of $form.data"
  # perf reads the whole recording, sees the pieces, and warns only of packets that it does not know.
  perf_script "$form.data" -D >dump 2>messages
  grep -v 'unsupported address packet index' messages >warnings
  if [[ ! -s warnings && $(grep -c 'PERF_RECORD_AUXTRACE size: ' dump) == 12 ]]; then
    echo "perf dumps $form.data"
  else
    echo "DIFFERENT: perf script -D of $form.data: $(head -n 3 warnings)"
    failures=$((failures + 1))
  fi
done
conclude
