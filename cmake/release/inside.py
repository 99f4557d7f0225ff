#!/usr/bin/env python3
"""Lists what is inside a release, in the form of SPDX 2.3, and puts the licenses of the packages into it.

  inside.py SOURCE BUILD FOLDER LIST [ROOT]

Copied are shared libraries of this machine's packages, or for another processor of those in the folder ROOT (cmake/sysroot.sh). Static libraries, start-up files and headers are in the programs:
the linker's maps and the compiler's lists of headers name them. $SOURCE_DATE_EPOCH is the time of the list.
"""
import datetime
import filecmp
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from private_libraries import libraries_below, libraries_of_machine

INSTALLED = "share/perfsift/files"
COMMON_LICENSES = pathlib.Path("/usr/share/common-licenses")


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


class Machine:
    """The packages of this machine by their files, and those of another processor below a folder."""

    def __init__(self, other):
        self.owners = {}
        self.roots = {}  # where the files of each package are
        for root in ["", other] if other else [""]:
            for listed in pathlib.Path(f"{root}/var/lib/dpkg/info").glob("*.list"):
                package = listed.stem.partition(":")[0] + (" of root" if root else "")
                self.roots[package] = root
                for path in listed.read_text().splitlines():
                    self.owners[root + self.below_usr(path)] = package

    @staticmethod
    def below_usr(path):
        """/lib is a link to /usr/lib, and packages name either."""
        return re.sub(r"^/(bin|sbin|lib\w*)/", r"/usr/\1/", str(path))

    def in_root(self, path):
        root = next((root for root in set(self.roots.values()) if root and str(path).startswith(root + "/")), "")
        return root + self.below_usr(str(path).removeprefix(root))

    def package_of(self, path):
        owner = self.owners.get(self.in_root(path)) or self.owners.get(self.in_root(os.path.realpath(path)))
        if owner is None:
            sys.exit(f"{path}: is in the release, and no package has this file, so its license is unknown")
        return owner

    @functools.cache
    def facts(self, package):
        form = "${Version}\t${source:Package}\t${source:Version}\t${Architecture}\n"
        database = f"--admindir={self.roots[package]}/var/lib/dpkg"
        return run("dpkg-query", database, "--show", f"--showformat={form}", name_of(package)).splitlines()[0].split("\t")


def name_of(package):
    return package.removesuffix(" of root")


def compiled_in(source, build, root):
    """The files of packages that are parts of the programs: headers, static libraries, start-up code."""
    objects = re.split(r"\n\n", run("ninja", "-C", build, "-t", "deps"))
    paths = {path for headers in objects if not headers.startswith("tests/") for path in re.findall(r"^    (/.+)$", headers, re.M)}
    for linked in build.glob("*.map"):
        paths.update(re.findall(r"^LOAD (/.+\.[ao])$", linked.read_text(errors="replace"), re.M))
    if not any(path.endswith(".a") for path in paths) or not any(path.endswith(".h") for path in paths):
        sys.exit(f"{build}: has no lists of headers and linked files; build its target perfsift_portable")
    # The compiler may have been called by a path with links in it.
    own = (str(source.resolve()) + "/", str(build.resolve()) + "/")
    return {path for path in map(os.path.normpath, paths)
            if not os.path.realpath(path).startswith(own) or (root and path.startswith(root + "/"))}


def identifier(text):
    return re.sub(r"[^A-Za-z0-9.-]", "-", text)


def copyright_of(machine, package):
    return pathlib.Path(machine.roots[package] + "/usr/share/doc", name_of(package), "copyright").read_text(encoding="utf-8", errors="replace")


def license_of(machine, package):
    """Packages of the same source have the same text, which may be long."""
    return f"LicenseRef-{identifier(machine.facts(package)[1])}"


def described_package(machine, package):
    version, source, source_version, architecture = machine.facts(package)
    names = sorted(set(re.findall(r"^License: *(\S.*)$", copyright_of(machine, package), re.M)))
    described = {
        "SPDXID": f"SPDXRef-Package-{identifier(package)}", "name": name_of(package), "versionInfo": version,
        "supplier": "Organization: Debian", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "sourceInfo": f"built by Debian from {source} {source_version}", "copyrightText": "NOASSERTION",
        "licenseConcluded": "NOASSERTION", "licenseDeclared": license_of(machine, package),
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": f"pkg:deb/debian/{name_of(package)}@{version}?arch={architecture}"}]}
    if names:
        described["licenseComments"] = "Named in the copyright file: " + ", ".join(names)
    return described


def put_licenses(machine, folder, packages):
    """The texts by their identifiers in the list. The folder gets them, and the common licenses that they name."""
    folder.mkdir()
    texts = {}
    for package in packages:
        texts.setdefault(license_of(machine, package), copyright_of(machine, package))
    for name, text in texts.items():
        (folder / name.removeprefix("LicenseRef-")).write_text(text, encoding="utf-8")
    for license_text in COMMON_LICENSES.iterdir():
        if any(f"{COMMON_LICENSES}/{license_text.name}" in text for text in texts.values()):
            shutil.copyfile(license_text, folder / license_text.name)
    return texts


def described_file(folder, path):
    data = path.read_bytes()
    name = str(path.relative_to(folder))
    return {"SPDXID": f"SPDXRef-File-{hashlib.sha1(name.encode()).hexdigest()}", "fileName": f"./{name}",
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}],
            "licenseConcluded": "NOASSERTION", "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION"}


def verification_code(files):
    hashes = sorted(file["checksums"][0]["checksumValue"] for file in files)
    return hashlib.sha1("".join(hashes).encode()).hexdigest()


def left_out(folder, target):
    """What the list does not have, in words: SPDX knows files by their bytes."""
    links = [f"{path.relative_to(folder)} -> {path.readlink()}" for path in sorted(folder.rglob("*")) if path.is_symlink()]
    return (f"Not listed are this list, {target.relative_to(folder)}; the names of all files that install.sh installs, {INSTALLED}, "
            f"which are written after this list; and symbolic links: {', '.join(links)}.")


def relationship(left, kind, right):
    return {"spdxElementId": left, "relationshipType": kind, "relatedSpdxElement": right}


def main():
    source, build, folder, target = map(pathlib.Path, sys.argv[1:5])
    root = sys.argv[5] if sys.argv[5:] else ""
    machine, libraries = Machine(root), libraries_below(root) if root else libraries_of_machine()
    copied = {}  # paths in the folder, and their packages
    for path in sorted((folder / "lib/perfsift").rglob("*.so*")):
        if not filecmp.cmp(path, libraries[path.name], shallow=False):
            sys.exit(f"{path}: differs from {libraries[path.name]}")
        copied[path] = machine.package_of(libraries[path.name])
    parts = {machine.package_of(path) for path in compiled_in(source, build, root)}
    packages = sorted(parts | set(copied.values()))
    texts = put_licenses(machine, target.parent / "licenses", packages)

    files = [described_file(folder, path) for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    of_path = {file["fileName"]: file["SPDXID"] for file in files}
    version = re.search(r"^CMAKE_PROJECT_VERSION:STATIC=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1]
    commit = re.search(r'commit = "(.*)"', (build / "tools/commit.cpp").read_text())[1]  # as perfsift --version says
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    perfsift = {
        "SPDXID": "SPDXRef-Package-perfsift-release", "name": "perfsift", "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": True, "packageVerificationCode": {
            "packageVerificationCodeValue": verification_code(files),
            "packageVerificationCodeExcludedFiles": [f"./{target.relative_to(folder)}", f"./{INSTALLED}"]},
        "licenseConcluded": "NOASSERTION", "licenseDeclared": "MIT", "licenseInfoFromFiles": ["NOASSERTION"],
        "copyrightText": "NOASSERTION", "sourceInfo": f"commit {commit}", "comment": left_out(folder, target)}
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": folder.name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{folder.name}-{identifier(commit)}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: perfsift-inside.py"]},
        "packages": [perfsift] + [described_package(machine, package) for package in packages],
        "files": files,
        "hasExtractedLicensingInfos": [
            {"licenseId": name, "name": f"copyright file of {name.removeprefix('LicenseRef-')}", "extractedText": text}
            for name, text in texts.items()],
        "relationships":
            [relationship("SPDXRef-DOCUMENT", "DESCRIBES", perfsift["SPDXID"])] +
            [relationship(perfsift["SPDXID"], "CONTAINS", file["SPDXID"]) for file in files] +
            [relationship(f"SPDXRef-Package-{identifier(package)}", "CONTAINS", of_path[f"./{path.relative_to(folder)}"])
             for path, package in copied.items()] +
            [relationship(perfsift["SPDXID"], "STATIC_LINK", f"SPDXRef-Package-{identifier(package)}")
             for package in sorted(parts)]}
    target.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(files)} files, with parts of {len(packages)} packages")


main()
