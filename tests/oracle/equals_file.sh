#!/bin/bash
# Checks that a command prints exactly the content of a file: equals_file.sh FILE COMMAND [ARGUMENTS]
set -o pipefail
export PERFSIFT_CACHE_SIZE=0  # compares fresh results only
expected=$1
shift
"$@" | diff "$expected" -
