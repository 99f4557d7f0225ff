#!/usr/bin/env python3
"""What docs/stability.md promises, against lists and files stored in testdata/stable.

  stable.py PERFSIFT BUILD      PERFSIFT_BLESS=1 adds what is new to the lists; nothing removes a line but a person

  options.txt         each command with each of its options
  words.txt           fields of filters, measures of budgets, and values of options: sort keys, formats
  json_keys.txt       each key of JSON that a command prints, with the type of its value
  python_names.txt    what `from perfsift import *` imports
  exit_statuses.txt   command lines and their exit statuses
  VERSION/            a cache, a stored profile and a packed recording that this or an earlier version wrote, and what that version
                      printed (tests/release/store_files.sh)
"""
import ast
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
STORED = SOURCE / "testdata/stable"
DEMO = ["--symfs", str(SOURCE / "testdata/symfs"), "demo.data"]

# The commands whose JSON is promised. The recordings: demo.data, switches.data and accesses.data.
JSON_OF = {
    "report": ["report", "--json", *DEMO],
    "report --tree": ["report", "--tree", "--json", *DEMO],
    "report --annotate": ["report", "--annotate", "demo::scramble", "--json", *DEMO],
    "info": ["info", "--json", *DEMO],
    "info of switches": ["info", "--json", "switches.data"],
    "diff": ["diff", "--json", *DEMO, "demo.data"],
    "check": ["check", "--json", "--baseline", "before.folded", "--candidate", "after.folded"],
    "offcpu": ["offcpu", "--json", "switches.data"],
    "mem": ["mem", "--json", "accesses.data"],
    "mem --raw": ["mem", "--raw", "--json", "accesses.data"],
    "c2c": ["c2c", "--json", "accesses.data"],
    "filter": ["filter", "--json", "-o", "kept.data", "demo.data"],
    "symbolize": ["symbolize", "--json", "-e", str(SOURCE / "testdata/symfs/opt/perfsift-demo/demo"), "401000"],
    "export --to jsonl": ["export", "--to", "jsonl", "-o", "-", *DEMO],
}
# Of a store: see add_store(). Left out without libchdb, which comes from npm.
STORE_JSON_OF = {
    "store list": ["store", "list", "--json", "chdb:fleet"],
    "store show": ["store", "show", "--json", "chdb:fleet"],
    "fleet": ["fleet", "--json", "chdb:fleet"],
}
CHDB = SOURCE / "build/npm/node_modules/@chdb/lib-linux-x64-gnu/libchdb.so"
# The options with a closed list of values.
VALUES_OF = {"report": "--sort", "offcpu": "--sort", "mem": "--sort", "export": "--to"}
LINES = {"export --to jsonl", "symbolize", "mem --raw"}  # an object on each line


def run(perfsift, words, folder, cache="cache"):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "XDG_CACHE_HOME": str(folder / cache), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    if CHDB.exists():
        environment["PERFSIFT_CHDB"] = str(CHDB)
    return subprocess.run([perfsift, *words], cwd=folder, env=environment, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)


def keys(value, path="."):
    """".functions[].self number": every key, with the type of its value."""
    kinds = {dict: "object", list: "array", str: "text", bool: "truth", int: "number", float: "number", type(None): "null"}
    yield f"{path} {kinds[type(value)]}"
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from keys(inner, f"{path.rstrip('.')}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, f"{path}[]")


def add_store(perfsift, folder):
    """A fleet of 12 hosts with two versions: one function became slower, and one host runs something else."""
    files = []
    (folder / "hosts").mkdir()
    for host in range(12):
        for version in (1, 2):
            counts = {"parse": 40000 + 37 * host, "sort": (20000 if version == 1 else 26000) + 53 * host, "send": 15000 - 29 * host}
            if host == 3:
                counts["rebuild"] = 30000
            text = "".join(f"program;main;{name} {count}\n" for name, count in counts.items())
            files.append(f"hosts/h{host}-{version}.folded")
            (folder / files[-1]).write_text(text)
    (folder / "rules").write_text("path hosts/(?P<host>h[0-9]+)-(?P<version>[0-9])\\.folded$\n")
    done = run(perfsift, ["store", "add", "--label-rules", "rules", "--label", "service=shop", "chdb:fleet", *files], folder)
    if done.returncode != 0:
        raise RuntimeError(f"store add: {done.stderr.decode()}")


class Promises:
    def __init__(self, perfsift, folder):
        self.perfsift, self.folder = perfsift, folder
        self.complaints = []

    def output_of(self, words):
        done = run(self.perfsift, words, self.folder)
        if done.returncode not in (0, 1, 5):
            self.complaints.append(f"perfsift {' '.join(words)}: exit status {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode()

    def compare(self, name, lines, left_out=()):
        """Complains of lines that are stored and not there any more, and of new lines, which become promises. `left_out`: of
        these commands nothing is known."""
        path = STORED / name
        stored = set(path.read_text(encoding="utf-8").splitlines()) if path.exists() else set()
        lines = lines | {line for line in stored if line.split(":")[0] in left_out}
        for line in sorted(stored - lines):
            self.complaints.append(f"{name}: '{line}' is promised (docs/stability.md), and is not there any more")
        if lines - stored and os.environ.get("PERFSIFT_BLESS"):
            path.write_text("".join(f"{line}\n" for line in sorted(stored | lines)), encoding="utf-8")
        else:
            self.complaints += [f"{name}: '{line}' is new; PERFSIFT_BLESS=1 adds it" for line in sorted(lines - stored)]

    def offers(self, *words):
        return [line.split("\t")[0] for line in self.output_of(["completion", "offer", *words]).splitlines()]

    def check_options(self):
        self.compare("options.txt", {f"{command} {option}" for command in self.offers("help", "") for option in self.offers(command, "--")})

    def check_words(self):
        """Fields stand with their types; a measure stands as far as its first parenthesis or blank."""
        explained = lambda *words: self.output_of(["explain", *words]).splitlines()
        words = {f"{command} {option} {value}" for command, option in VALUES_OF.items() for value in self.offers(command, option, "")}
        words |= {"filter " + " ".join(line.split()[:2]) for line in explained("--fields")}
        words |= {"offcpu --filter " + " ".join(line.split()[:2]) for line in explained("--fields", "--intervals")}
        words |= {"budget " + re.split("[( ]", line)[0] for line in explained("--measures")}
        self.compare("words.txt", words)

    def check_json(self):
        found = set()
        with_store = CHDB.exists()
        if with_store:
            add_store(self.perfsift, self.folder)
        for name, words in (JSON_OF | (STORE_JSON_OF if with_store else {})).items():
            text = self.output_of(words)
            try:
                values = [json.loads(line) for line in text.splitlines()] if name in LINES else [json.loads(text)]
            except json.JSONDecodeError as error:
                self.complaints.append(f"perfsift {' '.join(words)}: prints no JSON: {error}: {text[:200]}")
                continue
            found.update(f"{name}: {key}" for value in values for key in keys(value))
        self.compare("json_keys.txt", found, () if with_store else STORE_JSON_OF)

    def check_python(self):
        module = ast.parse((SOURCE / "python/perfsift/__init__.py").read_text(encoding="utf-8"))
        names, = [ast.literal_eval(line.value) for line in module.body if isinstance(line, ast.Assign) and line.targets[0].id == "__all__"]
        self.compare("python_names.txt", set(names))

    def check_exit_statuses(self):
        path = STORED / "exit_statuses.txt"
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            status, *words = line.split()
            done = run(self.perfsift, words, self.folder)
            if done.returncode != int(status):
                self.complaints.append(f"perfsift {' '.join(words)}: exit status {done.returncode}, promised is {status}: {done.stderr.decode()}")

    def check_files_of(self, version):
        """A stored profile must be read as when it was written. A cache must not change what is printed."""
        expected = (version / "report.txt").read_text(encoding="utf-8")
        shutil.copy(version / "runs.pb.gz", self.folder)
        if (printed := self.output_of(["report", "runs.pb.gz"])) != expected:
            self.complaints.append(f"{version.name}/runs.pb.gz: report prints now\n{printed}")
        done = run(self.perfsift, ["check", "--baseline", "runs.pb.gz", "--candidate", "runs.pb.gz"], self.folder)
        if done.returncode != int((version / "check_status.txt").read_text()):
            self.complaints.append(f"{version.name}/runs.pb.gz: check ends with {done.returncode}: {done.stdout.decode()}{done.stderr.decode()}")
        self.check_cache_of(version)
        if version.name != "0.1.0":  # it packed nothing yet
            self.check_texts_of(version)

    def check_texts_of(self, version):
        """Folded stacks, also of the recording that was packed, and the columns of CSV: new ones come last."""
        packed = version / "names.tar.zst"
        folded = (version / "fold.folded").read_text(encoding="utf-8")
        for words in (DEMO, [str(packed)]):
            if (printed := self.output_of(["fold", "--no-cache", *words])) != folded:
                self.complaints.append(f"{version.name}/fold.folded: fold {words[-1]} prints now\n{printed}")
        stored, printed = (list(csv.reader(text.splitlines())) for text in (
            (version / "report.csv").read_text(encoding="utf-8"), self.output_of(["report", "--csv", *DEMO])))
        if [row[:len(stored[0])] for row in printed] != stored:
            self.complaints.append(f"{version.name}/report.csv: report --csv prints now {printed}")

    def check_cache_of(self, version):
        """The stored files stand where this version looks: under the names of the files that it makes itself."""
        report = lambda cache: run(self.perfsift, ["report", *DEMO], self.folder, cache)
        without = report("no_cache")
        report("old_cache")
        made = list((self.folder / "old_cache/perfsift").iterdir())
        for stored in (version / "cache/perfsift").iterdir():
            name, kind, _ = stored.name.split(".", 2)
            if not (replaced := [path for path in made if path.name.startswith(f"{name}.{kind}.")]):
                self.complaints.append(f"{stored}: this version looks for no such file, so that nothing is tested")
            for path in replaced:
                path.write_bytes(stored.read_bytes())
        with_old = report("old_cache")
        if (with_old.stdout, with_old.stderr) != (without.stdout, without.stderr) or not without.stdout:
            self.complaints.append(f"{version.name}/cache: changes the report to\n{(with_old.stdout + with_old.stderr).decode()}")


def main():
    perfsift, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        demo = (SOURCE / "testdata/demo.data").read_bytes()
        (folder / "demo.data").write_bytes(demo)
        (folder / "cut.data").write_bytes(demo[:len(demo) // 2])
        (folder / "empty").touch()
        (folder / "few.folded").write_text("program;main 3\n")
        (folder / "before.folded").write_text("program;main;parse 50000\nprogram;main;sort 50000\n")
        (folder / "after.folded").write_text("program;main;parse 50000\nprogram;main;sort 90000\n")
        subprocess.run([build / "sched_recording", folder / "switches.data"], check=True)
        subprocess.run([build / "model_recording", "intel", "20", folder / "accesses.data", folder / "program"], check=True)
        promises = Promises(perfsift, folder)
        promises.check_options()
        promises.check_words()
        promises.check_json()
        promises.check_python()
        promises.check_exit_statuses()
        versions = sorted(path for path in STORED.iterdir() if path.is_dir())
        for version in versions:
            promises.check_files_of(version)
    if not versions:
        promises.complaints.append(f"{STORED}: has no files of a version")
    print(*promises.complaints, f"files of {len(versions)} versions", sep="\n")
    return 1 if promises.complaints else 0


sys.exit(main())
