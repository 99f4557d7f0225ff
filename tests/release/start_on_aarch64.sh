#!/bin/bash
# The start code of the portable program on aarch64: a small program that is linked as cmake/portable.cmake links perfsift, under
# qemu. Run it by hand; it needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user-static.
set -euo pipefail
source=$(realpath -e "$(dirname "$0")/../..")
fail() { echo "$*" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir -p bin lib/perfsift/libc
cat >program.c <<'END'
#include <math.h>
#include <stdio.h>
static __thread int words;
int main(int count, char** words_of_command) {
  for (words = 0; words_of_command[words] != NULL; ++words) printf("%s ", words_of_command[words]);
  printf("%d %.0f\n", words, cbrt(27.0 * count));
  return count;
}
END
# The options that the functions in portable.cmake give to the compiler and the linker.
options=$(sed -n 's/.*COMPILE_OPTIONS "\(.*\)").*/\1/p' "$source/cmake/portable.cmake" | sed 's/\$<\$<C_COMPILER_ID:GNU>:\(.*\)>/\1/; s/;/ /g')
link=$(sed -n '/target_link_options/,/)/p' "$source/cmake/portable.cmake" | grep -oE -- '-Wl,(-z,separate-code|--entry[^ )]*|--dynamic-linker[^ )]*|--disable-new-dtags)')
# shellcheck disable=SC2086 # words
aarch64-linux-gnu-gcc $options -Wall -Wextra -Wpedantic -Wshadow -Werror -c "$source/tools/portable/start.c" -o start.o
# shellcheck disable=SC2016,SC2086
aarch64-linux-gnu-gcc -O2 program.c start.o -lm -o bin/program $link '-Wl,-rpath,$ORIGIN/../lib/perfsift/libc'
"$source/cmake/release/hide_interpreter.py" bin/program
cp /usr/aarch64-linux-gnu/lib/{ld-linux-aarch64.so.1,libc.so.6,libm.so.6} lib/perfsift/libc
status=0
said=$(qemu-aarch64-static bin/program one two) || status=$?
[[ $said == "bin/program one two 3 4" && $status == 3 ]] || fail "the program prints '$said' and ends with $status"
rm -r lib
status=0
said=$(qemu-aarch64-static bin/program 2>&1) || status=$?
[[ $said == *"keep bin/perfsift and lib/perfsift together"* && $status == 127 ]] || fail "without a loader: '$said', $status"
echo "the start code runs on aarch64"
