#!/bin/bash
# What `perfsift offcpu --in-kernel` costs: the programs for each switch, by the kernel's own count; a load of switches; and
# the CPU time of the reader, beside recorders of every switch.
#   in_kernel_bench.sh PERFSIFT [SECONDS]
# As root. Exit status 77 where BPF programs cannot be loaded, or perf is missing.
set -euo pipefail
perfsift=$(realpath -e "${1:?Usage: in_kernel_bench.sh PERFSIFT [SECONDS]}") seconds=${2:-5}
scratch=$(mktemp -d)
statistics=$(cat /proc/sys/kernel/bpf_stats_enabled)
trap 'echo "$statistics" >/proc/sys/kernel/bpf_stats_enabled; rm -rf "$scratch"' EXIT
cd "$scratch"
command -v perf bpftool >/dev/null || { echo "skipped: no perf or no bpftool"; exit 77; }
"$perfsift" offcpu --in-kernel --max-time 100ms >/dev/null 2>errors || { cat errors; exit 77; }

# Two processes that wake each other in turn, on one CPU: each message is two switches. Prints microseconds of one.
switch() { taskset -c 0 perf bench sched pipe -l 200000 2>/dev/null | awk '/usecs\/op/ { printf "%.2f", $1 / 2 }'; }

median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

measured() { # NAME COMMAND…: the time of a switch while COMMAND measures, and the CPU time of COMMAND
  local name=$1 times recorder
  shift
  "$@" >/dev/null 2>errors &
  recorder=$!
  sleep 1.5
  times=$(for _ in 1 2 3; do switch; echo; done | median)
  local programs=
  if [[ $1 == "$perfsift" && $* == *--in-kernel* ]]; then
    programs=$(bpftool prog list | awk '
      / name on_switch / { for (i = 1; i <= NF; ++i) { if ($i == "run_time_ns") t = $(i + 1); if ($i == "run_cnt") n = $(i + 1) } }
      END { if (n) printf ", on_switch %.0f ns", t / n }')
  fi
  local ticks
  ticks=$(awk '{ print $14 + $15 }' "/proc/$recorder/stat")
  for child in $(pgrep -P $recorder); do ticks=$((ticks + $(awk '{ print $14 + $15 }' "/proc/$child/stat"))); done
  kill -INT $recorder
  wait $recorder || true
  printf '%-28s a switch takes %s us%s; the reader %s s of CPU time\n' "$name" "$times" "$programs" \
    "$(awk -v t="$ticks" -v hz="$(getconf CLK_TCK)" 'BEGIN { printf "%.2f", t / hz }')"
}

printf '%-28s a switch takes %s us\n' nothing "$(for _ in 1 2 3; do switch; echo; done | median)"
echo 1 >/proc/sys/kernel/bpf_stats_enabled
for stacks in none user kernel both; do
  measured "in the kernel, stacks: $stacks" "$perfsift" offcpu --in-kernel --stacks $stacks -q --max-time 60s
done
measured "in the kernel, --over 50us" "$perfsift" offcpu --in-kernel --over 50us -q --max-time 60s
echo 0 >/proc/sys/kernel/bpf_stats_enabled
measured "perfsift record, no stacks" "$perfsift" record -q -a -e sched:sched_switch -e sched:sched_waking -c 1 -o all.data
measured "perfsift record --preset" "$perfsift" record -q -a --preset offcpu -o all.data
measured "perf record, no callchains" perf record -q -a -e sched:sched_switch -e sched:sched_waking -o perf.data
measured "perf record -g" perf record -q -a -g -e sched:sched_switch -e sched:sched_waking -o perf.data

# How long the machine stands still while the programs are attached: the longest gap of a thread that reads the clock.
python3 - "$perfsift" "$seconds" <<'END_OF_PYTHON'
import subprocess, sys, threading, time
longest = {}
def watch(name, until):
    last, worst = time.monotonic(), 0
    while not until.is_set():
        now = time.monotonic()
        worst = max(worst, now - last)
        last = now
    longest[name] = worst
for name, command in (("nothing", ["sleep", "1"]),
                      ("attaching and detaching", [sys.argv[1], "offcpu", "--in-kernel", "-q", "--max-time", "500ms"])):
    until = threading.Event()
    thread = threading.Thread(target=watch, args=(name, until))
    thread.start()
    begin = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until.set(), thread.join()
    print(f"{name}: {time.monotonic() - begin:.2f} s, the longest gap of a busy thread {1000 * longest[name]:.1f} ms")
END_OF_PYTHON
