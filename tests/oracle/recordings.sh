# Shared code of the comparisons with perf 6.1, to be sourced: a scratch folder, recordings made now, perf's text of
# them. The caller must set perfsift to the path of the program.
# shellcheck shell=bash disable=SC2034,SC2154

failures=0

skip() { echo "skipped: $*"; exit 77; }

# perf's reason for a failed recording, in one line.
perfs_reason() { tr -s '\n\t ' ' ' <record.errors | cut -c -300; }

bad() { # WHAT…
  echo "BAD: $*"
  failures=$((failures + 1))
}

# Changes to an empty folder that is removed at the end.
in_scratch() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  cd "$scratch" || exit 1
  export DEBUGINFOD_URLS= PERFSIFT_CACHE_SIZE=0  # compares fresh results only
}

# The same where perf 6.1 can record.
begin() {
  command -v perf >/dev/null || skip "no perf"
  [[ $(perf --version) == *" 6.1"* ]] || skip "$(perf --version) is not 6.1, whose text this compares with"
  in_scratch
  perf record -q -e cpu-clock -o probe.data true >/dev/null 2>record.errors || skip "perf cannot record here: $(perfs_reason)"
  tell_of_other_roots
}

# Recordings of all CPUs need a machine whose other processes also have the same root. perf 6.1 does not find the files
# of a process in another root (for example, a host's, seen from a chroot). perfsift finds these files by
# /proc/PID/root.
tell_of_other_roots() {
  local process others=0
  for process in /proc/[0-9]*; do
    [[ ! $(readlink "$process/exe") || $process/root -ef / ]] || others=$((others + 1))
  done 2>/dev/null
  ((others == 0)) || echo "$others processes live in another root: names in recordings of all CPUs may differ from perf's"
}

# Finds the engine of stores in a folder of npm's packages; without it, the test is skipped.
need_libchdb() { # FOLDER_OF_NPM
  export PERFSIFT_CHDB=${PERFSIFT_CHDB:-$(realpath --canonicalize-missing "$1")/@chdb/lib-linux-x64-gnu/libchdb.so}
  [[ $(uname -m) == x86_64 ]] || skip "libchdb is built for x86-64"
  [[ -e $PERFSIFT_CHDB ]] || skip "no libchdb"
}

conclude() {
  echo "$failures different"
  ((failures == 0))
}

# Compares the texts in `expected` and `actual`, which must not be empty.
expect_equal() { # WHAT…
  if [[ -s expected ]] && diff expected actual >difference; then
    echo "equal: $* ($(wc -l <expected) lines)"
  else
    echo "DIFFERENT: $*"
    head -n 10 difference
    failures=$((failures + 1))
  fi
}

# Runs a command, with its output in the files `out` and `errors`.
expect_status() { # STATUS COMMAND…
  local wanted=$1 status=0
  shift
  timeout 120 "$@" >out 2>errors || status=$?
  ((status == wanted)) || { bad "status $status instead of $wanted: $*"; head -n 3 out errors; }
}
expect_error() { # STATUS PATTERN COMMAND…
  local pattern=$2
  expect_status "$1" "${@:3}"
  grep -qe "$pattern" errors || bad "${*:3}: no '$pattern' in: $(head -n 3 errors)"
}

# perf record. Tests with the same $PERFSIFT_RECORDING_LOCK that run at the same time record one after the other.
perf_record() { # ARGUMENTS…
  if [[ ${PERFSIFT_RECORDING_LOCK:-} ]]; then
    flock "$PERFSIFT_RECORDING_LOCK" perf record "$@"
  else
    perf record "$@"
  fi
}

# Keeps other tests from recording until this one ends: for processes that a recording of all CPUs must not contain.
record_alone() {
  [[ ${PERFSIFT_RECORDING_LOCK:-} ]] || return 0
  exec {recording_lock}>"$PERFSIFT_RECORDING_LOCK" && flock "$recording_lock" && unset PERFSIFT_RECORDING_LOCK
}

record() { # NAME ARGUMENTS…: a recording that perf record cannot make here is not compared
  local name=$1
  shift
  perf_record -q -o "$name" "$@" >/dev/null 2>record.errors && return
  not_recorded "$name"
}

not_recorded() { # NAME [REASON]: perf's reason, if no other is given; perf also leaves empty recordings behind
  [[ ! ${2:-} ]] || echo "$2" >record.errors
  echo "not recorded: $1 ($(perfs_reason))"
  rm -rf "$1"
  return 1
}

# Sets `urgent` to options with which perf empties its buffers in time on a busy machine, if permitted.
be_urgent() {
  urgent=(--realtime 1 -m 4M)
  perf record -q "${urgent[@]}" -e cpu-clock -o probe.data true >/dev/null 2>&1 || urgent=()
}

# Makes a recording without lost records. If records were lost, the recording is made again.
record_whole() { # NAME ARGUMENTS…
  local name=$1 urgent try tries=20
  be_urgent
  shift
  for ((try = 0; try < tries; ++try)); do
    record "$name" "${urgent[@]}" "$@" || return
    perf report --stats -i "$name" 2>/dev/null | grep -q 'LOST' || return 0
  done
  not_recorded "$name" "records were lost in each of $tries recordings"
}

# Runs a command while no CPU is idle: each CPU runs a thread of the lowest priority. On Linux 6.18, the idle thread of
# one CPU once recorded no tracepoint at all, so its switches and wakings by timers were missing, and no LOST record
# said so.
without_idle() { # COMMAND…
  local cpu status hogs=()
  for cpu in $(python3 -c 'import os; print(*os.sched_getaffinity(0))'); do
    taskset -c "$cpu" chrt -i 0 sh -c 'while kill -0 "$PPID"; do :; done' 2>/dev/null &
    hogs+=($!)
  done
  "$@"
  status=$?
  kill "${hogs[@]}"
  wait "${hogs[@]}" 2>/dev/null
  return "$status"
}

record_piped() { # NAME ARGUMENTS…: in pipe form
  local name=$1
  shift
  perf_record -q -o - "$@" >"$name" 2>record.errors && return
  not_recorded "$name"
}

# Calls of_NAME for each recording NAME.data: two at the same time, each in its own folder with its recording. The
# output is printed after all have ended, and the counts in `counters` are added up.
counters=(failures)
compare_recordings() {
  local recording name counter counted
  for recording in ./*.data; do
    name=$(basename "$recording" .data)
    declare -F "of_$name" >/dev/null || continue
    while (($(jobs -rp | wc -l) >= 2)); do wait -n; done
    mkdir "$name" && mv "$recording" "$name"
    (
      cd "$name" || exit 1
      for counter in "${counters[@]}"; do declare -g "$counter=0"; done
      "of_$name" >told 2>&1
      for counter in "${counters[@]}"; do echo "$counter ${!counter}"; done >counted
    ) &
  done
  wait
  for name in ./*/told; do
    cat "$name"
    [[ -s ${name%told}counted ]] || failures=$((failures + 1))
    while read -r counter counted; do declare -g "$counter=$((${!counter} + counted))"; done <"${name%told}counted"
  done
}

# Many short processes, and so many forks, execs and mappings.
# shellcheck disable=SC2016
busy_shell='for i in $(seq 30); do ls -la /usr/bin | grep -c x; done'

# One thread that works for a quarter of a second.
# shellcheck disable=SC2016
busy_thread='i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'

# perf 6.1 has one error in this text: PLT entries. perf does not know .plt.sec and .plt.got, prints "@plt" for entries
# without a symbol, finds the label _init where its search takes another path, and has no name for the first entry,
# which later versions call ".plt". Where perfsift has an address in a PLT, our name replaces perf's name, and the rest
# of the line stays. tests/symbolize/symbols/elf_symbols_test.cpp compares our names with objdump.
#
# Samples end with an empty line. Samples are matched by their numbers: perf has fewer lines for some unwound stacks.
with_right_plt_names() { # PERFS OURS
  perl -e '
    sub samples {
      open my $text, "<", $_[0] or die "$_[0]: $!";
      my @samples = ([]);
      while (<$text>) {
        push @{$samples[-1]}, $_;
        push @samples, [] if /^$/;
      }
      return \@samples;
    }
    my ($perfs, $ours) = map { samples($_) } @ARGV;
    for my $sample (0 .. $#$perfs) {
      for my $i (0 .. $#{$perfs->[$sample]}) {
        my ($line, $right) = ($perfs->[$sample][$i], $ours->[$sample][$i] // "");
        while ($right =~ / ([0-9a-f]+) ((?:[^()]*\@|\.)plt(?:\+0x[0-9a-f]+)?)(?= \(|\s*$)/g) {
          my ($address, $name) = ($1, $2);
          $line =~ s/ $address \K[^()]*?(?= \(|\s*$)/$name/g;
        }
        print $line;
      }
    }' "$1" "$2"
}

# Writes perf's text of a recording to `expected` and ours to `actual`.
write_texts() { # RECORDING [OPTIONS]
  perf script -i "$@" >perfs 2>/dev/null
  "$perfsift" script -q --perf-style 6.1 -i "$@" >actual 2>errors
  with_right_plt_names perfs actual >expected
}
