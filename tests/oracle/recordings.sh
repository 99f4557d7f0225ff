# What the comparisons with perf 6.1 share, to be sourced: a scratch folder, recordings made now, perf's text of them.
# The caller has set perfsift, the path of the program.
# shellcheck shell=bash disable=SC2034,SC2154

failures=0

skip() { echo "skipped: $*"; exit 77; }

# What perf said when it could not record, in one line.
perfs_reason() { tr -s '\n\t ' ' ' <record.errors | cut -c -300; }

# Leaves the caller in an empty folder that goes away with it.
begin() {
  command -v perf >/dev/null || skip "no perf"
  [[ $(perf --version) == *" 6.1"* ]] || skip "$(perf --version) is not 6.1, whose text this compares with"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  cd "$scratch" || exit 1
  export DEBUGINFOD_URLS= PERFSIFT_CACHE_SIZE=0  # what is compared is made now
  perf record -q -e cpu-clock -o probe.data true >/dev/null 2>record.errors || skip "perf cannot record here: $(perfs_reason)"
  tell_of_other_roots
}

# Recordings of all CPUs need a machine whose other processes live in this root, too: perf 6.1 does not find the files of a
# process in another root (a host's, seen from a chroot), which perfsift finds by /proc/PID/root.
tell_of_other_roots() {
  local process others=0
  for process in /proc/[0-9]*; do
    [[ ! $(readlink "$process/exe") || $process/root -ef / ]] || others=$((others + 1))
  done 2>/dev/null
  ((others == 0)) || echo "$others processes live in another root: names in recordings of all CPUs may differ from perf's"
}

conclude() {
  echo "$failures different"
  ((failures == 0))
}

# That the texts in `expected` and `actual` are the same, and not empty.
expect_equal() { # WHAT…
  if [[ -s expected ]] && diff expected actual >difference; then
    echo "equal: $* ($(wc -l <expected) lines)"
  else
    echo "DIFFERENT: $*"
    head -n 10 difference
    failures=$((failures + 1))
  fi
}

record() { # NAME ARGUMENTS…: what perf record cannot do here is not compared
  local name=$1
  shift
  perf record -q -o "$name" "$@" >/dev/null 2>record.errors && return
  echo "not recorded: $name ($(perfs_reason))"
  return 1
}

# A recording in which nothing is missing. perf empties its buffers before others run, if it may, so that a busy machine does
# not make it late. What it lost nevertheless it says itself, and records again.
record_whole() { # NAME ARGUMENTS…
  local name=$1 urgent=(--realtime 1) try
  perf record -q "${urgent[@]}" -e cpu-clock -o probe.data true >/dev/null 2>&1 || urgent=()
  shift
  for ((try = 0; try < 5; ++try)); do
    record "$name" "${urgent[@]}" "$@" || return
    perf report --stats -i "$name" 2>/dev/null | grep -q 'LOST' || return 0
  done
  echo "not recorded: $name (something was lost each time)"
  return 1
}

# Runs a command while no CPU is idle: a thread that gives way to all others runs on each. Linux 6.18 was seen to record no
# tracepoint at all in the idle thread of one CPU, and with it no switch from there, no waking by a timer, and nothing lost.
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

record_piped() { # NAME ARGUMENTS…: as it comes through a pipe
  local name=$1
  shift
  perf record -q -o - "$@" >"$name" 2>record.errors && return
  echo "not recorded: $name ($(perfs_reason))"
  rm -f "$name"
  return 1
}

# Calls of_NAME for each NAME.data that was recorded: two at a time, each in a folder of its own with its recording. What
# they print comes when all have ended, and what they count in `counters` is added up.
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

# Many short processes, so many forks, execs and maps.
# shellcheck disable=SC2016
busy_shell='for i in $(seq 30); do ls -la /usr/bin | grep -c x; done'

# One thread that works for a quarter of a second.
# shellcheck disable=SC2016
busy_thread='i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'

# The one thing perf 6.1 gets wrong in this text: PLT entries. It does not know .plt.sec and .plt.got, prints "@plt" for
# entries without a symbol, finds the label _init where a search takes another way, and has no name for the first entry
# of all, which later versions call ".plt". Where we say that an address is in a PLT, perf's name of it is replaced by
# ours, and all the rest of the line stays. That ours are right is the matter of tests/symbolize/symbols/elf_symbols_test.cpp,
# which takes them from objdump.
#
# Samples end with an empty line, and are taken by their numbers: perf has fewer lines of some unwound stacks.
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

# perf's text of a recording is left in `expected`, ours in `actual`.
write_texts() { # RECORDING [OPTIONS]
  perf script -i "$@" >perfs 2>/dev/null
  "$perfsift" script -q --perf-style 6.1 -i "$@" >actual 2>errors
  with_right_plt_names perfs actual >expected
}
