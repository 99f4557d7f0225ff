#!/bin/bash
# The outputs of perfsift check for CI systems, for functions with hostile names. JUnit is valid by an XML schema, and
# SARIF by a JSON schema (both in testdata/gate). cmark-gfm, which GitHub uses, turns the Markdown into tables without
# any additions from the names.
#   check_outputs.sh PERFSIFT
set -euo pipefail
perfsift=$(realpath "$1")
source_directory=$(realpath "$(dirname "$0")/../..")
for tool in xmllint cmark-gfm; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
python=/usr/bin/python3  # the distribution's Python, which has its packages
$python -c 'import jsonschema' 2>/dev/null || { echo "skipped: python3-jsonschema is not installed"; exit 77; }
exec $python -W ignore "$source_directory/tests/oracle/check_outputs.py" "$perfsift" "$source_directory"
