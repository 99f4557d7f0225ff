#!/bin/bash
# The archive for aarch64 under qemu, in a root with nothing but it, /proc and recordings: what its program prints is what a
# perfsift of this machine prints. Run it by hand; ./dev release arm64 does.
#
#   archive_on_aarch64.sh FILES [PERFSIFT]      the output of cmake/release/release.sh; PERFSIFT prints what is expected
set -euo pipefail
source=$(realpath -e "$(dirname "$0")/../..") files=$(realpath -e "$1")
perfsift=${2:+$(realpath -e "$2")}
fail() { echo "$*" >&2; exit 1; }
if [[ -z ${PERFSIFT_IN_NAMESPACE-} ]]; then
  PERFSIFT_IN_NAMESPACE=yes exec unshare --mount "$0" "$files" ${perfsift:+"$perfsift"}
fi
scratch=$(mktemp -d)
trap 'umount --lazy "$scratch/root/proc" 2>/dev/null; rm -rf --one-file-system "$scratch"' EXIT
root=$scratch/root
mkdir -p "$root/proc" "$root/symfs"
zstd -dqc "$files"/*-linux-aarch64.tar.zst | tar -xC "$root"
mv "$root"/perfsift-* "$root/perfsift"
cp "$(command -v qemu-aarch64-static)" "$root/qemu"
cp "$source/testdata/demo.data" "$root"
cp -r "$source/testdata/symfs/." "$root/symfs"
mount -t proc proc "$root/proc"
inside() { chroot "$root" /qemu /perfsift/bin/perfsift "$@"; }

inside --version | tee "$scratch/version"
grep -qx 'feature debuginfod yes' "$scratch/version" || fail "no debuginfod inside"
grep -qx 'feature tls yes' "$scratch/version" || fail "no libssl inside"
grep -qx 'feature libpfm yes' "$scratch/version" || fail "no libpfm inside"
for command in "report --no-cache --symfs symfs demo.data" "fold --no-cache --symfs symfs demo.data" \
  "flame --no-cache --symfs symfs -o - demo.data" "report --no-cache --symfs symfs --annotate demo::scramble demo.data" \
  "script --no-cache --symfs symfs -i demo.data"; do
  # shellcheck disable=SC2086 # words
  inside $command >"$scratch/printed" 2>&1 || fail "$command: $(cat "$scratch/printed")"
  [[ -s $scratch/printed ]] || fail "$command prints nothing"
  [[ ! $perfsift ]] || {
    # shellcheck disable=SC2086
    (cd "$root" && "$perfsift" $command) >"$scratch/expected" 2>&1
    cmp "$scratch/expected" "$scratch/printed" || fail "$command prints something else"
  }
done
inside dlfilter test perfsift-fold.so >"$scratch/printed" 2>&1 || fail "dlfilter test: $(cat "$scratch/printed")"
echo "the archive for aarch64 runs in an empty root under qemu"
