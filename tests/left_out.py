#!/usr/bin/env python3
"""What a run of tests left out, and why: fails where may_be_left_out.txt does not allow it.

  left_out.py RESULTS.xml ALLOWED.txt

RESULTS.xml is what ctest --output-junit wrote. A test is left out when it was skipped, is disabled, or could not be
started; a part of a test, when the test says "not compared: ..." or "not recorded: ...".
Exit status: 0 when ALLOWED.txt has a line for all of it, else 1.
"""
import collections
import re
import sys
import xml.etree.ElementTree

PARTS = re.compile(r"^(not (?:compared|recorded): .*)", re.M)
# The forms of our scripts and of GTEST_SKIP().
WHY = re.compile(r"^skipped: (.*)|: Skipped\n(.*)", re.M)
TRUNCATED = "This part of the test output was removed"  # from ctest --test-output-size-passed


def read_allowed(path):
    """Of each line a pattern of names, a pattern of what a test says, and the reason."""
    allowed = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, said, reason = (field.strip() for field in line.split(" :: "))
                allowed.append((re.compile(name), re.compile(said), reason))
    return allowed


def left_out_of(test):
    """What a test says of itself or its parts, a text for each that was left out."""
    output = test.findtext("system-out") or ""
    if TRUNCATED in output:
        return ["its output is not whole"]
    parts = PARTS.findall(output)
    if test.get("status") in ("run", "fail"):
        return parts
    said = WHY.search(output)
    if said:
        return [said[1] or said[2], *parts]
    return [output.strip() or "no reason given"]


def main():
    results, allowed = xml.etree.ElementTree.parse(sys.argv[1]).getroot(), read_allowed(sys.argv[2])
    tests = results.findall("testcase")
    allowed_names, not_allowed = collections.defaultdict(list), []
    for test in tests:
        name = test.get("name")
        for said in left_out_of(test):
            reason = next((why for names, says, why in allowed if names.fullmatch(name) and says.search(said)), None)
            if reason is None:
                not_allowed.append(f"{name}: {said}")
            else:
                allowed_names[reason].append(name)

    print(f"{len(tests)} tests; left out, in whole or in part: {sum(map(len, allowed_names.values())) + len(not_allowed)}")
    for reason, names in sorted(allowed_names.items()):
        print(f"  {len(names):3} {reason}: {', '.join(sorted(set(names)))}")
    if not_allowed:
        print(f"WRONGLY LEFT OUT: name a package in ./dev that makes it run, or the reason in {sys.argv[2]}")
        print("\n".join(f"  {line}" for line in not_allowed))
    return 0 if tests and not not_allowed else 1


sys.exit(main())
