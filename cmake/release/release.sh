#!/bin/bash
# Makes the files of a release from a build of the preset "release" with its target perfsift_portable. The same commit and
# packages give the same bytes: the archive has no order, times, owners or permissions of this machine, and nothing has
# debug information, which has paths.
#
#   release.sh BUILD OUTPUT      OUTPUT is replaced; ZSTD_LEVEL=19 GZIP_LEVEL=9
set -euo pipefail
here=$(dirname "$(realpath "$0")")
source=$(realpath -e "$here/../..")
build=$(realpath -e "$1") output=$(realpath -m "$2")
export LC_ALL=C TZ=UTC
umask 022

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
# Of a cross build, tools and packages are those of the other processor.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
strip=$(cached CMAKE_STRIP) objdump=$(cached CMAKE_OBJDUMP) compiler=$(cached CMAKE_CXX_COMPILER) root=$(cached PERFSIFT_SYSROOT)
case $(readelf --file-header "$build/perfsift_portable" | sed -n 's/ *Machine: *//p') in
  *X86-64) machine=x86_64 ;;
  AArch64) machine=aarch64 ;;
  *) echo "$build/perfsift_portable: for a processor that releases are not made for" >&2; exit 1 ;;
esac
name=perfsift-$version-linux-$machine
epoch=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct)}
rm -rf "$output"
mkdir -p "$output"
folder=$output/$name
documents=$folder/share/doc/perfsift

cmake --install "$build" --prefix "$folder" --strip >"$output/install.log"
rm "$folder"/lib/libperfsift.a  # it links with the packages of the Debian on which it was built only
"$strip" -o "$folder/bin/perfsift" "$build/perfsift_portable"
"$here/hide_interpreter.py" "$folder/bin/perfsift"
# libperfsift.so and the modules run in programs of others, with the glibc of the system.
find "$folder/lib" -name '*perfsift*.so*' -type f -print0 | while IFS= read -rd '' file; do
  patchelf --force-rpath --set-rpath "\$ORIGIN/$(realpath --relative-to="$(dirname "$file")" "$folder/lib/perfsift")" "$file"
done
find "$folder/bin/perfsift" "$folder/lib" -name '*perfsift*' -type f \( -name perfsift -o -name '*.so*' \) -exec "$here/build_ids.py" {} +
"$here/private_libraries.py" "$folder" "$root"

mkdir -p "$documents"
cp "$source/LICENSE" "$source/CHANGELOG.md" "$documents"
glibc=$(find "$folder/lib" -path "$folder/lib/perfsift/libc" -prune -o -name '*.so*' -type f -print0 |
  xargs -0 "$objdump" -T | grep -oE 'GLIBC_2\.[0-9]+' | sort -uV | tail -n 1 | tr _ ' ')
sed "s/@VERSION@/$version/; s/@MACHINE@/$machine/; s/@GLIBC@/${glibc/GLIBC/glibc}/; s/@GCC@/$("${compiler:-g++}" -dumpversion)/" "$here/README.in" >"$folder/README"
cp "$here/install.sh" "$folder"
cp "$here/uninstall.sh" "$folder/share/perfsift"
SOURCE_DATE_EPOCH=$epoch "$here/inside.py" "$source" "$build" "$folder" "$documents/perfsift.spdx.json" "$root"
cp "$documents/perfsift.spdx.json" "$output/$name.spdx.json"
touch "$folder/share/perfsift/files"
(cd "$folder" && find bin lib share include ! -type d | sort >"$output/files" && mv "$output/files" share/perfsift/files)

tar --create --directory="$output" --format=gnu --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner \
  --mode='u=rwX,go=rX' "$name" >"$output/$name.tar"
rm -r "$folder" "$output/install.log"
cd "$output"
zstd --quiet "-${ZSTD_LEVEL:-19}" --single-thread "$name.tar"
gzip --no-name "-${GZIP_LEVEL:-9}" "$name.tar"  # bare systems have gzip, but neither zstd nor xz
sha256sum -- "$name".* >SHA256SUMS
ls -l "$output"
