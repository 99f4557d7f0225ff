#!/usr/bin/env python3
"""The files of .github: workflows and the forms of issues.

  github.py SOURCE

Checks that each parses, that workflows run tasks of ./dev that exist, with the rights that they name themselves, and that the
forms have what GitHub demands of them: https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema
"""
import pathlib
import re
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("skipped: no python3-yaml")
    sys.exit(77)

KINDS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}
complaints = []


def check_workflow(path, workflow, tasks):
    jobs = workflow.get("jobs", {})
    if True not in workflow or "permissions" not in workflow or not jobs:  # YAML 1.1 reads "on" as true
        complaints.append(f"{path}: needs on, permissions and jobs")
    called = set()
    for name, job in jobs.items():
        if "runs-on" not in job or not job.get("steps"):
            complaints.append(f"{path}: {name} needs runs-on and steps")
        if not set([job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])) <= set(jobs):
            complaints.append(f"{path}: {name} needs a job that does not exist")
        for step in job.get("steps", []):
            if ("run" in step) == ("uses" in step):
                complaints.append(f"{path}: a step of {name} needs either run or uses: {step}")
            if "uses" in step and not re.fullmatch(r"\.?[\w./-]+@[\w.]+|\./[\w/]+", step["uses"]):
                complaints.append(f"{path}: {step['uses']} names no version")
            called.update(re.findall(r"\./dev (\w+)", step.get("run", "")))
    if not called or called - set(tasks):
        complaints.append(f"{path}: runs the tasks {sorted(called)}; ./dev has {tasks}")


def check_form(path, form):
    if not all(isinstance(form.get(key), str) for key in ("name", "description")):
        complaints.append(f"{path}: needs a name and a description")
    ids = [part.get("id") for part in form["body"] if part["type"] != "markdown"]
    if None in ids or len(set(ids)) != len(ids):
        complaints.append(f"{path}: each field needs an id of its own: {ids}")
    for part in form["body"]:
        wanted = "value" if part["type"] == "markdown" else "label"
        if part["type"] not in KINDS or not isinstance(part.get("attributes", {}).get(wanted), str):
            complaints.append(f"{path}: {part} is no field of a form")
    if "perfsift info --quality" not in path.read_text(encoding="utf-8"):
        complaints.append(f"{path}: does not ask for perfsift info --quality")


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    tasks = re.findall(r"^  (\w+) ", subprocess.run([source / "dev", "help"], check=True, capture_output=True, text=True).stdout, re.M)
    workflows = sorted((source / ".github/workflows").glob("*.yml"))
    forms = [path for path in sorted((source / ".github/ISSUE_TEMPLATE").glob("*.yml")) if path.name != "config.yml"]
    for path in workflows:
        check_workflow(path, yaml.safe_load(path.read_text(encoding="utf-8")), tasks)
    for path in forms:
        check_form(path, yaml.safe_load(path.read_text(encoding="utf-8")))
    print(*complaints, f"{len(workflows)} workflows, {len(forms)} forms", sep="\n")
    return 1 if complaints or not workflows or not forms else 0


sys.exit(main())
