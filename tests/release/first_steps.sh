#!/bin/bash
# The commands of README.md's first block, in one shell and as they stand there, up to a flame graph: with an archive, a
# program and a new user in a root. What is printed is what README.md shows, but for figures.
#
#   first_steps.sh ARCHIVE.tar.gz ROOT USER      USER: a number; ROOT is changed and needs bash, tar, gzip and coreutils
set -euo pipefail
source=$(realpath -e "$(dirname "$0")/../..")
archive=$(realpath -e "$1") root=$(realpath -e "$2") user=$3
fail() { echo "$*" >&2; exit 1; }
[[ $archive == *x86_64* ]] || { echo "not compared: README.md's first commands, which are for x86-64"; exit; }
home=$root/home/you  # as README.md has it
rm -rf "$home"
mkdir -p "$home"
cp "$archive" "$home"
cp "$source/testdata/symfs/opt/perfsift-demo/demo" "$home/program"
chown -R "$user:$user" "$home"

page=$(sed '1,/^```console$/d; / flame /q; /^```$/q' "$source/README.md")
steps=$(sed -n 's/^\$ //p' <<<"$page")
[[ $steps == tar\ *install.sh*perfsift\ record*perfsift\ flame* ]] || fail "README.md begins with other commands: $steps"
SECONDS=0 status=0
# Where programs usually are, and no folder below $HOME.
printed=$(chroot --userspec="$user:$user" "$root" env -i HOME=/home/you PATH=/usr/local/bin:/usr/bin:/bin \
  bash -ec "cd
$steps" 2>&1 </dev/null) || status=$?
refused='neither cycles nor cpu-clock can be opened'
if grep -q "$refused" <<<"$printed"; then
  echo "not recorded: what README.md records, as user $user ($refused)"
  exit
fi
((status == 0)) || fail "README.md's first commands fail as user $user: $printed"
grep -q scramble "$home/program.svg" || fail "the flame graph does not show the program"
((SECONDS < 120)) || fail "took $SECONDS s"
shape() { sed -E 's/[0-9]+/#/g; s/, (none|# [a-z]+) lost//'; }
expected=$(grep -v '^\$ ' <<<"$page")
# root installs elsewhere, where programs are looked for
if ((user == 0)); then expected=$(sed '/^Add to /d; s,/home/you/\.local,/usr/local,g' <<<"$expected"); fi
diff <(shape <<<"$expected") <(grep -v 'warning: .*the kernel is left out' <<<"$printed" | shape) || fail "README.md shows other lines than are printed"
echo "a flame graph after $SECONDS s and $(wc -l <<<"$steps") commands, as user $user"
