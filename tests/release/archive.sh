#!/bin/bash
# The archive of a release, made from this build: its contents; its commands in a root with nothing but it and /proc, as root
# and as nobody, on a read-only file system; its installation and removal; its examples; README.md's first commands in a root
# with the few programs that they need.
#
#   archive.sh BUILD SOURCE
set -euo pipefail
build=$(realpath -e "$1") source=$(realpath -e "$2")
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "$*" >&2; exit 1; }
for tool in patchelf zstd readelf; do command -v "$tool" >/dev/null || skip "no $tool"; done
# All mounts are in a namespace that ends with this script.
if [[ -z ${PERFSIFT_IN_NAMESPACE-} ]]; then
  unshare --mount true 2>/dev/null || skip "no mount namespaces can be made here"
  PERFSIFT_IN_NAMESPACE=yes exec unshare --mount "$0" "$build" "$source"
fi
scratch=$(mktemp -d)
leave() {
  umount --recursive --lazy "$scratch/root" "$scratch/system" 2>/dev/null || true
  rm -rf --one-file-system "$scratch"
}
trap leave EXIT
# shellcheck source=tests/release/use_release.sh
source "$source/tests/release/use_release.sh"

ZSTD_LEVEL=1 GZIP_LEVEL=1 "$source/cmake/release/release.sh" "$build" "$scratch/files" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "no release can be made"; }
"$source/tests/release/contents.py" "$scratch/files"
mkdir "$scratch/root" "$scratch/results"
chmod 755 "$scratch" "$scratch/root"
mount -t tmpfs root "$scratch/root" 2>/dev/null || skip "no mount namespaces can be made here"
mkdir "$scratch/root/proc"
tar --use-compress-program=zstd -xf "$scratch"/files/*.tar.zst -C "$scratch/root"
mv "$scratch/root/"perfsift-* "$scratch/root/perfsift"
make_recordings "$scratch/root/recordings" "$build" "$source"

"$source/tests/release/installs.sh" "$scratch/root/perfsift"
cp -r "$scratch/root/perfsift/share/doc/perfsift/examples" "$scratch"
cmake -S "$scratch/examples" -B "$scratch/configured" -DCMAKE_PREFIX_PATH="$scratch/root/perfsift" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "the examples cannot be configured"; }
grep -q "count_functions_static is left out" "$scratch/log" || fail "CMake does not say that an example is left out: $(cat "$scratch/log")"

mount -t proc proc "$scratch/root/proc"
mount -o remount,ro "$scratch/root"
for user in 0 65534; do
  inside() { "$source/tests/release/enter.py" "$scratch/root" "$user" "$@"; }
  use_release "$build/perfsift" "$scratch/root/recordings" "$scratch/results"
done
echo "an empty root, read-only: ${#compared[@]} commands print the same as root and as nobody; view and dlfilters run"

# A root with the programs that README.md's first commands need, and their libraries.
system=$scratch/system
mkdir "$system"
mount -t tmpfs system "$system"
chmod 755 "$system"
mkdir -p "$system"/{proc,sys,dev,bin,usr/local,usr/bin}
programs=(bash tar gzip env cat cp dirname head id mkdir mv rm rmdir)
for program in "${programs[@]}"; do cp "$(realpath "$(command -v "$program")")" "$system/bin/$program"; done
ln -s bash "$system/bin/sh"
ldd "$system"/bin/* | grep -oE '/[^ ]+\.so[^ ]*' | sort -u | while read -r library; do install -D "$(realpath "$library")" "$system$library"; done
touch "$system/dev/null"
mount --bind /dev/null "$system/dev/null"
mount -t proc proc "$system/proc"
mount --rbind /sys "$system/sys"
for user in 65534 0; do "$source/tests/release/first_steps.sh" "$scratch"/files/*.tar.gz "$system" "$user"; done
