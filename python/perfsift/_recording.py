"""Recordings."""

from __future__ import annotations

import ctypes
import os
from typing import Any, List, NamedTuple, Optional, Type, Union

from . import _library
from ._errors import UsageError
from ._offcpu import OffCpu
from ._profile import Profile
from ._samples import Samples
from ._symbolizer import Symbolizer

_DEMANGLING = {"plain": 0, "full": 1, "raw": 2}
_DETAIL = {"function": 0, "line": 1, "address": 2}
_NONE = 2**64 - 1


class Info(NamedTuple):
    """Where a recording comes from and what it holds. Empty texts, 0 and None were not recorded."""

    hostname: str  #: Of the machine.
    kernel: str  #: The release.
    architecture: str  #: As `uname -m` prints it.
    cpu: str  #: The model of the processor.
    perf_version: str  #: Of the perf that recorded.
    command: str  #: The command line of perf record.
    cpus_online: int  #: CPUs that were online.
    wall_clock_offset: Optional[int]  #: Nanoseconds since 1970 at time 0.
    records: int  #: Records of all types.
    samples: int  #: SAMPLE records.
    lost_records: int  #: Records of all types that were lost.
    lost_samples: int  #: Samples that were lost. Since perf 6.1, lost records are among them: do not add the two.
    malformed: int  #: Records that could not be decoded.
    first_time: Optional[int]  #: Of the first sample, nanoseconds.
    last_time: Optional[int]  #: Of the last sample, nanoseconds.
    damage: List[str]  #: Parts of the input that could not be read.


class Event(NamedTuple):
    """What was measured."""

    name: str  #: As perf shows it: "cycles:u".
    type: int  #: perf_event_attr.type
    config: int  #: perf_event_attr.config
    period: int  #: Occurrences per sample; 0: a frequency was asked for.
    frequency: int  #: Samples per second; 0: a period was asked for.
    sample_type: int  #: PERF_SAMPLE_*


def event_of_struct(it: _library.EventStruct) -> Event:
    """The event of a struct of the library."""
    return Event(_library.text(it.name), it.type, it.config, it.period, it.frequency, it.sample_type)


class Mmap(NamedTuple):
    """A mapping that a process made."""

    pid: int  #: The process; -1: the kernel.
    tid: int  #: The thread.
    time: Optional[int]  #: Nanoseconds; None: not recorded.
    start: int  #: The first address.
    length: int  #: Bytes.
    page_offset: int  #: Of the first address in the file.
    protection: int  #: PROT_*
    flags: int  #: MAP_*
    path: str  #: As recorded.
    build_id: str  #: Hexadecimal; "": not recorded.


class Recording:
    """A recording of perf record: a file, a directory of `perf record --threads`, or "-" for standard input.

    A recording may be used by several threads, but one at a time reads its samples (BusyError). It is closed when
    nothing refers to it any more, at the end of a `with` block, or by close().
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Reads all records that are not samples. Raises InputError."""
        encoded = _library.path_bytes(path)
        self._handle = _library.Handle(_library.call(_library.recording_open, encoded), _library.recording_close)
        self.path = _library.text(encoded)

    def close(self) -> None:
        """Closes the recording. Samples and profiles stay usable."""
        self._handle.free()

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Any, trace: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<perfsift.Recording: {self.path!r}>"

    @property
    def info(self) -> Info:
        """Where the recording comes from, what it holds and what it lacks."""
        with self._handle.lock:
            it = _sized(_library.InfoStruct())
            _library.call(_library.recording_info, self._handle.value, it)
            texts = [_library.text(getattr(it, name)) for name in Info._fields[:6]]
            damage = [_library.text(_library.recording_damage(self._handle.value, i)) for i in range(it.damage)]
        times = [None if time == _NONE else time for time in (it.first_time, it.last_time)]
        return Info(*texts, it.cpus_online, it.wall_clock_offset if it.has_wall_clock else None, it.records,
                    it.samples, it.lost_records, it.lost_samples, it.malformed, *times, damage)

    @property
    def events(self) -> List[Event]:
        """All events, by index."""
        events = []
        with self._handle.lock:
            count = _library.recording_events(self._handle.value)
            if count == 0:  # or it is closed, which this raises
                _library.call(_library.recording_info, self._handle.value, _sized(_library.InfoStruct()))
            for index in range(count):
                it = _sized(_library.EventStruct())
                _library.call(_library.recording_event, self._handle.value, index, it)
                events.append(event_of_struct(it))
        return events

    def samples(self, filter: Optional[str] = None, *, stacks: bool = True, detail: str = "function",
                symbolizer: Optional[Symbolizer] = None, demangling: str = "plain", inlines: bool = True,
                max_frames: int = 127, threads: int = 0) -> Samples:
        """The samples as columns.

        `filter`: an expression, see perfsift-filter(7). `stacks`: with stacks and names; without, reading takes half the
        time. `detail`: what makes frames differ: "function", "line" or "address". `symbolizer`: the source of names.
        `demangling`: "plain", "full" (with parameters) or "raw". `inlines`: inlined calls as frames of their own.
        `max_frames`: of stacks that are unwound. `threads`: 0: one for each CPU.

        Raises FilterError, UsageError, BusyError.
        """
        options = _sample_options(filter, symbolizer, demangling, inlines, max_frames, threads)
        options.no_stacks = not stacks
        options.detail = _choice(detail, _DETAIL, "detail")
        handle = _library.Handle(_library.call(_library.columns_new, self._handle.value, options), _library.columns_free)
        return Samples(handle, [event.name for event in self.events])

    def profile(self, filter: Optional[str] = None, *, event: Optional[str] = None, count: str = "period",
                comm: bool = True, pid: bool = False, tid: bool = False, kernel_only: bool = False,
                user_only: bool = False, annotate: bool = False, symbolizer: Optional[Symbolizer] = None,
                demangling: str = "plain", inlines: bool = True, max_frames: int = 127, threads: int = 0) -> Profile:
        """The sums of the samples by stack. The defaults are those of `perfsift fold`.

        `event`: only this event; globs are fine. `count`: the weight of a sample, its "period" or one ("samples").
        `comm`, `pid`, `tid`: what the frame of the thread shows. `kernel_only`, `user_only`: one part of stacks.
        `annotate`: marks behind names. The other arguments: see samples().
        """
        samples = _sample_options(filter, symbolizer, demangling, inlines, max_frames, threads)
        options = _sized(_library.ProfileOptions())
        options.samples = ctypes.pointer(samples)
        options.event = _library.optional_text(event, "event")
        options.count_samples = _choice(count, {"period": 0, "samples": 1}, "count")
        options.no_comm = not comm
        options.with_pid, options.with_tid = pid, tid
        options.kernel_only, options.user_only, options.annotate = kernel_only, user_only, annotate
        return Profile(_library.Handle(_library.call(_library.profile_new, self._handle.value, options),
                                       _library.profile_free))

    def fold(self, filter: Optional[str] = None, **options: Any) -> str:
        """Folded stacks, as `perfsift fold` prints them: profile(filter, **options).folded."""
        return self.profile(filter, **options).folded

    def offcpu(self, filter: Optional[str] = None, *, symbolizer: Optional[Symbolizer] = None,
               inlines: bool = True) -> OffCpu:
        """The intervals in which threads were off their CPUs.

        `filter`: an expression about intervals, such as "offcpu > 1ms", see perfsift-filter(7). Raises InputError if the
        recording has no switches; the text says how to record them.
        """
        options = _sized(_library.OffCpuOptions())
        options.filter = _library.optional_text(filter, "filter")
        options.symbolizer = None if symbolizer is None else symbolizer._handle.value
        options.no_inlines = not inlines
        return OffCpu(_library.Handle(_library.call(_library.offcpu_new, self._handle.value, options),
                                      _library.offcpu_free))

    def mmaps(self) -> List[Mmap]:
        """Every recorded mapping, in the order of the file."""
        maps: List[Mmap] = []

        def visit(_: Any, record: Any) -> int:
            it = record.contents
            maps.append(Mmap(it.pid, it.tid, None if it.time == _NONE else it.time, it.start, it.length,
                             it.page_offset, it.protection, it.flags, _library.text(it.path),
                             _library.text(it.build_id)))
            return 0

        _library.call(_library.recording_mmaps, self._handle.value, _library.MmapFunction(visit), None)
        return maps


def open(path: Union[str, "os.PathLike[str]"]) -> Recording:
    """Opens a recording: the same as Recording(path)."""
    return Recording(path)


def _sized(struct: Any) -> Any:
    """A struct that says its size, as the library wants it."""
    struct.size = ctypes.sizeof(struct)
    return struct


def _choice(word: str, numbers: Any, argument: str) -> int:
    if word not in numbers:
        raise UsageError(f"{argument}={word!r}: there are " + ", ".join(numbers))
    return numbers[word]


def _sample_options(filter: Optional[str], symbolizer: Optional[Symbolizer], demangling: str, inlines: bool,
                    max_frames: int, threads: int) -> _library.SampleOptions:
    if not 1 <= max_frames <= 1 << 20:
        raise UsageError(f"max_frames={max_frames}: not between 1 and {1 << 20}")
    if not 0 <= threads <= 1024:
        raise UsageError(f"threads={threads}: not between 0 and 1024")
    options = _sized(_library.SampleOptions())
    options.filter = _library.optional_text(filter, "filter")
    options.symbolizer = None if symbolizer is None else symbolizer._handle.value
    options.demangling = _choice(demangling, _DEMANGLING, "demangling")
    options.no_inlines = not inlines
    options.max_frames = max_frames
    options.threads = threads
    return options
