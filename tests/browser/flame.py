#!/usr/bin/env python3
"""The pictures of perfsift flame in a browser: zoom, search, link, keyboard, light and dark, and 50,000 stacks."""
import json
import random
import re
import xml.etree.ElementTree

import browser
from browser import at_most, equal, in_time, perfsift, true

STACKS = """main;parse;read 30
main;parse;read;sys_read_[k] 20
main;parse;tokens 10
main;run;eval;eval;eval 25
main;run;eval;malloc 5
main;run;<script>alert(1)</script>]]>&amp; 8
idle 2
"""
TOTAL = 100
FORMATS = ("svg", "html")
# Both formats have the same scripts, so one format is enough for a test of the scripts.
ONE_FORMAT = ("svg",)


def write(name, text):
    path = browser.folder() / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def picture(suffix, *options, text=STACKS, name="small"):
    source = write(f"{name}.folded", text)
    output = browser.folder() / f"{name}.{suffix}"
    perfsift("flame", source, "-o", output, *options)
    return output


def opened(page, suffix, *options, fragment="", **source):
    page.resize(1000, 500)
    page.open(picture(suffix, *options, **source), fragment)
    page.wait_for("globalThis.perfsift?.controls")


def labels(page):
    return page.run("return [...document.querySelectorAll('.labels text')].map(text => text.textContent)")


def status(page):
    return page.run("return document.querySelector('.status').textContent")


def searched(page, total):
    """Waits for the search's total, because each typed key starts a new search."""
    page.wait_for(f"document.querySelector('.status').textContent.startsWith('{total}')")


def zoomed(page):
    return page.run("const picture = perfsift.controls.picture; return picture.tree.text(picture.zoomed)")


def place_of(page, name):
    """The middle of the frame with that name, in the window."""
    return page.run("""
        const picture = perfsift.controls.picture;
        const frame = picture.rows.flat().find(({item}) => picture.tree.text(item.node) === arguments[0]);
        const box = picture.svg.getBoundingClientRect();
        return [box.left + picture.pad + frame.x + frame.width / 2, box.top + picture.y(frame.depth) + 8];""", name)


def at(page, name, press=True):
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    x, y = place_of(page, name)
    actions = ActionBuilder(page.driver)
    actions.pointer_action.move_to_location(round(x), round(y))
    if press:
        actions.pointer_action.click()
    actions.perform()


def check_is_well_formed(page):
    del page
    root = xml.etree.ElementTree.parse(picture("svg")).getroot()
    names = {"svg": "http://www.w3.org/2000/svg"}
    equal(len(root.findall(".//svg:script", names)), 2, "scripts")
    equal(root.find("svg:title", names).text, "Flame graph", "title")
    static = [text.text for text in root.findall(".//svg:g[@class='wide labels']/svg:text", names)]
    true("main" in static and "parse" in static, f"names without scripts: {static}")


def check_sums(page):
    for suffix in ONE_FORMAT:
        opened(page, suffix)
        equal(page.run("return perfsift.controls.picture.tree.value(0)"), TOTAL, "total")
        values = page.run("""const tree = perfsift.controls.picture.tree;
            return Object.fromEntries(Array.from({length: tree.size}, (_, node) => [tree.text(node), tree.value(node)]))""")
        equal((values["main"], values["parse"], values["run"], values["idle"]), (98, 60, 38, 2), "values")


def check_zoom(page):
    for suffix in FORMATS:
        opened(page, suffix)
        at(page, "run")
        equal(zoomed(page), "run", "frame")
        equal(sorted(set(labels(page)) & {"read", "run", "idle", "main", "all"}), ["all", "main", "run"], "names")
        widths = page.run("""return [...document.querySelectorAll('.wide rect')].slice(0, 3)
            .map(rect => Number(rect.getAttribute('width')))""")
        equal(widths, [979.5] * 3, "widths of the callers and the frame")
        page.screenshot(f"zoomed_{suffix}")
        at(page, "main")
        equal(zoomed(page), "main", "frame")
        page.click(page.driver.find_elements("css selector", ".bar button")[0])
        equal(zoomed(page), "all", "frame after reset")


def check_search(page):
    from selenium.webdriver import Keys
    for suffix in ONE_FORMAT:
        opened(page, suffix)
        page.keys("/", "eval|main")
        # eval is below main, so its samples do not count twice.
        searched(page, "matches: 98.00 % of all (98 samples)")
        page.keys((Keys.CONTROL, "a"), "^eval$")
        searched(page, "matches: 30")
        found = page.run("return [...document.querySelectorAll('.wide .found')].length")
        equal(found, 3, "frames that match")
        page.screenshot(f"search_{suffix}")
        page.keys((Keys.CONTROL, "a"), "^EVAL$")
        page.wait_for("document.querySelector('.status').textContent === 'nothing matches'")
        page.keys((Keys.CONTROL, "a"), "ev(al")
        page.wait_for("document.querySelector('.bar input').getAttribute('aria-invalid') === 'true'")
        true("regular expression" in status(page), f"message: {status(page)}")
        page.keys(Keys.ESCAPE)
        equal(page.run("return document.querySelectorAll('.found').length"), 0, "frames after the search")


def check_link(page):
    for suffix in FORMATS:
        opened(page, suffix)
        at(page, "run")
        page.keys("/", "malloc")
        page.wait_for("location.hash.includes('search=malloc')")
        fragment = page.run("return location.hash").removeprefix("#")
        page.open(browser.folder() / f"small.{suffix}", fragment)
        page.wait_for("globalThis.perfsift?.controls")
        equal(zoomed(page), "run", "frame")
        equal(status(page).split("   ")[0], "matches: 5.00 % of all (5 samples)", "total")
        page.driver.back()
        opened(page, suffix)
        at(page, "parse")
        at(page, "read")
        page.driver.back()
        page.wait_for("perfsift.controls.picture.tree.text(perfsift.controls.picture.zoomed) === 'parse'")
        for wrong in ("zoom=99999", "zoom=-1", "zoom=x", "search=%5B", "zoom=1.5"):
            page.open(browser.folder() / f"small.{suffix}", wrong)
            page.wait_for("globalThis.perfsift?.controls")
            equal(zoomed(page), "all", f"frame with {wrong}")


def check_keyboard(page):
    from selenium.webdriver import Keys
    for suffix in ONE_FORMAT:
        opened(page, suffix)
        page.run("perfsift.controls.picture.group.focus()")
        page.keys(Keys.ARROW_UP, Keys.ARROW_UP)
        true(status(page).startswith("parse · 60 samples · 60.00 % of all, 61.22 % of main"), f"focus: {status(page)}")
        equal(page.run("return document.querySelector('.focus').getAttribute('visibility')"), "visible", "focus ring")
        page.keys(Keys.ARROW_RIGHT)
        true(status(page).startswith("run · "), f"focus: {status(page)}")
        page.keys(Keys.ENTER)
        equal(zoomed(page), "run", "frame")
        page.screenshot(f"keyboard_{suffix}")
        page.keys(Keys.ARROW_DOWN, Keys.ENTER)
        equal(zoomed(page), "main", "frame")
        page.keys(Keys.ESCAPE)
        equal(zoomed(page), "all", "frame")
        page.keys("i", Keys.ARROW_DOWN)
        equal(page.run("return perfsift.controls.picture.inverted"), True, "upside down")
        page.keys("?")
        equal(page.run("return document.querySelector('.help-box').getAttribute('visibility')"), "visible", "help")
        page.screenshot(f"help_{suffix}")
        page.keys(Keys.ESCAPE)
        equal(page.run("return document.querySelector('.help-box').getAttribute('visibility')"), "hidden", "help")


def check_what_is_seen_is_saved(page):
    names = {"svg": "http://www.w3.org/2000/svg"}
    for suffix in FORMATS:
        opened(page, suffix)
        at(page, "run")
        page.run("perfsift.controls.find('malloc')")
        seen = sorted(labels(page))
        saved = page.file_after("[...document.querySelectorAll('.bar button')].find(one => one.textContent === 'Save').click()")
        root = xml.etree.ElementTree.fromstring(saved)
        equal([root.findall(f".//svg:{part}", names) for part in ("script", "foreignObject")], [[], []], "scripts and controls")
        equal(sorted(text.text for text in root.findall(".//svg:g[@class='labels']/svg:text", names)), seen, "names")
        # The file shows the same by itself.
        file = browser.folder() / f"seen_{suffix}.svg"
        file.write_text(saved, encoding="utf-8")
        style = "return ['.paper', '.labels text', '.found'].map(part => getComputedStyle(document.querySelector(part)).fill)"
        looks = page.run(style)
        page.open(file)
        equal(sorted(labels(page)), seen, "names in the file")
        equal(page.run(style), looks, "colours in the file")
        page.screenshot(f"seen_{suffix}")


def check_description(page):
    for suffix in ONE_FORMAT:
        opened(page, suffix)
        at(page, "tokens", press=False)
        page.wait_for("document.querySelector('.tip-box').getAttribute('visibility') === 'visible'")
        lines = page.run("return [...document.querySelectorAll('.tip div')].map(line => line.textContent)")
        equal(lines, ["tokens", "10 samples", "10.00 % of all, 16.67 % of parse"], "description")
        page.screenshot(f"description_{suffix}")


def tip(page, name):
    """The lines of the description of the frame with that name."""
    return page.run("""const {tree} = perfsift.controls.picture;
        for (let node = 0; node < tree.size; ++node) {
          if (tree.text(node) === arguments[0]) return perfsift.controls.words.lines(node);
        }""", name)


def check_self_of_reversed_stacks(page):
    opened(page, "svg", "--reverse", text="main;eval 25\nmain;eval;malloc 5\n", name="reversed")
    equal(tip(page, "eval"), ["eval", "25 samples", "83.33 % of all", "self: 83.33 % of all"], "leaf with callers")
    equal(tip(page, "main"), ["main", "25 samples", "83.33 % of all, 100.00 % of eval"], "caller")
    equal(tip(page, "malloc"), ["malloc", "5 samples", "16.67 % of all", "self: 16.67 % of all"], "other leaf")
    output = browser.folder() / "reversed_difference.svg"
    perfsift("diff", "--reverse", *[browser.folder() / "reversed.folded"] * 2, "-o", output)
    page.open(output)
    page.wait_for("globalThis.perfsift?.controls")
    true("self: 83.33 % of all" in tip(page, "eval"), f"leaf of a difference: {tip(page, 'eval')}")


def check_units_of_events(page):
    text = "".join(f"app 7/7 1.{time:06}: {period} {event}:\n\t401000 f (/bin/app)\n\n"
                   for time, period, event in ((0, 1_500_000, "cpu-clock"), (1, 3, "faults"), (2, 1, "faults")))
    opened(page, "svg", "--event", "*", text=text, name="events")
    equal(tip(page, "cpu-clock")[1], "1.500 ms, 1 sample", "amount of a clock")
    equal(tip(page, "faults")[1], "4 faults, 2 samples", "amount of faults")
    page.run("perfsift.controls.find('^f$')")
    equal(status(page), "matches: 100.00 % of cpu-clock (1.500 ms), 100.00 % of faults (4 faults)", "found")


def check_texts_fit_the_window(page):
    notes = ["a note that is a good deal longer than a narrow window is wide, as those about stripped files are", "x" * 200]
    for suffix in FORMATS:
        for width, options in ((420, ()), (1000, ()), (0, ("--width", "400"))):
            opened(page, suffix, "--title", "A title that does not fit into a narrow window, whatever the font",
                   "--subtitle", "a subtitle with many numbers: 1,234,567 of 7,654,321 samples of cpu-clock, page-faults, cycles",
                   *(part for note in notes for part in ("--note", note)), *options,
                   text="java;[libjvm.so];read_[k];f_[j];g_[i] 10\n", name="texts")
            if width > 0:
                page.resize(width, 500)
                page.wait_for(f"document.querySelector('svg').getAttribute('width') === '{width}'")
            right = page.run("""return Math.max(...[...document.querySelectorAll('.title, .subtitle, .notes text')]
                .map((text) => text.getBBox()).map((box) => box.x + box.width))""")
            true(right <= (width or 400), f"a text ends at {right} of {width or 400}")
            lines = page.run("return [...document.querySelectorAll('.note')].map(note => note.textContent)")
            equal("".join(lines).replace(" ", ""), "".join(notes).replace(" ", ""), "notes")
            tops = page.run("""return ['.title', '.subtitle', '.bar', '.status', '.wide', '.legend', '.note'].map(selector => {
                const box = document.querySelector(selector).getBoundingClientRect();
                return [box.top, box.bottom]; })""")
            title, subtitle, bar, _, frames, legend, note = tops
            true(title[1] <= subtitle[0] and subtitle[1] <= frames[0] and bar[1] <= frames[0], f"the head covers something: {tops}")
            true(frames[1] <= legend[0] and legend[1] <= note[0], f"the foot covers something: {tops}")
            page.screenshot(f"texts_{suffix}_{width}")


def check_dark_ground(page):
    for ground, is_dark in (("#202020", True), ("yellow", False)):
        opened(page, "html", "--background", ground, "--note", "a note", name="ground")
        for selector in (".title", ".subtitle", ".note", ".status"):
            fill = page.run("return getComputedStyle(document.querySelector(arguments[0])).fill", selector)
            light = sum(map(int, re.findall(r"\d+", fill))) > 3 * 128
            equal(light, is_dark, f"{selector} on {ground} is {fill}")
        page.screenshot(f"ground_{ground.strip('#')}")


def check_light_and_dark(page):
    for suffix in FORMATS:
        seen = {}
        for scheme in ("dark", "light"):
            page.prefers(color_scheme=scheme)
            opened(page, suffix)
            seen[scheme] = page.run("""return ['.paper', '.wide rect:nth-child(2)', '.labels text']
                .map(selector => getComputedStyle(document.querySelector(selector)).fill)""")
            page.screenshot(f"{scheme}_{suffix}")
        for dark, light in zip(seen["dark"], seen["light"]):
            true(dark != light, f"the same colour in the dark: {light}")


def check_fits_the_window(page):
    for suffix in FORMATS:
        opened(page, suffix)
        page.resize(600, 500)
        page.wait_for("document.querySelector('svg').getAttribute('width') === '600'")
        page.screenshot(f"small_window_{suffix}")
        boxes = page.run("""return ['.bar', '.status', '.subtitle', '.wide'].map(selector => {
            const box = document.querySelector(selector).getBoundingClientRect();
            return [box.top, box.bottom]; })""")
        true(boxes[2][1] <= boxes[0][0] and boxes[0][1] <= boxes[3][0], f"the search covers something: {boxes}")
        at(page, "run")
        equal(zoomed(page), "run", "frame")
        opened(page, suffix, "--width", "800")
        equal(page.run("return document.querySelector('svg').getAttribute('width')"), "800", "width")


def check_hostile_names(page):
    names = (b"</script><script>alert(1)</script>", b"]]>", b"<![CDATA[", b"<!--", b"-->", b"&#x3c", b"\" onload=\"x",
             b"'", b"\\", b"\xff\xfe", b"\xc3", "\u2028\u2029\u202e\ufffe".encode(), b"\x1b[31m", b"x" * 100_000, b" ", b"")
    text = b"".join(b"main;" + name + b" 10\n" for name in names)
    for suffix in FORMATS:
        opened(page, suffix, text=text, name="hostile")
        equal(page.run("return perfsift.controls.picture.tree.value(0)"), 10 * len(names), "total")
        shown = page.run("const tree = perfsift.controls.picture.tree; return tree.frames.map(frame => frame[0])")
        for name in ("</script><script>alert(1)</script>", "]]>", "<![CDATA[", "<!--", "&#x3c", "\" onload=\"x", "\\",
                     "\\xff\\xfe", "\\xc3", "\\xe2\\x80\\xa8\\xe2\\x80\\xa9\\xe2\\x80\\xae\\xef\\xbf\\xbe", "\\x1b[31m"):
            true(name in shown, f"{name!r} is not in {[name[:40] for name in shown]}")
        equal(page.run("return document.querySelectorAll('script').length"), 2, "scripts")
        page.screenshot(f"hostile_{suffix}")
    page.open(picture("html", "--title", "</title><script>alert(1)</script>", "--note", "<b>", "--search", "</script>"))
    page.wait_for("globalThis.perfsift?.controls")
    equal(page.run("return document.title"), "</title><script>alert(1)</script>", "title")
    xml.etree.ElementTree.parse(browser.folder() / "hostile.svg")


def check_foreign_scripts_do_not_run(page):
    opened(page, "html")
    page.run("""const script = document.createElement('script');
        script.textContent = 'globalThis.foreign = true';
        document.body.append(script);""")
    true(any("Content Security Policy" in complaint for complaint in page.complaints()), "the policy allows scripts")
    equal(page.run("return globalThis.foreign ?? false"), False, "the script ran")


# Two threads that run at different times.
TIMES = "".join(f"""app 7/{tid} 1.{time:06}: 100 cycles:
	401000 {leaf} (/bin/app)
	401100 main (/bin/app)

""" for tid, time, leaf in ((7, 0, "a"), (7, 1000, "a"), (7, 2000, "b"), (8, 2000, "c"), (8, 3000, "c"), (7, 9000, "a"),
                            (7, 10000, "a")))


def check_chart(page):
    from selenium.webdriver import Keys
    for suffix in ONE_FORMAT:
        opened(page, suffix, "--flamechart", text=TIMES, name="times")
        equal(sorted(set(labels(page))), ["a", "app (7)", "app (8)", "b", "c", "main"], "names")
        tops = page.run("""return ['app (7)', 'app (8)'].map(name =>
            Number([...document.querySelectorAll('.labels text')].find(text => text.textContent === name).getAttribute('y')))""")
        true(tops[0] < tops[1], f"the first thread is not at the top: {tops}")
        at(page, "b", press=False)
        page.wait_for("document.querySelector('.tip-box').getAttribute('visibility') === 'visible'")
        lines = page.run("return [...document.querySelectorAll('.tip div')].map(line => line.textContent)")
        equal(lines[:4], ["b", "1.000 ms, 1 sample", "8.70 % of app (7), 28.57 % of main", "from 2.500 ms to 3.500 ms"],
              "description")
        page.screenshot(f"chart_{suffix}")
        at(page, "b")
        # The other thread has the same time axis.
        equal(sorted(set(labels(page))), ["app (7)", "app (8)", "b", "c", "main"], "names")
        page.keys(Keys.ESCAPE)
        page.run("perfsift.controls.picture.group.focus()")
        page.keys(Keys.HOME, Keys.PAGE_UP)
        page.keys(Keys.PAGE_DOWN)
        true("app (8)" in status(page) or "app (7)" in status(page), f"focus: {status(page)}")
        page.keys("/", "^a$")
        searched(page, "matches: 43.48 % of app (7)")


# 20,000 samples, each a 17th of a pixel wide. The lane must be full, and after a zoom full of other samples.
def check_chart_of_narrow_frames(page):
    text = "".join(f"app 7/7 1.{i:06}: 100 cycles:\n\t401000 {'ab'[i % 2]} (/bin/app)\n\t401100 main (/bin/app)\n\n" for i in range(20_000))
    for suffix in ONE_FORMAT:
        opened(page, suffix, "--flamechart", text=text, name="narrow")
        row = "const row = perfsift.controls.picture.rows[2]; return "
        true(page.run(row + "row.length") > 0.95 * page.run("return perfsift.controls.picture.size"), "columns are empty")
        true(page.run(row + "row.every((item, i) => i === 0 || row[i - 1].x + row[i - 1].width <= item.x + 0.01)"), "columns overlap")
        page.screenshot(f"narrow_chart_{suffix}")
        true("are joined" in page.run("return document.querySelector('.notes').textContent"), "the picture does not say what it joins")
        equal(page.run("return perfsift.controls.picture.tree.sampleCount(0)"), 20_000, "samples")


def check_sums_of_recordings(page):
    root = browser.pathlib.Path(__file__).resolve().parents[2]
    inputs = [root / "testdata/demo.data", root / "testdata/oracle/mixed.data", write("times.script", TIMES),
              *sorted(root.parent.glob("shared/corpora/*/*.data"))[:3]]
    for source in inputs:
        for weight in ("samples", "period"):
            sums = {}
            for line in perfsift("fold", "-q", "--weight", weight, source).splitlines():
                stack, value = line.rsplit(" ", 1)
                sums[stack.split(";")[0]] = sums.get(stack.split(";")[0], 0) + int(value)
            output = browser.folder() / "sums.svg"
            perfsift("flame", "-q", "--weight", weight, source, "-o", output)
            page.open(output)
            page.wait_for("globalThis.perfsift?.controls")
            found = page.run("""const tree = perfsift.controls.picture.tree, sums = {};
                for (let node = 1; node < tree.size; node = tree.end[node])
                  sums[tree.text(node)] = (sums[tree.text(node)] ?? 0) + tree.value(node);
                return sums""")
            equal(sum(found.values()), sum(sums.values()), f"total of {source.name} by {weight}")
            equal(len(found), len(sums), f"columns or threads of {source.name}")


def check_search_of_names_with_brackets(page):
    """The text is a regular expression, as in flamegraph.pl, or otherwise the name itself."""
    names = ("main::{lambda(int)#1}", "vector<int>::operator[]", "push_back(int&&)", "a-b", "a.b", "aXb")
    opened(page, "svg", text="".join(f"{name} 10\n" for name in names), name="brackets")
    for typed, nodes in (("{lambda", 1), ("operator[]", 1), ("push_back(int&&)", 1), ("vector\\<int", 1), (r"a\-b", 1),
                         ("a.b", 4), ("OPERATOR", 0), ("Push", 0), ("push|vector", 2)):
        found = page.run("perfsift.controls.find(arguments[0]); return perfsift.controls.picture.found?.nodes", typed)
        equal(found, nodes, f"frames that {typed} finds")
    page.run("perfsift.controls.find('(')")
    equal(page.run("return document.querySelector('input').getAttribute('aria-invalid')"), "true", "validity of (")


def check_words_of_a_difference(page):
    """Shares and intervals equal those of perfsift diff."""
    before = write("before.folded", "main;work 500\nmain;idle 300\nmain;old 40\nmain;few 3\n")
    after = write("after.folded", "main;work 700\nmain;idle 290\nmain;new 100\nmain;few 3\n")
    rows = json.loads(perfsift("diff", "--quiet", "--json", "--sort", "symbol", before, after))["events"][0]["rows"]
    output = browser.folder() / "difference.svg"
    perfsift("diff", before, after, "-o", output, "--title", "Two <b>sides</b>")
    page.open(output)
    page.wait_for("globalThis.perfsift?.controls")
    page.screenshot("difference")
    lines = dict((name, words) for name, *words in page.run("""const {tree} = perfsift.controls.picture, all = [];
        for (let node = 0; node < tree.size; ++node) all.push(perfsift.controls.words.lines(node));
        return all;"""))
    equal(len(rows), 6, "rows")
    for row in rows:
        total, words = row["total"], "\n".join(lines[row["symbol"]])
        found = re.search(r"change: (\S+) percentage points, with 95 % from (\S+) to (\S+)", words)
        for text, key in zip(found.groups(), ("delta", "low", "high")):
            true(abs(float(text.replace("\u2212", "-")) - total[key]) < 0.00501, f"{key} of {row['symbol']}: {text}, {total}")
        equal("may be chance" in words, not total["significant"], f"significance of {row['symbol']}: {words}")
    true("before: 40 counts, 4.74 % of all" in lines["old"], lines["old"])
    true("(vanished)" in "".join(lines["old"]) and "(new)" in "".join(lines["new"]), lines)
    equal(lines["all"], ["1,093 counts", "before: 843 counts"], "words of the root")


def check_deep_stack(page):
    text = ";".join(f"f{depth}" for depth in range(1000)) + " 1\nmain 1\n"
    for suffix in ONE_FORMAT:
        opened(page, suffix, text=text, name="deep")
        equal(page.run("return perfsift.controls.picture.rowCount"), 1001, "rows")
        # The root is visible at first.
        true(place_of(page, "all")[1] < 500, "the root is outside of the window")
        at_most(page.run("return document.querySelector('.bar').getBoundingClientRect().bottom"), 40, "the search's place")
        at(page, "main")
        equal(zoomed(page), "main", "frame")


def check_single_sample(page):
    for suffix in ONE_FORMAT:
        opened(page, suffix, text="a 1\n", name="single")
        at(page, "a")
        equal(zoomed(page), "a", "frame")


def many_stacks(count):
    choose = random.Random(1)
    names = [f"function_{number}" for number in range(5000)]
    stacks = set()
    while len(stacks) < count:
        depth = choose.randint(4, 30)
        stacks.add(";".join(names[int(5000 * choose.random() ** (2 + 12 / (level + 1)))] for level in range(depth)))
    return "".join(f"{stack} {choose.randint(1, 1000)}\n" for stack in sorted(stacks))


def check_50000_stacks(page):
    text = many_stacks(50_000)
    for suffix in FORMATS:
        page.resize(1280, 800)
        path = picture(suffix, text=text, name="many")
        at_most(path.stat().st_size / 1e6, 5 if suffix == "html" else 6, "MB")
        page.open(path)
        page.wait_for("globalThis.perfsift?.controls")
        in_time(page.first_paint(), 1000, f"first paint of {suffix}")
        page.screenshot(f"many_{suffix}")
        # Only frames with a visible name have their own element. Elements for all frames would take longer than a zoom
        # may.
        narrowest = page.run("""return Math.min(...[...document.querySelectorAll('.wide rect')]
            .map((rect) => Number(rect.getAttribute('width'))))""")
        true(narrowest > 15, f"a frame of {narrowest} pixels is an element")
        zoom = "const controls = perfsift.controls; controls.go(controls.picture.tree.widestChild(controls.picture.zoomed))"
        times = []
        for _ in range(4):
            times += [page.next_paint_after(step) for step in (zoom, zoom, "perfsift.controls.go(0)")]
        # The fastest zoom counts, because other programs share the machine.
        in_time(min(times), 50, f"zoom in {suffix}")
        searches = [page.next_paint_after(f"perfsift.controls.find('function_{number}')") for number in range(3)]
        in_time(min(searches), 150, f"search in {suffix}")


if __name__ == "__main__":
    browser.main(globals())
