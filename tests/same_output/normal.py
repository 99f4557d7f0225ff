"""Outputs without the parts that differ from run to run of one build, with the reasons."""

import base64
import gzip
import re

# The duration of perfsift filter and of the commands of perfsift bench.
TOOK = re.compile(rb'((?:records|samples) lost, |"seconds": |wall time )[0-9.e-]+[^\n:,]*')
PAGE_DATA = re.compile(rb'(<script type="text/plain" id="data">)([A-Za-z0-9+/=]+)')
PAGE_THREADS = re.compile(rb"(perfsift (?:view|report)) -j[14] ")
PAGE_NONCE = re.compile(rb'(nonce-|nonce=")[0-9a-f]{16}')


def normalised(content, build, folder):
    """The bytes of an output without times, and without the paths of the build and of the folder of the run. Builds
    differ, and a run may use any of several folders."""
    content = content.replace(str(build).encode(), b"BUILD").replace(str(folder).encode(), b"RUN")
    return normalised_page(TOOK.sub(rb"\1TIME", content))


def normalised_page(content):
    """A page of perfsift view has the command line that made it. So -j1 and -j4 differ in the compressed data, and in
    the nonce, which is a hash of the data. This function makes the data readable."""
    found = PAGE_DATA.search(content)
    if not found:
        return content
    data = PAGE_THREADS.sub(rb"\1 -jN ", gzip.decompress(base64.b64decode(found[2])))
    return PAGE_NONCE.sub(rb"\1NONCE", content.replace(found[2], b"DATA")) + data
