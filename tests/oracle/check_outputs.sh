#!/bin/bash
# What perfsift check writes for CI systems, of functions with hostile names: JUnit is valid by an XML schema, SARIF by a
# JSON schema (both in testdata/gate), and the Markdown becomes tables without anything that the names add, by cmark-gfm,
# which GitHub uses.
#   check_outputs.sh PERFSIFT
set -euo pipefail
perfsift=$(realpath "$1")
source_directory=$(realpath "$(dirname "$0")/../..")
for tool in xmllint cmark-gfm; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
python=/usr/bin/python3  # that of the distribution, which has its packages
$python -c 'import jsonschema' 2>/dev/null || { echo "skipped: python3-jsonschema is not installed"; exit 77; }
exec $python -W ignore "$source_directory/tests/oracle/check_outputs.py" "$perfsift" "$source_directory"
