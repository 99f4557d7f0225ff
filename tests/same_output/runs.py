"""Runs command lines, two at a time, and keeps a hash of everything that a run leaves."""

import concurrent.futures
import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import resource
import signal
import stat
import subprocess
import sys
import threading
import time

from inputs import remove
from normal import normalised

SIDE_BY_SIDE = 2  # number of runs at the same time: machines have at least two CPUs
LONGEST = 120  # seconds
SAVED_EVERY = 20  # seconds: an interrupted comparison continues from here


@contextlib.contextmanager
def locked(path):
    """Holds the lock in a file. Other comparisons with the same work folder wait."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Folders:
    """Folders for runs: work/run/NUMBER, each for one run at a time of all comparisons that share the work folder.
    Their names are equally long, because outputs contain paths in them."""

    def __init__(self, work):
        self.work = work
        self.free = []
        self.lock = threading.Lock()
        self.files = []
        (work / "run").mkdir(parents=True, exist_ok=True)
        for number in range(10):
            file = open(work / "run" / f"{number}.lock", "w", encoding="utf-8")  # pylint: disable=consider-using-with
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                continue
            self.files.append(file)
            self.free.append(work / "run" / str(number))
            if len(self.free) == SIDE_BY_SIDE:
                return
        raise SystemExit(f"same_output: too many comparisons use {work}")

    @contextlib.contextmanager
    def one(self):
        """An empty folder."""
        with self.lock:
            folder = self.free.pop()
        remove(folder)
        folder.mkdir()
        try:
            yield folder
        finally:
            with self.lock:
                self.free.append(folder)


class Runs:
    """The results of one build. They are read from the work folder, or made if they are missing."""

    def __init__(self, build, folders, fingerprint):
        self.build, self.folders, self.fingerprint = build, folders, fingerprint
        self.work = folders.work
        self.stored = self.work / "results" / f"{build.name}.json"
        self.environment = build.environment(self.work / "homes" / build.name)
        self.results = self._read()
        self.made, self.seconds, self.cpu_seconds = 0, 0.0, 0.0

    def all_of(self, lines):
        """Runs the lines that have no result yet."""
        missing = [line for line in lines if line not in self.results]
        begin, begin_cpu, saved = time.monotonic(), used_cpu(), time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            for line, result in zip(missing, pool.map(self.result_of, missing)):
                self.results[line] = result
                self.made += 1
                if time.monotonic() - saved > SAVED_EVERY:
                    self._save()
                    saved = time.monotonic()
                    progress(f"{self.made} of {len(missing)} runs")
        progress("")
        self.seconds, self.cpu_seconds = time.monotonic() - begin, used_cpu() - begin_cpu
        self._save()

    def result_of(self, line):
        """The outputs of a run: hashes by name."""
        left = self.outputs_of(line)
        return {name: content if name == "status" else hashlib.sha256(content).hexdigest()[:20]
                for name, content in left.items()}

    def outputs_of(self, line):
        """The outputs of a run: bytes by name, and its exit status."""
        with self.folders.one() as folder:
            process = subprocess.Popen(  # pylint: disable=consider-using-with
                ["/bin/sh", "-c", line], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
            try:
                output, errors = process.communicate(timeout=LONGEST)
                status = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, errors = process.communicate()
                status = "too long"
            left = {"status": status, "stdout": output, "stderr": errors}
            for path in sorted(path for path in folder.rglob("*") if not path.is_dir()):
                mode = stat.S_IMODE(path.lstat().st_mode)
                content = path.read_bytes() if path.is_file() else b""
                left[f"file {path.relative_to(folder)} ({mode:o})"] = content
            return {name: content if name == "status" else normalised(content, self.build.folder, folder)
                    for name, content in left.items()}

    def _read(self):
        try:
            stored = json.loads(self.stored.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return stored["results"] if stored["fingerprint"] == self.fingerprint else {}

    def _save(self):
        with locked(self.work / "results.lock"):
            self.results = {**self._read(), **self.results}
            self.stored.parent.mkdir(exist_ok=True)
            unfinished = self.stored.with_suffix(f".{os.getpid()}")
            stored = {"fingerprint": self.fingerprint, "results": self.results}
            unfinished.write_text(json.dumps(stored), encoding="utf-8")
            unfinished.rename(self.stored)


def used_cpu():
    """The CPU seconds of ended children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def progress(text):
    """One line on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def keep(folder, line, outputs):
    """Writes outputs into folders for comparison: bytes by name, by the name of the side."""
    folder.mkdir(parents=True)
    (folder / "line").write_text(line + "\n", encoding="utf-8")
    for side, left in outputs.items():
        for name, content in left.items():
            path = folder / side / pathlib.Path(name.removeprefix("file ").rsplit(" (", 1)[0])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else f"{content}\n".encode())
