#!/usr/bin/env python3
"""perfsift.sampling of the Python package, as it is installed."""

import ctypes
import gc
import mmap
import os
import threading
import time
import unittest

import perfsift

PAGE = mmap.PAGESIZE


def refused():
    """Why page faults cannot be sampled here; None: they can."""
    try:
        perfsift.sampling("page-faults:u", period=1)
    except perfsift.UnavailableError as error:
        return str(error)
    return None


WHY = refused()


class Pages:
    """Memory that nothing has touched."""

    def __init__(self, count):
        self.memory = mmap.mmap(-1, count * PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.memory.madvise(mmap.MADV_NOHUGEPAGE)
        self.first = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.count = count

    def touch(self):
        for page in range(self.count):
            self.memory[page * PAGE] = 1

    def sampled(self, samples):
        return [a for a in samples.address.tolist() if self.first <= a < self.first + self.count * PAGE]

    def all(self):
        return [self.first + page * PAGE for page in range(self.count)]


@unittest.skipIf(WHY, WHY)
class Sampling(unittest.TestCase):
    def test_page_faults(self):
        pages = Pages(100)
        before = time.monotonic_ns()
        with perfsift.sampling("page-faults:u", period=1) as sampler:
            pages.touch()
        samples = sampler.samples()
        self.assertEqual(pages.sampled(samples), pages.all())
        self.assertEqual(sampler.lost, 0)
        self.assertEqual(set(samples.tid.tolist()), {threading.get_native_id()})
        self.assertEqual(set(samples.pid.tolist()), {os.getpid()})
        self.assertTrue(before <= samples.time[0] <= samples.time[-1] <= time.monotonic_ns())
        self.assertEqual(set(samples.period.tolist()), {1})
        self.assertEqual(samples.stack_address.tolist(), samples.ip.tolist())
        self.assertEqual(len(sampler.samples()), 0)
        self.assertEqual([event.name for event in sampler.events], ["page-faults:u"])

    def test_presets_say_what_they_choose(self):
        sampler = perfsift.sampling(preset="faults", user_only=True)
        self.assertIn("page faults", sampler.choice)
        self.assertEqual(sampler.left_out, [])

    def test_threads_of_the_process(self):
        pages = Pages(30)
        with perfsift.sampling("page-faults:u", period=1, process=True) as sampler:
            thread = threading.Thread(target=pages.touch)
            thread.start()
            thread.join()
        self.assertEqual(sorted(pages.sampled(sampler.samples())), pages.all())

    def test_stacks_are_named(self):
        pages = Pages(10)
        with perfsift.sampling("page-faults:u", period=1, callchains=True) as sampler:
            pages.touch()
        samples = sampler.samples()
        self.assertEqual(len(samples.stack_starts), len(samples) + 1)
        folded = samples.fold()
        self.assertEqual(sum(folded.values()), len(samples))
        frames = samples.stack_of(0)
        self.assertEqual(frames[0].kind, "user")
        self.assertIn(";".join(frame.function for frame in reversed(frames)), folded)

    def test_arrays_outlive_the_sampler(self):
        pages = Pages(10)
        with perfsift.sampling("page-faults:u", period=1) as sampler:
            pages.touch()
        address = sampler.samples().address
        sampler.close()
        del sampler
        gc.collect()
        self.assertEqual([a for a in address.tolist() if a in pages.all()], pages.all())
        with self.assertRaises(ValueError):
            address[0] = 1

    def test_after_close(self):
        sampler = perfsift.sampling("page-faults:u", period=1)
        sampler.close()
        for use in (sampler.start, sampler.stop, sampler.samples, lambda: sampler.lost):
            with self.assertRaises(perfsift.UsageError):
                use()

    def test_fork(self):
        sampler = perfsift.sampling("page-faults:u", period=1)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                sampler.start()
            except perfsift.UnavailableError as error:
                status = 0 if sampler.is_inert and "fork" in str(error) else 2
            os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertFalse(sampler.is_inert)


class WrongUse(unittest.TestCase):
    def test_arguments(self):
        for arguments in ({"event": "page-fualts"}, {"preset": "x"}, {"event": "page-faults", "preset": "cpu"},
                          {"event": "page-faults", "period": 1, "frequency": 1}, {"event": "page-faults", "tid": 1},
                          {"event": "page-faults", "tid": -1}, {"event": "page-faults", "period": -1},
                          {"event": "page\0faults"}):
            with self.subTest(arguments), self.assertRaises(perfsift.UsageError):
                perfsift.sampling(**arguments)

    def test_machine_without_a_pmu(self):
        if any(os.path.exists(f"/sys/bus/event_source/devices/{pmu}") for pmu in ("cpu", "cpu_core", "ibs_op")):
            self.skipTest("this machine has a PMU")
        with self.assertRaisesRegex(perfsift.UnavailableError, "samples no memory accesses"):
            perfsift.sampling(preset="mem")


if __name__ == "__main__":
    unittest.main()
