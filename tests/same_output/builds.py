"""A build whose outputs are compared: a copy of its programs, which stays unchanged while the build continues."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess

from inputs import SOURCE


class Build:
    """The programs of a build folder, in a folder of their own in the work folder.

    The name of that folder is a hash of the programs without debug information, so that builds of the same code have
    the same name and share results."""

    def __init__(self, given, work):
        path = pathlib.Path(given)
        self.source = path.parent if path.is_file() else path
        self.work = work
        if not (self.source / "perfsift").is_file():
            raise SystemExit(f"same_output: {given}: there is no perfsift")
        copied = work / "builds" / f"unnamed.{os.getpid()}"
        shutil.rmtree(copied, ignore_errors=True)
        self._copy(copied)
        self.name = hash_of(copied)
        self.folder = work / "builds" / self.name
        if self.folder.exists():
            shutil.rmtree(copied)
        else:
            copied.rename(self.folder)
        os.utime(self.folder)

    def lacks(self, line):
        """Whether the line needs a part that the build does not have."""
        modules = re.findall(r"perfsift-[a-z]+\.so", line)
        return any(not (self.folder / module).exists() for module in modules) or (
            "columns.py" in line and not (self.folder / "libperfsift.so.0").exists())

    def environment(self, home):
        """The environment of command lines."""
        home.mkdir(parents=True, exist_ok=True)
        copies = home / ".debug"  # copies of binaries, made by perf record
        if not copies.is_symlink():
            copies.symlink_to(self.work / "home" / ".debug")
        return {
            "PATH": f"{self.folder}:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(home), "LC_ALL": "C.UTF-8",
            "TZ": "UTC", "TERM": "dumb", "DEBUGINFOD_URLS": "", "PERF_EXEC_PATH": str(self.folder),
            "PERFSIFT_BUILD": str(self.folder), "PERFSIFT_TOOLS": str(pathlib.Path(__file__).resolve().parent),
            "PYTHONPATH": str(self.folder / "python"), "LD_LIBRARY_PATH": str(self.folder / "lib"),
        }

    def _copy(self, folder):
        (folder / "dlfilters").mkdir(parents=True)
        (folder / "lib").mkdir()
        for path in (self.source / "perfsift", self.source / "libperfsift.so.0", *self.source.glob("perfsift-*.so")):
            if path.exists():
                copy_stripped(path, folder / path.name)
        for module in folder.glob("perfsift-*.so"):
            (folder / "dlfilters" / module.name).symlink_to(f"../{module.name}")
        (folder / "lib" / "libperfsift.so.0").symlink_to("../libperfsift.so.0")
        (folder / "perf_to_profile").symlink_to("perfsift")
        shutil.copytree(self._tree() / "python" / "perfsift", folder / "python" / "perfsift",
                        ignore=shutil.ignore_patterns("__pycache__"))

    def _tree(self):
        """The sources of the build. Without the build's CMake cache, the sources beside this program."""
        cache = self.source / "CMakeCache.txt"
        text = cache.read_text(encoding="utf-8") if cache.exists() else ""
        found = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", text, re.M)
        tree = pathlib.Path(found[1]) if found else SOURCE
        return tree if (tree / "python" / "perfsift").is_dir() else SOURCE


def copy_stripped(path, copy):
    """The program without the parts that differ between builds of the same code."""
    done = subprocess.run(["objcopy", "--strip-debug", "--remove-section=.note.gnu.build-id", path, copy],
                          capture_output=True, check=False)
    if done.returncode != 0:
        shutil.copyfile(path, copy)
    copy.chmod(0o755)


def hash_of(folder):
    """A name for the contents of all files."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
        digest.update(str(path.relative_to(folder)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
