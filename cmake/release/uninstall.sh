#!/bin/sh
# Removes what install.sh installed: the files in the lists beside this script, and the folders that were made for them. It also
# removes an installation that was interrupted.
# shellcheck disable=SC2086 # lists are split at line breaks only
set -euf
unset CDPATH
IFS='
'
main() {
  control=share/perfsift
  files=$control/files folders=$control/folders journal=$control/installing uninstall=$control/uninstall.sh
  if [ "${1-}" = --help ]; then
    echo "Removes the perfsift that install.sh installed in this folder, with all its files, and asks nothing: $0"
    echo "Files of others stay, and so do folders that have such files."
    return
  fi
  [ $# = 0 ] || { echo "uninstall.sh: '$1': unexpected argument; $0 removes perfsift" >&2; exit 2; }
  prefix=$(cd "$(dirname "$0")/../.." && pwd -P)
  cd "$prefix"
  [ -f $journal ] || { [ -f $files ] && [ -f $folders ]; } || { echo "uninstall.sh: $prefix/$folders is missing: nothing was installed here" >&2; exit 1; }

  installed='' empty=''
  for line in $(for list in $files $journal; do [ ! -f $list ] || cat $list; done); do
    case $line in
      */) empty=$empty${line%/}$IFS ;;
      "$files" | "$uninstall") installed=$installed$line.perfsift-new$IFS ;;  # the lists are needed until the end
      *) installed=$installed$line$IFS$line.perfsift-new$IFS ;;
    esac
  done
  [ ! -f $folders ] || empty=$empty$(cat $folders)
  [ ! "$installed" ] || rm -f $installed
  rm -f $journal.perfsift-new $folders.perfsift-new $files $folders $journal $uninstall
  cd /
  for folder in $empty; do
    case $folder in
      .) folder=$prefix ;;
      /*) ;;
      *) folder=$prefix/$folder ;;
    esac
    rmdir "$folder" 2>/dev/null || true  # others may have put files there
  done
  echo "removed perfsift from $prefix"
}
main "$@"
exit
