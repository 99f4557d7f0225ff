#!/bin/sh
# Installs perfsift, which is in the folder of this script, and asks nothing:
#
#   [PREFIX=DIR] ./install.sh     default: /usr/local for root, else ~/.local
#
# PREFIX/share/perfsift/uninstall.sh removes all of it. An earlier version of perfsift that was installed so is replaced.
#
# All files are copied beside the places where they belong, with .perfsift-new at the end of their names, and then renamed.
# The journal, share/perfsift/installing, comes before any other change and goes last. It names what may be there: files,
# and folders, which end with a slash. So uninstall.sh, or this script again, clears up after a kill.
# shellcheck disable=SC2086,SC3013 # lists are split at line breaks only; sh of Debian and busybox have -ef
set -euf
umask 022
unset CDPATH
IFS='
'
control=share/perfsift beside=.perfsift-new
files=$control/files folders=$control/folders journal=$control/installing uninstall=$control/uninstall.sh
say() { echo "install.sh: $*" >&2; }
fail() { say "$*"; exit 1; }

if [ "${1-}" = --help ]; then
  echo "Copies perfsift to PREFIX, or replaces an earlier version there, and asks nothing: [PREFIX=DIR] $0"
  echo "By default, PREFIX is /usr/local for root, else ~/.local. PREFIX/$uninstall removes perfsift again."
  exit
fi
[ $# = 0 ] || { say "'$1': unexpected argument; PREFIX says where to install; if two versions are unpacked, name one of them"; exit 2; }

here=$(cd "$(dirname "$0")" && pwd -P)
[ -f "$here/$files" ] || fail "$here/$files is missing: unpack the archive again"
if [ "$(id -u)" = 0 ]; then default=/usr/local; else default=${HOME:?no \$HOME: set PREFIX}/.local; fi
prefix=${PREFIX:-$default}
case $prefix in
  *"$IFS"*) fail "the name of PREFIX has a line break" ;;
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac
exists() { [ -e "$1" ] || [ -h "$1" ]; }
has_line() { # TEXT LINE
  case "$IFS$1$IFS" in *"$IFS$2$IFS"*) ;; *) return 1 ;; esac
}

# The plain name of the prefix: what exists of it, and the folders below that are missing.
existing=$prefix missing=''
while [ ! -d "$existing/" ]; do
  case ${existing##*/} in
    '' | .) ;;
    ..) fail "$prefix has .. after a folder that does not exist" ;;
    *)
      ! exists "$existing" || fail "$existing is no folder; set PREFIX to another one"
      missing=/${existing##*/}$missing
      ;;
  esac
  existing=${existing%/*}
done
prefix=$(cd "$existing/" && pwd)
prefix=${prefix%/}$missing

# Nothing is written before it is known that no file of others is in the way.
read_list() { if [ -f "$prefix/$1" ]; then cat "$prefix/$1"; fi; }
new_files=$(cat "$here/$files") old_files=$(read_list "$files") old_folders=$(read_list "$folders") interrupted=$(read_list "$journal")
for file in $new_files; do
  if exists "$prefix/$file"; then
    has_line "$old_files$IFS$interrupted" "$file" || fail "$prefix/$file is not of perfsift; remove it, or set PREFIX to another folder"
    if [ "$prefix/$file" -ef "$here/$file" ]; then fail "$prefix is where perfsift was unpacked; set PREFIX to another folder"; fi
  fi
done

# The folders that are missing, the innermost first: relative to the prefix, which is ".", then those above as absolute names.
below='' above='' staged=''
for file in $new_files; do
  staged=$staged$file$beside$IFS
  folder=${file%/*} chain=''
  while [ ! -d "$prefix/$folder" ] && ! has_line "$below" "$folder"; do
    chain=$chain$folder$IFS
    case $folder in */*) folder=${folder%/*} ;; *) break ;; esac
  done
  below=$chain$below
done
folder=$prefix name=.
while [ ! -d "$folder/" ]; do
  above=$above$name$IFS
  folder=${folder%/*} name=$folder
done
made=$below$above
remains='' made_before=''  # by a run that was interrupted
for line in $interrupted; do
  case $line in
    */) made_before=$made_before${line%/}$IFS ;;
    *) remains=$remains$line$IFS$line$beside$IFS ;;
  esac
done
old_folders=$made_before$old_folders

remove_folders() { # FOLDER...
  paths=''
  for folder; do
    case $folder in
      .) paths=$paths$prefix$IFS ;;
      /*) paths=$paths$folder$IFS ;;
      *) paths=$paths$prefix/$folder$IFS ;;
    esac
  done
  rmdir $paths 2>/dev/null || true  # others may have put files there
}
stage=checks base=''
clear_up() {
  trap '' HUP INT TERM
  case $stage${old_files:+ over another} in
    base*) rm -rf "$base$beside" && say "failed; nothing was installed" ;;
    "copies over another")
      cd "$prefix/"
      rm -f $staged $journal$beside $folders$beside
      [ "$interrupted" ] || rm -f $journal  # it may name files that a killed run installed
      remove_folders $made
      say "failed; the earlier version is as it was"
      ;;
    "exchange over another") say "failed while files were exchanged; run install.sh again, or $prefix/$uninstall" ;;
    copies | exchange)
      cd "$prefix/"
      rm -f $staged $new_files $remains $journal$beside $folders$beside $folders $journal
      remove_folders $made $old_folders
      say "failed; nothing was installed"
      ;;
  esac
}
trap clear_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Folders appear together with the journal, by renaming the outermost one. A kill before leaves a folder that the next run
# replaces.
write_journal() { # FOLDER
  echo "$new_files" >"$1/installing$beside"
  for folder in $made; do echo "$folder/" >>"$1/installing$beside"; done
  echo "$interrupted" >>"$1/installing$beside"
  mv -f "$1/installing$beside" "$1/installing"
  if [ ! "$old_files" ]; then
    cp "$here/$uninstall" "$1/uninstall.sh$beside"
    mv -f "$1/uninstall.sh$beside" "$1/uninstall.sh"
  fi
}
if [ -d "$prefix/$control" ]; then
  stage=copies
  write_journal "$prefix/$control"
else
  base=$prefix/$control
  while folder=${base%/*} && [ ! -d "$folder/" ]; do base=$folder; done
  stage=base
  rm -rf "$base$beside"
  inner=$prefix/$control
  inner=$base$beside${inner#"$base"}
  mkdir "$base$beside"
  mkdir -p "$inner"
  write_journal "$inner"
  mv "$base$beside" "$base"
  stage=copies
fi

cd "$prefix/"
[ ! "$interrupted" ] || rm -f $staged
[ ! "$below" ] || mkdir -p $below
for file in $new_files; do cp -P "$here/$file" "$file$beside"; done
printf %s "$made$old_folders${old_folders:+$IFS}" >$folders$beside

# The exchange, which needs no space. The program comes last, and the lists of what is installed after it.
trap '' HUP INT TERM
stage=exchange
move() { mv -f "$1$beside" "$1"; }
move $uninstall
for file in $new_files; do
  case $file in
    bin/* | "$files" | "$uninstall") ;;
    *) move "$file" ;;
  esac
done
for file in $new_files; do
  case $file in bin/*) move "$file" ;; esac
done
obsolete=''
for file in $old_files $remains; do
  has_line "$new_files$IFS$staged" "$file" || obsolete=$obsolete$file$IFS
done
[ ! "$obsolete" ] || rm -f $obsolete
move $folders
move $files
rm -f $journal
remove_folders $old_folders
stage=end

in_shell() { # WORD, quoted if it must be
  case $1 in *[!A-Za-z0-9/._+,@%-]*) ;; *) printf %s "$1" && return ;; esac
  rest=$1 quoted=''
  while case $rest in *\'*) ;; *) false ;; esac; do
    quoted=$quoted${rest%%\'*}"'\\''"
    rest=${rest#*\'}
  done
  printf %s "'$quoted$rest'"
}
echo "$("$prefix/bin/perfsift" --version | head -n 1) is in $prefix/bin; $(in_shell "$prefix/$uninstall") removes it"
case :$PATH: in
  *":$prefix/bin:"*) ;;
  *) echo "Add to your shell's start file: PATH=$(in_shell "$prefix/bin"):\$PATH" ;;
esac
