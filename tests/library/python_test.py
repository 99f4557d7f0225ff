#!/usr/bin/env python3
"""The Python package, as it is installed, against perfsift's own output.

The environment has PERFSIFT (the program), TESTDATA, SWITCHES (a recording) and EXAMPLE (a program that uses the
package).
"""

import gc
import json
import os
import pathlib
import pydoc
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import perfsift
from perfsift import _library

PROGRAM = os.environ["PERFSIFT"]
TESTDATA = pathlib.Path(os.environ["TESTDATA"])
DEMO = TESTDATA / "demo.data"
MIXED = TESTDATA / "oracle" / "mixed.data"
SYMFS = str(TESTDATA / "symfs")


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def folded(text):
    return {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in text.splitlines()}


class SameAsTheProgram(unittest.TestCase):
    def setUp(self):
        self.recording = perfsift.open(DEMO)
        self.symbolizer = perfsift.Symbolizer(SYMFS)

    def test_fold(self):
        expected = run("fold", "--symfs", SYMFS, DEMO)
        self.assertEqual(self.recording.fold(symbolizer=self.symbolizer), expected)
        self.assertEqual(self.recording.samples(symbolizer=self.symbolizer).fold(), folded(expected))

    def test_fold_with_a_filter(self):
        expected = run("fold", "--symfs", SYMFS, "--filter", "sym =~ 'sort'", "--weight", "samples", DEMO)
        self.assertEqual(self.recording.fold("sym =~ 'sort'", symbolizer=self.symbolizer, count="samples"), expected)

    def test_samples_of_several_events(self):
        recording = perfsift.open(MIXED)
        lines = run("fold", "--symfs", SYMFS, "--event", "*", MIXED)
        self.assertEqual(recording.fold(symbolizer=self.symbolizer), lines)
        samples = recording.samples(stacks=False)
        self.assertEqual(samples.weight.sum(), sum(folded(lines).values()))

    def test_info(self):
        for path in DEMO, MIXED:
            told = json.loads(run("info", "--json", path))
            recording = perfsift.open(path)
            info, samples = recording.info, recording.samples(stacks=False)
            self.assertEqual(info.samples, told["records"]["SAMPLE"])
            self.assertEqual([event.name for event in recording.events], [event["name"] for event in told["events"]])
            counts = np.bincount(samples.event, minlength=len(recording.events)).tolist()
            self.assertEqual(counts, [event["samples"] for event in told["events"]])
            periods = [int(samples.period[samples.event == i].sum()) for i in range(len(counts))]
            self.assertEqual(periods, [event["period_total"] for event in told["events"]])

    def test_packed(self):
        """The packed binaries give the names, also where the symbolizer has a folder without them."""
        expected = run("fold", "--symfs", SYMFS, DEMO)
        for option in ([], ["--names-only"]):
            with tempfile.TemporaryDirectory() as folder:
                packed = pathlib.Path(folder) / "packed.tar.zst"
                run("pack", *option, "--symfs", SYMFS, "-o", packed, DEMO)
                self.assertEqual(perfsift.open(packed).fold(), expected)
                self.assertEqual(perfsift.open(packed).fold(symbolizer=perfsift.Symbolizer(folder)), expected)
                self.assertEqual(perfsift.open(packed).samples().fold(), folded(expected))

    def test_columns(self):
        samples = perfsift.open(MIXED).samples()
        rows = [line.split() for line in run("script", "-G", "--ns", "-F", "tid,time", MIXED).splitlines()]
        times = [int(row[1].rstrip(":").replace(".", "")) for row in rows]
        self.assertEqual(samples.time.tolist(), times)
        self.assertEqual(samples.tid.tolist(), [int(row[0]) for row in rows])

    def test_any_number_of_threads(self):
        for path in DEMO, MIXED:
            for filter in None, "first(3) || depth > 4", "pid == 1":
                one, several = (perfsift.open(path).samples(filter, threads=threads, symbolizer=self.symbolizer)
                                for threads in (1, 7))
                for name in one.COLUMNS + one._TABLES:
                    self.assertEqual(getattr(one, name).tolist(), getattr(several, name).tolist(), name)
                self.assertEqual(one.names.tolist(), several.names.tolist())

    def test_functions(self):
        functions = self.recording.profile(symbolizer=self.symbolizer).functions
        total = sum(folded(run("fold", DEMO)).values())
        self.assertEqual(sum(function.self_value for function in functions), total)
        self.assertLessEqual(max(function.total_value for function in functions), total)

    def test_offcpu(self):
        switches = os.environ["SWITCHES"]
        with tempfile.TemporaryDirectory() as folder:
            run("offcpu", "--output", folder + "/folded", switches)
            self.assertEqual(perfsift.open(switches).offcpu().folded, pathlib.Path(folder, "folded").read_text())
        told = json.loads(run("offcpu", "--json", switches))
        offcpu = perfsift.open(switches).offcpu()
        self.assertEqual(len(offcpu), told["off_cpu"]["intervals"])
        self.assertEqual(int((offcpu.end - offcpu.start).sum()), told["off_cpu"]["off_cpu"])
        self.assertEqual(set(offcpu.names[offcpu.comm]), {"waiter", "waker"})
        with self.assertRaises(perfsift.InputError) as caught:
            self.recording.offcpu()
        self.assertIn("perf record", str(caught.exception))

    def test_mmaps(self):
        events = run("script", "--show-mmap-events", DEMO)
        self.assertEqual(len(self.recording.mmaps()), events.count("PERF_RECORD_MMAP"))

    def test_addresses(self):
        frames = self.symbolizer.frames(SYMFS + "/opt/perfsift-demo/demo", 0x1000)
        self.assertIsInstance(frames, list)


class Memory(unittest.TestCase):
    def test_arrays_outlive_everything_else(self):
        recording = perfsift.open(DEMO)
        samples = recording.samples()
        time, names = samples.time, samples.names
        before = time.sum()
        recording.close()
        del recording, samples
        gc.collect()
        self.assertEqual(time.sum(), before)
        self.assertEqual(names[0], "")

    def test_arrays_cannot_be_written(self):
        with self.assertRaises(ValueError):
            perfsift.open(DEMO).samples().time[0] = 7

    def test_threads(self):
        recording, results = perfsift.open(DEMO), []

        def read():
            try:
                results.append(len(recording.samples()))
            except perfsift.BusyError:
                results.append(0)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(set(results) - {0}, {563})


class WrongUse(unittest.TestCase):
    def test_inputs(self):
        for path in "/does/not/exist", __file__, "/", "":
            with self.assertRaises(perfsift.InputError):
                perfsift.open(path)
        with self.assertRaises(perfsift.UsageError):
            perfsift.open("a\0b")

    def test_filters(self):
        with self.assertRaises(perfsift.FilterError) as caught:
            perfsift.open(DEMO).samples("pid == )")
        self.assertEqual((caught.exception.line, caught.exception.column), (1, 8))

    def test_arguments(self):
        recording = perfsift.open(DEMO)
        for wrong in ({"detail": "all"}, {"threads": -1}, {"threads": 5000}, {"max_frames": 0}, {"demangling": ""}):
            with self.assertRaises(perfsift.UsageError):
                recording.samples(**wrong)
        for wrong in ({"event": "none"}, {"kernel_only": True, "user_only": True}, {"count": "all"}):
            with self.assertRaises(perfsift.UsageError):
                recording.profile(**wrong)
        with self.assertRaises(perfsift.UsageError):
            recording.samples().stack_of(10**6)

    def test_sizes_of_structs(self):
        recording = perfsift.open(DEMO)
        for size in 0, 7, 9, 57, 2**20:
            options, info = _library.ProfileOptions(), _library.InfoStruct()
            options.size = info.size = size
            with self.assertRaises(perfsift.UsageError):
                _library.call(_library.profile_new, recording._handle.value, options)
            with self.assertRaises(perfsift.UsageError):
                _library.call(_library.recording_info, recording._handle.value, info)

    def test_after_close(self):
        with perfsift.open(DEMO) as recording:
            samples = recording.samples()
        for use in (recording.samples, recording.fold, recording.mmaps, lambda: recording.info,
                    lambda: recording.events):
            with self.assertRaises(perfsift.UsageError):
                use()
        recording.close()
        self.assertEqual(len(samples), 563)

    def test_without_samples(self):
        with tempfile.TemporaryDirectory() as folder:
            cut = pathlib.Path(folder) / "cut.data"
            cut.write_bytes(DEMO.read_bytes()[:600])
            try:
                samples = perfsift.open(cut).samples()
            except perfsift.InputError:
                return
            self.assertEqual(len(samples.leaf), len(samples))


class Documentation(unittest.TestCase):
    def test_everything_has_help(self):
        for name in perfsift.__all__:
            text = pydoc.render_doc(getattr(perfsift, name), renderer=pydoc.plaintext)
            self.assertTrue(getattr(perfsift, name).__doc__, name)
            self.assertIn(name, text)

    def test_example(self):
        shown = subprocess.run([sys.executable, "-B", os.environ["EXAMPLE"], DEMO], check=True, capture_output=True,
                               text=True).stdout
        self.assertTrue(shown.startswith("563 samples of cpu-clock:u on demo\n"), shown)

    def test_pandas(self):
        samples = perfsift.open(DEMO).samples(symbolizer=perfsift.Symbolizer(SYMFS))
        try:
            import pandas
        except ImportError:
            with self.assertRaises(ImportError):
                samples.to_pandas()
            print("\nnot compared: DataFrames (no pandas)")
            return
        frame = samples.to_pandas()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(len(frame), 563)
        self.assertEqual(frame["time"].tolist(), samples.time.tolist())
        self.assertEqual(set(frame["event"]), {"cpu-clock:u"})
        leaves = {}
        for line, value in samples.fold().items():
            leaf = line.rsplit(";", 1)[1] if ";" in line else ""
            leaves[leaf] = leaves.get(leaf, 0) + value
        self.assertEqual(frame.groupby("function", observed=True)["weight"].sum().to_dict(), leaves)
        frame.loc[0, "weight"] = 7  # a copy, because the library's memory cannot be written
        self.assertNotEqual(samples.weight[0], 7)
        self.assertEqual(len(perfsift.open(DEMO).samples("pid == 1").to_pandas()), 0)
        self.assertEqual(len(perfsift.open(DEMO).samples(stacks=False).to_pandas()), 563)


if __name__ == "__main__":
    unittest.main()
