"""Time off the CPU."""

from __future__ import annotations

import numpy as np

from . import _library
from ._arrays import array, names


class OffCpu:
    """The intervals in which threads were off their CPUs, in the order of their ends, a numpy array for each field.

    The arrays are views of the library's memory, as those of Samples. Times are nanoseconds. Made by
    Recording.offcpu().
    """

    start: np.ndarray  #: The thread left its CPU.
    end: np.ndarray  #: The thread is on a CPU again, or the recording ends.
    blocked: np.ndarray  #: Time until it was woken.
    run_queue: np.ndarray  #: Time ready to run.
    unknown: np.ndarray  #: Time in which records were lost.
    pid: np.ndarray  #: The process; -1: unknown.
    tid: np.ndarray  #: The thread.
    cpu_left: np.ndarray  #: -1: unknown.
    cpu_entered: np.ndarray  #: -1: unknown.
    waker_tid: np.ndarray  #: The thread that woke it; -1: unknown.
    complete: np.ndarray  #: 1: both ends were seen, and nothing between them was lost.
    state: np.ndarray  #: The letter that ps shows, as a number: `chr(offcpu.state[0])`.
    comm: np.ndarray  #: Number of the thread's name: see `names`.
    wait: np.ndarray  #: Number of the kind of wait ("futex", "io"): see `names`; 0: unknown.

    COLUMNS = ("start", "end", "blocked", "run_queue", "unknown", "pid", "tid", "cpu_left", "cpu_entered", "waker_tid",
               "complete", "state", "comm", "wait")

    def __init__(self, handle: _library.Handle) -> None:
        """Made by Recording.offcpu()."""
        self._handle = handle
        for name in self.COLUMNS:
            setattr(self, name, array(_library.offcpu_array, handle, name))
        #: Names of threads and kinds of wait by number, as an array of str: `names[offcpu.wait]`.
        self.names = names(_library.offcpu_array, handle)

    def __len__(self) -> int:
        """The number of intervals."""
        return len(self.start)

    def __repr__(self) -> str:
        return f"<perfsift.OffCpu: {len(self)} intervals>"

    @property
    def folded(self) -> str:
        """Folded stacks in microseconds: what `perfsift offcpu --output` writes."""
        return _library.text(_library.call(_library.offcpu_folded, self._handle.value))
