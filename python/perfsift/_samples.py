"""Samples as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple

import numpy as np

from . import _library
from ._arrays import array, names
from ._errors import UsageError

if TYPE_CHECKING:
    import pandas

KINDS = ("user", "kernel", "jit", "other")


class Frame(NamedTuple):
    """A function of a stack, or a call that the compiler inlined into the next outer frame."""

    function: str  #: The name; without a name that of the binary in brackets: "[libc.so.6]".
    binary: str  #: The path of the binary; "": nothing was mapped there.
    file: str  #: The source file; "": not known.
    line: int  #: The line; 0: not known.
    address: int  #: The offset in the binary; 0 unless samples were read with detail="address".
    kind: str  #: "user", "kernel", "jit" or "other".
    inlined: bool  #: The call was inlined.
    named: bool  #: Whether `function` is a name.


def frame_of_struct(frame: Any) -> Frame:
    """The frame of a struct of the library."""
    return Frame(_library.text(frame.function), _library.text(frame.binary), _library.text(frame.file), frame.line,
                 frame.address, KINDS[frame.kind], bool(frame.inlined), bool(frame.named))


class Samples:
    """The samples of a recording in the order of their times, a numpy array for each field.

    The arrays are views of the library's memory: nothing is copied, they cannot be written, and they live as long as
    anything refers to them, also without the recording. A value that was not recorded is `Samples.NONE` (2**64 - 1) in
    columns of 64 bits and -1 in pid, tid and cpu.
    """

    NONE = 2**64 - 1
    NO_STACK = 2**32 - 1

    time: np.ndarray  #: Nanoseconds of the event clock.
    weight: np.ndarray  #: What a sample counts: its period; without one 1.
    period: np.ndarray  #: Occurrences of the event since the sample before.
    ip: np.ndarray  #: The instruction.
    addr: np.ndarray  #: The address of the data, or whatever the event records.
    latency: np.ndarray  #: PERF_SAMPLE_WEIGHT: for memory events, cycles.
    pid: np.ndarray  #: The process.
    tid: np.ndarray  #: The thread.
    cpu: np.ndarray  #: The CPU.
    event: np.ndarray  #: Index in Recording.events.
    mode: np.ndarray  #: The mode of the CPU: 1 kernel, 2 user, 3 hypervisor, 4 and 5 guests.
    comm: np.ndarray  #: Number of the thread's name: see `names`.
    stack: np.ndarray  #: Number of the stack, NO_STACK: no frame. Equal stacks have equal numbers.
    stack_starts: np.ndarray  #: Where each stack starts in `stack_frames`; one more than stacks.
    stack_frames: np.ndarray  #: The numbers of the frames of all stacks, leaf first.
    frame_function: np.ndarray  #: Of each frame, the number of the function's name: see `names`.
    frame_binary: np.ndarray  #: Of each frame, the number of the binary's path.
    frame_file: np.ndarray  #: Of each frame, the number of the source file.
    frame_line: np.ndarray  #: Of each frame, the line; 0: not known.
    frame_address: np.ndarray  #: Of each frame, the offset in the binary.
    frame_kind: np.ndarray  #: Of each frame: 0 user, 1 kernel, 2 jit, 3 other.
    frame_inlined: np.ndarray  #: Of each frame: 1 inlined.
    frame_named: np.ndarray  #: Of each frame: 1 the function is a name.

    COLUMNS = ("time", "weight", "period", "ip", "addr", "latency", "pid", "tid", "cpu", "event", "mode", "comm",
               "stack")
    _TABLES = ("stack_starts", "stack_frames", "frame_function", "frame_binary", "frame_file", "frame_line",
               "frame_address", "frame_kind", "frame_inlined", "frame_named")

    def __init__(self, handle: _library.Handle, event_names: List[str]) -> None:
        """Made by Recording.samples()."""
        self._event_names = event_names
        for name in self.COLUMNS + self._TABLES:
            setattr(self, name, array(_library.columns_array, handle, name))
        #: All names (of threads, functions, binaries, files) by number, as an array of str: `names[samples.comm]`.
        self.names = names(_library.columns_array, handle)

    def __len__(self) -> int:
        """The number of samples."""
        return len(self.time)

    def __repr__(self) -> str:
        return f"<perfsift.Samples: {len(self)} samples, {max(len(self.stack_starts) - 1, 0)} stacks>"

    @property
    def leaf(self) -> np.ndarray:
        """Of each sample, the number of the function that ran, for `names`; 0, the empty name, without a frame."""
        if len(self.stack_frames) == 0:
            return np.zeros(len(self), dtype=np.uint32)
        known = self.stack != self.NO_STACK
        stack = np.where(known, self.stack, 0)
        return np.where(known, self.frame_function[self.stack_frames[self.stack_starts[stack]]], 0)

    def frame(self, number: int) -> Frame:
        """The frame with this number."""
        if not 0 <= number < len(self.frame_function):
            raise UsageError(f"frame {number}: there are {len(self.frame_function)}")
        return Frame(self.names[self.frame_function[number]], self.names[self.frame_binary[number]],
                     self.names[self.frame_file[number]], int(self.frame_line[number]),
                     int(self.frame_address[number]), KINDS[self.frame_kind[number]],
                     bool(self.frame_inlined[number]), bool(self.frame_named[number]))

    def stack_of(self, number: int) -> List[Frame]:
        """The frames of the stack with this number, leaf first; none for NO_STACK."""
        if number == self.NO_STACK:
            return []
        if not 0 <= number < len(self.stack_starts) - 1:
            raise UsageError(f"stack {number}: there are {max(len(self.stack_starts) - 1, 0)}")
        start, end = self.stack_starts[number], self.stack_starts[number + 1]
        return [self.frame(frame) for frame in self.stack_frames[int(start):int(end)]]

    def fold(self) -> Dict[str, int]:
        """The sum of `weight` by folded stack, "comm;root;…;leaf", as perfsift fold adds up."""
        keys = self.comm.astype(np.uint64) << np.uint64(32) | (
            self.stack if len(self.stack) else np.full(len(self), self.NO_STACK, dtype=np.uint32))
        order = np.argsort(keys)
        ordered = keys[order]
        firsts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[:len(keys)])
        sums = np.add.reduceat(self.weight[order], firsts) if len(keys) else self.weight
        functions = self.names[self.frame_function[self.stack_frames]].tolist()
        starts, names = self.stack_starts.tolist(), self.names.tolist()
        folded: Dict[str, int] = {}
        for key, value in zip(ordered[firsts].tolist(), sums.tolist()):
            stack = key & 0xFFFFFFFF
            frames = functions[starts[stack]:starts[stack + 1]] if stack != self.NO_STACK else []
            line = ";".join([names[key >> 32], *reversed(frames)])
            folded[line] = folded.get(line, 0) + value
        return folded

    def to_pandas(self) -> "pandas.DataFrame":
        """The columns as a DataFrame, with names of threads, events and functions as categories. Needs pandas."""
        import pandas
        columns = {name: getattr(self, name) for name in self.COLUMNS if len(getattr(self, name)) == len(self)}
        frame = pandas.DataFrame(columns, copy=False)
        frame["comm"] = self.names[self.comm]
        frame["function"] = self.names[self.leaf]
        frame["event"] = np.array(self._event_names, dtype=object)[self.event]
        return frame.astype({"comm": "category", "function": "category", "event": "category"})
