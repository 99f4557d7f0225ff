#!/bin/bash
# README.md in a system where perfsift never was, as somebody who is new: its first commands, from the archive to a flame
# graph of a program of their own, within two minutes. Run it by hand, as root, after ./dev release. release.archive does the
# same in a root with a few programs.
#
#   tests/release/first_flame_graph.sh ROOT [USER]      ROOT: made by debootstrap, stays as it is; USER: a number, 0
set -euo pipefail
source=$(realpath -e "$(dirname "$0")/../..")
if [[ -z ${PERFSIFT_IN_NAMESPACE-} ]]; then PERFSIFT_IN_NAMESPACE=yes exec unshare --mount "$0" "$@"; fi
root=$(realpath -e "${1:?Usage: first_flame_graph.sh ROOT [USER]}") user=${2:-0}
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
(. "$root/etc/os-release" && echo "$PRETTY_NAME")
"$source/tests/release/first_steps.sh" "$source"/build/release-files/*.tar.gz "$scratch/root" "$user"
