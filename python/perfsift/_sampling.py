"""Sampling of this program: its threads, between start and stop."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _library
from ._arrays import array
from ._errors import UnavailableError, UsageError
from ._recording import Event, event_of_struct
from ._samples import Frame, frame_of_struct
from ._symbolizer import Symbolizer


class LiveSamples:
    """Samples of a running program by time, a numpy array for each field.

    The arrays are views of the library's memory, as those of Samples: they cannot be written, and live as long as
    anything refers to them, also without the Sampler. Numbers that the event does not have are 0.
    """

    time: np.ndarray  #: Nanoseconds of CLOCK_MONOTONIC: of time.monotonic_ns().
    period: np.ndarray  #: Occurrences of the event that a sample stands for.
    ip: np.ndarray  #: The instruction.
    address: np.ndarray  #: Of the data: of a memory access, a page fault, a breakpoint.
    physical_address: np.ndarray  #: Of the data.
    data_source: np.ndarray  #: union perf_mem_data_src; operation, level, snoop and tlb_missed are its parts.
    latency: np.ndarray  #: In the unit of the processor, usually cycles.
    pid: np.ndarray  #: The process.
    tid: np.ndarray  #: The thread: threading.get_native_id().
    cpu: np.ndarray  #: The CPU.
    event: np.ndarray  #: Index in Sampler.events.
    mode: np.ndarray  #: The mode of the CPU: 1 kernel, 2 user, 3 hypervisor, 4 and 5 guests.
    operation: np.ndarray  #: Index in OPERATIONS.
    level: np.ndarray  #: Index in LEVELS.
    snoop: np.ndarray  #: Index in SNOOPS.
    tlb_missed: np.ndarray  #: 1: the TLBs did not have the translation.
    stack_starts: np.ndarray  #: Where the stack of each sample starts in the next arrays; one more than samples.
    stack_address: np.ndarray  #: The addresses of all stacks, leaf first; without callchains the ip of each sample.
    stack_mode: np.ndarray  #: Of each address, the mode of the CPU.
    stack_return: np.ndarray  #: Of each address: 1 a return address, whose call is before it.

    COLUMNS = ("time", "period", "ip", "address", "physical_address", "data_source", "latency", "pid", "tid", "cpu",
               "event", "mode", "operation", "level", "snoop", "tlb_missed")
    _STACKS = ("stack_starts", "stack_address", "stack_mode", "stack_return")
    OPERATIONS = ("unknown", "load", "store", "prefetch", "execute")
    LEVELS = ("unknown", "l1", "l2", "l3", "l4", "line_fill_buffer", "miss_buffer", "memory_side_cache", "any_cache",
              "ram", "persistent_memory", "cxl", "io", "uncached")
    SNOOPS = ("unknown", "none", "hit", "miss", "modified")

    def __init__(self, handle: _library.Handle) -> None:
        """Made by Sampler.samples()."""
        for name in self.COLUMNS + self._STACKS:
            setattr(self, name, array(_library.live_samples_array, handle, name))

    def __len__(self) -> int:
        """The number of samples."""
        return len(self.time)

    def __repr__(self) -> str:
        return f"<perfsift.LiveSamples: {len(self)} samples>"

    def stack_of(self, number: int, symbolizer: Optional[Symbolizer] = None) -> List[Frame]:
        """The frames of the sample with this number, leaf first. They are those of compiled code: functions of Python
        are frames of the interpreter."""
        if not 0 <= number < len(self):
            raise UsageError(f"sample {number}: there are {len(self)}")
        symbolizer = symbolizer or Symbolizer()
        frames: List[Frame] = []
        for at in range(int(self.stack_starts[number]), int(self.stack_starts[number + 1])):
            frames += own_frames(symbolizer, int(self.stack_address[at]), int(self.stack_mode[at]),
                                 bool(self.stack_return[at]))
        return frames

    def fold(self, symbolizer: Optional[Symbolizer] = None) -> Dict[str, int]:
        """The sum of `period` by folded stack, "root;…;leaf"."""
        symbolizer = symbolizer or Symbolizer()
        known: Dict[Tuple[int, int, int], List[str]] = {}
        starts = self.stack_starts.tolist()
        places = list(zip(self.stack_address.tolist(), self.stack_mode.tolist(), self.stack_return.tolist()))
        folded: Dict[str, int] = {}
        for start, end, period in zip(starts, starts[1:], self.period.tolist()):
            names: List[str] = []
            for place in places[start:end]:
                if place not in known:
                    known[place] = [frame.function for frame in own_frames(symbolizer, *place)]
                names += known[place]
            line = ";".join(reversed(names))
            folded[line] = folded.get(line, 0) + period
        return folded


def own_frames(symbolizer: Symbolizer, address: int, mode: int, return_address: bool) -> List[Frame]:
    """The functions at an address of this process, innermost first, at least one."""
    frames: List[Frame] = []
    visit = _library.FrameFunction(lambda _, frame: frames.append(frame_of_struct(frame.contents)))
    _library.call(_library.symbolizer_own_frames, symbolizer._handle.value, address, mode, return_address, visit, None)
    return frames


class Sampler:
    """Samples threads of this process while a `with` block runs, or between start() and stop().

        with perfsift.sampling("page-faults", period=1) as sampler:
            numbers = list(range(1_000_000))
        print(sampler.samples().address)

    A sampler that is stopped costs nothing but memory. Several may exist, and run, at once. In a child of os.fork() a
    sampler does nothing.
    """

    def __init__(self, event: Optional[str] = None, *, preset: Optional[str] = None, period: int = 0,
                 frequency: int = 0, tid: int = 0, process: bool = False, ring_bytes: int = 0,
                 callchains: bool = False, user_only: bool = False, physical_addresses: bool = False) -> None:
        """`event`: as `perf record -e` takes it; `preset`: "cpu", "mem", "faults": the best that this machine has for
        it (neither: "cpu"); `period`: occurrences per sample; `frequency`: samples per second; `tid`: a thread of this
        process, as threading.get_native_id() gives it (0: the calling thread); `process`: all threads, also later ones;
        `ring_bytes`: of each ring (0: 1 MiB), which loses samples when it is full; `callchains`: by frame pointers;
        `user_only`: without the kernel; `physical_addresses`: of data.

        Raises UnavailableError if the machine, the kernel or missing privileges refuse the event."""
        options = _library.SamplingOptions()
        options.size = _library.ctypes.sizeof(options)
        options.event = _library.optional_text(event, "event")
        options.preset = _library.optional_text(preset, "preset")
        for name, value in {"period": period, "frequency": frequency, "ring_bytes": ring_bytes}.items():
            if not 0 <= value < 2**63:
                raise UsageError(f"{name}: {value} is out of range")
            setattr(options, name, value)
        if not 0 <= tid < 2**31:
            raise UsageError(f"tid: {tid} is no thread")
        options.tid, options.process, options.callchains = tid, process, callchains
        options.user_only, options.physical_addresses = user_only, physical_addresses
        self._handle = _library.Handle(_library.call(_library.sampler_new, options), _library.sampler_free)

    def start(self) -> None:
        """Begins to sample. A sampler that runs already goes on."""
        self._switch(_library.sampler_start)

    def stop(self) -> None:
        """Ends sampling."""
        self._switch(_library.sampler_stop)

    def _switch(self, function: Any) -> None:
        code = function(self._handle.value)
        if code == 1:
            raise UsageError("the sampler was closed")
        if code != 0:
            raise UnavailableError("this process is a child of fork(), in which the sampler does nothing"
                                   if self.is_inert else "the kernel does not switch the events")

    def __enter__(self) -> "Sampler":
        self.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def samples(self) -> LiveSamples:
        """The samples since the last call, also while the sampler runs."""
        return LiveSamples(_library.Handle(_library.call(_library.sampler_take, self._handle.value),
                                           _library.live_samples_free))

    @property
    def lost(self) -> int:
        """Samples that were lost so far, because a ring was full or the hardware could not deliver them."""
        lost = _library.ctypes.c_uint64()
        _library.call(_library.sampler_lost, self._handle.value, lost)
        return lost.value

    @property
    def events(self) -> List[Event]:
        """The events as they were opened."""
        events = []
        with self._handle.lock:
            for index in range(_library.sampler_events(self._handle.value)):
                it = _library.EventStruct()
                it.size = _library.ctypes.sizeof(it)
                _library.call(_library.sampler_event, self._handle.value, index, it)
                events.append(event_of_struct(it))
        return events

    @property
    def choice(self) -> str:
        """What the preset chose, and why; empty without a preset."""
        with self._handle.lock:
            return _library.text(_library.sampler_choice(self._handle.value))

    @property
    def left_out(self) -> List[str]:
        """What was asked for but is left out, a sentence each."""
        sentences: List[str] = []
        with self._handle.lock:
            while (sentence := _library.sampler_left_out(self._handle.value, len(sentences))) is not None:
                sentences.append(_library.text(sentence))
        return sentences

    @property
    def is_inert(self) -> bool:
        """Whether this process is a child of fork(), whose events are those of the parent."""
        return _library.sampler_is_inert(self._handle.value) != 0

    def close(self) -> None:
        """Closes the events. Samples that were taken stay."""
        self._handle.free()


def sampling(event: Optional[str] = None, **options: Any) -> Sampler:
    """A Sampler for a `with` block, with the arguments of Sampler."""
    return Sampler(event, **options)
