#!/bin/bash
# The Debian packages in a root with only their dependencies: after installation, use and purge, every file and folder
# is as before. The steps for CI must also fail a build that became slower there. Run it by hand, as root. It makes the
# root, which needs the network and two minutes.
#
#   ./dev package && tests/package/bare_root.sh ROOT [SUITE]     ROOT: a folder for the root, kept for the next time
set -euo pipefail
source=$(realpath -e "$(dirname "$0")/../..")
root=${1:?Usage: bare_root.sh ROOT [SUITE]} suite=${2:-bookworm}
fail() { echo "$*" >&2; exit 1; }
# shellcheck source=tests/package/use_packages.sh
source "$source/tests/package/use_packages.sh"
packages=("$source"/build/package/*.deb)
[[ -e ${packages[0]} ]] || fail "no packages in build/package: run ./dev package"
# shellcheck source=tests/package/debian_root.sh
source "$source/tests/package/debian_root.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mount -t tmpfs packages "$root/mnt"
mkdir "$root/mnt/packages"
ln -sfn mnt/packages "$root/packages"
cp "${packages[@]}" "$root/mnt/packages"
cp "$source/testdata/demo.data" "$root/mnt/packages/perf.data"
(cd "$source" && cp --parents -r integrations docs/ci.md tests/oracle/ci_* "$root/mnt/packages")
logged() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "fails: $*"; }; }
# Every file with its contents, every folder and link, except the states and logs of dpkg and apt.
state() {
  (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./mnt -o -path ./tmp -o -path ./var/lib/dpkg -o -path ./var/lib/apt \
    -o -path ./var/log -o -path ./var/cache \) -prune -o ! -type d -printf '%p %l\n' -o -printf '%p/\n' | sort
   find . -xdev \( -path ./proc -o -path ./dev -o -path ./mnt -o -path ./tmp -o -path ./var \) -prune -o -type f -print0 |
     sort -z | xargs -0 sha256sum)
}

names=$(for package in "${packages[@]}"; do dpkg-deb --field "$package" Package; done)
dependencies=$(for package in "${packages[@]}"; do dpkg-deb --field "$package" Depends; done |
  tr ',' '\n' | sed 's/^ *//' | grep -vE '^(lib)?perfsift|^$' | sort -u | paste -sd, )
logged inside apt-get update
logged inside apt-get install --yes --no-install-recommends linux-perf
logged inside apt-get satisfy --yes --no-install-recommends "$dependencies"
inside ldconfig
state >"$scratch/before"
logged inside sh -c 'dpkg --install /packages/*.deb'
use_packages
logged inside /packages/tests/oracle/ci_steps.sh /usr/bin/perfsift
# shellcheck disable=SC2086
installed=$(inside dpkg -L $names | sort -u | wc -l)
# shellcheck disable=SC2086
logged inside dpkg --purge $names
state >"$scratch/after"
diff "$scratch/before" "$scratch/after" || fail "removed packages leave these files behind"
echo "${names//$'\n'/, }: $installed files and folders installed, used and removed in a bare $(. "$root/etc/os-release" && echo "$PRETTY_NAME")"
