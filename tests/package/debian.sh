#!/bin/bash
# The Debian packages leave nothing behind after they are installed, run and removed. ./dev package also runs lintian.
#
#   debian.sh BUILD SOURCE
#
# dpkg installs into this machine's root under an overlay, so nothing on this machine changes. The packages depend on
# packages that are installed here.
set -euo pipefail
build=$(realpath -e "$1") source=$(realpath -e "$2")
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "$*" >&2; exit 1; }
# shellcheck source=tests/package/use_packages.sh
source "$source/tests/package/use_packages.sh"
command -v dpkg-shlibdeps >/dev/null || skip "no dpkg-shlibdeps"
# All mounts are in a namespace that ends with this script.
if [[ -z ${PERFSIFT_IN_NAMESPACE-} ]]; then
  unshare --mount true 2>/dev/null || skip "no mount namespaces can be made here"
  PERFSIFT_IN_NAMESPACE=yes exec unshare --mount "$0" "$build" "$source"
fi
scratch=$(mktemp -d)
leave() {
  umount --recursive --lazy "$scratch/root" "$scratch/layers" 2>/dev/null || true
  rm -rf --one-file-system "$scratch"
}
trap leave EXIT
cd "$scratch"

cpack --config "$build/CPackConfig.cmake" -B packages >cpack.log 2>&1 || { cat cpack.log; fail "cpack fails"; }
packages=(packages/*.deb)
names=$(for package in "${packages[@]}"; do dpkg-deb --field "$package" Package; done)
echo "${names//$'\n'/ }"
for package in "${packages[@]}"; do
  dpkg-deb --contents "$package" | awk '$1 ~ /^.....w|^........w/ && $1 !~ /^l/' | grep . && fail "$package: others may write these"
  dpkg-deb --field "$package" Depends >depends
  [[ $package != packages/perfsift_* ]] || grep -q 'libc6 (>=' depends || fail "$package: depends on no libc6: $(cat depends)"
done

mkdir layers root
mount -t tmpfs layers layers 2>/dev/null || skip "no mount namespaces can be made here"
mkdir layers/upper layers/work
mount -t overlay overlay -o "lowerdir=/,upperdir=$scratch/layers/upper,workdir=$scratch/layers/work" root 2>/dev/null ||
  skip "no overlay can be mounted here"
mount --bind /dev root/dev
mount -t proc proc root/proc
mkdir -p root/packages
cp "${packages[@]}" root/packages
cp "$source/testdata/demo.data" root/packages/perf.data
inside() { chroot root env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
changed() { (cd layers/upper && find . \( -type f -o -type l -o -type c \) ! -path './packages/*' ! -path './var/lib/dpkg/*' ! -path './var/log/*' ! -path './var/cache/*' ! -path './etc/ld.so.cache' | sort); }

changed >before
inside bash -c 'dpkg --force-unsafe-io --install /packages/*.deb' >dpkg.log 2>&1 || { cat dpkg.log; fail "dpkg cannot install the packages"; }
use_packages
# shellcheck disable=SC2086
inside dpkg --force-unsafe-io --purge $names >dpkg.log 2>&1 || { cat dpkg.log; fail "dpkg cannot remove the packages"; }
changed >after
diff before after || fail "removed packages leave these files behind"
