#!/bin/bash
# All sources are as clang-format 14 leaves them. Other versions differ, so they cannot judge.
set -euo pipefail
cd "$(dirname "$0")/../.."
skipped=77
clang_format=$(command -v clang-format-14 || command -v clang-format) || exit $skipped
[[ $("$clang_format" --version) == *"version 14."* ]] || exit $skipped

find . -path ./build -prune -o \( -name '*.c' -o -name '*.cpp' -o -name '*.h' \) -exec "$clang_format" --dry-run --Werror {} +
