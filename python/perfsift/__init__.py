"""Reads what Linux `perf record` writes: samples as numpy columns, stacks, functions, filters.

    import perfsift

    recording = perfsift.open("perf.data")
    samples = recording.samples(filter='comm == "worker"')
    print(len(samples), samples.weight.sum(), samples.time.min())
    for function in recording.profile().functions[:10]:
        print(function.self_value, function.function)

Everything that goes wrong raises a perfsift.Error. The names of threads, files and functions come from the recording and
may contain anything: bytes that are no UTF-8 are shown as escapes (\\xff).
"""

from ._errors import BusyError, Error, FilterError, InputError, OutputError, UsageError
from ._offcpu import OffCpu
from ._recording import Event, Info, Mmap, Recording, open
from ._profile import Function, Profile
from ._samples import Frame, Samples
from ._symbolizer import Symbolizer
from ._library import version

__version__ = version()
__all__ = [
    "BusyError", "Error", "Event", "FilterError", "Frame", "Function", "Info", "InputError", "Mmap", "OffCpu",
    "OutputError", "Profile", "Recording", "Samples", "Symbolizer", "UsageError", "open",
]
