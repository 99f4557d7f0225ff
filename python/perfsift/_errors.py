"""The exceptions of the package, one for each kind of error of the library."""

from __future__ import annotations


class Error(Exception):
    """Something went wrong; the text says what, and what to do.

    `file` is the input that it is about ("": none).
    """

    def __init__(self, message: str, file: str = "") -> None:
        super().__init__(message)
        self.file = file


class UsageError(Error, ValueError):
    """An argument is wrong, or contradicts another one."""


class InputError(Error):
    """The input does not exist, cannot be read, or is not a recording."""


class FilterError(Error, ValueError):
    """The text of a filter is wrong, at `line` and `column`, which count from 1."""

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message, file)
        self.line = line
        self.column = column


class OutputError(Error):
    """A file cannot be written."""


class BusyError(Error):
    """Another thread reads the recording just now. Open it once more to read it twice at a time."""


class UnavailableError(Error):
    """The machine, the kernel or missing privileges refuse to sample; the text says why, and what to change."""
