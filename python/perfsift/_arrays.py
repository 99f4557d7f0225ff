"""Arrays of the library as numpy arrays."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import _library

_TYPES = {1: np.uint8, 2: np.int32, 3: np.uint32, 4: np.uint64}


def array(getter: Any, handle: _library.Handle, name: str) -> np.ndarray:
    """An array, as a view that keeps the object of the library alive and cannot be written."""
    it = _library.ArrayStruct()
    _library.call(getter, handle.value, name.encode(), it)
    dtype = np.dtype(_TYPES[it.type])
    memory = (ctypes.c_char * (it.count * dtype.itemsize)).from_address(it.data)
    memory.owner = handle  # type: ignore[attr-defined]
    view = np.frombuffer(memory, dtype=dtype)
    view.flags.writeable = False
    return view


def names(getter: Any, handle: _library.Handle) -> np.ndarray:
    """The names by number, as an array of str."""
    bounds, text = array(getter, handle, "name_starts").tolist(), array(getter, handle, "name_bytes").tobytes()
    result = np.empty(len(bounds) - 1, dtype=object)
    result[:] = [_library.text(text[a:b]) for a, b in zip(bounds, bounds[1:])]
    return result
