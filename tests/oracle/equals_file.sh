#!/bin/bash
# Whether a command prints exactly what a file holds: equals_file.sh FILE COMMAND [ARGUMENTS]
set -o pipefail
export PERFSIFT_CACHE_SIZE=0  # what is compared is made now
expected=$1
shift
"$@" | diff "$expected" -
