#!/bin/bash
# Stores what this version writes in testdata/stable/VERSION: house.stable has each later version read it. Run it for each
# release, with the program of that release.
#
#   store_files.sh PERFSIFT
set -euo pipefail
perfsift=$(realpath -e "$1")
cd "$(dirname "$0")/../../testdata"
folder=stable/$("$perfsift" --version | sed -n '1s/^perfsift //p')
rm -rf "$folder"
mkdir -p "$folder"
"$perfsift" merge --no-cache --symfs symfs -o "$folder/runs.pb.gz" demo.data demo.data
"$perfsift" report "$folder/runs.pb.gz" >"$folder/report.txt"
status=0
"$perfsift" check --baseline "$folder/runs.pb.gz" --candidate "$folder/runs.pb.gz" >/dev/null 2>&1 || status=$?
echo "$status" >"$folder/check_status.txt"
"$perfsift" pack --quiet --no-cache --names-only --symfs symfs -o "$folder/names.tar.zst" demo.data
"$perfsift" fold --no-cache --symfs symfs demo.data >"$folder/fold.folded"
"$perfsift" report --no-cache --csv --symfs symfs demo.data >"$folder/report.csv" 2>/dev/null
XDG_CACHE_HOME=$PWD/$folder/cache "$perfsift" report --symfs symfs demo.data >/dev/null 2>&1
find "$folder" -type f -exec ls -l {} +
