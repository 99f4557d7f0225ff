#!/bin/bash
# perfsift symbolize on object files (.o) that are not linked: their sections have no addresses yet.
#
#   [WAYS="gcc-5 clang-split"] [STEP=12] symbolize_objects.sh PERFSIFT WORKLOAD
#
# WAYS: names of the ways to compile (all). STEP: every STEPth code section is compared (1).
#
# There are two comparisons. An object with one code section is compared with llvm-symbolizer itself. Objects with
# hundreds of code sections, which all start at address 0 for other tools, are compared with llvm-symbolizer's answers
# for the same functions after linking. Exit status: 0 equal, 1 different, 77 when there is no llvm-symbolizer.
set -u
perfsift=$(realpath -e "$1") || exit 1
# shellcheck source=tests/oracle/frames.sh
source "$(dirname "$0")/frames.sh"
begin

# "SECTION OFFSET ADDRESS": offsets in functions of an object, by section, and their addresses in the program.
places() { # OBJECT PROGRAM
  perl -e '
    my ($object, $program) = @ARGV;
    my (%address, %section);
    open my $linked, "-|", "nm", $program;
    while (<$linked>) { $address{$2} = hex $1 if /^([0-9a-f]+) [tTwW] (\S+)$/ }
    open my $sections, "-|", "readelf", "-SW", $object;
    while (<$sections>) { $section{$1} = $2 if /^ *\[ *(\d+)\] (\S+) +PROGBITS .* AXG? / }
    open my $symbols, "-|", "readelf", "-sW", $object;
    srand 1;
    while (<$symbols>) {
      my (undef, $value, $size, $type, undef, undef, $number, $name) = split;
      next unless ($type // "") eq "FUNC" && $size > 0 && $section{$number} && $address{$name};
      for (1 .. 8) {
        my $offset = int rand $size;
        printf "%s 0x%x 0x%x\n", $section{$number}, hex($value) + $offset, $address{$name} + $offset;
      }
    }' "$1" "$2"
}

# Both tools answer in the order of `places`. The line numbers of `places` replace the addresses.
numbered() { perl -pe 'if (/^0x[0-9a-f]+$/) { $n++; $_ = sprintf "0x%x\n", $n }'; }

compare_with_linked() { # NAME COMPILER FLAGS...
  local name=$1 compiler=$2
  shift 2
  [[ " ${WAYS:-$name} " == *" $name "* ]] || return
  command -v "$compiler" >/dev/null || { echo "not compared: $name (no $compiler)"; return; }
  if ! "$compiler" -std=c++20 "$@" -c "$here/inlined.cpp" -o "$name.o" 2>errors ||
    ! "$compiler" "$@" "$name.o" -o "$name" 2>>errors; then
    echo "not compared: $name ($(head -n 1 errors))"
    return
  fi
  places "$name.o" "$name" | sort -k1,1 -s | awk -v step="${STEP:-1}" '$1 != last { ++n; last = $1 } (n - 1) % step == 0' >places
  cut -d' ' -f1 places | uniq | while read -r section; do
    awk -v name="$section" '$1 == name { print $2 }' places |
      "$perfsift" symbolize -afi -e "$name.o" -j "$section"
  done | numbered >ours
  cut -d' ' -f3 places >addresses
  ask_llvm "$name" | numbered >theirs
  [[ $(wc -l <places) -ge 40 ]] || { echo "WRONG: $name: too few places"; failures=$((failures + 1)); }
  judge "$name" "$name"
}

compare_with_linked gcc-5 g++ -O2 -gdwarf-5
compare_with_linked gcc-4 g++ -O2 -gdwarf-4
compare_with_linked gcc-sections g++ -O2 -g -ffunction-sections
compare_with_linked gcc-compressed g++ -O2 -g -gz=zlib
compare_with_linked gcc-types g++ -O2 -gdwarf-5 -fdebug-types-section
compare_with_linked gcc-split g++ -O2 -g -gsplit-dwarf
compare_with_linked clang-5 clang++ -O2 -gdwarf-5
compare_with_linked clang-sections clang++ -O2 -gdwarf-4 -ffunction-sections
compare_with_linked clang-split clang++ -O2 -gdwarf-5 -gsplit-dwarf -ffunction-sections

# Every address of the section .text of a C object.
compare_object() { # NAME COMMAND...
  local name=$1
  shift
  command -v "$1" >/dev/null || { echo "not compared: $name (no $1)"; return; }
  "$@" -c "$here/../symbolize/fixtures/frames.c" -o "$name.o" 2>errors ||
    { echo "not compared: $name ($(head -n 1 errors))"; return; }
  local size
  size=$(readelf -SW "$name.o" | sed -nE 's/.* \.text +PROGBITS +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) .*/\1/p')
  perl -e 'printf "0x%x\n", $_ for 0 .. hex($ARGV[0]) - 1' "$size" >addresses
  "$perfsift" symbolize -afi -e "$name.o" <addresses >ours
  ask_llvm "$name.o" >theirs
  judge "$name" "$name.o"
}

compare_object gcc-c gcc -O2 -g -w
compare_object gcc-c-4 gcc -O0 -gdwarf-4 -gz -w
compare_object clang-c clang -O2 -gdwarf-5 -w
compare_object aarch64 clang --target=aarch64-linux-gnu -O2 -gdwarf-5 -ffreestanding -w

conclude
