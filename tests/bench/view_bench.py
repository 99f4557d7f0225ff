#!/usr/bin/env python3
"""Measures what `perfsift view` takes to answer questions over HTTP, and what headless Chromium takes until their
picture is painted.

  view_bench.py PERFSIFT FOLDER RUNS RECORDING [RECORDING]

The second of two recordings is compared with the first recording.

Each question is new. The server keeps no answers, but the page does. The median of RUNS is
printed, and for HTTP the processor time of the server, too.
"""
import json
import pathlib
import statistics
import sys
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "browser"))
# pylint: disable=wrong-import-position
import browser
import view

RUNS, RECORDINGS = int(sys.argv[3]), sys.argv[4:]
# Expressions that need more and more parts of a sample. {} makes each of them new.
FILTERS = {"time": "time >= {}ms", "thread": "tid != {}", "CPU mode": "cpumode == user && tid != {}",
           "name of the leaf": 'sym != "{}a"', "name in the stack": 'stack has "{}main"'}
LIMIT = 300


def row(name, milliseconds, note=""):
    print(f"  {name:44} {milliseconds:8.0f} ms  {'' if milliseconds <= LIMIT else f'over {LIMIT} ms'}{note}", flush=True)


def processor_time(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 10  # utime and stime, in ticks of 10 ms


def check_answers_of_the_server(_page):
    started = time.monotonic()
    with view.Server("--quiet", *RECORDINGS) as server:
        row("server: ready", 1000 * (time.monotonic() - started))
        own = f"http://127.0.0.1:{server.port}/{server.token}/"
        for name, expression in FILTERS.items():
            times, before = [], processor_time(server.process)
            for run in range(RUNS + 1):
                query = urllib.parse.urlencode({"filter": expression.format(run + 1), "recording": len(RECORDINGS) - 1})
                begin = time.monotonic()
                with urllib.request.urlopen(f"{own}rows?{query}") as answer:
                    answer.read()
                times.append(1000 * (time.monotonic() - begin))
            used = (processor_time(server.process) - before) / (RUNS + 1)
            if name == next(iter(FILTERS)):
                row("server: the first filter", times[0])
            row(f"server: filter by {name}", statistics.median(times[1:]), f"  ({used:.0f} ms of processor time)")


def description(server):
    """The JSON of the page, which precedes the columns."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/{server.token}/data") as answer:
        size = int.from_bytes(answer.read(4), "little")
        return json.loads(answer.read(size))


def check_pictures_of_the_browser(page):
    with view.Server("--quiet", *RECORDINGS) as server:
        number = len(RECORDINGS) - 1  # the index of the selected recording
        recording = description(server)["recordings"][number]
        length, threads = recording["duration"] * recording["unit"], len(recording["threads"])
        page.open(server.link)
        page.wait_for("document.documentElement.dataset.ready", 60)
        row("browser: page read and drawn", page.run("return performance.now()"))
        row("browser: first paint", page.first_paint())
        questions = {
            "a range": lambda i: {"from": length * i // 30, "until": length * (i + 15) // 30},
            "a thread": lambda i: {"recording": number, "thread": i % threads},
            "callers of leaves": lambda i: {"shape": ["reversed", "calls"][i % 2]},
            "functions with all callers joined": lambda i: {"shape": ["joined", "calls"][i % 2]},
            "CPUs first, of a range": lambda i: {"shape": "cpus", "from": length * i // 30, "until": length * (i + 15) // 30},
            "a filter": lambda i: {"filter": f'stack has "{i}main"'},
        }
        for name, state in questions.items():
            row(f"browser: {name}", statistics.median(painted(page, state(i)) for i in range(RUNS)))


def painted(page, state):
    """Milliseconds from a new link to the paint of its selection."""
    return page.driver.execute_async_script("""const done = arguments[1], start = performance.now();
        const look = new MutationObserver(() => {
          look.disconnect();
          requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => done(performance.now() - start);
            channel.port2.postMessage(0);
          });
        });
        look.observe(document.documentElement, {attributeFilter: ["data-ready"]});
        location.hash = arguments[0];""", urllib.parse.urlencode(state))


if __name__ == "__main__":
    browser.main(globals())
