#!/usr/bin/env python3
"""What is inside the files of a release, against its own lists.

  contents.py FOLDER      the output of cmake/release/release.sh

Checks the checksums; that the archive unpacks below one folder and is small; that the list of contents (SPDX) has each file
with its hash, and for each shared object of others the package with its version and license, and names what it does not
list; that every library that a file needs is inside; that README names the oldest glibc with which programs of others can
use libperfsift; and that no file has a path of the machine that built it.
"""
import gzip
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

MOST_BYTES = 25_000_000
OWN = re.compile(r"(lib)?perfsift.*\.so[.\d]*")
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def dynamic(path, tag):
    return re.findall(rf"\({tag}\).*\[(.*)\]", run("readelf", "--dynamic", "--wide", path))


def is_elf(path):
    return path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF"


class Contents:
    def __init__(self, folder):
        self.folder = folder
        self.complaints = []

    def complain(self, *words):
        self.complaints.append(" ".join(map(str, words)))

    def check_checksums(self):
        lines = (self.folder / "SHA256SUMS").read_text().splitlines()
        listed = dict(reversed(line.split("  ")) for line in lines)
        for path in self.folder.iterdir():
            if path.name != "SHA256SUMS" and listed.pop(path.name, "") != hashlib.sha256(path.read_bytes()).hexdigest():
                self.complain(path.name, "has another checksum in SHA256SUMS, or none")
        for name in listed:
            self.complain("SHA256SUMS names", name, "which is not there")

    def unpack(self, scratch):
        archive, = self.folder.glob("*.tar.zst")
        zipped, = self.folder.glob("*.tar.gz")
        for packed in (archive, zipped):
            if packed.stat().st_size >= MOST_BYTES:
                self.complain(packed.name, "has", packed.stat().st_size, "bytes")
        tar = scratch / "archive.tar"
        subprocess.run(["zstd", "-dqf", archive, "-o", tar], check=True)
        if gzip.decompress(zipped.read_bytes()) != tar.read_bytes():
            self.complain(zipped.name, "and", archive.name, "have other contents")
        name = archive.name.removesuffix(".tar.zst")
        with tarfile.open(tar) as members:
            listed = members.getmembers()
            for member in listed:
                if member.name.partition("/")[0] != name or ".." in member.name.split("/") or not (member.isreg() or member.isdir() or member.issym()):
                    self.complain(member.name, "is not below the folder of the release, or no file, folder or link")
                if member.uid or member.gid or member.mtime != listed[0].mtime or member.mode & 0o022:
                    self.complain(member.name, "has an owner, a time or rights of its own")
        subprocess.run(["tar", "-xf", tar, "-C", scratch], check=True)
        return scratch / name

    def check_files(self, root):
        inside = {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir() or path.is_symlink()}
        installed = set((root / "share/perfsift/files").read_text().split())
        not_installed = inside - installed
        if not_installed != {"README", "install.sh"} or installed - inside:
            self.complain("share/perfsift/files differs from the files:", sorted(not_installed ^ {"README", "install.sh"}), sorted(installed - inside))

    def check_libraries(self, root):
        for path in filter(is_elf, sorted(root.rglob("*"))):
            name = path.relative_to(root)
            if dynamic(path, "RUNPATH") and not all((root / "lib/perfsift/libc" / needed).exists() for needed in dynamic(path, "NEEDED")):
                self.complain(name, "has a DT_RUNPATH, which does not count for libraries of libraries")
            own = OWN.fullmatch(path.name) or path.name == "perfsift"
            if own and not all(part.startswith("$ORIGIN/") for part in ":".join(dynamic(path, "RPATH") or ["/"]).split(":")):
                self.complain(name, "has the DT_RPATH", dynamic(path, "RPATH"))
            for needed in dynamic(path, "NEEDED"):
                if not (root / "lib/perfsift" / needed).exists() and not (root / "lib/perfsift/libc" / needed).exists():
                    self.complain(name, "needs", needed, "which is not inside")
        kinds = re.findall(r"^ +([A-Z_]+) +0x", run("readelf", "--segments", "--wide", root / "bin/perfsift"), re.M)
        if "INTERP" in kinds or "PHDR" not in kinds:
            self.complain("bin/perfsift has the segments", kinds)

    def check_glibc(self, root):
        """Of the libraries that run with the glibc of the system: not of those that start with the program."""
        needed = set()
        for path in filter(is_elf, (root / "lib").rglob("*")):
            if root / "lib/perfsift/libc" not in path.parents:
                needs = run("readelf", "--version-info", "--wide", path).partition("Version needs section")[2]
                needed.update(tuple(map(int, version.split("."))) for version in re.findall(r"Name: GLIBC_([\d.]+)", needs))
        newest = ".".join(map(str, max(needed)))
        named = re.findall(r"glibc ([\d.]+\d)", (root / "README").read_text())
        if named != [newest]:
            self.complain("README names glibc", named, "and libperfsift or its libraries need", newest)

    def check_paths(self, root):
        here = str(SOURCE).encode()
        for path in root.rglob("*"):
            if path.is_file() and here in path.read_bytes():
                self.complain(path.relative_to(root), "has the path", SOURCE)

    def check_list(self, root):
        path = root / "share/doc/perfsift/perfsift.spdx.json"
        if path.read_bytes() != next(self.folder.glob("*.spdx.json")).read_bytes():
            self.complain("the list of contents inside differs from the one beside the archive")
        listed = json.loads(path.read_text(encoding="utf-8"))
        if listed["spdxVersion"] != "SPDX-2.3" or listed["dataLicense"] != "CC0-1.0":
            self.complain(path.name, "is not SPDX 2.3")
        packages = {package["SPDXID"]: package for package in listed["packages"]}
        texts = {text["licenseId"]: text["extractedText"] for text in listed["hasExtractedLicensingInfos"]}
        for package in packages.values():
            terms = texts.get(package["licenseDeclared"], "")
            if not package["versionInfo"] or (package["licenseDeclared"] != "MIT" and "opyright" not in terms):
                self.complain(package["name"], "has no version or no license")
        self.check_listed_files(root, listed, packages, path)
        return len(packages)

    def check_listed_files(self, root, listed, packages, path):
        files = {file["fileName"]: file for file in listed["files"]}
        owners = {}
        for relation in listed["relationships"]:
            if relation["relationshipType"] == "CONTAINS":
                owners.setdefault(relation["relatedSpdxElement"], []).append(packages[relation["spdxElementId"]]["name"])
        perfsift = next(package for package in packages.values() if package["filesAnalyzed"])
        excluded = {path, root / "share/perfsift/files"}  # a file cannot list itself; the other list is made last
        if {f"./{file.relative_to(root)}" for file in excluded} != set(perfsift["packageVerificationCode"]["packageVerificationCodeExcludedFiles"]):
            self.complain("the list of contents leaves out other files than itself and share/perfsift/files")
        links = {f"{file.relative_to(root)} -> {file.readlink()}" for file in root.rglob("*") if file.is_symlink()}
        for name in links | {str(file.relative_to(root)) for file in excluded}:
            if name not in perfsift.get("comment", ""):
                self.complain("the list of contents has no", name, "and does not say so")
        for file in root.rglob("*"):
            if file in excluded or file.is_symlink() or not file.is_file():
                continue
            entry = files.pop(f"./{file.relative_to(root)}", None)
            hashes = {sum_["algorithm"]: sum_["checksumValue"] for sum_ in entry["checksums"]} if entry else {}
            if hashes.get("SHA256") != hashlib.sha256(file.read_bytes()).hexdigest():
                self.complain(file.relative_to(root), "is not in the list of contents, or with another hash")
            elif is_elf(file) and not OWN.fullmatch(file.name) and file.name != "perfsift" and len(owners[entry["SPDXID"]]) != 2:
                self.complain(file.relative_to(root), "is of no package in the list of contents")
        for name in files:
            self.complain(name, "is in the list of contents, and not in the archive")


def main():
    contents = Contents(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        contents.check_checksums()
        root = contents.unpack(pathlib.Path(scratch))
        contents.check_files(root)
        contents.check_libraries(root)
        contents.check_glibc(root)
        contents.check_paths(root)
        packages = contents.check_list(root)
    print(*contents.complaints, f"parts of {packages} packages", sep="\n")
    return 1 if contents.complaints else 0


sys.exit(main())
