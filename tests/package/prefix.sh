#!/bin/bash
# `cmake --install --prefix X` must write below X only, as root and as a user. The installed files must work there.
#   prefix.sh BUILD SOURCE
set -euo pipefail
build=$(realpath -e "$1") source=$(realpath -e "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"

fail() { echo "$*" >&2; exit 1; }

check() { # PREFIX: checks its files, and the installation's output in PREFIX.log
  local prefix=$1 outside modules
  outside=$(sed -nE 's/^-- (Installing|Up-to-date): //p' "$prefix.log" | grep -v "^$prefix/" || true)
  [[ -z $outside ]] || fail "installed outside of $prefix: $outside"
  for file in bin/perfsift bin/perf_to_profile share/man/man1/perfsift.1 share/man/man7/perfsift-filter.7 \
    share/bash-completion/completions/perfsift share/zsh/site-functions/_perfsift \
    share/fish/vendor_completions.d/perfsift.fish; do
    [[ -e $prefix/$file ]] || fail "not installed: $file"
  done
  [[ $(find "$prefix" -name 'perfsift-*.1' | wc -l) == $(find "$source/tools/commands" -name '*.1' | wc -l) ]] ||
    fail "not all manual pages are installed"
  modules=$(dirname "$(find "$prefix" -name perfsift-filter.so)")
  grep -qF "perf script --dlfilter $modules/perfsift-filter.so" "$prefix.log" || fail "the installation does not say where the modules are"
  grep -qE 'perf looks for dlfilters in /.*/dlfilters' "$prefix.log" || fail "the installation does not say where perf looks"
  "$prefix/bin/perfsift" dlfilter test --dlarg 'pid > 0' "$modules/perfsift-filter.so" >/dev/null # on the installed recording
}

newer() { # files of perfsift on this machine that are newer than the start of the test
  find /usr /etc /opt -xdev -newer "$scratch/start" -name '*perfsift*' 2>/dev/null || true
}

touch "$scratch/start"
cmake --install "$build" --prefix "$scratch/own" >"$scratch/own.log"
check "$scratch/own"
[[ -z $(newer) ]] || fail "the installation wrote $(newer)"

if ((EUID != 0)); then
  echo "not compared: the installation of another user (only root can be another user)"
  exit 0
fi
# The user may write the manifest, which CMake stores in the build folder.
as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent "$@"; }
as_user test -x "$build" || { echo "not compared: the installation of another user (only root can enter the build folder)"; exit 0; }
install -d -o 65534 -g 65534 "$scratch/user"
chown 65534:65534 "$build/install_manifest.txt"
as_user cmake --install "$build" --prefix "$scratch/user" >"$scratch/user.log"
chown 0:0 "$build/install_manifest.txt"
check "$scratch/user"
