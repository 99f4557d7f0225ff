#!/bin/bash
# What perfsift record --offcpu answers at once must be what perfsift offcpu reads from a file: of the same run, recorded by
# two recorders, with a workload whose number of waits is known.
#
#   record_offcpu.sh PERFSIFT IN_KERNEL_WAITS
#
# Exit status: 0 equal, 1 different, 77 when switches cannot be recorded here.
set -u
perfsift=$(realpath -e "$1") && waits=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
in_scratch
"$perfsift" record -q --preset offcpu -a -o probe.data -- true 2>errors || skip "cannot record switches: $(tr '\n' ' ' <errors)"

"$perfsift" record -q --preset offcpu -a -m 16M -o full.data -- \
  "$perfsift" record -a -m 16M --offcpu=--json -- sh -c '"$0" 0 >own.log' "$waits" >at_once.json 2>summary || bad "record --offcpu: $(cat summary)"
grep -q 'none lost, .* read by perfsift offcpu' summary || bad "the summary: $(cat summary)"
"$perfsift" offcpu -q --json full.data >of_file.json 2>errors || bad "offcpu: $(cat errors)"
python3 - <<'END_OF_PYTHON' || bad "the answer at once and the answer of the file: $(cat summary errors)"
import json, re, sys
at_once, of_file = [{(t["comm"], t["tid"]): t["off_cpu"] for t in json.load(open(name))["threads"] if t["comm"].startswith("k-")}
                    for name in ("at_once.json", "of_file.json")]
wrong = [key for key in at_once.keys() ^ of_file.keys()]
for key, sums in at_once.items():
    if key in wrong: continue
    # Each recorder reads the clock by itself at each switch, and a virtual machine may pause in between.
    slack = 20_000 * (sums["intervals"] + 1) + sums["off_cpu"] // 100
    same = sums["intervals"] == of_file[key]["intervals"]
    close = all(abs(sums[part] - of_file[key][part]) <= slack for part in ("off_cpu", "blocked", "run_queue"))
    if not (same and close): wrong.append(key)
for key in wrong[:10]: print("DIFFERENT:", key, at_once.get(key), of_file.get(key))
sleeps = [sums["intervals"] for (comm, _), sums in at_once.items() if comm == "k-sleep"]
print(len(at_once), "threads,", len(wrong), "differ; intervals of k-sleep:", sleeps)
# The thread counts its switches itself: see in_kernel_waits.cpp. There is one for nearly each of its 408 sleeps.
own = int(re.search("^k-sleep left its CPU ([0-9]+) times$", open("own.log").read(), re.M)[1])
print("by its own count:", own)
sys.exit(not (len(at_once) > 3 and not wrong and len(sleeps) == 1 and 400 <= own <= 480 and abs(sleeps[0] - own) <= 4))
END_OF_PYTHON
conclude
