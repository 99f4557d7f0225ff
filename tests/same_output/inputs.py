"""The inputs of all runs: recordings, texts, and the programs they name. They are made once in the work folder, and
both builds read the same files.

An input that cannot be made here (no perf, no compiler, no permission) is left out, and the caller says so.
"""

import bisect
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
# Programs of a build with tests, which write recordings of simulated machines.
MODELS = ("intel", "amd", "hybrid", "spe", "spe_threads", "spe1_switches", "ibs", "ibs_zen2_random", "ibs_fields")
# perf record, with -o NAME.data; {program} and {waits} are the programs of PROGRAMS.
RECORDINGS = {
    "fp": "-g -F 2000 -e cpu-clock {program}",
    "again": "-g -F 2000 -e cpu-clock {program}",
    "dwarf": "--call-graph dwarf,8192 -F 800 -e cpu-clock {program}",
    "short": "--call-graph dwarf,512 -F 800 -e cpu-clock {program}",
    "plain": "--sample-cpu -F 2000 -e cpu-clock {program}",
    "events": "-g -F 1500 --namespaces --all-cgroups -e cpu-clock,task-clock:u,page-faults -- "
              "sh -c '{shell}; {program}'",
    "group": "-g -F 800 -e '{{cpu-clock,task-clock,page-faults}}:S' -- {program}",
    "compressed": "-z -g -F 2000 -e cpu-clock {program}",
    "directory": "-a --threads -g -F 1000 -e cpu-clock -- {program}",
    "faults": "-c 1 -d -W --phys-data --data-page-size --code-page-size --sample-cpu -k mono -e page-faults {program}",
    "switches": "-a -g -e sched:sched_switch -e sched:sched_waking -e cpu-clock -F 500 -- {waits} waits.file",
    "unrecorded_cpus": "-g -e sched:sched_switch,sched:sched_stat_runtime -- {waits} waits.file",
    "switch_events": "--switch-events -g -F 1000 -e cpu-clock -- {waits} waits.file",
    "rounds": "-m 4 -g -a -F 4000 -e cpu-clock -- {program}",
}
PROGRAMS = {"program": "tests/oracle/workload.cpp", "waits": "tests/oracle/offcpu_waits.cpp"}
SHELL = "for i in 1 2 3 4 5 6; do ls / | grep -c x; done"


class Inputs:
    """The files in `folder`, and the reasons why others are missing."""

    def __init__(self, folder, builds, corpora):
        self.folder, self.builds, self.corpora = folder, builds, corpora
        self.home = folder.parent / "home"  # the home in which perf keeps copies of binaries
        self.left_out = {}

    def make(self):
        """Makes the missing inputs."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.home.mkdir(exist_ok=True)
        (self.folder / "nothing").mkdir(exist_ok=True)
        self._copy_testdata()
        self._write_texts()
        self._write_fake_programs()
        self._record()
        self._simulate()
        self._copy_corpora()
        self._damage()
        self._keep_kernel_functions()

    def fingerprint(self):
        """A hash that changes with the inputs' contents and with the running kernel, whose functions appear in
        outputs."""
        digest = hashlib.sha256(pathlib.Path("/proc/sys/kernel/random/boot_id").read_bytes())
        for path in sorted(path for path in self.folder.rglob("*") if path.is_file()):
            digest.update(str(path.relative_to(self.folder)).encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def recordings(self):
        """The names of all recordings."""
        return sorted(path.name.removesuffix(".data") for path in self.folder.glob("*.data"))

    def threads(self, recording):
        """The process and the thread of the first sample, as perf script prints them."""
        stored = self.folder / f"{recording}.threads"
        if not stored.exists():
            printed = self._run(f"perf script -G -F pid,tid -i {recording}.data")
            ids = [words.split("/") for words in printed.stdout.split() if "/" in words]
            stored.write_text(json.dumps(ids[0] if ids else ["0", "0"]), encoding="utf-8")
        return json.loads(stored.read_text(encoding="utf-8"))

    def _run(self, line):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LC_ALL": "C.UTF-8", "DEBUGINFOD_URLS": ""}
        return subprocess.run(["/bin/sh", "-c", line], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", check=False)

    def _keep_kernel_functions(self):
        """The part of /proc/kallsyms that the recordings of this kernel need, which is read a hundred times as fast."""
        if (self.folder / "kallsyms").exists():
            return
        addresses = []
        for name in (*RECORDINGS, "piped"):
            printed = self._run(f"perf script -F ip,addr -i {name}.data --kallsyms /dev/null").stdout
            addresses += [word for word in printed.split() if re.fullmatch("ffff[0-9a-f]{12}", word)]
        lines = sorted(pathlib.Path("/proc/kallsyms").read_text(encoding="utf-8").splitlines())
        starts = [line[:16] for line in lines]
        kept = {line for line in lines if line.endswith((" _stext", " _text", " _etext"))}
        for address in set(addresses):
            behind = bisect.bisect_right(starts, address)
            first = bisect.bisect_left(starts, starts[behind - 1]) if behind else 0
            last = bisect.bisect_right(starts, starts[behind]) if behind < len(starts) else behind
            kept.update(lines[first:last])
        self._write("kallsyms", "".join(f"{line}\n" for line in sorted(kept)))

    def _need(self, name, made, line):
        """Runs the line, which must make a file or folder. Returns whether the file or folder exists."""
        if (self.folder / made).exists():
            return True
        done = self._run(line)
        if done.returncode == 0 and (self.folder / made).exists():
            return True
        remove(self.folder / made)
        self.left_out[name] = " ".join((done.stderr or "exit status %d" % done.returncode).split())[:200]
        return False

    def _copy_testdata(self):
        testdata = SOURCE / "testdata"
        for path in (testdata / "demo.data", *(testdata / "oracle").glob("*.*")):
            if path.suffix != ".sh":
                self._place(path.name, path.read_bytes())
        if not (self.folder / "symfs").exists():
            shutil.copytree(testdata / "symfs", self.folder / "symfs")

    def _record(self):
        programs, compiler = {"shell": SHELL}, "g++ -std=c++20 -O1 -g -fno-omit-frame-pointer -pthread"
        for name, source in PROGRAMS.items():
            if not self._need(name, name, f"{compiler} -o {name} {SOURCE / source}"):
                return
            programs[name] = f"./{name}"
        for name, arguments in RECORDINGS.items():
            self._need(name, f"{name}.data", f"perf record -q -o {name}.data {arguments.format(**programs)} >/dev/null")
        self._need("piped", "piped.data", "perf record -q -g -F 2000 -e cpu-clock -o - ./program >piped.data")
        for name in (*RECORDINGS, "piped"):
            remove(self.folder / f"{name}.data.old")
        remove(self.folder / "waits.file")

    def _simulate(self):
        def program(name):
            places = [*self.builds, SOURCE / "build" / "release", SOURCE / "build" / "dev"]
            return next((place / name for place in places if (place / name).exists()), f"./{name}")

        for pmu in MODELS:
            self._need(f"model_{pmu}", f"model_{pmu}.data",
                       f"{program('model_recording')} {pmu} 30 model_{pmu}.data model_{pmu}.program")
        for name in ("sched", "cgroup"):
            self._need(f"{name}_model", f"{name}_model.data", f"{program(name + '_recording')} {name}_model.data")

    def _copy_corpora(self):
        listed = self.corpora / "expected.jsonl" if self.corpora else None
        if listed is None or not listed.exists():
            self.left_out["corpora"] = f"{listed} is not there" if listed else "--corpora names the folder"
            return
        for line in listed.read_text(encoding="utf-8").splitlines():
            file = json.loads(line)["file"]
            name = file.replace("/", "_").replace("perf.data.", "").removesuffix(".data") + ".data"
            self._place(f"corpus_{name}", (self.corpora / file).read_bytes())

    def _damage(self):
        for name in ("demo", "dwarf", "compressed"):
            if not (self.folder / f"{name}.data").exists():
                continue
            whole = (self.folder / f"{name}.data").read_bytes()
            self._place(f"cut_{name}.data", whole[:len(whole) * 6 // 10])
            changed = bytearray(whole)
            for at in range(len(whole) // 7, len(whole), len(whole) // 7):
                changed[at] ^= 0xFF
            self._place(f"changed_{name}.data", bytes(changed))
        self._place("empty.data", b"")
        self._place("noise.data", bytes(range(256)) * 16)

    def _write_texts(self):
        for run in range(3):
            self._write(f"before{run}.txt", gate_text(1000, run))
            self._write(f"after{run}.txt", gate_text(1300, run))
            self._write(f"other{run}.txt", gate_text(1000, run + 7))
        self._write("two_counts.folded", "main;a 10 12\nmain;b 0 7\nmain;c;d 5 5\nmain;e_[k] 9 1\n")
        self._write("strange.folded", "main;na\u00efve;<b>&amp;\"x\"]]> 5\nmain;\u65e5\u672c 6\n# comment\n\n"
                                      "main;f(int, char) 2.5\n")
        self._write("colours", "main->rgb(1,2,3)\n\nquick_sort->rgb(200,100,0)\n")
        self._write("key", "a key for masks\n")
        self._write("filter", "# comment\nperiod > 0 &&\n  depth >= 1\n")
        self._write("idle", "do_sys_poll\nhrtimer_nanosleep clock_*\n")
        self._write("names", "main\nb\nsorter\n")
        self._write("list", "before0.txt\nbefore1.txt\n")
        self._write("budget", BUDGET)
        self._write("wrong_budget", "totl(\"main\") < 1%\nself(\"f\") <\nshare(comm = 3) < 1%\n")

    def _write(self, name, text):
        self._place(name, text.encode())

    def _place(self, name, content):
        """Writes a file, unless it is there: another comparison may be reading it."""
        path = self.folder / name
        if not path.exists() or path.read_bytes() != content:
            unfinished = self.folder / f"{name}.unfinished"
            unfinished.write_bytes(content)
            unfinished.rename(path)

    def _write_fake_programs(self):
        """Replaces perf record, for perfsift bench, because its recordings would differ in each run. Also replaces
        xdg-open, for perfsift view."""
        (self.folder / "fakes").mkdir(exist_ok=True)
        self._write("fakes/perf", '#!/bin/sh\nwhile [ "$1" != -- ]; do [ "$1" = -o ] && out=$2; shift; done\nshift\n'
                          'cp ../../in/demo.data "$out"\nexec "$@"\n')
        self._write("fakes/xdg-open", "#!/bin/sh\n")
        for name in ("perf", "xdg-open"):
            (self.folder / "fakes" / name).chmod(0o755)


BUDGET = """# A budget of every kind of measure
total("main") < 200%
self("rest1") < 50%
self("work") < baseline + 10%
never "nothing" under "main"
never =~ "^main"
share(comm == "app" && stack has "work") < 5%
p99(offcpu) < 100ms
max(blocked) < 1ms
count(offcpu, wait == lock) < 100
loads(comm == "rx") < 20%
hitm == 0
lost < 0.1%
truncated < 1%
unresolved < 5%
incomplete < 50%
throttled == 0
samples >= 1000
"""


def gate_text(work, run):
    """The text of perf script: `work` samples of one function among 4000 samples of four others, evenly mixed, in the
    way of this run."""
    parts, samples = [], 0
    for part in range(100):
        leaves = [f"rest{i}" for i in range(4) for _ in range(10 + (part * (i + 3) + run) % 3 - 1)]
        leaves += ["work"] * ((part + 1) * work // 100 - part * work // 100)
        for leaf in leaves:
            parts.append(f"app 7/7 [000] {100 + samples / 1000:.6f}: 1 cycles:\n\t401000 {leaf} (/opt/app)\n"
                         "\t402000 main (/opt/app)\n\n")
            samples += 1
    return "".join(parts)


def remove(path):
    """Removes a file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
