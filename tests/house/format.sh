#!/bin/bash
# All sources must be formatted by clang-format 14. Other versions format differently, so the test is skipped with
# them.
set -euo pipefail
cd "$(dirname "$0")/../.."
skip() { echo "skipped: $*"; exit 77; }
clang_format=$(command -v clang-format-14 || command -v clang-format) || skip "no clang-format"
[[ $("$clang_format" --version) == *"version 14."* ]] || skip "$("$clang_format" --version) is not 14"

find . -path ./build -prune -o \( -name '*.c' -o -name '*.cpp' -o -name '*.h' -o -name '*.js' \) -exec "$clang_format" --dry-run --Werror {} +
