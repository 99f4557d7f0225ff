"""Reads what Linux `perf record` writes: samples as numpy columns, stacks, functions, filters.

    import perfsift

    recording = perfsift.open("perf.data")
    samples = recording.samples(filter='comm == "worker"')
    print(len(samples), samples.weight.sum(), samples.time.min())
    for function in recording.profile().functions[:10]:
        print(function.self_value, function.function)

It also samples the program itself:

    with perfsift.sampling("page-faults", period=1) as sampler:
        numbers = list(range(1_000_000))
    print(sampler.samples().address)

Everything that goes wrong raises a perfsift.Error. The names of threads, files and functions come from the recording and
may contain anything: bytes that are no UTF-8 are shown as escapes (\\xff).
"""

from ._errors import BusyError, Error, FilterError, InputError, OutputError, UnavailableError, UsageError
from ._offcpu import OffCpu
from ._recording import Event, Info, Mmap, Recording, open
from ._profile import Function, Profile
from ._samples import Frame, Samples
from ._sampling import LiveSamples, Sampler, sampling
from ._symbolizer import Symbolizer
from ._library import version

__version__ = version()
__all__ = [
    "BusyError", "Error", "Event", "FilterError", "Frame", "Function", "Info", "InputError", "LiveSamples",
    "Mmap", "OffCpu", "OutputError", "Profile", "Recording", "Sampler", "Samples", "Symbolizer", "UnavailableError",
    "UsageError", "open", "sampling",
]
