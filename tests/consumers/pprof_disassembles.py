#!/usr/bin/python3
"""pprof -disasm shows the instructions of a recorded program by its mappings in an export, for every linker. The
pprof of the command go reads programs by itself; this is the pprof that reads them by objdump, from the same sources.

  pprof_disassembles.py PERFSIFT
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import recordings

# The constants keep the code out of the first page. kernelBase() of pprof's elfexec treats a mapping at offset 0 as
# that of a kernel, even if it is the recorded mapping.
SOURCE = """
volatile unsigned long sink;
extern const char constants[];
const char constants[8192] = {1};
__attribute__((noinline)) void work(unsigned long n) { while (n-- != 0) sink += n; }
int main(void) { work(300000000UL * constants[0]); }
"""
MAIN = """package main

import "github.com/google/pprof/driver"

func main() {
	if err := driver.PProf(&driver.Options{}); err != nil {
		panic(err)
	}
}
"""
# With lld, code has addresses that differ from its offsets in the file.
BUILDS = {
    "lld": ["clang", "-fuse-ld=lld", "-fPIE", "-pie"],
    "lld, at a fixed address": ["clang", "-fuse-ld=lld", "-fno-pie", "-no-pie"],
    "GNU ld": ["gcc", "-fPIE", "-pie"],
    "GNU ld, at a fixed address": ["gcc", "-fno-pie", "-no-pie"],
}


def written(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def build_pprof(folder):
    vendor = os.path.join(recordings.run("go", "env", "GOROOT").decode().strip(), "src", "cmd", "vendor", "github.com")
    sources, demangle = os.path.join(folder, "pprof"), os.path.join(folder, "pprof", "demangle")
    shutil.copytree(os.path.join(vendor, "google", "pprof"), sources)
    shutil.copytree(os.path.join(vendor, "ianlancetaylor", "demangle"), demangle)
    name = "github.com/ianlancetaylor/demangle"
    written(os.path.join(demangle, "go.mod"), f"module {name}\n")
    written(os.path.join(sources, "go.mod"),
            f"module github.com/google/pprof\nrequire {name} v0.0.0\nreplace {name} => ./demangle\n")
    written(os.path.join(sources, "main.go"), MAIN)
    program = os.path.join(folder, "upstream_pprof")
    recordings.run("go", "build", "-o", program, ".", cwd=sources, env={
        **os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOCACHE": os.path.join(folder, "cache")})
    return program


def samples_of_work(perfsift, recording):
    folded = recordings.run(perfsift, "fold", "-q", "--weight", "samples", recording).decode()
    return sum(int(line.rsplit(" ", 1)[1]) for line in folded.splitlines() if line.rsplit(" ", 1)[0].endswith(";work"))


def check(build, command, perfsift, pprof, folder):
    source, program = written(os.path.join(folder, "work.c"), SOURCE), os.path.join(folder, "program")
    recordings.run(*command, "-O1", "-g", "-o", program, source)
    recording, export = os.path.join(folder, "perf.data"), os.path.join(folder, "export.pb.gz")
    recordings.run("perf", "record", "-q", "-e", "cpu-clock:u", "-F", "1000", "-o", recording, "--", program)
    # Only the samples of the program are exported. ObjAddr() of pprof's binutils finds a mapping's base by the first
    # address of the whole profile, and gives up if this address is in another mapping. A slow start has its first
    # samples in ld.so.
    recordings.run(perfsift, "export", "--to", "pprof", "-q", "--dsos", program, "-o", export, recording)
    shown = recordings.run(pprof, "-symbolize=none", "-sample_index=cpu-clock:u_sample", "-disasm=work", program,
                           export).decode()
    expected = samples_of_work(perfsift, recording)
    instructions = re.findall(r"^ +(\d+) +\d+ +[0-9a-f]+: ", shown, re.MULTILINE)
    if sum(map(int, instructions)) != expected or expected == 0:
        raise SystemExit(f"DIFFERENT: {build}: {expected} samples in work, and pprof -disasm shows\n{shown}")
    print(f"equal: {build}: {expected} samples")


def main():
    perfsift = sys.argv[1]
    for tool in ("go", "perf", "clang", "gcc", "ld.lld", "objdump"):
        if not shutil.which(tool):
            print("skipped: no", tool)
            sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        probe = ["perf", "record", "-q", "-e", "cpu-clock:u", "-o", os.path.join(folder, "probe"), "--", "true"]
        if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
            print("skipped: perf cannot record here")
            sys.exit(77)
        pprof = build_pprof(folder)
        for build, command in BUILDS.items():
            check(build, command, perfsift, pprof, folder)


if __name__ == "__main__":
    main()
