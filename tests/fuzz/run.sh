#!/bin/bash
# run.sh BUILD SECONDS [TARGET...]: runs fuzz targets, two at a time, each for SECONDS. "python" is wrong use of the
# module for Python. Finds are stored in BUILD/finds/TARGET. A find is settled when its bytes have become an ordinary
# test.
set -euo pipefail
build=$1 seconds=$2
shift 2
targets=("$@")
if ((${#targets[@]} == 0)); then
  targets=("$build"/*_fuzz)
  targets=("${targets[@]##*/}")
  targets=("${targets[@]%_fuzz}" python)
fi

"$build/fuzz_seeds" "$build/seeds"

fuzz() { # TARGET
  local corpus=$build/corpus/$1 finds=$build/finds/$1
  mkdir -p "$corpus" "$finds"
  if [[ $1 == python ]]; then
    fuzz_python "$finds" >"$build/$1.log" 2>&1
    return
  fi
  # 16 KiB are enough for every seed; -use_value_profile helps to get past the magic numbers of the format.
  nice "$build/$1_fuzz" "$corpus" "$build/seeds/$1" -max_total_time="$seconds" -max_len=16384 -use_value_profile=1 \
    -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 -artifact_prefix="$finds/" >"$build/$1.log" 2>&1
}

# Python's own leaks are not ours. A crash leaves the seed of its round in FINDS/seed.
fuzz_python() { # FINDS
  local here
  here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
  LD_PRELOAD=$(<"$build/python/runtime") ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONPATH=$build/python \
    nice /usr/bin/python3 -B "$here/python_fuzz.py" "$seconds" "$build/seeds/file" "$1/seed"
}

failed=0
report() { # TARGET STATUS
  local runs speed
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$1.log")
  speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$build/$1.log")
  printf '%-12s %12s runs %8s/s %s\n' "$1" "${runs:-?}" "${speed:-?}" \
    "$([[ $2 == 0 ]] && echo clean || echo "a find: see $build/$1.log")"
  (($2 == 0)) || failed=1
}

for ((i = 0; i < ${#targets[@]}; i += 2)); do
  declare -A jobs=()
  for target in "${targets[@]:i:2}"; do
    fuzz "$target" &
    jobs[$target]=$!
  done
  for target in "${!jobs[@]}"; do
    status=0
    wait "${jobs[$target]}" || status=$?
    report "$target" "$status"
  done
  unset jobs
done
exit "$failed"
