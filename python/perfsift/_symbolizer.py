"""From addresses to functions and source lines."""

from __future__ import annotations

from typing import List, Optional

from . import _library
from ._samples import Frame, frame_of_struct


class Symbolizer:
    """Finds binaries and their debug information, and names addresses.

    Without arguments files are found where perf finds them. One symbolizer serves many recordings and threads.
    """

    def __init__(self, symfs: Optional[str] = None, *, debug_dir: Optional[str] = None,
                 build_id_dir: Optional[str] = None, vmlinux: Optional[str] = None, kallsyms: Optional[str] = None,
                 cache_dir: Optional[str] = None, any_owner: bool = False) -> None:
        """`symfs`: a folder with the files that recordings name; `debug_dir`: one with separate debug files;
        `build_id_dir`: perf's cache of binaries; `vmlinux`, `kallsyms`: where names of the kernel come from;
        `cache_dir`: a folder for tables that are kept for the next run; `any_owner`: believe jitdumps and perf maps of
        other users, and files that may not be the recorded ones."""
        options = _library.SymbolizerOptions()
        options.size = _library.ctypes.sizeof(options)
        for name, value in {"symfs": symfs, "debug_dir": debug_dir, "build_id_dir": build_id_dir, "vmlinux": vmlinux,
                            "kallsyms": kallsyms, "cache_dir": cache_dir}.items():
            setattr(options, name, None if value is None else _library.path_bytes(value))
        options.any_owner = any_owner
        self._handle = _library.Handle(_library.call(_library.symbolizer_new, options), _library.symbolizer_free)

    def frames(self, elf_file: str, address: int) -> List[Frame]:
        """The functions at an address of a program, innermost first, as addr2line finds them. Empty: nothing is known."""
        frames: List[Frame] = []
        visit = _library.FrameFunction(lambda _, frame: frames.append(frame_of_struct(frame.contents)))
        _library.call(_library.symbolizer_frames, self._handle.value, _library.path_bytes(elf_file), address, visit, None)
        return frames
