#!/usr/bin/env python3
"""Measures in headless Chromium what a page takes to open and to zoom, and what speedscope takes with the same samples.

  browser_bench.py PERFSIFT FOLDER RECORDING [SPEEDSCOPE]

SPEEDSCOPE is the folder dist/release of the npm package; without it, its row is left out.
"""
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


def check_speedscope(page):
    if len(sys.argv) < 5 or not pathlib.Path(sys.argv[4]).is_dir():
        return
    served = browser.folder() / "served"
    served.mkdir(parents=True, exist_ok=True)
    for file in pathlib.Path(sys.argv[4]).iterdir():
        (served / file.name).write_bytes(file.read_bytes())
    browser.perfsift("export", "--to", "speedscope", "-q", "-o", served / "export.speedscope.json", sys.argv[3])
    server = speedscope_shows.Server(str(served))
    started = time.monotonic()
    page.open(server.address("index.html"), "view=sandwich&profileURL=" + server.address("export.speedscope.json"))
    page.wait_for("/\\(100%\\)/.test(document.body.innerText)", 300)
    row("speedscope: profile read and drawn", 1000 * (time.monotonic() - started))


if __name__ == "__main__":
    browser.main(globals())
