#!/bin/bash
# Runs every command with an output that cannot be written, and ends every command by a signal.
#
#   standard_output.sh PERFSIFT RECORDING SCHED_RECORDING
set -u
perfsift=$(readlink -f "$1")
recording=$(readlink -f "$2")
sched_recording=$(readlink -f "$3")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
cp "$recording" perf.data
"$sched_recording" switches.data || exit 1
export XDG_CACHE_HOME=$folder/cache
failures=0
fail() {
  echo "$*"
  failures=$((failures + 1))
}

commands=(
  "--help" "--version"
  "fold" "fold --help" "fold --compat flamegraph"
  "script" "script --header-only"
  "info" "info --json" "info --processes --cpus perf.data perf.data"
  "offcpu switches.data" "offcpu --json switches.data" "offcpu --csv - switches.data" "offcpu -o - switches.data"
  "offcpu --timehist switches.data" "offcpu --live switches.data" "offcpu --show-idle-list"
  "report" "report --json" "report --csv --sort pid" "report --tree" "diff perf.data perf.data" "diff --folded - perf.data"
  "filter -o out.data" "filter --json -o out.data" "filter --dry-run" "filter --json --dry-run" "filter -o -"
  "symbolize -e $perfsift 1000 2000"
  "explain pid==7" "explain --fields"
  "dlfilter list" "dlfilter --help"
)

for command in "${commands[@]}"; do
  # shellcheck disable=SC2086 # words
  "$perfsift" $command <perf.data >expected 2>/dev/null
  expected=$?
  ((expected == 0)) || fail "$command: ends with $expected"

  # shellcheck disable=SC2086
  message=$("$perfsift" $command <perf.data 2>&1 >/dev/full)
  status=$?
  ((status == 3)) || fail "$command >/dev/full: ends with $status"
  [[ $message == *"standard output: cannot write: No space left on device"* ]] || fail "$command >/dev/full: says '$message'"

  # shellcheck disable=SC2086
  message=$("$perfsift" $command <perf.data 2>&1 >&-)
  status=$?
  ((status == 3)) || fail "$command >&-: ends with $status"
  [[ $message == *"standard output: cannot write: Bad file descriptor"* ]] || fail "$command >&-: says '$message'"

  # A reader that closes the pipe early is not an error.
  # shellcheck disable=SC2086
  { sleep 0.1; "$perfsift" $command <perf.data 2>errors; echo $? >status; } | true
  if [[ $(<status) != 0 ]] || grep -q "cannot write" errors; then fail "$command | true: ends with $(<status): $(<errors)"; fi
done

# With a closed output, further recordings are not read, unless the exit status depends on them.
for expected in "0" "3 --max-lost 1" "3 --fail-empty"; do
  read -r status options <<<"$expected"
  # shellcheck disable=SC2086
  { sleep 0.1; "$perfsift" info $options perf.data missing.data 2>errors; echo $? >status; } | true
  [[ $(<status) == "$status" ]] || fail "info $options perf.data missing.data | true: ends with $(<status): $(<errors)"
done

# A file opened later must not get the number of standard output.
"$perfsift" offcpu --csv out.csv switches.data 2>/dev/null >&-
"$perfsift" offcpu --csv expected.csv switches.data >/dev/null
cmp -s out.csv expected.csv || fail "offcpu --csv FILE >&-: the file has something else"
"$perfsift" fold -o out.folded <&- >&- 2>&- || fail "fold -o FILE with everything closed: ends with $?"

# A signal must end the program in the usual way, without leftover files. The stream never ends.
"$perfsift" filter -q -o - switches.data >stream
mkdir outputs temporary
mkfifo endless
export TMPDIR=$folder/temporary
long_commands=(
  "fold --compat flamegraph -o outputs/out -" "fold -o outputs/out -" "report -o outputs/out -"
  "filter -o outputs/out -" "offcpu --csv outputs/out -" "offcpu --live --prometheus outputs/out -"
  "offcpu --spikes-over 1ms --cut-to outputs/out -" "info -"
)
for command in "${long_commands[@]}"; do
  for signal in INT TERM HUP; do
    # A shell that is not interactive starts background programs with SIGINT ignored.
    # shellcheck disable=SC2086
    env --default-signal="$signal" "$perfsift" $command <endless >/dev/null 2>errors &
    process=$!
    exec {feed}>endless
    cat stream >&$feed
    for ((i = 0; i < 40; ++i)); do  # until the command waits for more data
      [[ $(</proc/$process/wchan) == *pipe* ]] && break
      sleep 0.05
    done
    kill -"$signal" $process
    wait $process 2>/dev/null
    status=$?
    exec {feed}>&-
    ((status == 128 + $(kill -l "$signal"))) || fail "$command, SIG$signal: ends with $status: $(<errors)"
    rm -f outputs/out  # written by --prometheus
    left=$(ls -A outputs temporary)
    [[ $left == "outputs:"$'\n\n'"temporary:" ]] || fail "$command, SIG$signal: leaves $left"
    rm -f outputs/* temporary/*
  done
done

((failures == 0))
