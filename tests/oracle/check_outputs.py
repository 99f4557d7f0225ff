"""Validates the outputs of perfsift check for CI systems: see check_outputs.sh.

    check_outputs.py PERFSIFT SOURCE
"""

import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

# Names of functions, and their expected form in the outputs if it differs.
NAMES = {
    "plain": None,
    "a|b": None,
    "operator||": None,
    "`code` ``more``": None,
    "<script>alert(1)</script>": None,
    "]]> --> &lt; &amp;": "]]> --> &lt: &amp:",  # semicolons separate frames
    "[link](javascript:alert(1)) ![i](x)": None,
    "**bold** _it_ \\| \\`": None,
    "'quotes\" ${{ secrets }}": None,
    "\u00fcml\u00e4ut \u6f22": None,
    "line\u2028separator": "line\\xe2\\x80\\xa8separator",
    "bell\x07 escape\x1b[31m": "bell\\x07 escape\\x1b[31m",
    "]] ##vso[task.complete]": None,
    "<!-- | -->": None,
}
ALLOWED = {"h2", "p", "ul", "li", "code", "table", "thead", "tbody", "tr", "th", "td"}


class Rendered(html.parser.HTMLParser):
    """The elements, the cells of each row, and the texts of code."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.rows, self.codes = set(), [], []
        self.in_code = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.add(tag)
        if tag == "tr":
            self.rows.append(0)
        if tag in ("td", "th"):
            self.rows[-1] += 1
        if tag == "code":
            self.in_code = True
            self.codes.append("")

    def handle_endtag(self, tag):
        if tag == "code":
            self.in_code = False

    def handle_data(self, data):
        if self.in_code:
            self.codes[-1] += data


def profile(path, name, samples, rest):
    """The text of perf script: `samples` of the function among `rest` of each of four others, evenly mixed."""
    with open(path, "w", encoding="utf-8") as out:
        number = 0
        for part in range(100):
            leaves = [f"rest{i}" for i in range(4) for _ in range(rest // 100)]
            leaves += [name] * ((part + 1) * samples // 100 - part * samples // 100)
            for leaf in leaves:
                out.write(f"app 7/7 {100 + number / 1000:.6f}: 1 cycles:\n\t401000 {leaf} (/opt/app)\n\t402000 main (/opt/app)\n\n")
                number += 1


class Check:
    def __init__(self, perfsift, source, folder):
        self.perfsift, self.source, self.folder = perfsift, source, folder
        self.schema = json.loads((source / "testdata/gate/sarif.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft7Validator.check_schema(self.schema)

    def file(self, name):
        return str(self.folder / name)

    def run(self, status, *arguments):
        done = subprocess.run(
            [self.perfsift, "check", "-q", "--markdown", self.file("summary.md"), "--junit", self.file("junit.xml"),
             "--sarif", self.file("out.sarif"), "--annotations", "gitlab:" + self.file("gitlab.json"), *arguments],
            capture_output=True, text=True, check=False)
        assert done.returncode == status, f"{arguments}: {done.returncode}: {done.stdout}{done.stderr}"

    def validate(self, name):
        """The rendered Markdown, if all is valid."""
        subprocess.run(["xmllint", "--noout", "--schema", self.source / "testdata/gate/junit.xsd", self.file("junit.xml")],
                       check=True, capture_output=True)
        log = json.loads(pathlib.Path(self.file("out.sarif")).read_text(encoding="utf-8"))
        jsonschema.validate(log, self.schema)
        rules = log["runs"][0]["tool"]["driver"]["rules"]
        for result in log["runs"][0]["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result
        json.loads(pathlib.Path(self.file("gitlab.json")).read_text(encoding="utf-8"))
        text = subprocess.run(["cmark-gfm", "-e", "table", self.file("summary.md")], check=True, capture_output=True,
                              text=True).stdout
        rendered = Rendered(text)
        assert rendered.elements <= ALLOWED, f"{name}: {rendered.elements - ALLOWED}\n{text}"
        assert len(set(rendered.rows)) <= 2 and min(rendered.rows, default=3) >= 3, f"{name}: {rendered.rows}\n{text}"
        return rendered

    def check_name(self, name, shown):
        shown = shown or name
        profile(self.file("before"), name, 1000, 1000)
        profile(self.file("after"), name, 2000, 1000)
        budget = self.folder / "budget"
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        if shown == name:
            budget.write_text(f'never "{quoted}" under "main"\n', encoding="utf-8")
            self.run(1, self.file("before"), self.file("after"), "--budget", str(budget))
        else:
            self.run(1, self.file("before"), self.file("after"))
        codes = self.validate(name).codes
        # The name is in the table, and in the list of stacks.
        assert shown in codes, f"{name}: {codes}"
        assert f"main;{shown}" in codes, f"{name}: {codes}"
        junit = subprocess.run(["xmllint", "--xpath", "string(//testcase[failure and @classname='perfsift.function-costs-more']/@name)",
                                self.file("junit.xml")], check=True, capture_output=True, text=True).stdout
        assert junit.rstrip("\n") == shown, f"{name}: {junit}"

    def check_no_judgement(self):
        pathlib.Path(self.file("other")).write_text(
            pathlib.Path(self.file("after")).read_text(encoding="utf-8").replace("cycles", "faults"), encoding="utf-8")
        self.run(5, self.file("before"), self.file("other"))
        self.validate("another event")
        log = json.loads(pathlib.Path(self.file("out.sarif")).read_text(encoding="utf-8"))
        assert [result["kind"] for result in log["runs"][0]["results"]] == ["open"], log
        self.run(0, self.file("before"), self.file("before"))
        self.validate("equal")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check = Check(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(folder))
        for name, shown in NAMES.items():
            check.check_name(name, shown)
        check.check_no_judgement()


main()
