#!/usr/bin/env python3
"""Measures in headless Chromium what a page takes to open and to zoom, and what speedscope takes with the same samples.

  browser_bench.py PERFSIFT FOLDER RECORDING [SPEEDSCOPE]

SPEEDSCOPE is the folder dist/release of the npm package; without it, its row is left out. It has SPEEDSCOPE_SECONDS (180)
of the environment to show the samples. The output then says what speedscope has shown.
"""
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "browser"), str(HERE.parent / "consumers")]
# pylint: disable=wrong-import-position
import browser
import speedscope_shows


def row(name, milliseconds):
    print(f"  {name:44} {milliseconds / 1000:8.3f} s", flush=True)


def check_page(page):
    path = browser.folder() / "page.html"
    browser.perfsift("report", "--quiet", "--html", path, sys.argv[3])
    page.open(path)
    row("page: first paint", page.first_paint())
    page.wait_for("document.documentElement.dataset.ready", 60)
    row("page: samples read and drawn", page.run("return performance.now()"))
    zoom = """const graph = document.querySelector('.graph:last-child canvas');
        graph.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown'}));
        graph.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));"""
    row("page: zoom", page.next_paint_after(zoom))


def is_shown(page, seconds):
    """Whether speedscope shows a total in time. While it reads, it may not answer at all."""
    from selenium.common.exceptions import WebDriverException
    end = time.monotonic() + seconds
    page.driver.set_script_timeout(5)
    while time.monotonic() < end:
        try:
            if page.run("return /\\(100%\\)/.test(document.body.innerText)"):
                return True
        except WebDriverException:
            pass
        time.sleep(0.05)
    return False


def check_speedscope(page):
    if len(sys.argv) < 5 or not pathlib.Path(sys.argv[4]).is_dir():
        return
    limit = float(os.environ.get("SPEEDSCOPE_SECONDS", 180))
    served = browser.folder() / "served"
    served.mkdir(parents=True, exist_ok=True)
    for file in pathlib.Path(sys.argv[4]).iterdir():
        (served / file.name).write_bytes(file.read_bytes())
    export = served / "export.speedscope.json"
    browser.perfsift("export", "--to", "speedscope", "-q", "-o", export, sys.argv[3])
    server = speedscope_shows.Server(str(served))
    started = time.monotonic()
    page.open(server.address("index.html"), "view=sandwich&profileURL=" + server.address("export.speedscope.json"))
    if is_shown(page, limit):
        return row("speedscope: profile read and drawn", 1000 * (time.monotonic() - started))
    megabytes = export.stat().st_size / 1e6
    print(f"  speedscope: {megabytes:.0f} MB of samples were not drawn after {limit:.0f} s", flush=True)


if __name__ == "__main__":
    browser.main(globals())
