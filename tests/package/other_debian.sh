#!/bin/bash
# Builds perfsift in another Debian, with its compiler and its libraries, and runs the tests of the folders there. Run
# it by hand, as root. It makes the root, which needs the network, and compiles everything.
#
#   tests/package/other_debian.sh ROOT [SUITE]     ROOT: a folder for the root, kept for the next time; SUITE: trixie
set -euo pipefail
source=$(realpath -e "$(dirname "$0")/../..")
root=${1:?Usage: other_debian.sh ROOT [SUITE]} suite=${2:-trixie}
# shellcheck source=tests/package/debian_root.sh
source "$source/tests/package/debian_root.sh"
mount -t sysfs sys "$root/sys"
cp -L /etc/resolv.conf "$root/etc/"

# The packages that the build needs, from ./dev, and those that the tests of the folders need.
eval "$(sed -n '/^\(libraries\|packages\)_to_build=(/,/^)/p' "$source/dev")"
inside apt-get update -qq
# shellcheck disable=SC2154
inside apt-get install --yes -qq --no-install-recommends "${packages_to_build[@]}" libgtest-dev libgmock-dev linux-perf \
  python3 python3-numpy clang lld llvm dwz elfutils binutils file git xz-utils zstd bzip2 >"$root/apt.log"

mkdir -p "$root/src"
(cd "$source" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --preserve=mode,timestamps --update -t "$root/src")
tests=(base reader symbolize filter analysis output library options dlfilters tools house)
inside bash -euo pipefail -c '
  export HOME=/root
  cd /src
  g++ --version | head -n 1
  dpkg-query --show libelf-dev libtraceevent-dev libfmt-dev
  cmake --preset dev -DPERFSIFT_TESTS=ON >/dev/null
  programs=()
  for folder; do ! grep -q "^build ${folder}_tests:" build/dev/build.ninja || programs+=("${folder}_tests"); done
  cmake --build --preset dev --parallel "$(nproc)" --target perfsift perfsift_shared perfsift_static "${programs[@]}"
  status=0
  for program in "${programs[@]}"; do
    echo "== $program"
    build/dev/$program --gtest_brief=1 --gtest_filter="-*OneByteChanged*:Cut*:OffcpuOfDamaged*" || status=1
  done
  echo "== library.interface"
  tests/library/interface.sh build/dev/libperfsift.so.0 . || status=1
  exit $status' bash "${tests[@]}"
