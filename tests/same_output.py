#!/usr/bin/env python3
"""Compares everything that two builds of perfsift print and write.

  same_output.py BUILD_BEFORE BUILD_AFTER [--corpora FOLDER] [--only REGEX] [--keep FOLDER] [--work FOLDER]
  same_output.py BUILD [OPTION...]      one build with one and with four threads

A build is a build folder or the perfsift in one. Thousands of command lines (tests/same_output/forms.py) run with
each build: all commands, forms, keys and formats, on recordings of testdata/, of other projects (--corpora, or
$PERFSIFT_CORPORA) and of this machine. Standard output, standard error, exit status and written files must be equal,
and so must be the outputs with -j1 and -j4.

Recordings and results stay in the work folder (build/same_output), the results by a hash of the programs: a second
comparison with the same BUILD_BEFORE runs only BUILD_AFTER. Several comparisons may share a work folder. --keep runs
the lines that differ once more and keeps their outputs, to be read with diff -r.

Exit status: 0 all equal, 1 something differs, 2 wrong usage.
"""

import argparse
import collections
import hashlib
import os
import pathlib
import re
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "same_output"))
import builds  # noqa: E402
import matrix  # noqa: E402
import runs  # noqa: E402
import values  # noqa: E402
from inputs import SOURCE, Inputs  # noqa: E402

KEPT_BUILDS = 24 * 3600  # seconds since the last comparison


def read_arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("builds", nargs="+")
    parser.add_argument("--corpora", type=pathlib.Path, default=os.environ.get("PERFSIFT_CORPORA"))
    parser.add_argument("--only", default="", metavar="REGEX", type=re.compile)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=SOURCE / "build" / "same_output")
    arguments = parser.parse_args()
    if len(arguments.builds) > 2:
        parser.error("one build, or two")
    if arguments.corpora:
        arguments.corpora = pathlib.Path(arguments.corpora).resolve()
    arguments.work = arguments.work.resolve()
    return arguments


def made_inputs(arguments):
    """The inputs, with a note for each that is missing."""
    inputs = Inputs(arguments.work / "in", [pathlib.Path(build) for build in arguments.builds], arguments.corpora)
    with runs.locked(arguments.work / "inputs.lock"):
        inputs.make()
        for name in inputs.recordings():
            inputs.threads(name)
    for name, why in inputs.left_out.items():
        print(f"left out: {name} ({why})")
    return inputs


def fingerprint_of(inputs):
    """A hash that changes with every input of a result except the build."""
    helpers = (pathlib.Path(matrix.__file__).parent / name for name in ("ask_view.py", "columns.py", "normal.py"))
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in helpers]
    return hashlib.sha256("".join([inputs.fingerprint(), *digests]).encode()).hexdigest()


def remove_old_builds(work, used):
    """Removes old copies of builds, because copies are large."""
    for folder in (work / "builds").iterdir():
        if folder.name not in used and time.time() - folder.stat().st_mtime > KEPT_BUILDS:
            shutil.rmtree(folder)
            shutil.rmtree(work / "homes" / folder.name, ignore_errors=True)


def parts_that_differ(before, after):
    return [name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name)]


def compare_builds(lines, before, after):
    """The lines with different outputs, and the lines whose outputs differ from run to run of one build."""
    different, unstable = {}, {}
    for line in lines:
        if parts := parts_that_differ(before.results[line], after.results[line]):
            again = [side.result_of(line) for side in (before, after)]
            moved = [name for name, side, result in zip(("before", "after"), (before, after), again)
                     if side.results[line] != result]
            (unstable if moved else different)[line] = moved or parts
    return different, unstable


def compare_threads(lines, side):
    """The lines with -j4 whose outputs differ from those with -j1."""
    one, four = (f" {threads} " for threads in matrix.THREADS)
    return {line: parts for line in lines if four in line and line.replace(four, one) in side.results
            if (parts := parts_that_differ(side.results[line.replace(four, one)], side.results[line]))}


def show(title, found):
    if found:
        print(f"\n{title}: {len(found)}")
        for line, parts in found.items():
            print(f"  [{', '.join(parts)}] {line}")


def show_commands(found):
    """The number of lines of each command."""
    counts = collections.Counter(" ".join(line.split()[:2]) for line in found)
    print("by command:", ", ".join(f"{command} {count}" for command, count in counts.most_common()))


def unused_options(lines, side):
    """The options of commands, by their help, that no line uses."""
    unused = []
    for command in values.COMMANDS:
        text = side.outputs_of(f"perfsift {command} --help")["stdout"].decode()
        mine = " ".join(line for line in lines if f"perfsift {command} " in line)
        for short, option in re.findall(r"^  (?:-(\w) \[ )?--([a-z0-9-]+)", text, re.M):
            names = rf"\s--{option}[\s=]" + (rf"|\s-{short}" if short else "")
            if not re.search(names, mine + " "):
                unused.append(f"{command} --{option}")
    return unused


def keep_outputs(folder, different, by_threads, sides):
    """Keeps the outputs of lines that differ. The lines are run again."""
    shutil.rmtree(folder, ignore_errors=True)
    before, after = sides[0], sides[-1]
    one, four = (f" {threads} " for threads in matrix.THREADS)
    for number, line in enumerate((*different, *by_threads), 1):
        if line in different:
            outputs = {"before": before.outputs_of(line), "after": after.outputs_of(line)}
        else:
            outputs = {"one": after.outputs_of(line.replace(four, one)), "four": after.outputs_of(line)}
        runs.keep(folder / f"{number:04}", line, outputs)
    print(f"the outputs are in {folder}/NUMBER, to be compared with diff -r")


def repeat_by_hand(side):
    """A script that runs a line as it was run here."""
    script = side.build.folder / "repeat.sh"
    exports = "\n".join(f"export {name}='{value}'" for name, value in side.environment.items())
    script.write_text(f"#!/bin/sh\n{exports}\nmkdir -p {side.work}/run/by_hand && cd {side.work}/run/by_hand || exit\n"
                      'exec /bin/sh -c "$1"\n', encoding="utf-8")
    script.chmod(0o755)
    return script


def main():
    arguments = read_arguments()
    both = [builds.Build(given, arguments.work) for given in arguments.builds]
    inputs = made_inputs(arguments)
    lines = [line for line in matrix.command_lines(inputs)
             if arguments.only.search(line) and not any(build.lacks(line) for build in both)]
    folders, fingerprint = runs.Folders(arguments.work), fingerprint_of(inputs)
    remove_old_builds(arguments.work, [build.name for build in both])
    sides = [runs.Runs(build, folders, fingerprint) for build in both]
    for side in sides:
        side.all_of(lines)
        print(f"{side.build.source}: {len(lines)} runs, {side.made} of them now, in {side.seconds:.0f} s "
              f"({side.cpu_seconds:.0f} s on CPUs); to repeat one: {repeat_by_hand(side)} 'LINE'")
    different, unstable = compare_builds(lines, *sides) if len(sides) == 2 else ({}, {})
    by_threads = compare_threads(lines, sides[-1])
    show("differ", different)
    show("differ from run to run of one build", unstable)
    show("differ between -j1 and -j4", by_threads)
    if not arguments.only.pattern and (unused := unused_options(lines, sides[-1])):
        print("\noptions that no line uses:", ", ".join(unused))
    print(f"\n{len(lines)} lines on {len(inputs.recordings())} recordings: {len(different)} differ, "
          f"{len(unstable)} differ from run to run, {len(by_threads)} differ with the number of threads")
    if different:
        show_commands(different)
    if arguments.keep:
        keep_outputs(arguments.keep, different, by_threads, sides)
    return 1 if different or unstable or by_threads else 0


sys.exit(main())
