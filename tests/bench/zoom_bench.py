#!/usr/bin/env python3
"""Measures in headless Chromium what zooms and searches take, from the key or the click to the paint.

  zoom_bench.py PERFSIFT FOLDER RUNS RECORDING...

The page and both pictures of each recording and of 50,000 stacks are measured. Clicks and keys come as from a user. The
time begins when the browser has the event, and ends with the second frame after it. The second frame begins when the
first has been painted. A frame takes 17 ms, so all work that fits into one frame takes up to 33 ms. The median and
maximum of RUNS are printed, and the processor time of the page's thread.
"""
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "browser"))
# pylint: disable=wrong-import-position
import browser
import page as report_page
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

RUNS, RECORDINGS = int(sys.argv[3]), sys.argv[4:]
LIMIT = 50
WAIT = """
    window.painted = null;
    addEventListener(arguments[0], (event) => requestAnimationFrame(() => requestAnimationFrame(() => {
      window.painted = performance.now() - event.timeStamp;
    })), {capture: true, once: true});"""


class Report:
    """The page of report --html."""

    READY = "document.documentElement.dataset.ready"
    RESET, SEARCH = Keys.HOME, "#search"
    # The place of the widest frame beside the root. The graph draws its boxes again if the size of the window changes.
    WIDEST = """const canvas = document.querySelector('.flame canvas'), place = canvas.getBoundingClientRect();
        const context = canvas.getContext('2d'), boxes = [];
        context.fillRect = (x, y, width) => { if (y > 19 && y < 38) boxes.push({x, width}); };
        dispatchEvent(new Event('resize'));
        delete context.fillRect;
        dispatchEvent(new Event('resize'));
        const box = boxes.reduce((a, b) => (b.width > a.width ? b : a));
        return [place.left + box.x + Math.min(box.width, 60) / 2, place.top + 19 + 9]"""
    FOCUS = "document.querySelector('.flame canvas').focus({preventScroll: true})"
    PATTERN = "/./"
    ZOOMED = "location.hash.includes('zoom=')"


class Picture:
    """An SVG or HTML of flame."""

    READY = "globalThis.perfsift?.controls"
    RESET, SEARCH = Keys.ESCAPE, "input[type=search]"
    WIDEST = """const {picture, svg} = perfsift.controls, row = picture.rows[1];
        const item = row.reduce((a, b) => (b.width > a.width ? b : a)), place = svg.getBoundingClientRect();
        return [place.left + picture.pad + item.x + Math.min(item.width, 60) / 2, place.top + picture.y(1) + 9]"""
    FOCUS = "perfsift.controls.picture.group.focus({preventScroll: true})"
    PATTERN = "."
    ZOOMED = "location.hash.includes('zoom=')"


class Clock:
    """Times of one kind of event."""

    def __init__(self, page, name):
        self.page, self.name, self.times, self.work = page, name, [], []

    def time(self, event, act):
        self.page.run(WAIT, event)
        before = self.thread_time()
        act()
        self.page.wait_for("window.painted !== null")
        self.work.append(self.thread_time() - before)
        self.times.append(self.page.run("return window.painted"))

    def thread_time(self):
        metrics = self.page.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return 1000 * next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    def tell(self):
        median, most = statistics.median(self.times), max(self.times)
        print(f"  {self.name:34} {median:5.0f} ms, at most {most:5.0f} ms  (processor time {statistics.median(self.work):.0f} ms, "
              f"at most {max(self.work):.0f} ms){'' if median <= LIMIT else f'  over {LIMIT} ms'}", flush=True)


def click_at(page, x, y):
    # The pointer first moves to the box, as a user's pointer does.
    actions = ActionChains(page.driver, duration=0)
    actions.w3c_actions.pointer_action.move_to_location(round(x), round(y))
    actions.perform()
    return lambda: ActionChains(page.driver, duration=0).click().perform()


def measure(page, title, path, kind, fragment=""):
    page.open(path, fragment)
    page.wait_for(kind.READY, 60)
    page.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    print(title, flush=True)
    zoom, reset, keys, again = (Clock(page, name) for name in (
        "zoom by a click, widest frame", "reset by a key", "zoom by the keyboard", "reset by Back"))
    for _ in range(RUNS):
        page.run(kind.FOCUS)
        zoom.time("click", click_at(page, *page.run(kind.WIDEST)))
        browser.true(page.run(f"return {kind.ZOOMED}"), "no zoom")
        page.run(kind.FOCUS)
        reset.time("keydown", lambda: page.keys(kind.RESET))
        browser.true(not page.run(f"return {kind.ZOOMED}"), "no reset")
        keys.time("keydown", lambda: page.keys(Keys.ENTER))
        browser.true(page.run(f"return {kind.ZOOMED}"), "no zoom by a key")
        again.time("popstate", lambda: page.run("history.back()"))
        browser.true(not page.run(f"return {kind.ZOOMED}"), "no way back")
    search, end = Clock(page, f"search of {kind.PATTERN}"), Clock(page, "end of the search")
    for _ in range(RUNS):
        for clock, text in ((search, kind.PATTERN), (end, "")):
            clock.time("input", lambda text=text: page.run(
                "const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                "field.dispatchEvent(new Event('input', {bubbles: true}));", kind.SEARCH, text))
    for clock in (zoom, reset, keys, again, search, end):
        clock.tell()


def check_times(page):
    stacks = report_page.file_of_50000_stacks()
    for recording in [*RECORDINGS, stacks]:
        name = pathlib.Path(recording).name
        path = browser.folder() / "page.html"
        browser.perfsift("report", "--quiet", "--html", path, recording)
        measure(page, f"{name}, report --html", path, Report)
        if recording != stacks:  # its leaves are too narrow to be visible
            measure(page, f"{name}, report --html, callers of leaves", path, Report, "shape=reversed")
        for suffix in ("svg", "html"):
            path = browser.folder() / f"picture.{suffix}"
            browser.perfsift("flame", "--quiet", "-o", path, recording)
            measure(page, f"{name}, flame, {suffix}", path, Picture)


if __name__ == "__main__":
    browser.main(globals())
