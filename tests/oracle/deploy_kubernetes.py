#!/usr/bin/env python3
"""Checks the manifests in deploy/kubernetes: what they refer to, what their containers may do, and whether their commands run.

  deploy_kubernetes.py PERFSIFT [MODELS]

By hand also their form, as servers leave out what they do not know: MODELS is dist/gen/models of npm's package
@kubernetes/client-node, which is made of the specification of Kubernetes. Exit status: 0 right, 1 wrong, 77 without
python3-yaml.
"""
import json
import pathlib
import re
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("skipped: no python3-yaml")
    sys.exit(77)

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "deploy"
MOST = {"PERFMON", "SYS_PTRACE", "DAC_READ_SEARCH", "SYSLOG"}
complaints = []


def expect(right, *what):
    print("right:" if right else "WRONG:", *what)
    if not right:
        complaints.append(what)


def documents():
    for path in sorted((DEPLOY / "kubernetes").glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text()):
            yield path.name, document


def pod_of(document):
    spec = document["spec"]
    return (spec["jobTemplate"]["spec"] if document["kind"] == "CronJob" else spec)["template"]["spec"]


def check_names(name, pod, known):
    """What a pod refers to is there."""
    volumes = {volume["name"] for volume in pod["volumes"]}
    mounted = set()
    for container in pod.get("initContainers", []) + pod["containers"]:
        mounted |= {mount["name"] for mount in container["volumeMounts"]}
        for source in container.get("envFrom", []):
            expect(source["configMapRef"]["name"] in known, name, "settings", source["configMapRef"]["name"])
        named = {variable["name"]: variable.get("value", "") for variable in container.get("env", [])}
        for at, value in enumerate(named.values()):
            for used in re.findall(r"\$\((\w+)\)", value):
                expect(used in list(named)[:at], name, used, "is set before it is used")
    expect(mounted == volumes, name, "mounts", sorted(volumes))


def check_rights(name, pod):
    for container in pod.get("initContainers", []) + pod["containers"]:
        context = container["securityContext"]
        granted = set(context["capabilities"].get("add", []))
        expect(context["capabilities"]["drop"] == ["ALL"] and granted <= MOST, name, container["name"], "has the capabilities", sorted(granted))
        expect(context["allowPrivilegeEscalation"] is False and context["readOnlyRootFilesystem"] is True and not context.get("privileged"),
               name, container["name"], "gets no more rights")
        expect("memory" in container.get("resources", {}).get("limits", {}) or container["name"] == "credentials", name, container["name"], "has bounds")
        expect(granted or pod["securityContext"]["runAsNonRoot"], name, container["name"], "is not root without need")
    expect(pod["automountServiceAccountToken"] is False, name, "has no token of the cluster")
    for volume in pod["volumes"]:
        mode = volume.get("secret", {}).get("defaultMode", 0)
        expect(isinstance(mode, int), name, "mode of", volume["name"])


def check_settings(pod, settings):
    """Variables that perfsift-collect knows."""
    script = (DEPLOY / "collect/perfsift-collect").read_text()
    container = pod["containers"][0]
    for variable in [*settings, *(each["name"] for each in container["env"])]:
        expect(variable in script or variable in ("NODE_NAME", "PERFSIFT_CREDENTIALS"), "setting", variable)
    expect((DEPLOY.parent / container["command"][0].replace("/usr/share/perfsift/", "")).exists(), "command", container["command"][0])
    usual = subprocess.run([DEPLOY / "collect/perfsift-collect", *container["command"][1:]], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    expect(usual.returncode == 2 and "names no store" in usual.stderr, "options of perfsift-collect")


def check_shell(perfsift, pod):
    """The commands of the CronJob are right: with a store that cannot be reached, the first of them fails with its name."""
    command = pod["containers"][0]["command"]
    script = command[2].replace("perfsift store", f"{perfsift} store")
    run = subprocess.run([*command[:2], script], env={"PATH": "/usr/bin:/bin", "HOME": "/", "PERFSIFT_STORE": "chdb:/nowhere", "PERFSIFT_CHDB": "/nowhere/libchdb.so"},
                         capture_output=True, text=True)
    expect(run.returncode == 3 and "libchdb.so" in run.stderr, "commands of the CronJob:", run.stderr.strip())


class Models:
    """The types of Kubernetes, by their names."""

    def __init__(self, folder):
        self.folder = folder

    def properties(self, type_):
        text = (self.folder / f"{type_}.js").read_text()
        return {each["baseName"]: each["type"] for each in json.loads(re.search(r"attributeTypeMap = (\[.*?\n\]);", text, re.S)[1])}

    def required(self, type_):
        return set(re.findall(r"^ +'(\w+)': ", (self.folder / f"{type_}.d.ts").read_text(), re.M))

    def wrong(self, type_, value, place):
        """What of a value is not of the type."""
        simple = {"string": str, "boolean": bool, "number": int, "IntOrString": (int, str), "any": object}
        if type_ in simple:
            return [] if isinstance(value, simple[type_]) else [f"{place} is no {type_}"]
        if inner := re.fullmatch(r"Array<(.*)>", type_):
            return [each for at, element in enumerate(value) for each in self.wrong(inner[1], element, f"{place}[{at}]")]
        if inner := re.fullmatch(r"\{ \[key: string\]: (.*); \}", type_):
            return [each for key, element in value.items() for each in self.wrong(inner[1], element, f"{place}.{key}")]
        known = self.properties(type_)
        found = [f"{place}.{key} is missing" for key in self.required(type_) - value.keys()]
        for key, element in value.items():
            found += self.wrong(known[key], element, f"{place}.{key}") if key in known else [f"{place}.{key} is not known"]
        return found


def main():
    found = list(documents())
    settings = {document["metadata"]["name"]: document["data"] for _, document in found if document["kind"] == "ConfigMap"}
    expect(sorted(document["kind"] for _, document in found) == ["ConfigMap", "CronJob", "DaemonSet", "Namespace"], "kinds")
    for name, document in found:
        if len(sys.argv) > 2:
            wrong = Models(pathlib.Path(sys.argv[2])).wrong("V1" + document["kind"], document, document["kind"])
            expect(not wrong, name, document["kind"], "has the form of Kubernetes", *wrong)
        if document["kind"] in ("CronJob", "DaemonSet"):
            check_names(name, pod_of(document), settings)
            check_rights(name, pod_of(document))
        if document["kind"] == "DaemonSet":
            labels = document["spec"]["template"]["metadata"]["labels"]
            expect(document["spec"]["selector"]["matchLabels"].items() <= labels.items(), name, "selects its pods")
            check_settings(pod_of(document), settings["perfsift-collect"])
        if document["kind"] == "CronJob":
            check_shell(sys.argv[1], pod_of(document))
    sys.exit(1 if complaints else 0)


main()
