"""The C library: where it is, what its functions take, and how its errors become exceptions.

A wheel has the library beside this file; otherwise the library of the system is used.
"""

from __future__ import annotations

import ctypes
import pathlib
import threading
import weakref
from typing import Any, Optional

from . import _errors

_SONAME = "libperfsift.so.0"
_own = pathlib.Path(__file__).with_name(_SONAME)
try:
    library = ctypes.CDLL(str(_own) if _own.exists() else _SONAME)
except OSError as error:
    raise ImportError(f"{_SONAME} is not installed (Debian: libperfsift0; otherwise: pip install .): {error}") from error

handle_p = ctypes.c_void_p
error_p = ctypes.POINTER(ctypes.c_void_p)


class InfoStruct(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("hostname", ctypes.c_char_p), ("kernel", ctypes.c_char_p),
                ("architecture", ctypes.c_char_p), ("cpu", ctypes.c_char_p), ("perf_version", ctypes.c_char_p),
                ("command", ctypes.c_char_p), ("cpus_online", ctypes.c_uint32), ("has_wall_clock", ctypes.c_int),
                ("wall_clock_offset", ctypes.c_int64), ("records", ctypes.c_uint64), ("samples", ctypes.c_uint64),
                ("lost_records", ctypes.c_uint64), ("lost_samples", ctypes.c_uint64), ("malformed", ctypes.c_uint64),
                ("first_time", ctypes.c_uint64), ("last_time", ctypes.c_uint64), ("damage", ctypes.c_size_t)]


class EventStruct(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", ctypes.c_char_p), ("type", ctypes.c_uint32),
                ("config", ctypes.c_uint64), ("period", ctypes.c_uint64), ("frequency", ctypes.c_uint64),
                ("sample_type", ctypes.c_uint64)]


class SymbolizerOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("symfs", ctypes.c_char_p), ("debug_dir", ctypes.c_char_p),
                ("build_id_dir", ctypes.c_char_p), ("vmlinux", ctypes.c_char_p), ("kallsyms", ctypes.c_char_p),
                ("cache_dir", ctypes.c_char_p), ("any_owner", ctypes.c_int)]


class FrameStruct(ctypes.Structure):
    _fields_ = [("function", ctypes.c_char_p), ("binary", ctypes.c_char_p), ("file", ctypes.c_char_p),
                ("line", ctypes.c_uint32), ("address", ctypes.c_uint64), ("kind", ctypes.c_int),
                ("inlined", ctypes.c_int), ("named", ctypes.c_int)]


class SampleOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("filter", ctypes.c_char_p), ("symbolizer", handle_p),
                ("demangling", ctypes.c_int), ("no_inlines", ctypes.c_int), ("max_frames", ctypes.c_size_t),
                ("no_stacks", ctypes.c_int), ("detail", ctypes.c_int), ("threads", ctypes.c_uint)]


class MmapStruct(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("pid", ctypes.c_int32), ("tid", ctypes.c_int32),
                ("time", ctypes.c_uint64), ("start", ctypes.c_uint64), ("length", ctypes.c_uint64),
                ("page_offset", ctypes.c_uint64), ("protection", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("path", ctypes.c_char_p), ("build_id", ctypes.c_char_p)]


class ArrayStruct(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("count", ctypes.c_size_t), ("type", ctypes.c_int)]


class ProfileOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("samples", ctypes.POINTER(SampleOptions)), ("event", ctypes.c_char_p),
                ("count_samples", ctypes.c_int), ("no_comm", ctypes.c_int), ("with_pid", ctypes.c_int),
                ("with_tid", ctypes.c_int), ("kernel_only", ctypes.c_int), ("user_only", ctypes.c_int),
                ("annotate", ctypes.c_int)]


class FunctionStruct(ctypes.Structure):
    _fields_ = [("event", ctypes.c_char_p), ("function", ctypes.c_char_p), ("self_samples", ctypes.c_uint64),
                ("self_value", ctypes.c_uint64), ("total_samples", ctypes.c_uint64),
                ("total_value", ctypes.c_uint64)]


class OffCpuOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("filter", ctypes.c_char_p), ("symbolizer", handle_p),
                ("no_inlines", ctypes.c_int)]


class SamplingOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("event", ctypes.c_char_p), ("preset", ctypes.c_char_p),
                ("period", ctypes.c_uint64), ("frequency", ctypes.c_uint64), ("ring_bytes", ctypes.c_size_t),
                ("tid", ctypes.c_int32), ("process", ctypes.c_int), ("callchains", ctypes.c_int),
                ("user_only", ctypes.c_int), ("physical_addresses", ctypes.c_int)]


FrameFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(FrameStruct))
MmapFunction = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(MmapStruct))


def _declare(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(library, "perfsift_" + name)
    function.restype = result
    function.argtypes = arguments
    return function


_version = _declare("version", ctypes.c_char_p)
_error_code = _declare("error_code", ctypes.c_int, handle_p)
_error_message = _declare("error_message", ctypes.c_char_p, handle_p)
_error_file = _declare("error_file", ctypes.c_char_p, handle_p)
_error_line = _declare("error_line", ctypes.c_size_t, handle_p)
_error_column = _declare("error_column", ctypes.c_size_t, handle_p)
_error_free = _declare("error_free", None, handle_p)

recording_open = _declare("recording_open", handle_p, ctypes.c_char_p, error_p)
recording_close = _declare("recording_close", None, handle_p)
recording_info = _declare("recording_info", ctypes.c_int, handle_p, ctypes.POINTER(InfoStruct), error_p)
recording_damage = _declare("recording_damage", ctypes.c_char_p, handle_p, ctypes.c_size_t)
recording_events = _declare("recording_events", ctypes.c_size_t, handle_p)
recording_event = _declare("recording_event", ctypes.c_int, handle_p, ctypes.c_size_t, ctypes.POINTER(EventStruct),
                           error_p)
recording_mmaps = _declare("recording_mmaps", ctypes.c_int, handle_p, MmapFunction, ctypes.c_void_p, error_p)
symbolizer_new = _declare("symbolizer_new", handle_p, ctypes.POINTER(SymbolizerOptions), error_p)
symbolizer_free = _declare("symbolizer_free", None, handle_p)
symbolizer_frames = _declare("symbolizer_frames", ctypes.c_int, handle_p, ctypes.c_char_p, ctypes.c_uint64,
                             FrameFunction, ctypes.c_void_p, error_p)
columns_new = _declare("columns_new", handle_p, handle_p, ctypes.POINTER(SampleOptions), error_p)
columns_free = _declare("columns_free", None, handle_p)
columns_array = _declare("columns_array", ctypes.c_int, handle_p, ctypes.c_char_p, ctypes.POINTER(ArrayStruct),
                         error_p)
profile_new = _declare("profile_new", handle_p, handle_p, ctypes.POINTER(ProfileOptions), error_p)
profile_free = _declare("profile_free", None, handle_p)
profile_folded = _declare("profile_folded", ctypes.c_char_p, handle_p, error_p)
profile_functions = _declare("profile_functions", ctypes.POINTER(FunctionStruct), handle_p,
                             ctypes.POINTER(ctypes.c_size_t), error_p)
offcpu_new = _declare("offcpu_new", handle_p, handle_p, ctypes.POINTER(OffCpuOptions), error_p)
offcpu_free = _declare("offcpu_free", None, handle_p)
offcpu_folded = _declare("offcpu_folded", ctypes.c_char_p, handle_p, error_p)
offcpu_array = _declare("offcpu_array", ctypes.c_int, handle_p, ctypes.c_char_p, ctypes.POINTER(ArrayStruct), error_p)
sampler_new = _declare("sampler_new", handle_p, ctypes.POINTER(SamplingOptions), error_p)
sampler_free = _declare("sampler_free", None, handle_p)
sampler_start = _declare("sampler_start", ctypes.c_int, handle_p)
sampler_stop = _declare("sampler_stop", ctypes.c_int, handle_p)
sampler_is_inert = _declare("sampler_is_inert", ctypes.c_int, handle_p)
sampler_lost = _declare("sampler_lost", ctypes.c_int, handle_p, ctypes.POINTER(ctypes.c_uint64), error_p)
sampler_events = _declare("sampler_events", ctypes.c_size_t, handle_p)
sampler_event = _declare("sampler_event", ctypes.c_int, handle_p, ctypes.c_size_t, ctypes.POINTER(EventStruct),
                         error_p)
sampler_choice = _declare("sampler_choice", ctypes.c_char_p, handle_p)
sampler_left_out = _declare("sampler_left_out", ctypes.c_char_p, handle_p, ctypes.c_size_t)
sampler_take = _declare("sampler_take", handle_p, handle_p, error_p)
live_samples_free = _declare("live_samples_free", None, handle_p)
live_samples_array = _declare("live_samples_array", ctypes.c_int, handle_p, ctypes.c_char_p,
                              ctypes.POINTER(ArrayStruct), error_p)
symbolizer_own_frames = _declare("symbolizer_own_frames", ctypes.c_int, handle_p, ctypes.c_uint64, ctypes.c_int,
                                 ctypes.c_int, FrameFunction, ctypes.c_void_p, error_p)

_EXCEPTIONS = {1: _errors.UsageError, 2: _errors.InputError, 4: _errors.OutputError, 6: _errors.BusyError,
               8: _errors.UnavailableError}


def version() -> str:
    """The version of the library."""
    return text(_version())


def text(value: Optional[bytes]) -> str:
    """A text of the library. Bytes that are no UTF-8 become escapes."""
    return (value or b"").decode("utf-8", "backslashreplace")


def path_bytes(path: Any) -> bytes:
    """A path for the library, which cannot have a NUL."""
    encoded = path if isinstance(path, bytes) else str(path).encode("utf-8", "surrogateescape")
    return checked_bytes(encoded, "path")


def checked_bytes(value: bytes, what: str) -> bytes:
    """Text for C ends at a NUL, so a NUL in it would be another text."""
    if b"\0" in value:
        raise _errors.UsageError(f"{what}: has a NUL")
    return value


def optional_text(value: Optional[str], what: str) -> Optional[bytes]:
    """A text for the library; None stays None."""
    return None if value is None else checked_bytes(value.encode("utf-8", "surrogateescape"), what)


def call(function: Any, *arguments: Any) -> Any:
    """Calls a function whose last argument is the error, and raises the error."""
    error = ctypes.c_void_p()
    result = function(*arguments, ctypes.byref(error))
    failed = result != 0 if function.restype is ctypes.c_int else not result
    if error.value is not None:
        raise _exception(error)
    if failed:
        raise MemoryError("perfsift: memory ran out")
    return result


def _exception(error: ctypes.c_void_p) -> Exception:
    code, message, file = _error_code(error), text(_error_message(error)), text(_error_file(error))
    line, column = _error_line(error), _error_column(error)
    _error_free(error)
    if code == 5:
        return MemoryError(message)
    if code == 3:
        return _errors.FilterError(message, file, line, column)
    return _EXCEPTIONS.get(code, _errors.Error)(message, file)


class Handle:
    """An object of the library, freed when nothing refers to it any more."""

    def __init__(self, value: int, free: Any) -> None:
        self.value = value
        #: To be held while texts of the object are read, because another thread may free it.
        self.lock = threading.Lock()
        self._finalizer = weakref.finalize(self, free, value)

    def free(self) -> None:
        """Frees the object at once. Later uses raise UsageError."""
        with self.lock:
            self._finalizer()
