"""Builds the wheel of the Python package, with the library inside.

PERFSIFT_LIBRARY=FILE takes a libperfsift.so that was built before.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent
SONAME = "libperfsift.so.0"


def version():
    return re.search(r"project\(perfsift VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def build_library(to):
    """Builds the library and copies it, without debug information, to the file `to`."""
    subprocess.run(["cmake", "--preset", "release", "-DPERFSIFT_TESTS=OFF"], cwd=ROOT, check=True)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "perfsift_shared"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", "build/release", "--component", "library", "--strip", "--prefix", prefix],
                       cwd=ROOT, check=True)
        shutil.copy(next(pathlib.Path(prefix).rglob(SONAME)), to)


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        to = pathlib.Path(self.build_lib) / "perfsift" / SONAME
        to.parent.mkdir(parents=True, exist_ok=True)
        ready = os.environ.get("PERFSIFT_LIBRARY")
        shutil.copy(ready, to) if ready else build_library(to)


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


class AnyPythonWheel(bdist_wheel):
    """A wheel for any Python 3 on this kind of machine: the library knows nothing of Python."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(version=version(), distclass=BinaryDistribution,
      cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": AnyPythonWheel})
