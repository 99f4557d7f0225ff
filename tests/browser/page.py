#!/usr/bin/env python3
"""The page of `perfsift view --save`: its sums equal those of the recording, its views agree, and its names are
harmless."""
import base64
import gzip
import html
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree

import browser
from browser import at_most, equal, in_time, perfsift, true
from selenium.webdriver.common.keys import Keys

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "testdata")
DEMO = (os.path.join(DATA, "demo.data"), "--symfs", os.path.join(DATA, "symfs"))


def page_of(name, *inputs):
    path = browser.folder() / f"{name}.html"
    perfsift("view", "--quiet", "--no-cache", "--save", path, *inputs)
    return path


def show(page, path, **state):
    page.open(path, urllib.parse.urlencode(state))
    page.wait_for("document.documentElement.dataset.ready")


def status(page):
    return page.run("return document.getElementById('status').textContent")


def samples(page):
    """The number of samples that the page says are selected."""
    text = status(page)
    if text.startswith("No samples"):
        return 0
    return int(re.match(r"([\d,]+) samples?", text)[1].replace(",", ""))


def fold(*arguments):
    """The folded stacks: {stack: number of samples}."""
    lines = perfsift("fold", "--quiet", "--no-cache", "--weight", "samples", *arguments).splitlines()
    return {stack: int(count) for stack, count in (line.rsplit(" ", 1) for line in lines)}


def state(page):
    return dict(urllib.parse.parse_qsl(page.run("return location.hash.slice(1)")))


def functions(page):
    """The rows of the table of functions: {name: [self, total]}."""
    rows = page.run("""return [...document.querySelectorAll('.functions .row')].map(
        (row) => [...row.children].map((cell) => cell.textContent))""")
    return {cells[4]: [cells[0], cells[2]] for cells in rows}


def count(text):
    return 0 if text == "–" else int(text.replace(",", ""))


def check_sums_are_those_of_the_recording(page):
    show(page, page_of("demo", *DEMO), unit="samples", tab="functions")
    stacks = fold(*DEMO)
    equal(samples(page), sum(stacks.values()), "samples")
    expected = {}
    for stack, number in stacks.items():
        frames = stack.split(";")[1:]
        for frame in set(frames):
            expected.setdefault(frame, [0, 0])[1] += number
        expected[frames[-1]][0] += number
    found = {name: [count(own), count(total)] for name, (own, total) in functions(page).items()}
    for name, (own, total) in found.items():
        equal([own, total], expected[name], name)
    true(len(found) >= 5, f"only {len(found)} functions")


def check_ranges_add_up(page):
    path = browser.folder() / "demo.html"
    show(page, path)
    whole = samples(page)
    until = 40_000_000_000
    parts = []
    for begin, end in ((0, 50_000_000), (50_000_000, 120_000_000), (120_000_000, until)):
        show(page, path, **{"from": begin, "until": end})
        parts.append(samples(page))
    equal(sum(parts), whole, f"samples of three ranges, {parts}")
    true(all(parts), f"a range is empty: {parts}")


def check_sums_of_pprof_have_threads_and_cpus(page):
    """A pprof profile has a sum for each stack, thread and CPU, which are labels of its samples."""
    profile = browser.folder() / "mixed.pb.gz"
    mixed = os.path.join(DATA, "oracle", "mixed.data")
    text = grouped_text("sums.txt", GROUPED)  # the text of perf script has the CPU
    for source, threads, cpus in ((text, {"b b 20": 1, "a 10": 2, "a 10/11": 2}, {"0": 2, "1": 3}), (mixed, None, None)):
        perfsift("export", "--quiet", "--no-cache", "--to", "pprof", "-o", profile, source)
        path = page_of("sums", profile)
        show(page, path, unit="samples")
        whole = samples(page)
        for label, expected in (("Thread", threads), ("CPU", cpus)):
            found = {}
            names = page.run("return [...document.querySelector(`select[aria-label=${arguments[0]}]`).options].slice(1).map((one) => one.textContent)", label)
            for number, name in enumerate(names):
                page.run("""const select = document.querySelector(`select[aria-label=${arguments[0]}]`);
                            select.selectedIndex = arguments[1] + 1; select.dispatchEvent(new Event('change'));""", label, number)
                found[name] = samples(page)
            page.run("document.getElementById('selection').querySelector('button').click()")  # everything
            equal(samples(page), whole, "samples of everything")
            equal(sum(found.values()), whole, f"samples of {found}")
            true(expected is None or found == expected, f"samples by {label}: {found}")
        show(page, path, unit="samples", tab="lanes")
        lanes = page.run("return [...document.querySelectorAll('.lanes .row')].map((row) => [...row.children].map((cell) => cell.textContent).slice(0, 2))")
        if threads:
            equal([lane for lane in lanes if len(lane) == 2], [["CPU 0", "2"], ["CPU 1", "3"], ["a 10", "2"], ["a 10/11", "2"], ["b b 20", "1"]], "lanes")
            page.screenshot("sums_lanes")


def check_what_has_no_threads_offers_none(page):
    show(page, page_of("threadless", folded("threadless.folded", ["a;b 3\n"])))
    equal(page.run("return [...document.querySelectorAll('.selection select')].filter((one) => one.disabled).map((one) => one.ariaLabel)"), ["Thread", "CPU"],
          "what cannot be chosen")
    true("Threads & CPUs" not in page.run("return document.getElementById('tabs').innerText"), "a view of threads")


def check_threads_add_up(page):
    path = browser.folder() / "demo.html"
    show(page, path)
    whole = samples(page)
    threads = page.run("return document.querySelector('select[aria-label=Thread]').options.length - 1")
    parts = []
    for number in range(threads):
        page.run("""const select = document.querySelector('select[aria-label=Thread]');
                    select.selectedIndex = arguments[0] + 1; select.dispatchEvent(new Event('change'));""", number)
        parts.append(samples(page))
    equal(sum(parts), whole, f"samples of the threads, {parts}")


def check_zoom_search_reset_and_link(page):
    path = browser.folder() / "demo.html"
    show(page, path, unit="samples")
    canvas = page.find(".flame canvas")
    page.run("window.clickAt = (x, y) => { const canvas = document.querySelector('.flame canvas');"
             "const box = canvas.getBoundingClientRect();"
             "canvas.dispatchEvent(new MouseEvent('click', {clientX: box.left + x, clientY: box.top + y, bubbles: true})); }")
    page.run("clickAt(40, 19 * 2 + 9)")
 
    zoomed = state(page)["zoom"]
    equal(len(zoomed.split(".")), 2, "functions in the path that is zoomed to")
    page.screenshot("zoomed")
    show(page, path, **state(page))
    equal(state(page)["zoom"], zoomed, "the zoom of a link")
    page.click(page.find(".bar button[title^='The whole graph']"))
    true("zoom" not in state(page), "reset keeps the zoom")
    page.run("history.back()")
    page.wait_for("location.hash.includes('zoom')")
    page.click("#search")
    page.keys("main")
    page.wait_for("document.getElementById('found').textContent.endsWith('found')")
    stacks = fold(*DEMO)
    with_main = sum(number for stack, number in stacks.items() if "main" in stack.lower())
    equal(page.run("return document.getElementById('found').textContent"),
          f"{100 * with_main / sum(stacks.values()):.{0 if with_main == sum(stacks.values()) else 1}f} % found", "found")
    page.screenshot("search")
    page.keys(Keys.ESCAPE)
    equal(page.run("return document.getElementById('found').textContent"), "", "found after Escape")
    page.keys("/")
    page.keys("/(")
    page.wait_for("document.getElementById('search').getAttribute('aria-invalid') === 'true'")
    true("not a pattern" in page.run("return document.getElementById('found').textContent"), "a wrong pattern is not told")
    true(canvas is not None, "no canvas")


def check_back_and_forward(page):
    """Each choice is a step of the history: Back shows the view before."""
    path = browser.folder() / "demo.html"
    show(page, path)
    choose = lambda label, value: page.run("""const select = [...document.querySelectorAll('select')].find((select) =>
        select.getAttribute('aria-label') === arguments[0] || select.dataset.set === arguments[0]);
        select.value = arguments[1]; select.dispatchEvent(new Event('change'))""", label, value)
    steps = [lambda: choose("Thread", "0.0"), lambda: choose("CPU", page.run("return document.querySelector('select[aria-label=CPU]').options[1].value")),
             lambda: choose("Unit", "samples"), lambda: choose("shape", "reversed"), lambda: page.keys("c"),
             lambda: (page.run("document.getElementById('overview').focus()"), page.keys(Keys.ARROW_DOWN)),
             lambda: choose("compared", "amounts"), lambda: page.run("document.getElementById('tab-functions').click()"),
             lambda: page.run("document.querySelector('.base button[title^=\"Do not\"]').click()")]
    seen = [page.run("return [location.hash, document.body.innerText]")]
    for step in steps:
        step()
        seen.append(page.run("return [location.hash, document.body.innerText]"))
    equal(len({link for link, _ in seen}), len(seen), "links")
    for there, back in ((reversed(seen[:-1]), "back"), (seen[1:], "forward")):
        for link, text in there:
            page.run(f"history.{back}()")
            page.wait_for(f"location.hash === {json.dumps(link)}")
            equal(page.run("return document.body.innerText"), text, f"{back} to {link}")
    before = page.run("return history.length")
    page.click("#search")
    page.keys("main")
    equal(page.run("return history.length"), before, "steps of the history after a search")


def check_every_zoom_is_a_link(page):
    """Back undoes a zoom into callees and the limit of the table to found functions, and a link leads to both."""
    path = browser.folder() / "demo.html"
    show(page, path, tab="functions", unit="samples", search="named")
    page.run("document.querySelector('#view-functions input[type=checkbox]').click()")
    found = functions(page)
    true(list(found) == ["demo::named"], f"functions that are found: {found}")
    link = state(page)
    equal(link["only"], "1", "the tick in the link")
    page.run("history.back()")
    page.wait_for("!location.hash.includes('only')")
    true(len(functions(page)) > len(found), "functions after Back")
    show(page, path, **link)
    equal(functions(page), found, "functions of the link")
    page.click(".functions .row")
    graph = "document.querySelectorAll('#view-function canvas')[1]"
    page.run(f"{graph}.focus()")
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    zoomed = state(page)
    true(zoomed.get("callees"), f"no zoom in the link: {zoomed}")
    page.screenshot("callees_zoomed")
    show(page, path, **zoomed)
    equal(state(page), zoomed, "link of a link")
    page.run("document.activeElement.blur()")
    page.keys(Keys.ESCAPE)
    true("callees" not in state(page), "zoom after Escape")
    page.run("history.back()")
    page.wait_for("location.hash.includes('callees')")
    show(page, path, **zoomed)
    page.run("document.querySelector('input[aria-label=Function]').focus()")
    page.keys("demo::scramble", Keys.ENTER)
    page.wait_for("!location.hash.includes('callees')")  # another function is not zoomed


def check_links_made_by_hand(page):
    path = browser.folder() / "demo.html"
    show(page, path)
    for link in ("tab=__proto__", "__proto__=1", "tab=constructor", "palette=toString", "compared=__proto__", "base=__proto__%3D1",
                 "shape=__proto__", "sort=__proto__", "unit=__proto__", "zoom=9999999", "from=-5&until=1e99", "base=none&base=all"):
        page.open(path, link)
        page.wait_for("document.documentElement.dataset.ready")
        true(samples(page) > 0, f"{link}: {status(page)}")


def check_no_comparison_stays_none(page):
    """Two recordings are compared from the start. The link of a recording that is not compared says so."""
    compared(page)
    page.run("document.querySelector('.base button[title^=\"Do not\"]').click()")
    equal(state(page)["base"], "none", "link")
    compared(page, **state(page))
    true(page.run("return document.querySelector('.base').hidden"), "compared again")


def check_keyboard(page):
    path = browser.folder() / "demo.html"
    show(page, path)
    page.run("document.querySelector('.flame canvas').focus()")
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    told = status(page)
    true("total" in told and "%" in told, f"the box is not told: {told}")
    page.keys(Keys.ENTER)
    true("zoom" in state(page), "Enter does not zoom")
    page.keys(Keys.ESCAPE)
    true("zoom" not in state(page), "Escape does not reset the zoom")
    page.keys("2")
    equal(state(page)["tab"], "functions", "tab of key 2")
    page.keys("?")
    page.wait_for("document.getElementById('keys').open")
    page.screenshot("keys")
    page.keys(Keys.ESCAPE)
    page.wait_for("!document.getElementById('keys').open")
    page.run("document.getElementById('overview').focus()")
    page.keys(Keys.ARROW_DOWN)
    true("from" in state(page), "an arrow key does not change the range")


def check_every_view(page):
    path = browser.folder() / "demo.html"
    for scheme in ("light", "dark"):
        page.prefers(color_scheme=scheme)
        for tab in ("flame", "functions", "function", "lanes", "heat", "summary"):
            show(page, path, tab=tab)
            visible = page.run("return [...document.querySelectorAll('.view')].filter((view) => view.offsetHeight > 0).map((view) => view.id)")
            equal(visible, [f"view-{tab}"], "views in the page")
            page.screenshot(f"{tab}_{scheme}")
    page.prefers(color_scheme="light")


def data_of(path):
    """The data in a page, in base64."""
    packed = re.search(r'<script[^>]*id="data"[^>]*>([^<]*)<', path.read_text(encoding="utf-8"))[1]
    return base64.b64encode(gzip.decompress(base64.b64decode(packed))).decode()


def check_colours_are_those_of_flame_graphs(page):
    """A function has the same colour in the page and in the SVG, light and dark."""
    names = ["größe", "日本", "[unknown]", "[vdso]", "-", "-- more", "f", "g()", "operator&lt;", "a < b && c > d", *(f"f{i}" for i in range(40))]
    for inputs in (DEMO, (folded("colours.folded", [f"main;{name} {i + 1}\n" for i, name in enumerate(names)]),)):
        path = page_of("colours", *inputs)
        data, compared = data_of(path), set()
        scripts = browser.scripts("page/web/model.js", "page/web/colours.js")
        for palette, own in (("kind", "kind"), ("safe", "safe"), ("dso", "binary")):
            picture = perfsift("flame", "--quiet", "--no-cache", "--palette", palette, "--width", "20000", "--min-width", "0", "-o", "-", *inputs)
            rules = re.findall(r"\.(c\d+)\{fill:(#[0-9a-f]{6})\}", picture)
            classes = {html.unescape(name): css for css, name in re.findall(r'<rect class="(c\d+)"[^>]*/><text(?! class="legend")[^>]*>([^<]+)</text>', picture)}
            for theme, colours in (("light", dict(rules[:len(rules) // 2])), ("dark", dict(rules[len(rules) // 2:]))):
                page.prefers(color_scheme=theme)
                show(page, path)
                painted = page.run(scripts + """const model = new modules.Model(Uint8Array.from(atob(arguments[0]), (byte) => byte.charCodeAt(0)));
                    return model.names.map((name, frame) => [name, modules.palettes[arguments[1]][1](model, frame)])""", data, own)
                for name, colour in painted:
                    if name in classes:
                        compared.add(name)
                        equal(colour, colours[classes[name]], f"{palette}, {theme}: {name}")
        true(len(compared) > 15, f"only these are drawn: {compared}")
    page.prefers(color_scheme="light")


def folded(name, lines):
    path = browser.folder() / name
    path.write_bytes("".join(lines).encode("utf-8", "surrogateescape"))
    return path


def check_compared_with_itself_nothing_differs(page):
    show(page, page_of("same", *DEMO, DEMO[0]), tab="functions")
    changes = page.run("return [...document.querySelectorAll('.functions .row')].map((row) => row.children[2].className)")
    true(changes and all("same" in change for change in changes), f"changes: {changes}")


# 40 samples before, and 80 samples now.
BEFORE = ["main;gone 10\n", "main;stay 30\n"]
NOW = ["main;new 20\n", "main;stay 60\n"]


def compared(page, **selected):
    path = browser.folder() / "compared.html"
    if not path.exists():
        page_of("compared", folded("before.folded", BEFORE), folded("now.folded", NOW))
    show(page, path, **selected)


def tips(page, graph, row, steps=40):
    """The titles and labels of the boxes of a row, from left to right: [[title, {label: text}], ...]. "" where there is
    no box."""
    found = page.run("""
        const canvas = document.querySelectorAll('.graph canvas')[arguments[0]], tip = document.getElementById('tip');
        const box = canvas.getBoundingClientRect(), found = [];
        for (let step = 0; step < arguments[2]; ++step) {
          const x = box.left + box.width * (step + 0.5) / arguments[2], y = box.top + arguments[1] * 19 + 9;
          canvas.dispatchEvent(new PointerEvent('pointermove', {clientX: x, clientY: y}));
          found.push(tip.hidden ? ['', {}] : [tip.querySelector('b').textContent,
            Object.fromEntries([...tip.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent)))]);
        }
        canvas.dispatchEvent(new PointerEvent('pointerleave'));
        return found;""", graph, row, steps)
    return [tip for i, tip in enumerate(found) if i == 0 or tip != found[i - 1]], [title for title, _ in found]


def check_self_of_callers_of_leaves(page):
    path = page_of("callers", folded("callers.folded", ["main;eval 30\n", "main;eval;malloc 10\n"]))
    show(page, path, shape="reversed")
    selves = [[(title, words.get("self")) for title, words in tips(page, 0, row)[0]] for row in (0, 1, 2)]
    equal(selves[0], [("all", None)], "root")
    equal(selves[1], [("eval", "30  (75.0 %)"), ("malloc", "10  (25.0 %)")], "leaves")
    equal(selves[2], [("main", None), ("eval", None)], "callers")


def script_text(name, events):
    """A file of perf script: [event, number of samples]..."""
    path = browser.folder() / name
    path.write_text("".join(f"demo 1/1 [000] {i}.{number:06}: 1 {event}:\n\t1000 main (/demo)\n\n"
                            for i, (event, count) in enumerate(events) for number in range(count)))
    return path


def check_recordings_without_a_common_event_are_not_compared(page):
    """If one of two sides has no samples, nothing is compared. An event that both sides have is preferred."""
    one, other = script_text("one.txt", [["cycles", 20], ["faults", 30]]), script_text("other.txt", [["task-clock", 90], ["cycles", 10]])
    show(page, page_of("common", one, other))
    equal(page.run("return document.querySelector('select[aria-label=Event]').selectedOptions[0].textContent"), "cycles", "event")
    true(status(page).startswith("10 samples"), status(page))
    only = script_text("only.txt", [["task-clock", 90]])
    for inputs, side, number, has in (((one, only), "before", 1, "cycles, faults"), ((only, one), "now", 2, "cycles, faults")):
        show(page, page_of("different", *inputs), unit="samples")
        equal(status(page), f"Nothing is compared: the side {side} (recording {number}) has no samples of task-clock, but of {has}", "status")
        fills = {box[4] for box in drawn(saved(page, "seen"))[0] if not box[0].startswith("recording")}
        grey = page.run("return getComputedStyle(document.querySelectorAll('#view-flame .key i')[2]).backgroundColor")
        equal({"rgb(%d, %d, %d)" % tuple(int(fill[i:i + 2], 16) for i in (1, 3, 5)) for fill in fills}, {grey}, "colours")
        page.screenshot("not_compared")


def check_what_has_gone_keeps_a_width(page):
    compared(page)
    boxes, titles = tips(page, 0, 2)
    facts = dict(boxes)
    # The mean of both shares: 10/40 before, 20/80 now.
    equal({name: titles.count(name) for name in facts}, {"gone": 5, "stay": 30, "new": 5}, "widths")
    equal([facts["gone"][label] for label in ("total", "before", "now")], ["0  (0.0 %)", "10  (25.0 %)", "0  (0.0 %)"], "gone")
    equal([facts["new"][label] for label in ("before", "now")], ["0  (0.0 %)", "20  (25.0 %)"], "new")
    page.screenshot("compared")
    compared(page, compared="now")
    _, titles = tips(page, 0, 2)
    equal((titles.count("gone"), titles.count("new")), (0, 10), "widths of now")
    compared(page, tab="functions")
    page.screenshot("compared_functions")


def check_two_recordings_side_by_side(page):
    compared(page, compared="amounts")
    equal(page.run("return document.querySelectorAll('.graph').length"), 2, "graphs")
    before, before_titles = tips(page, 0, 2)
    _, now_titles = tips(page, 1, 2)
    equal((before_titles.count("gone"), before_titles.count("stay"), before_titles.count("")), (5, 15, 20), "before, in 2 px an amount")
    equal((now_titles.count("new"), now_titles.count("stay")), (10, 30), "now")
    equal([dict(before)["stay"][label] for label in ("total", "before", "now")], ["30  (75.0 %)", "30  (75.0 %)", "60  (75.0 %)"], "stay")
    equal([tips(page, graph, 0, 4)[1][0] for graph in (0, 1)], ["recording 1", "recording 2"], "names of the roots")
    page.screenshot("side_by_side")
    compared(page, compared="shares")
    _, before_titles = tips(page, 0, 2)
    equal((before_titles.count("gone"), before_titles.count("stay")), (10, 30), "before, in shares")
    # Both graphs have the same zoom and the same found functions.
    page.run("""const canvas = document.querySelectorAll('.graph canvas')[1], box = canvas.getBoundingClientRect();
                canvas.dispatchEvent(new MouseEvent('click', {clientX: box.left + box.width * 0.9, clientY: box.top + 2 * 19 + 9}));""")
    for graph in (0, 1):
        _, titles = tips(page, graph, 2)
        equal(set(titles), {"stay"}, f"graph {graph} after the zoom")
    page.run("document.querySelector('.bar button[title^=\"The whole\"]').click()")
    page.click("#search")
    page.keys("gone")
    page.wait_for("document.getElementById('found').textContent === '25.0 % before, 0.0 % now'")
    page.screenshot("side_by_side_search")
    # A function that one side does not have is not in the graph of this side.
    gone = page.run("return document.querySelectorAll('.graph canvas').length") and tips(page, 0, 2)[1].index("gone")
    page.run("""const canvas = document.querySelectorAll('.graph canvas')[0], box = canvas.getBoundingClientRect();
                canvas.dispatchEvent(new MouseEvent('click', {clientX: box.left + box.width * (arguments[0] + 0.5) / 40, clientY: box.top + 2 * 19 + 9}));""", gone)
    equal(set(tips(page, 0, 2)[1]), {"gone"}, "before, zoomed to what has gone")
    equal(set(tips(page, 1, 2)[1]), {""}, "now, zoomed to what has gone")
    equal(page.run("return [...document.querySelectorAll('.graph h3')].map((caption) => caption.textContent)"),
          ["Before: recording 1, 40 samples", "Now: recording 2, 80 samples · has nothing of what is zoomed to"], "captions")
    page.resize(700, 900)
    page.screenshot("side_by_side_narrow")
    page.resize(1280, 800)


def check_colours_are_offered_where_they_are_used(page):
    for how, is_used in (("both", False), ("now", False), ("amounts", True), ("shares", True)):
        compared(page, compared=how)
        hidden = page.run("return document.querySelector('select[data-set=palette]').closest('label').getClientRects().length === 0")
        equal(hidden, is_used is False, f"the choice of colours with {how} is hidden")


def check_binaries_have_a_legend(page):
    """The files in lines of perf script -F event,ip,dso for this event, where code is known to be in a file."""
    show(page, page_of("binaries", os.path.join(DATA, "oracle", "mixed.data"), "-e", "sched:sched_process_exit"), palette="binary")
    key = page.run("""return [...document.querySelectorAll('.bar .key')].map(
        (entry) => [entry.textContent.trim(), entry.firstChild.style.background])""")
    equal(sorted(name for names, _ in key for name in names.split(", ")), ["[kernel.kallsyms]", "demo", "libc.so.6"], "binaries")
    equal(len({colour for _, colour in key}), len(key), "colours")
    page.screenshot("legend_of_binaries")


def check_two_ranges_side_by_side(page):
    """Two ranges of one recording."""
    path = browser.folder() / "demo.html"
    show(page, path, compared="amounts", base=urllib.parse.urlencode({"from": 0, "until": 60_000_000}),
         **{"from": 60_000_000, "until": 40_000_000_000})
    captions = page.run("return [...document.querySelectorAll('.graph h3')].map((caption) => caption.textContent)")
    both = [int(re.search(r"([\d,]+) samples", caption)[1].replace(",", "")) for caption in captions]
    equal(sum(both), sum(fold(*DEMO).values()), f"samples of both: {captions}")
    page.screenshot("ranges_side_by_side")
    page.prefers(color_scheme="dark")
    page.screenshot("ranges_side_by_side_dark")
    page.prefers(color_scheme="light")


def check_changes_are_those_of_diff(page):
    """The page computes changes and their significance itself, with the results of perfsift diff."""
    random.seed(7)
    def side(scale):
        return [f"main;f{i} {max(1, int(random.paretovariate(0.6) * scale)) % 4000}\n" for i in range(60) if random.random() < 0.9]
    before, now = folded("diff_before.folded", side(2)), folded("diff_now.folded", side(3))
    changes = {row["symbol"]: row["self"] for row in
               json.loads(perfsift("diff", "--quiet", "--sort", "symbol", "--json", before, now))["events"][0]["rows"]}
    page.resize(1280, 2400)
    show(page, page_of("changes", before, now), tab="functions")
    rows = page.run("""return [...document.querySelectorAll('.functions .row')].map((row) => [row.children[6].textContent,
        row.children[0].textContent, row.children[1].textContent, row.children[2].textContent, row.children[2].className])""")
    page.resize(1280, 800)
    true(len(rows) > 40, f"only {len(rows)} functions")
    for name, share_before, share_now, delta, kind in rows:
        expected = changes[name]
        true(abs(float(share_before[:-2]) - expected["before"]["percent"]) < 0.0501, f"share of {name} before: {share_before}, {expected}")
        true(abs(float(share_now[:-2]) - expected["after"]["percent"]) < 0.0501, f"share of {name} now: {share_now}, {expected}")
        true(abs(float(delta) - expected["delta"]) < 0.00501, f"change of {name}: {delta}, {expected}")
        equal("same" not in kind, expected["significant"], f"significance of {name}: {expected}")


def amounts_of(row):
    return {"samples": row["samples"], "value": row["value"]}


def check_intervals_are_those_of_diff(page):
    """changeOf() of the page and analysis/comparison/change.cpp have the same formulas. Their results are equal for few
    and many samples, for all and none of them, and for samples with weights."""
    counts = (0, 1, 2, 3, 4, 5, 10, 100, 998, 1000, 123_456)
    sides = [[f"main;f{i} {count}\n" for i, count in enumerate(side) if count] for side in zip(*itertools.product(counts, counts))]
    alone = folded("alone.folded", ["main 7\n"]), folded("also_alone.folded", ["main 5\n"])
    weighted = [browser.folder() / "first.data", browser.folder() / "second.data"]
    for path, time in zip(weighted, ("0%-30%", "30%-100%")):
        perfsift("filter", "--quiet", "--time", time, "-o", path, os.path.join(DATA, "demo.data"))
    formulas = browser.scripts("web/change.js")
    show(page, page_of("alone", *alone))
    compared = 0
    for before, now in ((folded("counts_before.folded", sides[0]), folded("counts_now.folded", sides[1])), alone, weighted):
        for event in json.loads(perfsift("diff", "--quiet", "--sort", "symbol", "--json", before, now))["events"]:
            all_before, all_now = amounts_of(event["before"]), amounts_of(event["after"])
            changes = [row[which] for row in event["rows"] for which in ("self", "total")]
            found = page.run(formulas + "return arguments[0].map((amounts) => modules.changeOf(...amounts))",
                             [[amounts_of(change["before"]), all_before, amounts_of(change["after"]), all_now] for change in changes])
            for change, own in zip(changes, found):
                for name in ("delta", "low", "high"):
                    true(abs(change[name] - 100 * own[name]) < 1e-9, f"{name} of {change}: {100 * own[name]}")
                equal(own["isSure"], change["significant"], f"significance of {change}")
            compared += len(changes)
    true(compared > 200, f"only {compared} changes")


def seconds(text):
    number, unit = text.split(" ")
    return float(number) * {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit]


def waits(page, path, **selected):
    """The numbers in the view of intervals: {intervals, length, queue, cut, cut_length}, in seconds."""
    show(page, path, tab="waits", **selected)
    page.wait_for("document.querySelector('#view-waits p').textContent !== ''")
    told = page.run("return document.querySelector('#view-waits p').textContent")
    first = re.match(r"([\d,]+) intervals?: (\S+ \S+?)(?: in the range of time)?, of which (\S+ \S+) waiting for a CPU", told)
    if not first:
        return told
    cut = re.search(r"records were lost\): ([\d,]+) intervals?, (\S+ \S+)", told)
    return {"intervals": int(first[1].replace(",", "")), "length": seconds(first[2]), "queue": seconds(first[3]),
            "cut": int(cut[1].replace(",", "")) if cut else 0, "cut_length": seconds(cut[2]) if cut else 0}


def check_waits_are_those_of_offcpu(page):
    """All intervals are shown, including intervals with an unrecorded end. One thread has a wait of 3 ms every 10 ms,
    the last of them in a run queue. The other thread has a wait of 7 ms."""
    path, cut = browser.folder() / "sched.data", browser.folder() / "cut.data"
    subprocess.run([sys.argv[3], path], check=True)
    perfsift("filter", "--quiet", "--filter", "time >= 41ms && time < 961ms", "-o", cut, path)
    for recording in (path, cut):
        expected = json.loads(perfsift("offcpu", "--quiet", "--no-cache", "--json", recording))
        found = waits(page, page_of("sched", recording))
        for name, key in (("length", "off_cpu"), ("queue", "run_queue")):
            true(abs(found[name] - expected["off_cpu"][key] / 1e9) < 0.006, f"{name} of {found}: {expected['off_cpu']}")
        equal([found["intervals"], found["cut"]], [expected["off_cpu"]["intervals"], expected["cut"]["intervals"]], "intervals")
        true(abs(found["cut_length"] - expected["cut"]["off_cpu"] / 1e9) < 0.006, f"incomplete: {found}: {expected['cut']}")
    true(found["cut_length"] > 0, f"nothing is cut: {found}")


def check_waits_before_the_first_sample(page):
    """The time of the page begins with the first sample that counts, which is within the wait from 50 to 53 ms."""
    show(page, page_of("late", "--filter", "time >= 52ms", browser.folder() / "sched.data"), tab="waits")
    page.wait_for("document.querySelector('#view-waits tr')")
    rows = page.run("""return [...document.querySelectorAll('#view-waits tr')].map((row) => {
        const button = row.querySelector('button'); return [row.children[1].textContent, button.disabled, button.title]; })""")
    before = [row for row in rows if row[0] == "before the first sample"]
    true(0 < len(before) < len(rows) and not any("-" in row[0] for row in rows), f"times of waits: {rows}")
    for place, is_disabled, title in rows:
        equal(is_disabled, "over before the first sample" in title, f"button of the wait {place}: {title}")
    equal({row[1] for row in before}, {True, False}, f"buttons of waits before the first sample: {before}")
    true(not any(row[1] for row in rows if row not in before), f"buttons of other waits: {rows}")
    page.screenshot("waits_before")


def check_waits_that_reach_into_a_range(page):
    """1 ms of the wait from 0 to 3 ms is between 0.5 and 1.5 ms, and 0.25 ms of its run queue are from 2 to 2.25 ms."""
    path = page_of("waits", browser.folder() / "sched.data")
    ms = 1_000_000
    for begin, end, intervals, length, queue in ((0.5, 1.5, 1, 1, 0), (2, 2.25, 1, 0.25, 0.25), (2.5, 3.5, 2, 1, 0.5),
                                                 (3, 10, 1, 7, 0), (0.5, 200.5, 41, 200, 20)):
        found = waits(page, path, **{"from": int(begin * ms), "until": int(end * ms)})
        equal([found["intervals"], round(1000 * found["length"], 2), round(1000 * found["queue"], 2)], [intervals, length, queue], f"{begin} to {end} ms")
    page.screenshot("waits_in_range")
    show(page, path, tab="waits", **{"from": int(0.5 * ms), "until": int(1.5 * ms)})
    page.wait_for("document.querySelector('#view-waits tr')")
    true("1.00 ms of 3.00 ms" in page.run("return document.querySelector('#view-waits').innerText"), "the part of the interval is not told")


def saved(page, name):
    """The files that the menu saves."""
    return page.file_after("""const menu = document.querySelector('select.save');
        menu.value = arguments[0]; menu.dispatchEvent(new Event('change'));""", name)


SVG = "{http://www.w3.org/2000/svg}"


def drawn(picture):
    """The boxes of a picture: [[title, x, y, width, fill]...], and all lines of text above them."""
    root = xml.etree.ElementTree.fromstring(picture)
    boxes = [[box.find(SVG + "title").text, *(float(box.find(SVG + "rect").get(name)) for name in ("x", "y", "width")), box.find(SVG + "rect").get("fill")]
             for box in root.iter(SVG + "g")]
    return boxes, [text.text for text in root.findall(SVG + "text")]


def check_what_is_seen_is_saved(page):
    path = browser.folder() / "demo.html"
    show(page, path, unit="samples")
    plain, lines = drawn(saved(page, "seen"))
    total = sum(fold(*DEMO).values())
    true(f"total {total}" in plain[0][0] and any(f"{total} samples" in line for line in lines), f"{plain[0]} {lines}")
    for state, differs in (({"shape": "reversed"}, "title"), ({"palette": "safe"}, "fill"), ({"search": "main"}, "fill"), ({"zoom": "0.1"}, "width"),
                           ({"upwards": "1"}, "y")):
        for tab in ("flame", "functions"):
            show(page, path, unit="samples", tab=tab, **state)
            boxes, lines = drawn(saved(page, "seen"))
            at = ["title", "x", "y", "width", "fill"].index(differs)
            true([box[at] for box in boxes] != [box[at] for box in plain], f"{state} is not drawn with {tab}")
    (browser.folder() / "seen.svg").write_text(saved(page, "seen"), encoding="utf-8")
    # The widths are proportional to the samples.
    for title, _, _, width, _ in plain:
        share = int(re.search(r"^total ([\d,]+)", title, re.M)[1].replace(",", "")) / total
        true(abs(width - share * plain[0][3]) < 1.6, f"{title}: {width} of {plain[0][3]}")
    compared(page)
    boxes, lines = drawn(saved(page, "seen"))
    equal(sorted(title.split("\n")[0] for title, *_ in boxes if title.startswith(("gone", "new", "stay"))), ["gone", "new", "stay"], "boxes of both")
    true(any(line.startswith("compared with: recording 1") for line in lines), f"{lines}")
    equal(sorted(saved(page, "folded").splitlines()), ["main;gone 10 0", "main;new 0 20", "main;stay 30 60"], "folded stacks of both")
    compared(page, compared="amounts")
    boxes, _ = drawn(saved(page, "seen"))
    names = [title.split("\n")[0] for title, *_ in boxes]
    equal([names.count(name) for name in ("gone", "new", "stay", "main")], [1, 1, 2, 2], "boxes side by side")


GROUPED = [("a", 10, 10, 0, "f"), ("a", 10, 11, 1, "f"), ("a", 10, 11, 1, "g"), ("b b", 20, 20, 1, "f"), ("a", 10, 10, 0, "f")]


def grouped_text(name, rows):
    """A file of perf script: (comm, pid, tid, CPU, function)..., with one second per sample."""
    path = browser.folder() / name
    path.write_text("".join(f"{comm} {pid}/{tid} [{cpu:03}] {second}.000000: 7 cycles:\n\t1000 {leaf} (/demo)\n\t2000 main (/demo)\n\n"
                            for second, (comm, pid, tid, cpu, leaf) in enumerate(rows)))
    return path


def rows_of_boxes(page):
    """The flame graph as in the saved picture: for each row, {name: total of the box, or a list of several}."""
    rows = {}
    for title, _, y, _, _ in drawn(saved(page, "seen"))[0]:
        name, total = re.match(r"(.*)\ntotal ([\d,]+) ", title).groups()
        rows.setdefault(y, {}).setdefault(name, []).append(int(total.replace(",", "")))
    return [{name: totals if len(totals) > 1 else totals[0] for name, totals in row.items()} for _, row in sorted(rows.items())]


def check_processes_and_cpus_first(page):
    text = grouped_text("grouped.txt", GROUPED)
    profile = browser.folder() / "grouped.pb.gz"  # with sums
    perfsift("export", "--quiet", "--no-cache", "--to", "pprof", "-o", profile, text)
    processes = [{"all": 5}, {"a 10": 4, "b b 20": 1}, {"a": 4, "b b": 1}, {"main": [4, 1]}, {"f": [3, 1], "g": 1}]
    cpus = [{"all": 5}, {"CPU 0": 2, "CPU 1": 3}, {"a": [2, 2], "b b": 1}, {"main": [2, 2, 1]}, {"f": [2, 1, 1], "g": 1}]
    for source in (text, profile):
        path = page_of("grouped", source)
        for shape, expected in (("processes", processes), ("cpus", cpus)):
            show(page, path, unit="samples", shape=shape)
            equal(rows_of_boxes(page), expected, f"{shape} of {source}")
            page.screenshot(f"{shape}_first")
        page.run("document.querySelector('.flame canvas').focus()")
        page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)  # the widest group
        zoomed = [{"all": 5}, {"CPU 1": 3}, {"a": 2, "b b": 1}, {"main": [2, 1]}, {"f": [1, 1], "g": 1}]
        equal(rows_of_boxes(page), zoomed, "zoomed to a CPU")
        show(page, path, **state(page))
        equal(rows_of_boxes(page), zoomed, "zoomed by a link")
        page.run("document.querySelector('.flame canvas').focus()")
        page.keys(Keys.ARROW_DOWN, "f")
        equal([state(page).get("tab"), status(page)], [None, "CPU 1 is no function"], "callers of a CPU")
        show(page, path, unit="samples", shape="cpus", thread=1, recording=0)
        equal(rows_of_boxes(page), [{"thread a 10/11": 2}, {"CPU 1": 2}, {"a": 2}, {"main": 2}, {"f": 1, "g": 1}], "CPUs of a thread")
    shapes = lambda: page.run("return [...document.querySelector('select[data-set=shape]').options].map((one) => one.value)")
    equal(shapes(), ["calls", "joined", "processes", "cpus", "reversed"], "shapes")
    show(page, page_of("groupless", folded("groupless.folded", ["a;b 3\n"])), shape="cpus")
    equal(shapes(), ["calls", "joined", "reversed"], "shapes of folded text")
    equal(rows_of_boxes(page), [{"all": 3}, {"a": 3}, {"b": 3}], "threads first instead of CPUs")


def saved_with(page, path, **state):
    show(page, path, unit="samples", **state)
    return saved(page, "seen")


def found(page):
    return page.run("return document.getElementById('found').textContent")


def check_search_finds_processes_and_cpus(page):
    """A found box counts completely, so a function below it does not count again."""
    path = page_of("grouped_search", grouped_text("grouped_search.txt", GROUPED))
    match = drawn(saved_with(page, path, shape="cpus", search="CPU"))[0][1][4]  # the colour of the first CPU
    for shape, search, marked, total in (
            ("processes", "b b 20", ["b b 20"], "20.0 %"),
            ("processes", "b b", ["b b", "b b 20"], "20.0 %"),
            ("processes", "/20$|^g/", ["b b 20", "g"], "40.0 %"),
            ("processes", "/^a 10|main/", ["a 10", "main", "main"], "100 %"),
            ("cpus", "CPU 1", ["CPU 1"], "60.0 %"),
            ("cpus", "/CPU 1|^f/", ["CPU 1", "f", "f", "f"], "100 %"),
            ("cpus", "/CPU 0|^g/", ["CPU 0", "g"], "60.0 %"),
            ("cpus", "a 10", [], "0.0 %"),
            ("calls", "CPU", [], "0.0 %")):
        boxes, lines = drawn(saved_with(page, path, shape=shape, search=search))
        equal(found(page), f"{total} found", f"total of {search} with {shape}")
        true(f"search for {search}: {total} found" in lines, f"no total in {lines}")
        equal(sorted(title.split("\n")[0] for title, *_, fill in boxes if fill == match), marked, f"boxes of {search} with {shape}")
    show(page, path, unit="samples", shape="cpus", search="/CPU 0|^g/", tab="functions")
    equal(found(page), "20.0 % found", "the total where no CPUs are in view")
    show(page, path, unit="samples", shape="cpus", search="/CPU 0|^g/")
    page.screenshot("search_cpus")


def check_control_groups_first(page):
    recording, profile = browser.folder() / "cgroups.data", browser.folder() / "cgroups.pb.gz"  # samples, sums
    subprocess.run([sys.argv[4], recording], check=True)
    perfsift("export", "--quiet", "--no-cache", "--to", "pprof", "-o", profile, recording)
    groups = {"/batch.slice": 2, "/web.slice": 3, "[control group not recorded]": 1}
    for source in (recording, profile):
        path = page_of("cgroups", source)
        show(page, path, unit="samples", shape="cgroups", search="web")
        equal(rows_of_boxes(page)[:3], [{"all": 6}, groups, {"server": [2, 3, 1]}], f"control groups of {source}")
        equal(found(page), "50.0 % found", "what the search finds")
        page.screenshot("cgroups_first")
        thread = page.run("return [...document.querySelector('select[aria-label=Thread]').options].map((one) => one.text)").index("server 7")
        value = page.run("return document.querySelector('select[aria-label=Thread]').options[arguments[0]].value", thread)
        show(page, path, unit="samples", shape="cgroups", recording=0, thread=value.split(".")[1])
        equal(rows_of_boxes(page)[1], {"/batch.slice": 2, "/web.slice": 2}, "control groups of a thread that moves")


def check_processes_of_two_recordings_are_compared_by_name(page):
    """Processes have different numbers in each run."""
    before = grouped_text("run1.txt", 20 * GROUPED)
    now = grouped_text("run2.txt", 20 * [(comm, pid + 100, tid + 100, cpu, leaf) for comm, pid, tid, cpu, leaf in GROUPED[:-1]] + 20 * [("c", 7, 7, 2, "f")])
    path = page_of("runs", before, now)
    show(page, path, unit="samples", shape="processes")
    boxes = {title.split("\n")[0]: title for title, *_ in drawn(saved(page, "seen"))[0]}
    for name, amounts in (("a", ("80  (80.0 %)", "60  (60.0 %)")), ("b b", ("20  (20.0 %)", "20  (20.0 %)")), ("c", ("0  (0.0 %)", "20  (20.0 %)"))):
        true(f"before {amounts[0]}\nnow {amounts[1]}" in boxes[name], f"process {name}: {boxes[name]}")
    page.screenshot("processes_compared")
    show(page, path, unit="samples", shape="processes", search="/^a$|^g$/")
    equal(found(page), "80.0 % before, 60.0 % now", "the process a, and its g")
    show(page, path, unit="samples", shape="processes", compared="amounts")
    titles = [title.split("\n")[0] for title, _, y, *_ in drawn(saved(page, "seen"))[0]]
    equal([titles.count("recording 1"), titles.count("recording 2"), titles.count("c"), titles.count("g")], [1, 1, 2, 2], "boxes side by side")
    page.screenshot("processes_side_by_side")


def check_narrow_window(page):
    path = page_of("narrow", *DEMO, DEMO[0])
    for width in (420, 360):
        page.resize(width, 800)
        for link in (path, browser.folder() / "sched.html"):
            show(page, link)
            for tab in page.run("return [...document.querySelectorAll('[role=tab]')].map((tab) => tab.id)"):
                page.run("document.getElementById(arguments[0]).click()", tab)
                equal(page.run("return document.documentElement.scrollWidth"), width, f"width of {tab}")
                inside = page.run("""return [...document.querySelectorAll('.top *, .selection > *, .tabs button, .bar > *')].filter((one) => one.offsetWidth > 0)
                    .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5).map((one) => one.outerHTML.slice(0, 90))""")
                equal(inside, [], f"cut, with {tab}")
                page.screenshot(f"narrow_{width}_{tab}")
    page.resize(1280, 800)


def page_with_gaps(name, gaps):
    """The page of the demo, with these gaps instead of its own: [[kind, CPU, from, until, count]...]."""
    path = browser.folder() / f"{name}.html"
    text = (browser.folder() / "demo.html").read_text(encoding="utf-8")
    data = base64.b64decode(data_of(browser.folder() / "demo.html"))
    size = int.from_bytes(data[:4], "little")
    described = json.loads(data[4:4 + size])
    described["recordings"][0]["gaps"] = gaps
    described = json.dumps(described).encode()
    packed = base64.b64encode(gzip.compress(len(described).to_bytes(4, "little") + described + data[4 + size:])).decode()
    path.write_text(re.sub(r'(<script[^>]*id="data"[^>]*>)[^<]*<', lambda match: f"{match[1]}{packed}<", text), encoding="utf-8")
    return path


def check_legend_of_gaps(page):
    throttled, lost = ["throttled", 0, 1000, 90_000, 1], ["samples lost", 0, 40_000, 50_000, 7]
    for gaps, expected in (([], []), ([throttled], ["throttled: sampling stopped"]), ([lost], ["samples or records lost"]),
                           ([throttled, lost], ["throttled: sampling stopped", "samples or records lost"])):
        show(page, page_with_gaps("gaps", gaps))
        found = page.run("return [...document.querySelectorAll('#gaps:not([hidden]) .key')].map((key) => key.textContent)")
        equal(found, expected, f"legend of {gaps}")
    page.screenshot("gaps")


def check_small_numbers_and_ranges(page):
    one = folded("one.folded", ["main;f 1\n"])
    show(page, page_of("one", one))
    true(status(page).startswith("1 sample ·"), status(page))
    path = browser.folder() / "demo.html"
    show(page, path, **{"from": 100_000_000, "until": 100_001_000})
    true("0.1000000 to 0.1000010 s" in status(page), status(page))
    fields = "return [...document.querySelectorAll('input.time')].map((field) => field.value)"
    equal(page.run(fields), ["0.1000000", "0.1000010"], "the range in its fields")


def check_long_heat_map(page):
    """Heat of 83 hours has at most 1000 columns, and the text says how long a column is."""
    lines = "".join(f"demo 1/1 [000] {time}.000000: 1 cycles:\n\t1000 main (/demo)\n\n" for time in range(0, 300_000, 1000))
    path = browser.folder() / "long.txt"
    path.write_text(lines)
    show(page, page_of("long", path), tab="heat")
    told = page.run("return document.querySelector('.heat p').textContent")
    true(told.startswith("Columns are 500 s, rows are 10 s of them"), told)
    page.screenshot("heat_long")
    page.run("""const canvas = document.querySelector('.heat canvas'), box = canvas.getBoundingClientRect();
        for (const type of ['pointerdown', 'pointerup']) canvas.dispatchEvent(new PointerEvent(type, {clientX: box.left + 1, clientY: box.bottom - 19, pointerId: 1, button: 0}));""")


def check_chosen_row_keeps_its_bar(page):
    path = browser.folder() / "demo.html"
    for scheme in ("light", "dark"):
        page.prefers(color_scheme=scheme)
        show(page, path, tab="functions")
        bar, row = page.run("""const row = document.querySelector('.functions .row[aria-selected=true]');
            return [getComputedStyle(row.querySelector('.share'), '::before').backgroundColor, getComputedStyle(row).backgroundColor]""")
        distance = sum(abs(int(a) - int(b)) for a, b in zip(re.findall(r"\d+", bar), re.findall(r"\d+", row)))
        true(distance > 60, f"{scheme}: the bar {bar} in the row {row}")
        page.screenshot(f"chosen_row_{scheme}")
    page.prefers(color_scheme="light")


def check_hostile_names(page):
    names = ["<script>document.title='hit'</script>", "</script><img src=x onerror=document.title='hit'>", "'\"&lt&amp`${1}",
             "\u202egnp.exe", "x" * 100_000, "\x1b[2Jclear", "\udcff\udcfe bytes"]
    text = folded("hostile.folded", [f"comm;{name};leaf 7\n" for name in names])
    show(page, page_of("hostile", text), tab="functions")
    equal(page.run("return document.title"), "hostile.folded", "title")
    equal(page.run("return document.images.length"), 0, "images")
    equal(samples(page), 7 * len(names), "samples")
    shown = page.run("return [...document.querySelectorAll('.functions .row')].map((row) => row.children[4].textContent)")
    for name in names[:3]:
        true(name in shown, f"{name} is not shown as it is: {[text[:80] for text in shown]}")
    true(all(len(name) <= 300 for name in shown), "a name of 100,000 characters is shown whole")
    titles = [box[0].split("\n")[0] for box in drawn(saved(page, "seen"))[0]]
    for name in names[:3]:
        true(name in titles, f"{name} is not in the picture: {[title[:80] for title in titles]}")
    for tab in ("flame", "function", "summary"):
        show(page, browser.folder() / "hostile.html", tab=tab, func=1)
        page.screenshot(f"hostile_{tab}")
    equal(page.run("return document.title"), "hostile.folded", "title after all views")


def file_of_50000_stacks():
    random.seed(14)
    chain = [f"namespace_{i % 60}::function_number_{i}(int, char const*)" for i in range(9000)]
    lines = set()
    while len(lines) < 50_000:
        at, frames = random.randrange(12), ["server", "main"]
        for _ in range(random.randint(9, 40)):
            frames.append(chain[at])
            at = (at * 31 + random.choice((1, 2, 3))) % len(chain)
        lines.add(";".join(frames))
    return folded("many.folded", [f"{line} {random.randint(1, 90)}\n" for line in sorted(lines)])


def check_50000_stacks(page):
    text = file_of_50000_stacks()
    path = page_of("many", text)
    at_most(path.stat().st_size / 1e6, 5, "megabytes of a page of 50,000 stacks")
    paints, readies, zooms = [], [], []
    for _ in range(3):
        page.open(path)
        page.wait_for("document.documentElement.dataset.ready")
        readies.append(page.run("return performance.now()"))
        paints.append(page.first_paint())
    in_time(min(paints), 1000, "first paint")
    in_time(min(readies), 3000, "the whole picture")
    equal(samples(page), sum(fold(text).values()), "samples")
    for depth in range(2, 10):
        zooms.append(page.next_paint_after(
            "const canvas = document.querySelector('.flame canvas'), box = canvas.getBoundingClientRect();"
            f"canvas.dispatchEvent(new MouseEvent('click', {{clientX: box.left + 60, clientY: box.top + {depth} * 19 + 9}}));"))
    true("zoom" in state(page), "no zoom")
    print("  zooms:", ", ".join(f"{zoom:.0f}" for zoom in zooms), "ms")
    in_time(min(zooms), 50, "a zoom")
    page.run("""const canvas = document.querySelector('.flame canvas'), context = canvas.getContext('2d'), {clearRect} = context;
        window.drawn = 0;
        context.clearRect = (...area) => { ++window.drawn; clearRect.apply(context, area); };""")
    zooms.append(page.next_paint_after(
        "const canvas = document.querySelector('.flame canvas'), box = canvas.getBoundingClientRect();"
        "canvas.dispatchEvent(new MouseEvent('click', {clientX: box.left + 60, clientY: box.top + 9}));"))
    true("zoom" not in state(page), "a click on the root zooms")
    equal(page.run("return window.drawn"), 1, "drawings for a click")
    page.screenshot("many")


def check_callers_of_leaves_are_kept(page):
    """The boxes that are kept for later zooms equal the boxes that a new page finds."""
    page.resize(1280, 800)
    # Each leaf has callers that are too narrow to be visible before a zoom.
    path = page_of("callers", folded("callers.folded", [
        f"root{i % 7};middle{i % 11};caller{i};leaf{leaf} {900 if i < 2 else 1 + i % 3 * leaf}\n"
        for leaf in range(1, 5) for i in range(900)]))
    picture = "return document.querySelector('.flame canvas').toDataURL()"
    zooms = ["", *(f"zoom={path_}" for path_ in paths_of_boxes(page, path))]
    fresh = []
    for zoom in zooms:
        page.open(path, f"shape=reversed&unit=samples&{zoom}")
        page.wait_for("document.documentElement.dataset.ready")
        fresh.append(page.run(picture))
    true(len(set(fresh)) >= 4, f"the same pictures for {zooms}")
    for zoom, expected in zip(zooms * 2, fresh * 2):
        page.next_paint_after(f"location.hash = 'shape=reversed&unit=samples&{zoom}'")
        page.next_paint_after("")
        true(page.run(picture) == expected, f"another picture after a zoom to {zoom or 'everything'}")


def paths_of_boxes(page, path):
    """Clicks on boxes in the first and the second row below the root."""
    paths = set()
    for row, x in ((1, 30), (1, 640), (1, 1240), (2, 30), (2, 640)):
        show(page, path, shape="reversed", unit="samples")
        page.run("const canvas = document.querySelector('.flame canvas'), box = canvas.getBoundingClientRect();"
                 "canvas.dispatchEvent(new MouseEvent('click', {clientX: box.left + arguments[0], clientY: box.top + arguments[1]}));",
                 x, row * 19 + 9)
        paths.add(state(page).get("zoom"))
    return sorted(paths - {None})


if __name__ == "__main__":
    browser.main(globals())
