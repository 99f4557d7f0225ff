#!/bin/bash
# Remakes demo.data and the program in it, symfs/opt/perfsift-demo/demo. Needs root, for /opt and for the
# host name; every run samples other moments, so what is expected of demo.data changes with it.
#
# The program is linked statically and keeps its symbol table, so every frame has a name on any machine
# (`--symfs testdata/symfs`). Nothing in the recording shows whose machine it was: it ran in /opt, on a
# host called "demo", without the kernel's samples, and the local version of the kernel is cut off.
set -euo pipefail
cd "$(dirname "$0")"
place=/opt/perfsift-demo
[[ ! -e $place ]] || { echo "$place is in the way" >&2; exit 1; }
mkdir "$place"
trap 'rm -r "$place"' EXIT

g++ -std=c++20 -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -ffile-prefix-map="$PWD=$place" \
  -static -o $place/demo programs/demo.cpp -pthread
strip --strip-debug $place/demo

unshare --uts sh -c "hostname demo && cd $place && perf record -q -N -F 2000 -g -e cpu-clock:u -o demo.data ./demo"

RELEASE=$(uname -r) perl -0pi -e '
  my ($kernel) = $ENV{RELEASE} =~ /^([0-9.]+)/;
  my $cut = $kernel . "\0" x (length($ENV{RELEASE}) - length($kernel));
  s/\Q$ENV{RELEASE}\E\0/$cut\0/g' $place/demo.data

mkdir -p symfs$place
cp $place/demo symfs$place/demo
install -m 644 $place/demo.data demo.data
