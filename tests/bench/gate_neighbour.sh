#!/bin/bash
# Whether perfsift check fails a program because of the work of another program:
#   gate_neighbour.sh BUILD [RECORDINGS [PAIRS [ROUNDS]]]
# BUILD has the program gate_simulation. RECORDINGS times, the same program is recorded twice in turn, with the kernel:
# alone, and while another program writes to the disk. Pairs of both are compared, with and without the samples in
# interrupts. Every failure is wrong.
set -euo pipefail
build=$(realpath "${1:?Usage: gate_neighbour.sh BUILD [RECORDINGS [PAIRS [ROUNDS]]]}")
recordings=${2:-20} pairs=${3:-1000} rounds=${4:-4000}
scratch=$(mktemp -d)
neighbour=
stop_neighbour() {
  [[ -z $neighbour ]] || { kill "$neighbour" && wait "$neighbour"; } 2>/dev/null || true
  neighbour=
}
trap 'stop_neighbour; rm -rf "$scratch"' EXIT
cc -O2 -g -fno-omit-frame-pointer -o "$scratch/program" "$(dirname "$0")/gate_program.c"
alone=() beside=()
for ((i = 0; i < recordings; ++i)); do
  for kind in alone beside; do
    if [[ $kind == beside ]]; then
      dd if=/dev/zero of="$scratch/written" bs=4k count=200000 oflag=direct 2>/dev/null &
      neighbour=$!
    fi
    perf record -q -F 4000 -e cpu-clock -g -o "$scratch/$kind.$i" -- "$scratch/program" "$rounds" 0 >/dev/null
    stop_neighbour
  done
  alone+=("$scratch/alone.$i") beside+=("$scratch/beside.$i")
done
: >"$scratch/deltas"
"$build/gate_simulation" --repeats "$pairs" sorting "$scratch/deltas" "${alone[@]}" --0 "${beside[@]}"
