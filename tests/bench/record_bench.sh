#!/bin/bash
# What perfsift record and perf record cost, one after the other on the same work.
#
#   record_bench.sh WORKLOAD [SECONDS]       WORKLOAD: record_workload of tests/oracle
#
# The recorders attach to all CPUs, so wait4(2) gives the cost of the recorder alone. The environment may set RUNS (3: the
# medians are printed) and PERFSIFT (build/release/perfsift). Wake-ups are voluntary switches. Memory is the largest
# resident size, which has the rings that were touched.
set -eu
workload=$(realpath -e "${1:?WORKLOAD}")
seconds=${2:-5}
perfsift=$(realpath -e "${PERFSIFT:-$(dirname "$0")/../../build/release/perfsift}")
scratch=$(mktemp -d)
loads=()
end_loads() { ((${#loads[@]} == 0)) || kill "${loads[@]}" 2>/dev/null || true; loads=(); }
trap 'end_loads; rm -rf "$scratch"' EXIT
cd "$scratch"
export DEBUGINFOD_URLS=

cat >cost.py <<'P'
# cost.py RUNS COMMAND…: CPU seconds, wake-ups, MB resident, MB written, lost records, samples; medians.
import os, re, statistics, subprocess, sys
rows = []
for run in range(int(sys.argv[1])):
    with open("errors", "w") as errors:
        command = subprocess.Popen(sys.argv[2:], stdout=errors, stderr=errors)
        _, status, usage = os.wait4(command.pid, 0)
    if status:
        sys.exit(open("errors").read())
    stats = subprocess.run(["perf", "report", "--stats", "-i", "out.data"], capture_output=True, text=True).stdout
    count = lambda name: int((re.search(name + r" events:\s+(\d+)", stats) or [0, 0])[1])
    rows.append((usage.ru_utime + usage.ru_stime, usage.ru_nvcsw, usage.ru_maxrss / 1e3,
                 os.path.getsize("out.data") / 1e6, count("LOST"), count("SAMPLE")))
print("%8.3f s %8d wake-ups %7.0f MB resident %8.1f MB written %5d LOST records %9d samples" %
      tuple(statistics.median(column) for column in zip(*rows)))
P

# A bound for any recorder that writes as much: CPU seconds of the kernel for as many bytes that lie in memory; the median.
cat >bound.py <<'P'
import os, resource, statistics, sys
size, block = os.path.getsize("out.data"), bytes(range(256)) * 4096
def write():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_stime
    with open("bytes", "wb", buffering=0) as file:
        for _ in range(size // len(block)): file.write(block)
    return resource.getrusage(resource.RUSAGE_SELF).ru_stime - before
print("%8.3f s" % statistics.median(write() for _ in range(int(sys.argv[1]))))
os.unlink("bytes")
P

recorder() { # NAME COMMAND…
  printf '  %-30s' "$1"
  python3 cost.py "${RUNS:-3}" "${@:2}" -o out.data -- sleep "$seconds"
}
beside() { # NAME OPTION…
  echo "$1: ${*:2}"
  recorder 'perf record' perf record "${@:2}"
  recorder 'perf record -B -N -m 4M' perf record -B -N -m 4M "${@:2}"
  recorder 'perfsift record' "$perfsift" record "${@:2}"
  recorder 'perfsift record -m 512K' "$perfsift" record -m 512K "${@:2}"
  printf '  %-30s' 'write() of these bytes alone'
  python3 bound.py "${RUNS:-3}"
}

spin_everywhere() {
  for ((cpu = 0; cpu < $(nproc); ++cpu)); do "$workload" spin 1000000000 & loads+=($!); done
}
spin_everywhere
beside '20,000 samples/s a CPU with callchains' -a -g -e cpu-clock -F 20000
beside '8 KiB of stack, 4,000/s a CPU' -a --call-graph dwarf,8192 -e cpu-clock -F 4000
end_loads

cat >ping.py <<'P'
import os
a, b = os.pipe(), os.pipe()
if os.fork():
    while True: os.write(a[1], b"x"); os.read(b[0], 1)
else:
    os.close(a[1])  # so that the child ends with its parent
    while os.read(a[0], 1): os.write(b[1], b"x")
P
for ((cpu = 0; cpu < $(nproc); ++cpu)); do taskset -c "$cpu" python3 ping.py 2>/dev/null & loads+=($!); done
beside 'each switch' -a -e sched:sched_switch -c 1
end_loads

echo "start-up (record true; seconds, median):"
for command in "perf record -q -o out.data true" "perf record -q -a -o out.data true" "$perfsift record -q -o out.data true" \
  "$perfsift record -q -a -o out.data true"; do
  for ((run = 0; run < 7; ++run)); do
    begin=$EPOCHREALTIME
    $command >/dev/null 2>&1
    echo "$EPOCHREALTIME $begin" | awk '{ print $1 - $2 }'
  done | sort -g | sed -n 4p | sed "s|^|  $(basename "${command%% *}") ${command#* }: |"
done

echo "the program's own time (spin 600000; seconds, median):"
for command in "" "perf record -q -g -F 20000 -e cpu-clock -o out.data" "$perfsift record -q -g -F 20000 -e cpu-clock -o out.data"; do
  for ((run = 0; run < 5; ++run)); do
    TIMEFORMAT=%U
    { time $command "$workload" spin 600000 >/dev/null 2>&1; } 2>&1
  done | sort -g | sed -n 3p | sed "s|^|  ${command:-alone}: |; s|$perfsift|perfsift|"
done
