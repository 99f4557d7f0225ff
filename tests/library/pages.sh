#!/bin/bash
# Doxygen makes the pages of the interface without a warning: every public declaration is documented.
#
#   pages.sh DOXYGEN SOURCE
set -euo pipefail
doxygen=$(command -v "$1") || { echo "skipped: no doxygen"; exit 77; }
source=$(realpath -e "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$source"
{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $scratch"; } | "$doxygen" - >/dev/null 2>"$scratch/warnings" || true
cat "$scratch/warnings"
[[ ! -s $scratch/warnings && -s $scratch/html/index.html ]]
