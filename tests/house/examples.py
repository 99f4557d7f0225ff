#!/usr/bin/env python3
"""The code examples in the comments of headers: the lines between "// ```cpp" and "// ```".

  examples.py check SOURCE           complains about code without fences, and where there is no example
  examples.py write SOURCE OUTPUT    makes one C++ file of all examples, for the compiler

An example that starts with #include is a whole file. Every other example is the body of a function in the namespace of
its file and may use the objects of example_objects.h. The compiler names the line of the comment where an example is
wrong.
"""
import pathlib
import re
import sys

FENCED = re.compile(r"^ *// ```cpp\n(.*?)^ *// ```\n", re.M | re.S)
# A line of code in a comment, indented as a block of its own: "//   call(argument);".
UNFENCED = re.compile(r"^ *//   (\w.*\(.*\);)(?: *//.*)?$", re.M)
NAMESPACE = re.compile(r"^namespace ([\w:]+) {$", re.M)
OBJECTS = "tests/house/example_objects.h"


class Example:
    def __init__(self, file, text, fenced):
        namespace = NAMESPACE.search(text)
        self.file = file
        self.namespace = namespace[1] if namespace else "perfsift"
        code = re.sub(r"^ *// ?", "", fenced[1], flags=re.M)
        self.is_file = code.startswith("#include")
        line = text.count("\n", 0, fenced.start(1)) + 1
        self.code = f'#line {line} "{file}"\n{code}'


def headers(root):
    files = (path.relative_to(root) for path in root.rglob("*.h"))
    return sorted(str(file) for file in files if file.parts[0] != "build")


def read_examples(root):
    """All examples, and complaints about code without fences."""
    examples, complaints = [], []
    for file in headers(root):
        text = (root / file).read_text(encoding="utf-8")
        examples += [Example(file, text, fenced) for fenced in FENCED.finditer(text)]
        complaints += [f"{file}: an example outside of ```cpp … ```: {found[1]}"
                       for found in UNFENCED.finditer(FENCED.sub("", text))]
    return examples, complaints


def as_struct(number, example):
    return "\n".join([
        f"namespace {example.namespace} {{",
        f"struct Example{number} : ::perfsift::test::ExampleObjects {{",
        "int example() {",
        f"{{\n{example.code}}}",
        "return 0;",
        "}",
        "};",
        "}"])


def as_source(examples):
    """One C++ file of all examples. It changes only where an example does."""
    files = [OBJECTS, *sorted({example.file for example in examples})]
    return "\n".join([
        *(f'#include "{file}"' for file in files),
        *(as_struct(number, example) for number, example in enumerate(examples) if not example.is_file),
        *(example.code for example in examples if example.is_file)])


def write(root, output):
    path = pathlib.Path(output)
    source = as_source(read_examples(root)[0])
    if not path.exists() or path.read_text(encoding="utf-8") != source:
        path.write_text(source, encoding="utf-8")
    return 0


def check(root):
    examples, complaints = read_examples(root)
    if not examples:
        complaints.append("there is no example")
    print(*complaints, f"{len(examples)} examples", sep="\n")
    return 1 if complaints else 0


def main():
    task, root, *output = sys.argv[1:]
    return {"check": check, "write": write}[task](pathlib.Path(root), *output)


sys.exit(main())
