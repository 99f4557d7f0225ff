#!/bin/bash
# Lays packages of another processor of Debian, with all that they depend on, into a folder, for cross-compiling. Nothing of
# them is installed or run, so packages of this machine stay as they are.
#
#   sysroot.sh ARCHITECTURE FOLDER PACKAGE...      FOLDER/root; laid anew if the list of packages is another
set -euo pipefail
architecture=$1 folder=$(realpath -m "$2")
shift 2
root=$folder/root laid=$folder/root.packages
wanted=$(printf '%s\n' "$@" | sort -u)
[[ ! -e $laid || $(<"$laid") != "$wanted" ]] || exit 0
rm -rf "$root" "$laid"
mkdir -p "$root" "$folder"/apt/{lists,archives}/partial
# The mirrors of Debian that this machine uses. Sources of others may have nothing for the other processor.
apt-get indextargets --format 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) $(COMPONENT)' \
  'Created-By: Packages' 'Origin: Debian' | sort -u >"$folder/apt/sources.list"
: >"$folder/apt/status" # nothing is installed there, so apt-get finds all that the packages depend on
apt=(apt-get --quiet --quiet --option "APT::Architecture=$architecture" --option "APT::Architectures=$architecture"
  --option Dir::Etc::SourceList="$folder/apt/sources.list" --option Dir::Etc::SourceParts=/dev/null
  --option Dir::State="$folder/apt" --option Dir::State::status="$folder/apt/status"
  --option Dir::Cache="$folder/apt" --option APT::Sandbox::User=root --option Debug::NoLocking=true)
"${apt[@]}" update
"${apt[@]}" install --yes --no-install-recommends --download-only "$@"
# dpkg-query --admindir lists the packages and their files: a release says what is inside.
info=$root/var/lib/dpkg/info
mkdir -p "$info"
for package in "$folder"/apt/archives/*.deb; do
  dpkg-deb --extract "$package" "$root"
  { dpkg-deb --field "$package" && printf 'Status: install ok installed\n\n'; } >>"$root/var/lib/dpkg/status"
  dpkg-deb --fsys-tarfile "$package" | tar --list | sed 's,^\.,,; s,/$,,' >"$info/$(dpkg-deb --field "$package" Package).list"
done
# Links to absolute paths would lead to the files of this machine.
find "$root" -type l -lname '/*' -print0 | while IFS= read -rd '' link; do
  ln -sfn "$(realpath -m --no-symlinks --relative-to="$(dirname "$link")" "$root$(readlink "$link")")" "$link"
done
rm -r "$folder/apt"
echo "$wanted" >"$laid"
