#!/bin/bash
# perfsift offcpu --in-kernel that runs for days: reports in periods, messages to a service manager, metrics of its own cost, a
# beginning at a time of the day, and filters that BPF programs decide.
#
#   in_kernel_service.sh PERFSIFT IN_KERNEL_WAITS
#
# Exit status: 0 all is well, 1 something is not, 77 when BPF programs cannot be loaded here.
set -u
perfsift=$(realpath -e "$1") && waits=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
in_scratch

"$perfsift" record --preset offcpu --in-kernel -a -o probe.data --max-time 100ms >/dev/null 2>errors ||
  skip "BPF programs cannot be loaded here: $(head -n 1 errors)"

echo "== reports in periods, without a gap: together they are the report of the whole"
# shellcheck disable=SC2016
"$perfsift" offcpu --in-kernel -q --json --every 300ms -- sh -c 'for i in 1 2 3; do "$0" 0 >>own.log; done' "$waits" >reports 2>errors ||
  { bad "--every: $(cat errors)"; }
python3 - <<'END_OF_PYTHON' || bad "--every"
import json, re, sys
text, reports, decoder = open("reports").read(), [], json.JSONDecoder()
while text.strip():
    report, end = decoder.raw_decode(text.lstrip())
    reports.append(report)
    text = text.lstrip()[end:]
gaps = [after["start"] - before["end"] for before, after in zip(reports, reports[1:])]
def waits(comm):
    return [sum(t["off_cpu"]["intervals"] for t in report["threads"] if t["comm"] == comm and "off_cpu" in t) for report in reports]
def all_are_there(comm):
    """As many intervals as the threads' own counts of switches, but for what the kernels of some virtual machines do not trace."""
    own = sum(int(count) for count in re.findall(f"^{comm} left its CPU ([0-9]+) times$", open("own.log").read(), re.M))
    print(waits(comm), "intervals of", comm + ", which left its CPU", own, "times")
    return own > 1000 and abs(sum(waits(comm)) - own) <= 0.01 * own
print(len(reports), "reports,", gaps, "ns between them")
sys.exit(not (len(reports) >= 3 and not any(gaps) and sum(count > 0 for count in waits("k-sleep")) >= 2
              and all_are_there("k-sleep") and all_are_there("k-pipe")
              and all(report["in_kernel"]["attach_time"] == 0 for report in reports[1:]) and reports[0]["in_kernel"]["attach_time"] > 0))
END_OF_PYTHON
"$perfsift" offcpu --in-kernel -q --every 400ms --max-time 1500ms >reports 2>errors || bad "--every as text"
dates=$(grep -cE '^== from 20[0-9-]+ [0-9:]+$' reports)
((dates >= 2)) || bad "$dates reports: $(cat reports)"
[[ $(grep -c '^Their time' reports) == "$dates" ]] || bad "$dates dates: $(cat reports)"
"$perfsift" offcpu --in-kernel -q --every 400ms --max-time 20s 2>errors >/dev/full && bad "a full standard output"
grep -q 'No space left' errors || bad "a full standard output: $(cat errors)"

(timeout 20 "$perfsift" offcpu --in-kernel -q --every 300ms --max-time 60s; echo $? >status) | head -n 2 >/dev/null
[[ $(cat status) == 0 ]] || bad "a closed standard output: $(cat status)"
if command -v bpftool >/dev/null; then
  programs() { bpftool prog list | grep -cE 'name on_(switch|waking|wakeup|wakeup_new|fork|exec) '; }
  "$perfsift" offcpu --in-kernel -q --every 300ms --max-time 60s >reports 2>&1 &
  recorder=$!
  for _ in {1..100}; do (($(grep -c '^== from' reports) >= 3)) || sleep 0.1; done
  kill -KILL $recorder
  wait $recorder 2>/dev/null
  for _ in 1 2 3 4 5 6 7 8 9 10; do (($(programs) == 0)) || sleep 0.2; done
  (($(grep -c '^== from' reports) >= 3)) || bad "no 3 reports: $(cat reports)"
  (($(programs) == 0)) || bad "$(programs) programs stay after a kill"
fi

echo "== messages to a service manager"
python3 - "$perfsift" <<'END_OF_PYTHON' || bad "sd_notify"
import json, os, re, signal, socket, subprocess, sys, tempfile, time
wrong = 0
def check(is_right, *what):
    global wrong
    if not is_right:
        wrong += 1
        print("DIFFERENT:", *what)

def messages(place, signal_number, words=(), seconds=2.4):
    """The messages of a run that a signal ends, its exit status, and what it printed."""
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(place.replace("@", "\0"))
    manager.settimeout(60)
    environment = {**os.environ, "NOTIFY_SOCKET": place, "WATCHDOG_USEC": "1200000"}
    process = subprocess.Popen([sys.argv[1], "offcpu", "--in-kernel", "-q", *words], env=environment, stdout=subprocess.PIPE)
    texts = []
    if not words:
        texts.append(manager.recv(100))
        time.sleep(seconds)
        process.send_signal(signal_number)
    output = process.communicate()[0]
    manager.setblocking(False)
    try:
        while True: texts.append(manager.recv(100))
    except BlockingIOError:
        return texts, process.returncode, output

for place, number in ((os.path.abspath("notify"), signal.SIGTERM), (f"@perfsift-test-{os.getpid()}", signal.SIGINT)):
    texts, status, output = messages(place, number)
    check(texts[0] == b"READY=1" and texts[-1] == b"STOPPING=1", texts)
    check(texts.count(b"WATCHDOG=1") == len(texts) - 2 and 2 <= len(texts) - 2 <= 5, texts)
    check(status == 0 and b"Their time" in output, status, output[:100])

def reloaded(words):
    """What a run prints that is asked to reload twice."""
    place = f"@perfsift-reload-{os.getpid()}-{'-'.join(words)}"
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(place.replace("@", "\0"))
    manager.settimeout(60)
    printed = tempfile.TemporaryFile()  # a pipe that nobody reads yet would be full of the reports of a busy machine
    process = subprocess.Popen([sys.argv[1], "offcpu", "--in-kernel", "-q", *words], stdout=printed,
                               env={**os.environ, "NOTIFY_SOCKET": place})
    texts = [manager.recv(100)]
    for number in (signal.SIGHUP, signal.SIGHUP, signal.SIGTERM):
        time.sleep(0.4)
        process.send_signal(number)
        texts += [manager.recv(100) for _ in range(1 if number == signal.SIGTERM else 2)]
    process.wait()
    printed.seek(0)
    output = printed.read().decode()
    reloads = [text for text in texts if re.fullmatch(rb"RELOADING=1\nMONOTONIC_USEC=[0-9]+", text)]
    check(len(reloads) == 2 and texts == [b"READY=1", reloads[0], b"READY=1", reloads[1], b"READY=1", b"STOPPING=1"], words, texts)
    check(process.returncode == 0, words, process.returncode)
    return output

output = reloaded([])
check(len(re.findall("^== from 20[0-9-]+ [0-9:]+$", output, re.M)) == len(re.findall("^Their time", output, re.M)) == 3, output[:300])
reports, decoder, text = [], json.JSONDecoder(), reloaded(["--json"])
while text.strip():
    report, end = decoder.raw_decode(text.lstrip())
    reports.append(report)
    text = text.lstrip()[end:]
check(len(reports) == 3 and all(a["end"] == b["start"] for a, b in zip(reports, reports[1:])), [(r["start"], r["end"]) for r in reports])
check("== from" not in reloaded(["--live"]), "--live")
process = subprocess.Popen([sys.argv[1], "offcpu", "--in-kernel", "--max-time", "60s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
time.sleep(1)
process.send_signal(signal.SIGHUP)
check(b"Their time" in process.communicate()[0] and process.returncode == 0, "SIGHUP without a service manager", process.returncode)

texts, status, output = messages(f"@perfsift-command-{os.getpid()}", None, ["--", "sleep", "0.1"])
check(texts == [] and status == 0, "with a command, which may have messages of its own:", texts, status)
for nowhere in ("", "relative", "/nowhere/at/all", "@" + 200 * "x"):
    status = subprocess.run([sys.argv[1], "offcpu", "--in-kernel", "-q", "--max-time", "100ms"], stdout=subprocess.DEVNULL,
                            env={**os.environ, "NOTIFY_SOCKET": nowhere}).returncode
    check(status == 0, nowhere, status)
sys.exit(wrong != 0)
END_OF_PYTHON

echo "== the cost of measuring, as metrics"
"$perfsift" offcpu --in-kernel -q --live --every 500ms --bpf-stats --prometheus metrics -- "$waits" 0 >lines 2>errors || bad "--bpf-stats: $(cat errors)"
python3 - <<'END_OF_PYTHON' || bad "metrics"
import re, sys
lines = open("metrics").read().splitlines()
values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
named = {line.split()[2] for line in lines if line.startswith("# HELP")} & {line.split()[2] for line in lines if line.startswith("# TYPE")}
without = {name for name in values if re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", name) not in named}
number = lambda name: float(values["perfsift_offcpu_" + name])
per_run = number("program_seconds_total") / number("program_runs_total")
print(f"{number('program_runs_total'):.0f} runs of {1e9 * per_run:.0f} ns, recorder {number('recorder_cpu_seconds_total')} s,"
      f" report {number('report_cpu_seconds_total')} s")
if without: print("no HELP or TYPE:", without)
# A switch and a wakeup for each of the 10,000 waits of k-pipe; no run takes a tenth of a millisecond. Other processes are filtered.
sys.exit(not (not without and number("program_runs_total") > 18_000 and 20e-9 < per_run < 100e-6
              and 0.001 < number("recorder_cpu_seconds_total") < 20 and 0.001 < number("report_cpu_seconds_total") < 20
              and number("filtered_total") > 0 and number("left_out_total") == 0))
END_OF_PYTHON
[[ $(grep -c '^[0-9.]*: ' lines) -ge 1 ]] || bad "no line: $(cat lines)"
grep -m 1 '^[0-9.]*: ' lines | grep -q ': 0 switches' && bad "the first line is empty: $(cat lines)"
if [[ $(cat /proc/sys/kernel/bpf_stats_enabled) == 0 ]]; then
  "$perfsift" offcpu --in-kernel -q --live --prometheus metrics --max-time 1200ms >/dev/null 2>&1
  grep -q recorder_cpu metrics || bad "no metrics"
  grep -q program_runs metrics && bad "runs that nobody counts"
fi

echo "== a beginning at a time of the day"
at=$(date -d '+5 seconds' +%T)
"$perfsift" offcpu --in-kernel -q --attach-at "$at" --max-time 1500ms >report 2>errors &
recorder=$!
for _ in {1..30}; do ! command -v bpftool >/dev/null || bpftool prog list | grep -qE 'name on_switch ' || sleep 0.1; done
! command -v bpftool >/dev/null || [[ $(bpftool link list | grep -c 'tp_btf\|raw_tracepoint') == 0 ]] || bad "the programs are attached already"
wait $recorder || bad "--attach-at: $(cat errors)"
[[ $(date +%s) -ge $(date -d "$at" +%s) ]] || bad "--attach-at did not wait"
grep -q '^Their time' report || bad "no report"
"$perfsift" offcpu --in-kernel --attach-at "$(date -d '-1 hour' +%R)" >report 2>errors &
recorder=$!
sleep 1.5
kill -TERM $recorder
wait $recorder && bad "ended before it began, and all is well"
grep -q 'nothing was measured' errors || bad "ended before it began: $(cat errors)"
"$perfsift" offcpu --in-kernel --attach-at 25:00 2>errors >/dev/null
[[ $? == 2 ]] || bad "--attach-at 25:00"
grep -q 'not a time of the day' errors || bad "--attach-at 25:00: $(cat errors)"

echo "== what explain says of a filter is left out in the kernel"
expression='comm == "k-move" && state == "D" && blocked > 1us'
"$perfsift" explain --in-kernel "$expression" | tee explanation
[[ $(grep -c '^decided in the kernel' explanation) == 2 && $(grep -c 'less than 1.00 us are left out in the kernel' explanation) == 1 ]] ||
  bad "explain --in-kernel"
# shellcheck disable=SC2016
for filter in "$expression" 'stack has (sym == "no_such_function")'; do
  "$perfsift" offcpu --in-kernel -q --json --filter "$filter" -- sh -c '"$0" 100 >/dev/null' "$waits" >report 2>errors
  python3 - "$filter" <<'END_OF_PYTHON' || bad "--filter $filter"
import json, sys
report = json.load(open("report"))
left = {t["comm"]: t["off_cpu"]["intervals"] for t in report["threads"] if "off_cpu" in t and t["off_cpu"]["intervals"]}
filtered = report["in_kernel"]["filtered"]
print(sys.argv[1], left, report["of_intervals"], "intervals come here,", filtered, "are left out in the kernel")
# 200 waits of k-move in state D; 10,000 waits of k-pipe, and others.
if "k-move" in sys.argv[1]:
    sys.exit(not (set(left) == {"k-move"} and 100 <= left["k-move"] <= 200 and filtered > 9_000 and report["of_intervals"] < 300))
sys.exit(not (not left and report["of_intervals"] > 9_000))
END_OF_PYTHON
done

echo "== copies of stacks"
# shellcheck disable=SC2016
"$perfsift" offcpu --in-kernel -q --json --over 10ms --call-graph dwarf,16384 --comms k-sleep -- sh -c '"$0" 0 >/dev/null' "$waits" \
  >report 2>errors || bad "--call-graph dwarf: $(cat errors)"
python3 - <<'END_OF_PYTHON' || bad "--call-graph dwarf"
import json, sys
# sleeps() calls sleep_for() 8 times for 16 ms, as a thread of its own: see in_kernel_waits.cpp. Functions of libc have no frame pointers.
spikes = json.load(open("report"))["spikes"]
stacks = {tuple(spike["frames"]) for spike in spikes}
for stack in stacks: print(len(spikes), "waits:", " < ".join(stack))
def is_whole(stack):
    at = [next((i for i, frame in enumerate(stack) if frame.endswith(wanted)), -1)
          for wanted in ("__nanosleep", "::sleep_for", "::sleeps", "start_thread")]
    return -1 not in at and at == sorted(at)
sys.exit(not (len(spikes) >= 7 and all(is_whole(stack) for stack in stacks)))
END_OF_PYTHON
"$perfsift" record --preset offcpu --in-kernel --over 10ms --call-graph dwarf -q -o copies.data -- "$waits" 0 >/dev/null 2>errors || bad "record --call-graph dwarf"
"$perfsift" script copies.data 2>/dev/null | awk '/^k-sleep/ { wait = /perfsift:wait:/ } wait && /::sleeps\(\)/ { n++ } END { exit n < 7 }' ||
  bad "script of a recording with copies"
perf script -i copies.data 2>/dev/null | grep -c '^k-sleep' >/dev/null || bad "perf does not read a recording with copies"
for options in '--call-graph dwarf' '--over 1ms --call-graph dwarf,30000' '--over 1ms --call-graph lbr' '--over 1ms --call-graph fb'; do
  # shellcheck disable=SC2086
  "$perfsift" offcpu --in-kernel $options >/dev/null 2>errors
  [[ $? == 2 ]] || bad "$options: $(cat errors)"
done

conclude
