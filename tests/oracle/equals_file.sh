#!/bin/bash
# Whether a command prints exactly what a file holds: equals_file.sh FILE COMMAND [ARGUMENTS]
set -o pipefail
expected=$1
shift
"$@" | diff "$expected" -
