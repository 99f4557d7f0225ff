#!/bin/bash
# A new user takes the first steps of README.md in a root where nothing was installed: three commands, from the archive to a flame
# graph of a program of their own, within two minutes. Run it by hand, as root, after ./dev release.
#
#   tests/release/first_flame_graph.sh ROOT [USER]      ROOT: made by debootstrap, stays as it is; USER: a number, 0
set -euo pipefail
source=$(realpath -e "$(dirname "$0")/../..")
if [[ -z ${PERFSIFT_IN_NAMESPACE-} ]]; then PERFSIFT_IN_NAMESPACE=yes exec unshare --mount "$0" "$@"; fi
root=$(realpath -e "${1:?Usage: first_flame_graph.sh ROOT [USER]}") user=${2:-0}
fail() { echo "$*" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'umount --recursive --lazy "$scratch/layers" "$scratch/root" 2>/dev/null; rm -rf --one-file-system "$scratch"' EXIT
mkdir "$scratch/layers" "$scratch/root"
chmod 755 "$scratch"
mount -t tmpfs layers "$scratch/layers"
mkdir "$scratch/layers/upper" "$scratch/layers/work"
chmod 755 "$scratch/layers/upper"
mount -t overlay overlay -o "lowerdir=$root,upperdir=$scratch/layers/upper,workdir=$scratch/layers/work" "$scratch/root"
mount -t proc proc "$scratch/root/proc"
mount --rbind /sys "$scratch/root/sys"
mount --rbind /dev "$scratch/root/dev"

home=$scratch/root/new
mkdir "$home"
cp "$source"/build/release-files/*.tar.gz "$home"
cp "$source/testdata/symfs/opt/perfsift-demo/demo" "$home/program"
chown -R "$user:$user" "$home"

# The commands as README.md has them: the first block of sh, and two of the quick start.
readme=$source/README.md
steps=("$(sed -n '/^```sh$/,/^```$/p' "$readme" | sed -n '2s/ *#.*//p')")
for command in record flame; do
  steps+=("$(sed -n '/^## Quick start/,/^## /p' "$readme" | sed -n "s/ *#.*//; s/^\\$ \\(perfsift $command .*\\)/\\1/p" | head -n 1)")
done
SECONDS=0
for step in "${steps[@]}"; do
  [[ $step ]] || fail "README.md has no such step"
  echo "\$ $step"
  chroot --userspec="$user:$user" "$scratch/root" env -i HOME=/new PATH=/new/.local/bin:/usr/local/bin:/usr/bin:/bin \
    bash -c "cd /new && $step" || fail "README.md's step fails"
done
grep -q scramble "$home/program.svg" || fail "the flame graph does not show the program"
((SECONDS < 120)) || fail "took $SECONDS s"
echo "a flame graph after $SECONDS s and ${#steps[@]} commands in $(. "$root/etc/os-release" && echo "$PRETTY_NAME"), as user $user"
