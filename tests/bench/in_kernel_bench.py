#!/usr/bin/env python3
"""What `perfsift offcpu --in-kernel` costs, beside nothing, other recorders, and offcputime of bcc.

  in_kernel_bench.py PERFSIFT [ROUNDS [MESSAGES]]

For each recorder: the CPU time of a switch of two processes that wake each other on one CPU, and of a request to redis, with what the
tracepoints add; the CPU time of the recorder while it measures the former, and until it has ended; and the run time of the BPF
programs by the kernel's own count (bpf_stats_enabled), in runs of their own, because counting costs, too. A CPU time is the
sum_exec_runtime of the scheduler, which does not count other processes, and the loads have a real-time priority, so that processes of
a busy machine do not come between two switches. The recorders take turns; medians are printed. Redis (redis-server, redis-tools) and offcputime (bpfcc-tools) are used where they are installed.

As root. Exit status 77 where BPF programs cannot be loaded, or perf or bpftool is missing.
"""
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

STATISTICS = "/proc/sys/kernel/bpf_stats_enabled"
ALONE = ["chrt", "-f", "10", "taskset", "-c", "0"]
MESSAGES = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
REQUESTS = 40_000
PROGRAMS = ("on_switch", "on_waking", "on_wakeup", "on_wakeup_new", "on_fork", "on_exec")


def recorders(perfsift):
    """Names and command lines; the recordings are written into the working folder."""
    switches = ["-e", "sched:sched_switch", "-e", "sched:sched_waking"]
    in_kernel = [perfsift, "record", "-q", "--preset", "offcpu", "--in-kernel", "-a", "--no-buildid-mmap", "-o", "sums.data"]
    commands = {"nothing": None}
    for stacks, name in (("none", "histogram"), ("user", "user stacks"), ("kernel", "kernel stacks"), ("both", "both stacks")):
        commands["in the kernel: " + name] = [*in_kernel, "--stacks", stacks]
    commands["in the kernel: both, --over 50us"] = [*in_kernel, "--over", "50us"]
    own = [perfsift, "record", "-q", "-a", "--no-buildid-mmap", "-o", "all.data"]
    commands["perfsift record, no stacks"] = [*own, *switches, "-c", "1"]
    commands["perfsift record, callchains"] = [*own, "--preset", "offcpu"]
    commands["perf record, no stacks"] = ["perf", "record", "-q", "-B", "-N", "-a", *switches, "-o", "perf.data"]
    commands["perf record, callchains"] = ["perf", "record", "-q", "-B", "-N", "-a", "-g", *switches, "-o", "perf.data"]
    bcc = shutil.which("offcputime-bpfcc") or shutil.which("offcputime")
    if bcc:
        commands["offcputime of bcc"] = [bcc, "-f"]
    return commands


# --- CPU time ---

def cpu_time(pid):
    """The nanoseconds that the threads of a process had a CPU."""
    total = 0
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                total += int(file.read().split()[0])
    except OSError:
        pass
    return total


def tree(pid):
    """A process and its descendants."""
    found = [pid]
    for one in found:
        try:
            for thread in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{thread}/children") as file:
                    found += [int(child) for child in file.read().split()]
        except OSError:
            pass
    return found


def cpu_of_tree(pid):
    return sum(cpu_time(one) for one in tree(pid))


def run(command):
    """The nanoseconds of CPU time of a command and its children, and what it prints."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        sys.exit(f"{command}: status {status}")
    return round((usage.ru_utime + usage.ru_stime) * 1e9), output


# --- loads: nanoseconds of CPU time for each switch, or request ---

def switches():
    """Each message to the other process, and each answer, is a switch."""
    return run([*ALONE, "perf", "bench", "sched", "pipe", "-l", str(MESSAGES)])[0] / (2 * MESSAGES)


class Redis:
    def __init__(self):
        self.server = None
        if not shutil.which("redis-server") or not shutil.which("redis-benchmark"):
            print("redis-server and redis-benchmark are not installed: no requests")
            return
        self.socket = os.path.abspath("redis.socket")
        command = [*ALONE, "redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "", "--appendonly", "no"]
        self.server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while not os.path.exists(self.socket):
            time.sleep(0.05)

    def requests(self):
        """10 clients that wait for each answer."""
        before = cpu_of_tree(self.server.pid)
        clients, _ = run([*ALONE, "redis-benchmark", "-s", self.socket, "-n", str(REQUESTS), "-c", "10", "-t", "get", "-q"])
        return (clients + cpu_of_tree(self.server.pid) - before) / REQUESTS

    def end(self):
        if self.server:
            self.server.terminate()
            self.server.wait()


# --- recorders ---

class Recorder:
    """A recorder that measures already, or nothing."""

    def __init__(self, command):
        self.process = None
        if command is None:
            return
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open("errors", "w"), start_new_session=True)
        time.sleep(2)
        if self.process.poll() is not None:
            raise RuntimeError(open("errors").read().strip().splitlines()[-1:])
        self.before = cpu_of_tree(self.process.pid)

    def used(self):
        """Seconds of CPU time since it measures."""
        return (cpu_of_tree(self.process.pid) - self.before) / 1e9 if self.process else 0.0

    def end(self):
        """Seconds of CPU time until it has ended."""
        if not self.process:
            return 0.0
        self.process.send_signal(signal.SIGINT)
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = status
        return usage.ru_utime + usage.ru_stime - self.before / 1e9


def measure(command, redis, results):
    recorder = Recorder(command)
    results.setdefault("switch", []).append(switches())
    results.setdefault("while", []).append(recorder.used())
    if redis.server:
        results.setdefault("request", []).append(redis.requests())
    results.setdefault("end", []).append(recorder.end())


def count_programs(command, results):
    """Nanoseconds that each of the BPF programs takes, and how many of each switch there are."""
    recorder = Recorder(command)
    before = programs()
    switches()
    after = programs()
    recorder.end()
    for name in PROGRAMS:
        runs, total = (after[name][i] - before[name][i] for i in (0, 1))
        if runs > MESSAGES / 10:
            results.setdefault(name, []).append(total / runs)


def programs():
    """Runs and nanoseconds of the BPF programs of perfsift."""
    counts = {name: (0, 0) for name in PROGRAMS}
    for one in json.loads(subprocess.run(["bpftool", "-j", "prog", "list"], capture_output=True, check=True).stdout):
        if one.get("name") in counts:
            counts[one["name"]] = (one.get("run_cnt", 0), one.get("run_time_ns", 0))
    return counts


# --- the pause of attaching ---

SPIN = """
import sys, time
clock, end = time.perf_counter_ns, time.perf_counter_ns() + int(sys.argv[1]) * 1000000
last, worst = clock(), 0
while last < end:
    now = clock()
    worst = max(worst, now - last)
    last = now
print(worst)
"""


def pauses(perfsift, rounds):
    """Microseconds: the longest gap of a thread that only reads the clock, alone and while programs are attached and detached by a
    process on the other CPUs; and what the calls that attach take."""
    cpus = sorted(os.sched_getaffinity(0))
    results = {"alone": [], "attaching": [], "calls": []}
    for _ in range(rounds):
        for cpu in cpus if len(cpus) > 1 else ():
            others = ",".join(str(one) for one in cpus if one != cpu)
            spin = ["chrt", "-f", "10", "taskset", "-c", str(cpu), "python3", "-c", SPIN, "400"]
            measuring = [perfsift, "offcpu", "--in-kernel", "-q", "--json", "--max-time", "100ms"]
            results["alone"].append(int(subprocess.run(spin, capture_output=True, check=True).stdout) / 1000)
            thread = subprocess.Popen(spin, stdout=subprocess.PIPE)
            report = subprocess.run(["chrt", "-f", "10", "taskset", "-c", others, *measuring], capture_output=True, check=True).stdout
            results["attaching"].append(int(thread.communicate()[0]) / 1000)
            results["calls"].append(json.loads(report)["in_kernel"]["attach_time"] / 1000)
    if results["alone"]:
        print("the longest gap of a busy thread: alone " + spread(results["alone"], "{:.0f}") + " us, while the programs are attached "
              + spread(results["attaching"], "{:.0f}") + " us; attaching takes " + spread(results["calls"], "{:.0f}") + " us")


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


# --- what is printed ---

def spread(values, form):
    return f"{form.format(statistics.median(values))} ({form.format(min(values))}..{form.format(max(values))})"


def table(results):
    alone = {kind: statistics.median(results["nothing"][kind]) for kind in ("switch", "request") if kind in results["nothing"]}
    for name, figures in results.items():
        if "switch" not in figures:
            continue
        line = f"{name:34} a switch {spread(figures['switch'], '{:.0f}')} ns"
        line += f", +{statistics.median(figures['switch']) - alone['switch']:.0f}"
        if "request" in figures:
            added = statistics.median(figures["request"]) - alone["request"]
            line += f"; a request {spread([one / 1000 for one in figures['request']], '{:.2f}')} us, +{added / 1000:.2f}"
        if name != "nothing":
            line += f"; recorder {spread(figures['while'], '{:.3f}')} s, to its end {spread(figures['end'], '{:.3f}')} s"
        print(line)
    for name, figures in results.items():
        runs = [f"{program} {spread(figures[program], '{:.0f}')} ns" for program in PROGRAMS if program in figures]
        if runs:
            print(f"{name}: by the kernel's count, " + ", ".join(runs))


def main():
    perfsift = os.path.realpath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    if not shutil.which("perf") or not shutil.which("bpftool"):
        print("skipped: no perf or no bpftool")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        probe = subprocess.run([perfsift, "offcpu", "--in-kernel", "--max-time", "100ms"], capture_output=True, text=True)
        if probe.returncode:
            print("skipped:", probe.stderr)
            return 77
        redis = Redis()
        try:
            benchmark(recorders(perfsift), redis, rounds)
            pauses(perfsift, rounds)
        finally:
            redis.end()
            os.chdir("/")
    return 0


def benchmark(commands, redis, rounds):
    results = {name: {} for name in commands}
    for _ in range(rounds):
        for name, command in list(commands.items()):
            try:
                measure(command, redis, results[name])
            except RuntimeError as error:
                print(f"{name}: does not run here: {error}")
                del commands[name]
    with open(STATISTICS) as file:
        before = file.read()
    write(STATISTICS, "1")
    try:
        for _ in range(rounds):
            for name, command in commands.items():
                if "in the kernel" in name:
                    count_programs(command, results[name])
    finally:
        write(STATISTICS, before)
    table(results)


if __name__ == "__main__":
    sys.exit(main())
