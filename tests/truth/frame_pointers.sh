#!/bin/bash
# perfsift fold for callchains by frame pointers, against a program that logs its own stacks, inlined calls included.
#
#   frame_pointers.sh PERFSIFT PATHS.cpp
#
# At least 99.7 % of the time in the leaf must have a stack that the program logged, and every logged stack must be
# found. While a function is entered or left, its caller is not in the chain. This is 0.1 % of the time. Exit status: 0
# right, 1 wrong, 77 when perf cannot record here.
set -u
perfsift=$(realpath -e "$1") && source=$(realpath -e "$2") || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export DEBUGINFOD_URLS= PERFSIFT_CACHE_SIZE=0
failures=0 compared=0

# Reduces a folded stack to the functions that the program logs: its own functions, by their plain names.
judge() { # NAME
  perl -e '
    my ($name) = @ARGV;
    my (%logged, %seen, $right, $all, $wrong);
    open my $truth, "<", "truth" or die;
    while (<$truth>) { chomp; $logged{$_} = 1 }
    open my $folded, "<", "folded" or die;
    while (<$folded>) {
      my ($stack, $count) = /^(.*) (\d+)$/ or die;
      my @frames = map { /(path_[a-z]+)/ ? $1 : () } split /;/, $stack;
      next if !@frames || $stack !~ /path_leaf[^;]*$/;
      shift @frames if $frames[0] ne "path_all";  # the name of the command
      my $path = join ";", @frames;
      $all += $count;
      if ($logged{$path}) { $right += $count; $seen{$path} = 1 } else { $wrong //= $path }
    }
    printf "%s: %.3f %% of the time right, %d of %d stacks seen%s\n", $name, 100 * $right / ($all || 1), scalar keys %seen,
      scalar keys %logged, $wrong ? "; not logged: $wrong" : "";
    exit 1 if !$all || $right < 0.997 * $all || keys %seen != keys %logged || keys %logged < 12;
  ' "$1" || failures=$((failures + 1))
}

compare() { # COMPILER FLAGS...
  command -v "$1" >/dev/null || { echo "not compared: $*"; return; }
  "$1" -std=c++20 -w -pthread -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer "${@:2}" "$source" -o paths 2>errors ||
    { echo "not compared: $* ($(head -n 1 errors))"; return; }
  perf record -q -c 100000 -e cpu-clock:u -g -o recording ./paths 0.4 >truth 2>errors ||
    { echo "skipped: perf cannot record here: $(tr -s '\n\t ' ' ' <errors)"; exit 77; }
  "$perfsift" fold -q recording -o folded || failures=$((failures + 1))
  compared=$((compared + 1))
  judge "$*"
}

command -v perf >/dev/null || { echo "skipped: no perf"; exit 77; }
compare g++ -O0 -g
compare g++ -O1 -g -no-pie -gsplit-dwarf
compare g++ -O2 -g -static-pie -gz
compare g++ -O3 -g -gdwarf-4
compare clang++ -O2 -g -gdwarf-5
compare clang++ -O3 -g -gdwarf-4 -gsplit-dwarf
((compared > 0)) || { echo "skipped: no compiler"; exit 77; }
echo "$failures wrong"
((failures == 0))
