#!/usr/bin/env python3
"""Takes the steps of docs/ten-minutes.md, and compares what they print with the page.

  ten_minutes.py PERFSIFT SOURCE      PERFSIFT_BLESS=1 writes what they print into the page

Another run has other samples. So a line of the page is looked for without its figures, and only if it has no share, or one of
at least 20 %; the heading of a group, only if a line of the group is looked for. A line may come later than `| head` lets through.
Names that depend on the processor or on the version of libc count as equal.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LEAST_SHARE = 20.0
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
HOME = "/home/you"  # stands in the page for the folder of the run
SAME = [(r"__mem(\w+?)_(evex|avx|sse|erms|unaligned)\w*", r"__mem\1"), (r"@@GLIBC_[\d.]+", ""), (r"\b(cpu-clock|cycles)(:\w+)?", "EVENT"),
        (r"\d[\d.,]*", "#"), (r"^[\s#%|`+-]*", ""), (r"\bsamples\b", "sample"), (r"\s+", " ")]


def shape(line):
    for pattern, text in SAME:
        line = re.sub(pattern, text, line)
    return line.strip()


def largest_share(line):
    return max((float(share) for share in re.findall(r"([\d.]+) ?%", line)), default=None)


def lines_that_matter(text):
    """The lines without a share, but for headings of groups in which no share is large; and the lines with a large share."""
    matter, heading, small = [], None, False
    for line in filter(str.strip, text.splitlines()):
        share = largest_share(line)
        if share is None:
            if heading and not small:
                matter.append(heading)
            heading, small = line, False
        elif share >= LEAST_SHARE:
            matter += [heading, line] if heading else [line]
            heading = None
        else:
            small = True
    if heading and not small:
        matter.append(heading)
    return matter


class Steps:
    def __init__(self, perfsift, folder):
        self.folder = folder
        self.environment = {"PATH": f"{perfsift.parent}:/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
        self.complaints = []

    def take(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output = done.stdout.replace(str(self.folder), HOME)
        if done.returncode != 0:
            if re.search(r"[Pp]ermission denied|not permitted", output):
                print(f"skipped: not recorded: {output}")
                sys.exit(77)
            self.complaints.append(f"{command}: exit status {done.returncode}: {output}")
        return output

    def compare(self, command, written, printed):
        everything = self.take(re.sub(r" \| head\b.*", "", command)) if " | head" in command else printed
        found = {shape(line) for line in everything.splitlines()}
        missing = [line for line in lines_that_matter(written) if shape(line) not in found]
        if missing:
            self.complaints.append(f"{command}: the page has lines that are not printed:\n" + "\n".join(missing) + f"\nPrinted was:\n{printed}")

    def take_all(self, block):
        """The block with what its commands print."""
        taken = []
        for example in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, written = example.partition("\n")
            printed = self.take(command)
            self.compare(command, written, printed)
            taken.append(f"$ {command}\n{printed}")
        return "".join(taken)


def main():
    perfsift, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    page = source / "docs/ten-minutes.md"
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        steps = Steps(perfsift, pathlib.Path(scratch))
        shutil.copy(source / "testdata/programs/words.cpp", scratch)
        taken = BLOCK.sub(lambda block: f"```console\n{steps.take_all(block[1])}```", text)
        if not (pathlib.Path(scratch) / "words.svg").read_text(encoding="utf-8").count("Counter::entry"):
            steps.complaints.append("words.svg does not show Counter::entry")
        if os.environ.get("PERFSIFT_BLESS"):
            page.write_text(taken, encoding="utf-8")
            shutil.copy(pathlib.Path(scratch) / "words.svg", os.environ.get("TMPDIR", "/tmp"))
            return 0
    print(*steps.complaints, sep="\n")
    return 1 if steps.complaints else 0


sys.exit(main())
