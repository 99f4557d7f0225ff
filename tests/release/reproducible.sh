#!/bin/bash
# Two builds of the same commit, in two folders of different lengths and without a compiler cache, give the same bytes. Run it by
# hand: it compiles everything twice.
#
#   tests/release/reproducible.sh FOLDER      FOLDER gets the two clones
set -euo pipefail
source=$(realpath -e "$(dirname "$0")/../..")
mkdir -p "${1:?Usage: reproducible.sh FOLDER}"
folder=$(realpath -e "$1")
commit=$(git -C "$source" rev-parse HEAD) # programs name it, and another may follow while this one is compiled
export CCACHE_DISABLE=1
for clone in one "another with a longer name"; do
  [[ -d $folder/$clone ]] || git clone --quiet "$source" "$folder/$clone"
  git -C "$folder/$clone" fetch --quiet origin
  git -C "$folder/$clone" checkout --quiet --detach "$commit"
  (cd "$folder/$clone" && ./dev release) >"$folder/log" 2>&1 || { tail -n 30 "$folder/log"; exit 1; }
done
cd "$folder"
diff --recursive "one/build/release-files" "another with a longer name/build/release-files"
echo "the same bytes in both folders:"
cat one/build/release-files/SHA256SUMS
