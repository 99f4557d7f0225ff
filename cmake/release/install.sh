#!/bin/sh
# Installs perfsift, which is in the folder of this script, and asks nothing:
#
#   [PREFIX=DIR] ./install.sh     default: /usr/local for root, else ~/.local
#
# PREFIX/share/perfsift/uninstall.sh removes all of it. An earlier version of perfsift that was installed so is replaced.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd -P)
files=share/perfsift/files
fail() { echo "install.sh: $*" >&2; exit 1; }

if [ "$(id -u)" = 0 ]; then default=/usr/local; else default=${HOME:?no \$HOME: set PREFIX}/.local; fi
prefix=${PREFIX:-$default}
case $prefix in
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac
cd "$here"
[ -f "$files" ] || fail "$here/$files is missing: unpack the archive again"

# Nothing is written before it is known that no file of others is in the way.
while read -r file; do
  if [ -e "$prefix/$file" ] || [ -h "$prefix/$file" ]; then
    grep -qxF "$file" "$prefix/$files" 2>/dev/null || fail "$prefix/$file is not of perfsift; remove it, or set PREFIX to another folder"
    if [ "$prefix/$file" -ef "$file" ]; then fail "$prefix is where perfsift was unpacked; set PREFIX to another folder"; fi
  fi
done <"$files"
if [ -f "$prefix/share/perfsift/uninstall.sh" ]; then sh "$prefix/share/perfsift/uninstall.sh" >/dev/null; fi

# Makes a folder, and notes those that did not exist, the outermost last.
make_folder() { # FOLDER, below the prefix
  made='' folder=$1
  while [ ! -d "$prefix/$folder" ] && [ "$folder" != . ]; do
    made="$made$folder
"
    folder=$(dirname "$folder")
  done
  mkdir -p "$prefix/$1"
  [ -z "$made" ] || new_folders="$made$new_folders"
}

# The list of files comes first, so that an installation that was interrupted can be removed. The program comes last.
new_folders=''
while read -r file; do make_folder "$(dirname "$file")"; done <"$files"
printf %s "$new_folders" >"$prefix/share/perfsift/folders"
copy() { # FILE
  cp -P "$1" "$prefix/$1.new" && mv "$prefix/$1.new" "$prefix/$1"
}
copy "$files"
copy share/perfsift/uninstall.sh
while read -r file; do
  case $file in
    bin/* | "$files" | share/perfsift/uninstall.sh) ;;
    *) copy "$file" ;;
  esac
done <"$files"
for file in bin/*; do copy "$file"; done

echo "$("$prefix/bin/perfsift" --version | head -n 1) is in $prefix/bin; $prefix/share/perfsift/uninstall.sh removes it"
case :$PATH: in
  *":$prefix/bin:"*) ;;
  *) echo "To find it, add this to the file of your shell: PATH=$prefix/bin:\$PATH" ;;
esac
