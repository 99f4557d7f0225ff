#!/usr/bin/env python3
"""The pages for users, README.md and docs/*.md: links, figures, and every example.

  pages.py SOURCE BUILD

Lines "$ COMMAND" of console blocks, and all lines of sh blocks, are run if their programs are perfsift and standard
tools; other programs must be in OTHERS, and perfsift record is not run. The examples run in a folder where perf.data, old.data, new.data and app.data are
the recording of testdata/. `perfsift offcpu` has a perf.data with switches, `perfsift mem` and `perfsift c2c` one with
memory accesses. The lines below a command are its output.
"""
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

MOST_WORDS = 700  # of README.md
# Not run; a task of ./dev must exist. tests/release/first_steps.sh installs as README.md says.
OTHERS = {"perf", "sudo", "./dev", "tar", "perfsift-*/install.sh", "PATH=~/.local/bin:$PATH"}
OWN_TEST = {"ten-minutes.md"}  # ten_minutes.py runs the examples, which record
STANDARD_TOOLS = {"perfsift", "grep", "head", "find"}
BLOCK = re.compile(r"^```(console|sh)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.M)
OUTSIDE_QUOTES = r"(?=(?:[^']*'[^']*')*[^']*$)"
FIGURE = re.compile(r"\d[\d,.]*\d|\d")


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


class Pages:
    def __init__(self, source, build, scratch):
        self.source, self.scratch = source, scratch
        self.complaints = []
        self.runs = 0
        self.tasks = re.findall(r"^  (\w+) ", subprocess.run(
            [source / "dev", "help"], check=True, capture_output=True, text=True).stdout, re.M)
        self.environment = {"PATH": f"{build}:/usr/bin:/bin", "HOME": str(scratch), "LC_ALL": "C.UTF-8"}
        self.prepare(build)

    def prepare(self, build):
        demo = self.source / "testdata/demo.data"
        for name in ("perf.data", "old.data", "new.data", "app.data"):
            shutil.copy(demo, self.scratch / name)
        (self.scratch / "testdata").symlink_to(self.source / "testdata")
        program = self.source / "testdata/symfs/opt/perfsift-demo/demo"
        shutil.copy(program, self.scratch / "program")
        self.cache(program)
        for module in build.glob("perfsift-*.so"):
            (self.scratch / module.name).symlink_to(module)
        waits, accesses = self.scratch / "waits", self.scratch / "accesses"
        self.folders = {"offcpu": waits, "mem": accesses, "c2c": accesses}
        for folder in (waits, accesses):
            folder.mkdir()
        subprocess.run([build / "sched_recording", waits / "perf.data"], check=True)
        subprocess.run([build / "model_recording", "intel", "20", accesses / "perf.data", accesses / "program"], check=True)

    def cache(self, program):
        """Puts a program where perf record would keep a copy, so that functions have names."""
        notes = subprocess.run(["readelf", "--notes", program], check=True, capture_output=True, text=True).stdout
        build_id = re.search(r"Build ID: (\w+)", notes)[1]
        folder = self.scratch / ".debug/.build-id" / build_id[:2] / build_id[2:]
        folder.mkdir(parents=True)
        shutil.copy(program, folder / "elf")

    def complain(self, page, text):
        self.complaints.append(f"{page.relative_to(self.source)}: {text}")

    def check_links(self, page, text):
        for link in LINK.findall(text):
            if re.match(r"\w+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists():
                self.complain(page, f"links to {link}, which does not exist")
            elif anchor and anchor not in map(slug, HEADING.findall(target.read_text(encoding="utf-8"))):
                self.complain(page, f"links to {link}, which has no such heading")

    def check_examples(self, page, text):
        for kind, block in BLOCK.findall(text):
            if kind == "sh":
                for line in block.splitlines():
                    self.check_command(page, line, None)
                continue
            for example in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, output = example.partition("\n")
                self.check_command(page, command, output)

    def check_command(self, page, line, output):
        for part in re.split(" && " + OUTSIDE_QUOTES, re.sub(r" +# .*$", "", line)):
            programs = [stage.split()[0] for stage in re.split(r" \| " + OUTSIDE_QUOTES, part)]
            if any(program in OTHERS for program in programs):
                words = part.split()
                if words[0] == "./dev" and words[1] not in self.tasks:
                    self.complain(page, f"{part}: no such task")
            elif part.startswith("perfsift record"):  # needs rights, and would replace the recordings of other examples
                pass
            elif all(program in STANDARD_TOOLS for program in programs):
                self.run(page, part, output)
            else:
                self.complain(page, f"{part}: neither run nor in OTHERS")

    def run(self, page, command, output):
        self.runs += 1
        folder = self.folders.get((command.split() + [""])[1], self.scratch)
        if command.startswith("perfsift view"):
            return self.run_server(page, command)
        done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=folder, env=self.environment,
                              capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        if done.returncode not in (0, 128 + signal.SIGPIPE):  # head has read enough
            self.complain(page, f"{command}: exit status {done.returncode}: {done.stderr.strip()}")
        elif output and output != done.stdout:
            self.complain(page, f"{command}: prints\n{done.stdout}")
        return None

    def run_server(self, page, command):
        with subprocess.Popen(["bash", "-c", f"exec {command}"], cwd=self.scratch, env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            link = server.stdout.readline()
            server.terminate()
        if not link.startswith("http://127.0.0.1:"):
            self.complain(page, f"{command}: does not say where it serves")

    def check_readme(self, page, text):
        words = len(text.split())
        if words >= MOST_WORDS:
            self.complain(page, f"{words} words, not fewer than {MOST_WORDS}")
        speed = text.partition("\n## Speed\n")[2].partition("\n## ")[0]
        measured = set(FIGURE.findall((self.source / "docs/speed.md").read_text(encoding="utf-8")))
        for figure in FIGURE.findall(LINK.sub("", speed)):
            if figure not in measured:
                self.complain(page, f"{figure}: docs/speed.md does not have this figure")
        offers = subprocess.run(["perfsift", "completion", "offer", "help", ""], env=self.environment, check=True,
                                capture_output=True, text=True).stdout
        for command in (line.split("\t")[0] for line in offers.splitlines()):
            if command != "completion" and f"`perfsift {command}" not in text:
                self.complain(page, f"does not say what perfsift {command} is for")


def main():
    source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as scratch:
        pages = Pages(source, build, pathlib.Path(scratch))
        for page in [source / "README.md", *sorted((source / "docs").glob("*.md"))]:
            text = page.read_text(encoding="utf-8")
            pages.check_links(page, text)
            if page.name not in OWN_TEST:
                pages.check_examples(page, text)
        pages.check_readme(source / "README.md", (source / "README.md").read_text(encoding="utf-8"))
    print(*pages.complaints, f"{pages.runs} examples run", sep="\n")
    return 1 if pages.complaints or pages.runs == 0 else 0


sys.exit(main())
