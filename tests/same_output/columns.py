"""Prints the contents of a recording as the Python package reads them: columns.py [--symfs FOLDER] [--kallsyms FILE]
RECORDING."""

import argparse
import hashlib

import numpy as np

import perfsift


def told(name, value):
    """A line for a column: its type, its length and a hash."""
    value = np.asarray(value)
    content = "\0".join(value.tolist()).encode() if value.dtype.kind in "UO" else value.tobytes()
    print(name, value.dtype.kind, value.dtype.itemsize if value.dtype.kind not in "UO" else "", len(value),
          hashlib.sha256(content).hexdigest()[:16])


def main():
    """Prints all parts of the package for the recording."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--symfs")
    parser.add_argument("--kallsyms")
    parser.add_argument("recording")
    arguments = parser.parse_args()
    symbolizer = perfsift.Symbolizer(arguments.symfs, kallsyms=arguments.kallsyms)
    recording = perfsift.open(arguments.recording)
    print(recording.info, *recording.events, *recording.mmaps(), sep="\n")
    for threads in 1, 4:
        for detail in "function", "line", "address":
            samples = recording.samples(detail=detail, symbolizer=symbolizer, threads=threads)
            for name in (*samples.COLUMNS, *samples._TABLES, "names"):
                told(f"{detail} {threads} {name}", getattr(samples, name))
        print(recording.fold(threads=threads, symbolizer=symbolizer, annotate=True, tid=True))
        print(recording.profile("depth > 2", threads=threads, symbolizer=symbolizer, count="samples").functions[:20])
    try:
        offcpu = recording.offcpu(symbolizer=symbolizer)
        for name in (*offcpu.COLUMNS, "names"):
            told(f"offcpu {name}", getattr(offcpu, name))
        print(offcpu.folded)
    except perfsift.InputError as error:
        print(error)


try:
    main()
except perfsift.Error as error:
    print(type(error).__name__, error)
