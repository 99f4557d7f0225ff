#!/bin/bash
# install.sh and uninstall.sh of an unpacked release: every file and folder is as before afterwards; files of others stay.
#
#   installs.sh FOLDER
set -euo pipefail
folder=$(realpath -e "$1")
fail() { echo "$*" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
state() { (cd "$1" && find . ! -type d -exec sha256sum {} + -o -printf '%p/\n' | sort); }
install_to() { env -i PATH="$PATH" HOME="$scratch/home" PREFIX="$1" sh "$folder/install.sh" >log 2>&1; }

# A prefix that has other files, also in folders that perfsift needs.
mkdir -p "pre fix/share/man/man1" "pre fix/bin"
echo other >"pre fix/share/man/man1/other.1"
state "pre fix" >before
install_to "$scratch/pre fix" || fail "install.sh fails: $(cat log)"
grep -q "Add to your shell's start file: PATH='" log || fail "install.sh does not say that the folder is not searched: $(cat log)"
"pre fix/bin/perfsift" --version >/dev/null || fail "the installed program does not run"
(cd "$folder" && xargs sha256sum <share/perfsift/files) >sums
(cd "pre fix" && sha256sum --quiet --check ../sums) || fail "the installed files are not those of the release"
ln -s "$scratch/pre fix/bin/perfsift" by_link
./by_link --version >/dev/null || fail "the program does not run by a link"
# Again, over the first.
install_to "$scratch/pre fix" || fail "install.sh fails over an earlier one: $(cat log)"
sh "pre fix/share/perfsift/uninstall.sh" >/dev/null
state "pre fix" | diff before - || fail "uninstall.sh leaves these, or removes too much"

# A file of somebody else is in the way: nothing is written.
echo other >"pre fix/bin/perfsift"
state "pre fix" >before
! install_to "$scratch/pre fix" || fail "install.sh replaces a file of somebody else"
grep -q "bin/perfsift is not of perfsift" log || fail "install.sh does not name the file: $(cat log)"
state "pre fix" | diff before - || fail "install.sh wrote something although a file was in the way"

# Files cannot be written, as with a full disk: nothing is left, or the earlier version. install_fails.sh stops at each step.
mkdir full
install_badly() { (ulimit -f 2000 && trap '' XFSZ && install_to "$scratch/full"); }
! install_badly || fail "install.sh says that it succeeds although files cannot be written"
[[ -z $(find full -mindepth 1) ]] || fail "install.sh fails, and leaves: $(find full -mindepth 1)"
install_to "$scratch/full"
state full >before
! install_badly || fail "install.sh says that it replaced an earlier version although files cannot be written"
state full | diff before - || fail "a failure changes the earlier version"
full/bin/perfsift --version >/dev/null || fail "after a failure, the earlier version does not run"

# By default below $HOME; root would install for everybody.
as_user=()
if ((EUID == 0)); then as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
chmod 755 .
mkdir -p home
((EUID != 0)) || chown 65534:65534 home
env -i PATH="$PATH" HOME="$scratch/home" "${as_user[@]}" sh "$folder/install.sh" >log 2>&1 || fail "install.sh without PREFIX: $(cat log)"
[[ -x home/.local/bin/perfsift ]] || fail "install.sh without PREFIX installs elsewhere: $(cat log)"

# Without its loader, the program says what is wrong.
mkdir -p alone/bin
cp "$folder/bin/perfsift" alone/bin
! alone/bin/perfsift --version 2>log || fail "the program runs without its loader"
grep -q "keep bin/perfsift and lib/perfsift together" log || fail "without the loader, it says: $(cat log)"
# With more rights than its user, glibc would look for libraries in the folders of the system only.
if ((EUID == 0)); then
  chown 0:0 home/.local/bin/perfsift && chmod u+s home/.local/bin/perfsift
  ! "${as_user[@]}" home/.local/bin/perfsift --version 2>log || fail "the program runs with a set-user-ID bit"
  grep -q "cannot have set-user-ID bits" log || fail "with a set-user-ID bit, the program says: $(cat log)"
fi

# Libraries in the environment do not replace those of the release.
mkdir others
echo "no library" >others/libz.so.1
LD_LIBRARY_PATH=$scratch/others "$folder/bin/perfsift" --version >/dev/null || fail "LD_LIBRARY_PATH replaces libraries of the release"

# A module that was built for a newer glibc.
echo 'int of_the_future(void) { return 0; }' >libc.c
echo 'GLIBC_2.99 { global: of_the_future; };' >libc.map
gcc -shared -nostdlib -Wl,--version-script=libc.map -Wl,-soname=libc.so.6 -o libc.so.6 libc.c
echo 'int of_the_future(void); int filter_event(void) { return of_the_future(); }' >module.c
gcc -shared -fPIC -nostdlib -o module.so module.c ./libc.so.6
! "$folder/bin/perfsift" script --dlfilter ./module.so "$folder/share/perfsift/demo.data" >/dev/null 2>log || fail "a module for a newer glibc is loaded"
grep -q "newer libraries than those of this perfsift (glibc 2.*); use a perfsift that was built on this machine" log || fail "of a module for a newer glibc, it says: $(cat log)"
echo "install.sh and uninstall.sh: nothing is left, nothing of others is touched"
