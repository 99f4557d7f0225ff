# Shared code of the comparisons of perfsift symbolize with other tools, to be sourced: a scratch folder, random
# addresses of a program, answers, and the verdict of compare_frames.pl.
# shellcheck shell=bash disable=SC2034,SC2154

here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
failures=0

skip() { echo "skipped: $*"; exit 77; }

# Changes to an empty folder that is removed at the end.
begin() {
  command -v llvm-symbolizer >/dev/null || skip "no llvm-symbolizer"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  cd "$scratch" || exit 1
  export DEBUGINFOD_URLS= PERFSIFT_CACHE_SIZE=0
}

conclude() {
  echo "$failures different"
  ((failures == 0))
}

# The binaries of the command line, as absolute paths. A message names each binary that is missing and so not compared.
third_party() { # BINARY...: sets `binaries`
  binaries=()
  local binary
  for binary; do
    if [[ -r $binary ]]; then binaries+=("$(realpath "$binary")"); else echo "not compared: $binary (not here)"; fi
  done
}

# Where distributions put debug files; of another processor, below a folder with its packages.
debug_folder=${DEBUG_FOLDER:-/usr/lib/debug}

# For a stripped binary with a debug file in the debug folder, a file with both. So other tools see the same symbols as
# perfsift. Otherwise the binary itself.
whole_of() { # BINARY
  local id debug
  id=$(readelf -n "$1" 2>/dev/null | sed -nE 's/.*Build ID: (..)(.*)/\1\/\2/p' | head -n 1)
  debug=$debug_folder/.build-id/$id.debug
  if ! readelf -SW "$1" | grep -q ' \.debug_info ' && [[ -e $debug ]] && command -v eu-unstrip >/dev/null; then
    eu-unstrip -o "${1##*/}.whole" "$1" "$debug" && realpath "${1##*/}.whole"
  else
    echo "$1"
  fi
}

addresses() { # BINARY COUNT: addresses of its code, the same every time
  readelf -SW "$1" | sed -nE 's/.* \.text +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) .*/\1 \2/p' | head -n 1 |
    perl -ane 'BEGIN { $count = shift; srand 1 } printf "0x%x\n", hex($F[0]) + int rand hex $F[1] for 1 .. $count' "$2"
}

ask_llvm() { # BINARY
  llvm-symbolizer --output-style=GNU -a -f -i --no-demangle -e "$1" <addresses 2>/dev/null
}

judge() { # NAME BINARY [WITNESS]: compares the files ours and theirs
  local verdict
  verdict=$("$here/compare_frames.pl" "$2" ours theirs "${@:3}") || failures=$((failures + 1))
  echo "$1: $verdict"
}

# Compiles a program of one file now. A message names each program that cannot be compiled and so is not compared.
build() { # NAME COMPILER FLAGS...
  local name=$1 compiler=$2
  shift 2
  if ! command -v "$compiler" >/dev/null; then
    echo "not compared: $name (no $compiler)"
    return 1
  fi
  "$compiler" -std=c++20 "$@" "$here/inlined.cpp" -o "$name" 2>errors && return
  echo "not compared: $name ($(head -n 1 errors))"
  return 1
}
