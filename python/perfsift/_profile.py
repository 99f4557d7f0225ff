"""Profiles: what samples add up to."""

from __future__ import annotations

import ctypes
from typing import List, NamedTuple

from . import _library


class Function(NamedTuple):
    """A function and the samples of its stacks."""

    event: str  #: The event.
    function: str  #: The name.
    self_samples: int  #: Samples in the function itself.
    self_value: int  #: What they count.
    total_samples: int  #: Samples with the function anywhere in their stacks.
    total_value: int  #: What they count.


class Profile:
    """The sums of a recording by stack and by function. Made by Recording.profile()."""

    def __init__(self, handle: _library.Handle) -> None:
        """Made by Recording.profile()."""
        self._handle = handle

    @property
    def folded(self) -> str:
        """Folded stacks, "comm;root;…;leaf VALUE", a line each: what `perfsift fold` prints."""
        return _library.text(_library.call(_library.profile_folded, self._handle.value))

    @property
    def functions(self) -> List[Function]:
        """All functions, by event, and the largest `self_value` first."""
        count = ctypes.c_size_t()
        first = _library.call(_library.profile_functions, self._handle.value, count)
        return [Function(_library.text(it.event), _library.text(it.function), it.self_samples, it.self_value,
                         it.total_samples, it.total_value) for it in first[:count.value]]
