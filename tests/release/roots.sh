#!/bin/bash
# The archive of a release in other systems: its commands print there what the build of this machine prints here, as root and
# as nobody, on a read-only file system. Run it by hand, as root, after ./dev release.
#
#   tests/release/roots.sh ROOT...      roots that debootstrap made, or "musl" for one with musl and busybox only
#
# In roots that have them, the modules also run in perf, and g++ builds a program with libperfsift.
set -euo pipefail
source=$(realpath -e "$(dirname "$0")/../..")
build=$source/build/release
fail() { echo "$*" >&2; exit 1; }
if [[ -z ${PERFSIFT_IN_NAMESPACE-} ]]; then PERFSIFT_IN_NAMESPACE=yes exec unshare --mount "$0" "$@"; fi
# shellcheck source=tests/release/use_release.sh
source "$source/tests/release/use_release.sh"
archives=("$source"/build/release-files/*.tar.zst)
[[ -e ${archives[0]} ]] || fail "no archive in build/release-files: run ./dev release"
scratch=$(mktemp -d)
trap 'umount --recursive --lazy "$scratch"/root* 2>/dev/null; rm -rf --one-file-system "$scratch"' EXIT

# A system with another C library, where programs for glibc do not start.
make_musl_root() { # ROOT
  mkdir -p "$1/bin" "$1/lib" "$1/proc" "$1/dev"
  cp /usr/lib/x86_64-linux-musl/libc.so "$1/lib/ld-musl-x86_64.so.1" 2>/dev/null || fail "no musl: apt install musl busybox-static"
  cp /bin/busybox "$1/bin/busybox" && ln -s busybox "$1/bin/sh"
}

describe() { # ROOT
  local glibc
  glibc=$(chroot "$1" ldd --version 2>/dev/null | sed -n '1s/.* //p') || true
  echo "$(. "$1/etc/os-release" 2>/dev/null && echo "${PRETTY_NAME-}"), ${glibc:-no} glibc"
}

use_in_perf() {
  local all kept
  all=$(inside /usr/bin/perf script -i demo.data -F comm 2>/dev/null | grep -c . || true)
  kept=$(inside /usr/bin/perf script -i demo.data -F comm --dlfilter /perfsift/lib/perf-core/dlfilters/perfsift-filter.so \
    --dlarg 'comm == "sorter"' 2>"$scratch/perf.err" | sort | uniq -c)
  [[ $(awk '{ print $2 }' <<<"$kept") == sorter ]] && (($(awk '{ print $1 }' <<<"$kept") < all)) ||
    { echo "  in perf, of $all samples: '$kept' $(tail -n 1 "$scratch/perf.err")"; return; }
  echo "  the modules run in $(inside /usr/bin/perf --version)"
}

for root; do
  work=$(mktemp -d "$scratch/root.XXXX")
  chmod 755 "$scratch" "$work"
  if [[ $root == musl ]]; then make_musl_root "$work"; else mount --rbind "$root" "$work"; fi
  [[ -d $work/proc && -d $work/usr || $root == musl ]] || fail "$root: no root of a system"
  mkdir -p "$work/perfsift" "$work/recordings"
  for mounted in perfsift recordings; do mount -t tmpfs "$mounted" "$work/$mounted"; done
  mount -t proc proc "$work/proc"
  tar --use-compress-program=zstd -xf "${archives[0]}" -C "$work/perfsift" --strip-components=1
  make_recordings "$work/recordings" "$build" "$source"
  for mounted in perfsift recordings; do mount -o remount,ro "$work/$mounted"; done
  mkdir -p "$scratch/results"
  for user in 0 65534; do
    inside() { "$source/tests/release/enter.py" "$work" "$user" "$@"; }
    use_release "$build/perfsift" "$work/recordings" "$scratch/results"
  done
  echo "$(if [[ $root == musl ]]; then echo "musl"; else describe "$work"; fi): ${#compared[@]} commands print the same as root and as nobody; view and dlfilters run"
  [[ ! -x $work/usr/bin/perf ]] || use_in_perf
  umount --recursive --lazy "$work" 2>/dev/null || true  # that of musl is a plain folder
done
