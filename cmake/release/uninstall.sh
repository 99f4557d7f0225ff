#!/bin/sh
# Removes what install.sh installed: the files in the list beside this script, and the folders that were made for them.
set -eu
main() {
  prefix=$(cd "$(dirname "$0")/../.." && pwd -P)
  cd "$prefix"
  list=share/perfsift/files
  [ -f "$list" ] && [ -f share/perfsift/folders ] || { echo "uninstall.sh: $prefix/$list is missing: nothing was installed here" >&2; exit 1; }
  folders=$(cat share/perfsift/folders)
  files=$(cat "$list")
  for file in $files; do rm -f "$file" "$file.new"; done
  rm -f share/perfsift/folders
  for folder in $folders; do rmdir "$folder" 2>/dev/null || true; done  # others may have put files there
  echo "removed perfsift from $prefix"
}
main
exit
