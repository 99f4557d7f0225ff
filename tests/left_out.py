#!/usr/bin/env python3
"""Lists the tests that a run left out, with the reasons. Fails if may_be_left_out.txt does not allow a reason.

  left_out.py RESULTS.xml ALLOWED.txt

RESULTS.xml is what ctest --output-junit wrote. A test is left out when it was skipped, is disabled, or could not be
started; a part of a test, when the test says "not compared: ..." or "not recorded: ...". A program of GoogleTest counts
as its tests, and the names of those that failed are printed: ctest knows only the program.
Exit status: 0 when ALLOWED.txt has a line for all that was left out, else 1.
"""
import collections
import dataclasses
import re
import sys
import xml.etree.ElementTree

PARTS = re.compile(r"^(not (?:compared|recorded): .*)", re.M)
# The forms of our scripts and of GTEST_SKIP().
WHY = re.compile(r"^skipped: (.*)|: Skipped\n(.*)", re.M)
# How a program of GoogleTest begins and ends a test.
CASE = re.compile(r"^\[ RUN      \] (\S+)", re.M)
SKIPPED, FAILED = "[  SKIPPED ]", "[  FAILED  ]"
STATES = ("[       OK ]", SKIPPED, FAILED)
TRUNCATED = "This part of the test output was removed"  # from ctest --test-output-size-passed


def read_allowed(path):
    """For each line: a pattern of names, a pattern of messages of a test, and the reason."""
    allowed = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, said, reason = (field.strip() for field in line.split(" :: "))
                allowed.append((re.compile(name), re.compile(said), reason))
    return allowed


@dataclasses.dataclass
class Test:
    name: str
    output: str
    skipped: bool = False
    failed: bool = False

    def left_out(self):
        """The messages of a test about itself or its parts: one text for each part that was left out."""
        parts = PARTS.findall(self.output)
        if not self.skipped:
            return parts
        said = WHY.search(self.output)
        if said:
            return [said[1] or said[2], *parts]
        return [self.output.strip() or "no reason given"]


def tests_of(element):
    """The test of ctest, or the tests of GoogleTest that it ran."""
    output = element.findtext("system-out") or ""
    name, status = element.get("name"), element.get("status")
    if TRUNCATED in output:
        return [Test(name, "not compared: its output is not whole")]
    starts = [*CASE.finditer(output)]
    if not starts or status == "disabled":
        return [Test(name, output, status not in ("run", "fail"), status == "fail")]
    ends = [start.start() for start in starts[1:]] + [len(output)]
    cases = []
    for start, end in zip(starts, ends):
        said = output[start.end():end]
        # A test of GoogleTest without an end has ended the program.
        state = next((state for state in STATES if f"{state} {start[1]}" in said), FAILED)
        cases.append(Test(start[1], said, state == SKIPPED, state == FAILED))
    return cases


def main():
    results, allowed = xml.etree.ElementTree.parse(sys.argv[1]).getroot(), read_allowed(sys.argv[2])
    tests = [test for element in results.findall("testcase") for test in tests_of(element)]
    allowed_names, not_allowed = collections.defaultdict(list), []
    for test in tests:
        for said in test.left_out():
            reason = next((why for names, says, why in allowed if names.fullmatch(test.name) and says.search(said)), None)
            if reason is None:
                not_allowed.append(f"{test.name}: {said}")
            else:
                allowed_names[reason].append(test.name)

    for test in tests:
        if test.failed:
            print(f"FAILED: {test.name}")
    print(f"{len(tests)} tests; left out, in whole or in part: {sum(map(len, allowed_names.values())) + len(not_allowed)}")
    for reason, names in sorted(allowed_names.items()):
        print(f"  {len(names):3} {reason}: {', '.join(sorted(set(names)))}")
    if not_allowed:
        print(f"WRONGLY LEFT OUT: name a package in ./dev that makes it run, or the reason in {sys.argv[2]}")
        print("\n".join(f"  {line}" for line in not_allowed))
    return 0 if tests and not not_allowed else 1


sys.exit(main())
