#!/usr/bin/env python3
"""Wrong use of the module for Python, and through it of the C interface: any calls in any order, with any arguments, on
right, damaged, closed and freed objects, on one thread or two. The result must be an exception, and never a crash.

    python_fuzz.py SECONDS FOLDER FOUND [SEED]

FOLDER: recordings, which are also damaged. The seed of each round is in the file FOUND while the round runs, so after a
crash the file has the seed that repeats it. ./dev fuzz SECONDS python builds the library with sanitizers, and runs this.
"""

import ctypes
import pathlib
import random
import sys
import tempfile
import threading
import time

import perfsift
from perfsift import _library

FINE = (perfsift.Error, TypeError, ValueError, OverflowError, MemoryError, AttributeError, LookupError,
        ctypes.ArgumentError, FileNotFoundError, ImportError)
WORDS = ("pid > 0", "pid == ", "sym =~ '('", "depth > 1 && comm != 'x'", "first(3)", "offcpu > 1ms", "period", "samples",
         "function", "line", "address", "plain", "full", "raw", "cpu-clock*", "no", "", "a\0b", "\ud800", "x" * 70000)
NUMBERS = (0, 1, 2, 3, -1, 127, 255, 2**31, 2**32 - 1, 2**63, 2**64 - 1, 2**64, -2**63, 10**30)
OTHERS = (None, True, 1.5, float("nan"), b"pid", b"\xff", [], {}, (), object(), int)
ARGUMENTS = ("filter", "stacks", "detail", "symbolizer", "demangling", "inlines", "max_frames", "threads", "event",
             "count", "comm", "pid", "tid", "kernel_only", "user_only", "annotate", "none")
ARRAYS = (b"time", b"stack", b"stack_frames", b"frame_line", b"name_bytes", b"start", b"no", b"", None)


class Round:
    """Calls on a few objects that earlier calls made."""

    def __init__(self, seed, paths, shared):
        self.random, self.paths = random.Random(seed), paths
        # With two threads, only the module is used. With the C functions, one thread would free what the other reads.
        self.shared = shared
        self.objects = []
        self.calls = 0

    def value(self):
        kind = self.random.randrange(5)
        if kind == 0 and self.objects:
            return self.random.choice(self.objects)
        return self.random.choice((WORDS, NUMBERS, OTHERS)[kind % 3])

    def arguments(self):
        names = self.random.sample(ARGUMENTS, self.random.choice((0, 0, 1, 1, 2, 3)))
        # Most arguments are of the right type, so that calls get further.
        likely = {"threads": (0, 1, 2, 5000), "max_frames": (1, 5, 127, 0), "symbolizer": self.symbolizers()}
        return {name: self.random.choice(likely.get(name, WORDS[:-4] + (True, False, None)))
                if self.random.random() < 0.8 else self.value() for name in names}

    def symbolizers(self):
        return [None] + [it for it in self.objects if isinstance(it, perfsift.Symbolizer)]

    def handle(self):
        """A number that is a handle, was one, or never was one."""
        handles = [it._handle.value for it in self.objects if hasattr(it, "_handle")]
        return self.random.choice(handles + [None, 1, 2**47, 2**64 - 1])

    def use_module(self):
        choice = self.random.randrange(8)
        if choice == 0 or not self.objects:
            path = self.random.choice(self.paths) if self.random.random() < 0.9 else self.value()
            return self.objects.append(perfsift.open(path))
        if choice == 1:
            arguments = [self.value()] if self.random.random() < 0.3 else ["/nowhere"]
            return self.objects.append(perfsift.Symbolizer(*arguments))
        target = self.random.choice(self.objects)
        names = [name for name in dir(target) if not name.startswith("_")]
        if not names:
            return None
        found = getattr(target, self.random.choice(names))
        if not callable(found) or isinstance(found, type):
            return repr(found)
        takes = found.__code__.co_kwonlyargcount if hasattr(found, "__code__") else 0
        result = found(**self.arguments()) if takes or self.random.random() < 0.3 else found(
            *[self.value() for _ in range(self.random.choice((0, 0, 1, 2)))])
        if type(result).__module__.startswith("perfsift"):
            self.objects.append(result)
        return repr(result)

    def use_interface(self):
        """A function for C, with any handles and other arguments of the right types."""
        error = ctypes.byref(ctypes.c_void_p()) if self.random.random() < 0.5 else None
        count, text = ctypes.c_size_t(), self.random.choice(WORDS[:-2]).encode()
        samples, array = _library.SampleOptions(), _library.ArrayStruct()
        samples.size = self.random.choice((ctypes.sizeof(samples), 0, 7, 10**6))
        samples.filter, samples.symbolizer = text, self.handle()
        samples.demangling, samples.detail = self.random.choice((0, 1, 2, 3, -5)), self.random.choice((0, 1, 2, 7, -1))
        samples.threads, samples.max_frames = self.random.choice((0, 1, 2)), self.random.choice((0, 1, 127))
        profile, info, event = _library.ProfileOptions(), _library.InfoStruct(), _library.EventStruct()
        profile.samples = ctypes.pointer(samples)
        for it in profile, info, event:
            it.size = self.random.choice((ctypes.sizeof(it), 0, 9, 10**6))
        visit = _library.MmapFunction(lambda *_: self.random.choice((0, 0, 1)))
        named = _library.FrameFunction(lambda *_: None)
        options = self.random.choice((samples, None))
        calls = (
            lambda: _library.recording_open(text, error),
            lambda: _library.recording_close(self.handle()),
            lambda: _library.recording_info(self.handle(), self.random.choice((info, None)), error),
            lambda: _library.recording_damage(self.handle(), self.random.choice((0, 1, 2**63))),
            lambda: _library.recording_events(self.handle()),
            lambda: _library.recording_event(self.handle(), self.random.choice((0, 9, 2**63)), event, error),
            lambda: _library.recording_mmaps(self.handle(), visit, None, error),
            lambda: _library.symbolizer_free(self.handle()),
            lambda: _library.symbolizer_frames(self.handle(), text, 5, named, None, error),
            lambda: _library.columns_free(_library.columns_new(self.handle(), options, error)),
            lambda: _library.columns_array(self.handle(), self.random.choice(ARRAYS), array, error),
            lambda: _library.profile_free(_library.profile_new(self.handle(), self.random.choice((profile, None)), error)),
            lambda: _library.profile_folded(self.handle(), error),
            lambda: _library.profile_functions(self.handle(), self.random.choice((count, None)), error),
            lambda: _library.profile_free(self.handle()),
            lambda: _library.offcpu_free(_library.offcpu_new(self.handle(), None, error)),
            lambda: _library.offcpu_folded(self.handle(), error),
            lambda: _library.offcpu_array(self.handle(), self.random.choice(ARRAYS), array, error),
        )
        # Handles that another call may have freed are used. Columns and intervals are not freed, because numpy arrays
        # of this round refer to their memory.
        return self.random.choice(calls)()

    def run(self, calls):
        for _ in range(calls):
            try:
                if self.shared or self.random.random() < 0.6:
                    self.use_module()
                else:
                    self.use_interface()
            except FINE:
                pass
            self.calls += 1


def damaged(recordings, folder, chance):
    """A few recordings, some with changed bytes or without their ends."""
    paths = []
    for i in range(3):
        data = bytearray(chance.choice(recordings))
        for _ in range(chance.choice((0, 0, 1, 20))):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 0x7f, 0xff, chance.randrange(256)))
        if chance.random() < 0.2:
            del data[chance.randrange(len(data)):]
        path = pathlib.Path(folder) / f"{i}.data"
        path.write_bytes(data)
        paths.append(str(path))
    return paths


def main():
    until, found = time.monotonic() + float(sys.argv[1]), pathlib.Path(sys.argv[3])
    recordings = [it.read_bytes() for it in sorted(pathlib.Path(sys.argv[2]).rglob("*"))
                  if it.is_file() and 0 < it.stat().st_size < 2**20]
    recordings = [it for it in recordings if it[:8] in (b"PERFILE2", b"2ELIFREP")]
    seeds = iter([int(sys.argv[4])]) if len(sys.argv) > 4 else iter(lambda: random.randrange(2**48), None)
    rounds = calls = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            if time.monotonic() > until:
                break
            found.write_text(f"{seed}\n")
            chance = random.Random(seed)
            shared = chance.random() < 0.3
            one = Round(seed, damaged(recordings, folder, chance), shared)
            threads = [threading.Thread(target=one.run, args=(20,))] if shared else []
            for thread in threads:
                thread.start()
            one.run(20)
            for thread in threads:
                thread.join()
            rounds, calls = rounds + 1, calls + one.calls
    found.unlink()
    print(f"stat::number_of_executed_units: {calls}")
    print(f"stat::average_exec_per_sec:     {calls / float(sys.argv[1]):.0f}")
    print(f"{rounds} rounds")


if __name__ == "__main__":
    threading.excepthook = lambda args: (sys.__excepthook__(args.exc_type, args.exc_value, args.exc_traceback),
                                         __import__("os")._exit(1))
    main()
