#!/bin/bash
# perfsift under bad conditions: see bad_conditions.py.
#   bad_conditions.sh PERFSIFT [WORKLOAD]
# Run by hand with LONG=1, the test asks a server 2,000 questions, and kills and races hundreds of times.
set -euo pipefail
exec /usr/bin/python3 "$(dirname "$0")/bad_conditions.py" "$(realpath "$1")"
