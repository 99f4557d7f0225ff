# A root of Debian in a folder. Needs `root`, the folder, and `suite`. Makes the root if it is missing, and mounts what
# programs need, in a namespace that ends with the script. To be sourced: it starts the script again in the namespace.
# shellcheck shell=bash disable=SC2154
if [[ -z ${PERFSIFT_IN_NAMESPACE-} ]]; then
  PERFSIFT_IN_NAMESPACE=yes exec unshare --mount "$0" "$@"
fi
command -v debootstrap >/dev/null || { echo "no debootstrap: apt install debootstrap" >&2; exit 1; }
[[ -d $root/usr/bin ]] || debootstrap --variant=minbase "$suite" "$root"
root=$(realpath -e "$root")
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"

# Runs a command in the root.
inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    "$@"
}
