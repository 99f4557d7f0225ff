#!/usr/bin/env python3
"""Copies the libraries that the files of a release need, and theirs, below its folder lib/perfsift.

  private_libraries.py FOLDER [ROOT]

glibc, its loader and libstdc++ go to lib/perfsift/libc: only the program may find them there, because the modules for perf and
libperfsift.so are loaded into programs that have those of their system. The libraries are those of this machine's packages, or of the packages below ROOT.
"""
import pathlib
import re
import shutil
import subprocess
import sys

LOADED_LATER = ["libpfm.so.4", "libdebuginfod.so.1", "libcapstone.so.4", "libssl.so.3"]  # by dlopen()
OF_SYSTEM = re.compile(r"ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|anl|nss_\w+|mvec|stdc\+\+|gcc_s)\.so\.\d+")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def dynamic(path, tag):
    """The names that a file has in entries of its dynamic section: DT_NEEDED, DT_RUNPATH, DT_SONAME."""
    return re.findall(rf"\({tag}\).*\[(.*)\]", run("readelf", "--dynamic", "--wide", path))


def looks_elsewhere(path):
    """DT_RPATH of the program does not count for a file with a DT_RUNPATH, but glibc is loaded before."""
    return dynamic(path, "RUNPATH") and not all(OF_SYSTEM.fullmatch(name) for name in dynamic(path, "NEEDED"))


def libraries_below(root):
    """The path of each library of the packages in a folder (cmake/sysroot.sh), by its name."""
    found = {}
    for path in sorted(pathlib.Path(root).glob("**/lib/*-linux-gnu/*.so.*")):
        found.setdefault(path.name, str(path))
    return found


def libraries_of_machine():
    """The path of each library, by its name, as the loader of the program under construction knows them."""
    machine = run("gcc", "-dumpmachine").strip().split("-")[0]
    kind = {"x86_64": "x86-64", "aarch64": "AArch64"}[machine]
    found = {}
    for name, facts, path in re.findall(r"^\t(\S+) \((.*)\) => (\S+)$", run("/sbin/ldconfig", "--print-cache"), re.M):
        if kind in facts:
            found.setdefault(name, path)
    return found


def main():
    folder = pathlib.Path(sys.argv[1])
    private = folder / "lib/perfsift"
    (private / "libc").mkdir(parents=True)
    machine = libraries_below(sys.argv[2]) if sys.argv[2:] and sys.argv[2] else libraries_of_machine()
    waiting = [name for path in sorted(folder.rglob("*")) if is_elf(path) for name in dynamic(path, "NEEDED")]
    waiting += LOADED_LATER
    done = set()
    while waiting:
        name = waiting.pop()
        if name in done or (folder / "lib" / name).exists():
            continue
        done.add(name)
        if name not in machine:
            sys.exit(f"{name}: ldconfig --print-cache does not list this library; install its package")
        source = pathlib.Path(machine[name])
        if looks_elsewhere(source):
            sys.exit(f"{source}: has a DT_RUNPATH, with which it would not find libraries in {private}")
        target = private / "libc" / name if OF_SYSTEM.fullmatch(name) else private / name
        shutil.copyfile(source.resolve(), target)
        target.chmod(0o755 if name.startswith("ld-linux") else 0o644)
        waiting += dynamic(source, "NEEDED")
    print(f"{len(done)} libraries in {private}")


if __name__ == "__main__":
    main()
