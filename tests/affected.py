#!/usr/bin/env python3
"""What a change can break, by the graph of targets that CMake builds from.

  affected.py BUILD PATH...     PATH: a file or a folder of the source tree

Prints a line for each target: "build TARGET", "test PROGRAM" for the tests of what was changed, and "user PROGRAM" for the
tests of what uses it, the nearest first. BUILD must have been configured with the query
.cmake/api/v1/query/codemodel-v2 of cmake-file-api(7).
"""

import json
import pathlib
import sys

# These compare with recordings of programs and of other projects; ./dev test runs them in the release build.
ONLY_IN_RELEASE = {"truth_tests", "corpora_tests"}


class Graph:
    def __init__(self, build):
        replies = pathlib.Path(build) / ".cmake/api/v1/reply"
        index = json.loads(max(replies.glob("index-*.json")).read_text())
        model = json.loads((replies / index["reply"]["codemodel-v2"]["jsonFile"]).read_text())
        self.source = pathlib.Path(model["paths"]["source"])
        listed = [json.loads((replies / target["jsonFile"]).read_text()) for target in model["configurations"][0]["targets"]]
        self.targets = {target["id"]: target for target in listed}
        self.names = {number: target["name"] for number, target in self.targets.items()}
        self.folders = {number: self.folders_of(target) for number, target in self.targets.items()}

    def folders_of(self, target):
        """The folders of the target's sources, and its folders of headers."""
        paths = [pathlib.PurePath(source["path"]).parent for source in target.get("sources", [])]
        for group in target.get("compileGroups", []):
            headers = [pathlib.PurePath(folder["path"]) for folder in group.get("includes", [])]
            paths += [folder.relative_to(self.source) for folder in headers if folder.is_relative_to(self.source)]
        return {path for path in paths if path.parts and not path.is_absolute() and path.parts[0] != "build"}

    def dependencies(self, number):
        """Those of test programs on one another are precompiled headers."""
        found = {one["id"] for one in self.targets[number].get("dependencies", [])}
        return {one for one in found if not (is_test(self.names[number]) and is_test(self.names[one]))}

    def owners(self, path):
        """The targets of the nearest folder around `path`, or of `path`, that has some. Scripts in tests/ have none."""
        for folder in (path, *path.parents):
            if folder.parts and folder != pathlib.PurePath("tests"):
                owners = {number for number, folders in self.folders.items() if any(one.is_relative_to(folder) for one in folders)}
                if owners:
                    return owners
        return set()

    def affected(self, changed):
        """CMake lists what a target depends on through others, too."""
        return {number for number in self.targets if number in changed or self.dependencies(number) & changed}


def is_test(name):
    return name.endswith("_tests")


def main(build, *paths):
    graph = Graph(build)
    changed = set().union(*(graph.owners(pathlib.PurePath(path)) for path in paths))
    own = {f"{pathlib.PurePath(path).parts[0]}_tests" for path in paths}  # the tests of a folder are named after it
    users = []
    for number in graph.affected(changed):
        name, kind = graph.names[number], graph.targets[number]["type"]
        if not is_test(name):
            if kind not in ("EXECUTABLE", "UTILITY"):
                print("build", name)
        elif number in changed or name in own:
            print("test", name)
        elif name not in ONLY_IN_RELEASE:
            users.append((len(graph.dependencies(number)), name))
    for _, name in sorted(users):
        print("user", name)


if __name__ == "__main__":
    main(*sys.argv[1:])
