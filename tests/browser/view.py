#!/usr/bin/env python3
"""`perfsift view`: the live page, the requests that its server refuses, and its filters."""
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

import browser
from browser import at_most, equal, perfsift, true
from selenium.webdriver.common.keys import Keys

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "testdata")
DEMO = (os.path.join(DATA, "demo.data"), "--symfs", os.path.join(DATA, "symfs"), "--no-cache", "--quiet")


class Server:
    """A running perfsift view."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([sys.argv[1], "view", *map(str, arguments)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.link = self.process.stdout.readline().strip()
        true(self.link.startswith("http://127.0.0.1:"), f"no link: {self.link!r} {self.process.stderr.read() if not self.link else ''}")
        parts = urllib.parse.urlsplit(self.link)
        self.port, self.token = parts.port, parts.path.strip("/")
        self.page = None  # the page of this server

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        # If the server ends with an open question, the console has an error. A screenshot shows what failed.
        if self.page and not failure:
            self.page.open("about:blank")
        self.stop()

    def stop(self):
        """Presses Ctrl-C. Returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)

    def send(self, data, seconds=60):
        """The server's answer to some bytes."""
        with socket.create_connection(("127.0.0.1", self.port), seconds) as connection:
            connection.sendall(data)
            answer = b""
            try:
                while piece := connection.recv(1 << 16):
                    answer += piece
            except ConnectionResetError:
                pass
            return answer

    def request(self, path, method="GET", host=None, headers=()):
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}", *headers, "", ""]
        return self.send("\r\n".join(lines).encode())

    def status(self, *arguments, **options):
        answer = self.request(*arguments, **options)
        match = re.match(rb"HTTP/1.1 (\d+)", answer)
        return int(match[1]) if match else 0


def show(page, server, **state):
    server.page = page
    page.open(server.link, urllib.parse.urlencode(state))
    page.wait_for("document.documentElement.dataset.ready")


def status(page):
    return page.run("return document.getElementById('status').textContent")


def samples(page):
    text = status(page)
    return 0 if text.startswith("No samples") else int(re.match(r"([\d,]+) samples?", text)[1].replace(",", ""))


def folded_samples(*arguments):
    lines = perfsift("fold", "--weight", "samples", *DEMO, *arguments).splitlines()
    return sum(int(line.rsplit(" ", 1)[1]) for line in lines)


def version(page):
    return int(page.run("return document.documentElement.dataset.ready"))


def check_requests_that_are_refused(_page):
    with Server(*DEMO) as server:
        own = f"/{server.token}/"
        equal(server.status(own), 200, "the link")
        equal(server.status(own, host=f"localhost:{server.port}"), 200, "the link with localhost")
        for host in ("example.com", f"example.com:{server.port}", "127.0.0.1", f"127.0.0.1.example.com:{server.port}", "", "[::1]"):
            equal(server.status(own, host=host or " "), 421, f"Host: {host}")
        for path in ("/", "/data", f"/{server.token[:-1]}/", f"/{server.token}0/", f"/{server.token.upper()}X/data",
                     f"/{'0' * len(server.token)}/data", "//", f"/%2e/{server.token}/"):
            equal(server.status(path), 403, f"path {path}")
        for name in ("../", "../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "data/", "page.html", "data%00"):
            equal(server.status(own + name), 404, f"path outside: {name}")
        for origin in ("http://example.com", "https://127.0.0.1", "null", f"http://127.0.0.1:{server.port + 1}"):
            equal(server.status(own + "data", headers=[f"Origin: {origin}"]), 403, f"Origin: {origin}")
        equal(server.status(own + "data", headers=[f"Origin: http://127.0.0.1:{server.port}"]), 200, "own Origin")
        for site in ("cross-site", "same-site"):
            equal(server.status(own + "data", headers=[f"Sec-Fetch-Site: {site}"]), 403, f"data, {site}")
            equal(server.status(own, headers=[f"Sec-Fetch-Site: {site}"]), 200, f"a link in a page, {site}")
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            equal(server.status(own, method=method), 405, method)
        equal(server.status(own + "rows?filter=%ZZ%"), 422, "a query that is no filter")
        head = server.request(own, method="HEAD")
        true(head.startswith(b"HTTP/1.1 200") and head.endswith(b"\r\n\r\n"), "HEAD has a body")
        equal(server.process.poll(), None, "the server has ended")


def check_headers(_page):
    with Server(*DEMO) as server:
        head = server.request(f"/{server.token}/").split(b"\r\n\r\n")[0].decode()
        for header in ("Content-Security-Policy: default-src 'none'; script-src 'nonce-", "X-Content-Type-Options: nosniff",
                       "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin", "X-Frame-Options: DENY",
                       "Cache-Control: no-store", "frame-ancestors 'none'"):
            true(header in head, f"{header} is not in\n{head}")
        nonces = {re.search(rb"nonce-([0-9a-f]+)", server.request(f"/{server.token}/"))[1] for _ in range(3)}
        equal(len(nonces), 3, "nonces of three pages")
        address = subprocess.run(["ss", "-Hltn", f"sport = :{server.port}"], capture_output=True, text=True, check=False).stdout if \
            any(os.access(os.path.join(folder, "ss"), os.X_OK) for folder in os.get_exec_path()) else ""
        true(not address or "127.0.0.1" in address, f"listens elsewhere: {address}")
    with Server(*DEMO) as other:
        true(other.token != server.token, "two runs have one token")


def check_clients_that_misbehave(_page):
    with Server(*DEMO) as server:
        own = f"/{server.token}/"
        true(server.send(f"GET {own} HTTP/1.1\r\nX: {'x' * 100_000}\r\n\r\n".encode()).startswith(b"HTTP/1.1 431"), "100 kB of headers")
        answer = server.send(f"POST {own} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 9000000000\r\n\r\nx".encode())
        true(not answer.startswith(b"HTTP/1.1 200"), f"a body: {answer[:80]}")
        true(not server.send(b"\x16\x03\x01 no http\r\n\r\n").startswith(b"HTTP/1.1 200"), "bytes that are no HTTP")
        # Clients that send nothing do not keep other clients from being answered.
        slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
        for connection in slow[:10]:
            connection.sendall(b"GET /")
        started = time.monotonic()
        equal(server.status(own + "data"), 200, "with 20 slow clients")
        at_most(time.monotonic() - started, 20, "seconds to an answer beside slow clients")
        slow[0].settimeout(60)
        equal(slow[0].recv(10), b"", "a slow client is not left alone")
        for connection in slow:
            connection.close()
        # A client that leaves before the answer comes.
        for _ in range(10):
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.sendall(f"GET {own}rows?filter=stack+has+%22main%22 HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        equal(server.status(own), 200, "after clients that went")


def check_errors_say_what_to_do(_page):
    def fails(status, text, *arguments):
        done = subprocess.run([sys.argv[1], "view", *map(str, arguments)], capture_output=True, text=True, timeout=30, check=False)
        equal(done.returncode, status, f"exit status of {arguments}: {done.stderr}")
        true(text in done.stderr, f"{text!r} is not in {done.stderr!r}")

    with Server(*DEMO) as server:
        fails(2, "without --port any free port is taken", *DEMO, "--port", server.port)
    empty = browser.folder() / "empty.folded"
    empty.write_text("")
    fails(3, "empty", empty)
    fails(3, "there are no samples to show", *DEMO, "--filter", 'comm == "nobody"')
    fails(3, "missing.data", "missing.data")
    fails(2, "a whole number from 0 to 65535 is needed", *DEMO, "--port", 70000)
    fails(2, "--save", *DEMO, "--save", browser.folder() / "page.html", "--open")


def check_ends_with_ctrl_c(_page):
    server = Server(*DEMO)
    equal(server.stop(), 0, "exit status after Ctrl-C")


def check_ends_with_ctrl_c_at_its_work(_page):
    server = Server(*DEMO)
    equal(server.status(f"/{server.token}/data"), 200, "data, after which the server prepares for questions")
    equal(server.stop(), 0, "exit status after Ctrl-C")


# Filters that need stacks. Some have the same answer.
STACK_FILTERS = ('stack has "demo::quick_sort"', 'stack has "demo::scramble"', '!(stack has "demo::named")', "stack has (cpumode == kernel)",
                 'stack has (dso == "demo")', "depth > 12", 'stack has "</script><b>\\x1b[2J"', 'stack has "demo::named" && comm == "sorter"')


def check_questions_at_once_and_given_up(_page):
    def ask(server, expression):
        answer = server.request(f"/{server.token}/rows?{urllib.parse.urlencode({'filter': expression})}")
        return answer.split(b"\r\n\r\n", 1)

    # Each filter is the first question of its server, before the page has its data.
    alone = {}
    for expression in STACK_FILTERS:
        with Server(*DEMO) as server:
            head, alone[expression] = ask(server, expression)
            true(head.startswith(b"HTTP/1.1 200"), f"{expression}: {head}")
    true(len(set(alone.values())) > 4, "the filters keep the same samples")
    with Server(*DEMO) as server:
        equal(server.status(f"/{server.token}/data"), 200, "data")
        for _ in range(3):
            for expression in STACK_FILTERS:
                query = urllib.parse.urlencode({"filter": expression})
                with socket.create_connection(("127.0.0.1", server.port), 5) as given_up:
                    given_up.sendall(f"GET /{server.token}/rows?{query} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            with concurrent.futures.ThreadPoolExecutor(8) as at_once:
                answers = list(at_once.map(lambda expression: ask(server, expression)[1], 2 * STACK_FILTERS))
            true(answers == [alone[expression] for expression in 2 * STACK_FILTERS], "answers at once differ from those alone")
        equal(server.process.poll(), None, "the server has ended")


def check_one_of_two_recordings_is_asked(page):
    recordings = browser.folder() / "one.data", browser.folder() / "other.data"
    for path, expression in zip(recordings, ("every(2)", 'comm == "sorter"')):
        perfsift("filter", "-q", "--filter", expression, DEMO[0], "-o", path)

    def ask(server, **query):
        head, body = server.request(f"/{server.token}/rows?{urllib.parse.urlencode({'filter': 'depth > 3', **query})}").split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 200"):
            return head[:12]
        parts = []
        while body:
            size = int.from_bytes(body[:4], "little")
            parts.append(body[4:4 + size])
            body = body[4 + size:]
        return parts

    with Server(*recordings, *DEMO[1:]) as server:
        both = ask(server)
        true(len(both) == 2 and all(both), f"rows of two recordings: {both}")
        equal(ask(server, recording=0), [both[0], b""], "rows of the first")
        equal(ask(server, recording=1), [b"", both[1]], "rows of the second")
        equal(ask(server, recording=2), b"HTTP/1.1 422", "rows of a recording that is not there")
        # A side that did not change keeps its amounts. A page that arrives step by step must equal a new page.
        steps = [{"tab": "functions", "unit": "samples", **more} for more in (
            {}, {"filter": "depth > 3"}, {"filter": "depth > 3", "from": 0, "until": 100_000_000}, {"from": 0, "until": 100_000_000})]
        seen = []
        show(page, server, **steps[0])
        for step in steps[1:]:
            before = version(page)
            page.run("location.hash = arguments[0]", urllib.parse.urlencode(step))
            page.wait_for(f"Number(document.documentElement.dataset.ready) > {before}")
            seen.append(page.run("return document.body.innerText"))
        true(len(set(seen)) == len(seen), "the steps show the same")
        for step, text in zip(steps[1:], seen):
            page.open("about:blank")
            show(page, server, **step)
            equal(page.run("return document.body.innerText"), text, f"a new page of {step}")


def check_page_has_what_the_file_has(page):
    whole = folded_samples()
    with Server(*DEMO) as server:
        show(page, server)
        equal(samples(page), whole, "samples")
        page.screenshot("live")


def check_filter_that_is_typed(page):
    expected = folded_samples("--filter", 'stack has "main"')
    with Server(*DEMO) as server:
        show(page, server)
        page.click("input[aria-label=Filter]")
        page.keys('stack has "main"')
        page.wait_for("document.getElementById('filter-told').textContent.includes('needs: stack')")
        page.screenshot("filter_explained")
        page.keys(Keys.ENTER)
        page.wait_for("document.documentElement.dataset.ready === '2'")
        equal(samples(page), expected, "samples that the filter keeps")
        link = page.run("return location.hash.slice(1)")
        page.open(server.link, link)
        page.wait_for("document.documentElement.dataset.ready")
        equal(samples(page), expected, "samples of the link")


def check_filter_that_is_mistyped(page):
    with Server(*DEMO) as server:
        show(page, server)
        page.click("input[aria-label=Filter]")
        page.keys("perid > 100")
        page.wait_for("document.getElementById('filter-told').textContent.includes('did you mean period?')")
        equal(page.run("return document.activeElement.getAttribute('aria-invalid')"), "true", "aria-invalid")
        page.screenshot("filter_mistyped")
        page.keys(Keys.ENTER)
        page.wait_for("document.getElementById('status').textContent.includes('perid')")
        equal(page.run("return [document.activeElement.value, document.activeElement.getAttribute('aria-invalid')]"), ["perid > 100", "true"],
              "what was typed")
        page.keys(Keys.ESCAPE)
        equal(page.run("return document.querySelector('input[aria-label=Filter]').value"), "", "what was typed, after Escape")
        page.complaints()  # the refused request is in the console


# Filters that the demo refuses only when samples are read, because it has no tracepoints.
REFUSED = ("perid > 1", "latency > 5", "foo == 1", 'prev_comm == "x"', "sched:sched_switch.prev_pid == 1", "mem.node == 0")


def chosen(page):
    """The page's descriptions of the selection, in all places."""
    return page.run("""return {status: document.getElementById('status').textContent, link: location.hash,
        filter: document.querySelector('input[aria-label=Filter]').value,
        selects: [...document.querySelectorAll('.selection select')].map((select) => select.value)}""")


def choose(page, label, value):
    page.run("""const select = document.querySelector(`select[aria-label="${arguments[0]}"]`);
                select.value = arguments[1]; select.dispatchEvent(new Event('change'));""", label, value)


def enter_filter(page, text):
    page.click("input[aria-label=Filter]")
    page.run("document.activeElement.value = arguments[0]", text)
    page.keys(Keys.ENTER)


def saved_folded(page):
    page.run("window.made = []; const old = URL.createObjectURL; URL.createObjectURL = (blob) => { window.made.push(blob); return old(blob); };")
    choose(page, "Save what is selected", "folded")
    return page.driver.execute_async_script("window.made[0].text().then(arguments[0])")


def check_what_is_refused_changes_nothing(page):
    good = "cpumode == user"
    with Server(*DEMO) as server:
        show(page, server, tab="summary", unit="samples", filter=good)
        before, folded = chosen(page), saved_folded(page)
        command = page.run("return document.querySelector('.command').textContent")
        true(good in command, command)
        for text in REFUSED:
            enter_filter(page, text)
            page.wait_for("document.getElementById('status').textContent.match(/no such field|mem.node/)")
            page.click("#tab-functions")
            page.click("#tab-summary")
            equal(chosen(page), before, f"after {text}")
            equal(page.run("return document.querySelector('.command').textContent"), command, "command")
            equal(saved_folded(page), folded, "saved stacks")
        choose(page, "Thread", "0.1")
        page.wait_for("document.getElementById('status').textContent.includes('thread')")
        true(good in status(page) and samples(page) > 0, status(page))
        page.complaints()


def check_a_server_that_has_gone_changes_nothing(page):
    server = Server(*DEMO)
    show(page, server, tab="functions", unit="samples")
    before = chosen(page)
    server.stop()
    enter_filter(page, "pid > 0")
    page.wait_for("document.getElementById('status').textContent.includes('perfsift view has ended')")
    page.click("#tab-summary")
    page.click("#tab-functions")
    equal(chosen(page), before, "what is selected")
    page.complaints()


def check_what_is_typed_is_checked_with_the_recording(page):
    """While the user types, the page shows the words with which the server would refuse the filter."""
    with Server(*DEMO) as server:
        for text in REFUSED + ('comm == "sorter" && depth > 3', "within 5ms of (comm == \"sorter\")", "time < 10%"):
            def answer(what, text=text):
                head, body = server.request(f"/{server.token}/{what}?{urllib.parse.urlencode({'filter': text})}").split(b"\r\n\r\n", 1)
                return head[:12], body
            rows, told = answer("rows"), json.loads(answer("explain")[1])
            refusal = json.loads(rows[1])["error"] if rows[0] == b"HTTP/1.1 422" else None
            equal(told.get("error"), refusal, text)
            equal(refusal is not None, text in REFUSED, f"{text} is refused: {refusal}")


def check_links_with_a_refused_filter(page):
    bad = "perid > 1"
    with Server(*DEMO) as server:
        whole = folded_samples()
        show(page, server, filter=bad, unit="samples", tab="functions")
        true(status(page).startswith("not filtered: ") and "did you mean period?" in status(page), status(page))
        page.screenshot("refused_link")
        page.run("document.getElementById('tab-summary').click()")
        equal(samples(page), whole, "samples")
        true("filter" not in page.run("return location.hash"), "the link keeps the filter")
        show(page, server, filter="cpumode == user", unit="samples", base=urllib.parse.urlencode({"filter": bad}))
        true(status(page).startswith("not compared: "), status(page))
        page.run("document.getElementById('tab-summary').click()")
        equal(samples(page), folded_samples("--filter", "cpumode == user"), "samples with the filter that is not refused")
        page.complaints()


def check_filter_is_completed(page):
    with Server(*DEMO) as server:
        show(page, server)
        typed_filter(page, "per")
        page.keys(Keys.TAB)
        equal(page.run("return document.activeElement.value"), "period ", "completed")


def offered(page):
    return page.run("return [...document.querySelectorAll('#filter-told [role=option] b')].map(name => name.textContent)")


def typed_filter(page, text):
    """Types the end of a filter, and waits until the page shows the offers and messages for the whole text."""
    page.wait_for("performance.getEntriesByType('resource').some(({name, responseEnd}) => /\\/fields\\?/.test(name) && responseEnd > 0)")
    page.click("input[aria-label=Filter]")
    # An empty text is answered at once, so answers to earlier texts are no longer shown.
    page.run("const input = document.activeElement; input.value = ''; input.dispatchEvent(new Event('input')); input.value = arguments[0]", text[:-1])
    page.keys(text[-1])
    page.wait_for("document.querySelector('#filter-told pre')")


def check_values_in_a_filter_are_completed(page):
    with Server(*DEMO) as server:
        show(page, server)
        comms = sorted({line.split(";")[0] for line in perfsift("fold", *DEMO).splitlines()})
        typed_filter(page, "comm == ")
        equal(offered(page), comms[:8], "names of threads")
        page.screenshot("filter_values")
        page.keys(Keys.ARROW_DOWN, Keys.ENTER)
        equal(page.run("return document.activeElement.value"), f'comm == "{comms[0]}" ', "completed")
        before = version(page)
        page.keys(Keys.ENTER)
        page.wait_for(f"Number(document.documentElement.dataset.ready) > {before}")
        equal(samples(page), folded_samples("--filter", f'comm == "{comms[0]}"'), "samples of the completed filter")
        for begin, wanted in (('sym == "scram', "demo::scramble"), ('depth > 1 && stack has "demo::q', "demo::quick_sort"),
                              ('leaf.dso == "dem', "demo"),
                              ("cpumode == us", "user")):
            typed_filter(page, begin)
            true(any(name.endswith(wanted) for name in offered(page)), f"offers behind {begin}: {offered(page)}")
        for text in ('comm == "x" ', 'sym == "a == ', "period == ", "comm =~ \"so"):
            typed_filter(page, text)
            equal(offered(page), [], f"offers behind {text}")


def check_hostile_names_are_completed(page):
    name = b"s\"*\\?<"
    with open(DEMO[0], "rb") as file:
        demo = file.read()
    true(demo.count(b"sorter\0") > 0, "the demo has no sorter")
    path = browser.folder() / "hostile.data"
    path.write_bytes(demo.replace(b"sorter\0", name + b"\0"))
    with Server(path, *DEMO[1:]) as server:
        show(page, server)
        typed_filter(page, "comm == \"s")
        true(name.decode() in offered(page), f"{offered(page)}")
        page.keys(Keys.TAB)
        equal(page.run("return document.activeElement.value"), 'comm == "s\\"\\*\\\\\\?<" ', "completed")
        before = version(page)
        page.keys(Keys.ENTER)
        page.wait_for(f"Number(document.documentElement.dataset.ready) > {before}")
        equal(samples(page), folded_samples("--filter", 'comm == "sorter"'), "samples of the hostile name")


def with_another_name(file, name):
    """The demo with another name of its sorter."""
    path = browser.folder() / file
    path.write_bytes(pathlib.Path(DEMO[0]).read_bytes().replace(b"sorter\0", name + b"\0" * (7 - len(name))))
    return path


def check_a_finished_text_is_not_completed(page):
    with Server(with_another_name("zeros.data", b"w0rk0r"), *DEMO[1:]) as server:
        show(page, server)
        for text in ('comm == "w0rk0r"', 'depth > 2 && comm != "w0rk0r"', "stack has 'main'"):
            typed_filter(page, text)
            page.wait_for("document.getElementById('filter-told').textContent.includes('Enter filters')")
            equal(offered(page), [], f"offers behind {text}")
            page.keys(Keys.TAB)
            equal(page.run("return document.querySelector('input[aria-label=Filter]').value"), text, "text after Tab")


def check_names_with_control_characters_are_completed(page):
    """The page has only the escaped form, in which \\n may also be two characters of a name."""
    for number, name in enumerate((b"s\x1b[1\n", b"s\\new")):
        path = with_another_name(f"control{number}.data", name)
        with Server(path, *DEMO[1:]) as server:
            show(page, server)
            typed_filter(page, "comm == \"s")
            page.wait_for("document.querySelectorAll('#filter-told [role=option]').length > 0")
            page.keys(Keys.TAB)
            before = version(page)
            page.keys(Keys.ENTER)
            page.wait_for(f"Number(document.documentElement.dataset.ready) > {before}")
            equal(samples(page), folded_samples("--filter", 'comm == "sorter"'), f"samples of {name}")


def check_filter_and_range_and_thread(page):
    with Server(*DEMO) as server:
        show(page, server, filter='cpumode == user')
        expected = folded_samples("--filter", "cpumode == user")
        equal(samples(page), expected, "samples of the user's code")
        parts = []
        for begin, end in ((0, 60_000_000), (60_000_000, 40_000_000_000)):
            show(page, server, filter='cpumode == user', **{"from": begin, "until": end})
            parts.append(samples(page))
        equal(sum(parts), expected, f"samples of two ranges with a filter: {parts}")


def check_what_is_selected_is_saved(page):
    """The saved recording and its folded text have as many samples as the page shows."""
    with Server(*DEMO) as server:
        show(page, server, **{"from": 20_000_000, "until": 100_000_000, "filter": "cpumode == user", "tab": "summary", "unit": "samples"})
        selected = samples(page)
        command = page.run("return document.querySelector('.command').textContent")
        expression = re.search(r"--filter '(.*)'", command)[1]
        answer = server.request(f"/{server.token}/save?" + urllib.parse.urlencode({"as": "data", "recording": 0, "filter": expression}))
        path = browser.folder() / "saved.data"
        path.write_bytes(answer.split(b"\r\n\r\n", 1)[1])
        lines = perfsift("fold", "--weight", "samples", path, *DEMO[1:]).splitlines()
        equal(sum(int(line.rsplit(" ", 1)[1]) for line in lines), selected, "samples of the saved recording")
        folded = page.run("const made = []; const old = URL.createObjectURL; URL.createObjectURL = (blob) => { made.push(blob); return old(blob); };"
                          "window.made = made; const menu = document.querySelector('select.save'); menu.value = 'folded';"
                          "menu.dispatchEvent(new Event('change')); return made.length")
        equal(folded, 1, "files that were made")
        text = page.driver.execute_async_script("window.made[0].text().then(arguments[0])")
        equal(sorted(text.splitlines()), sorted(lines), "folded text")
        page.run("const menu = document.querySelector('select.save'); menu.value = 'svg'; menu.dispatchEvent(new Event('change'));")
        page.wait_for("window.made.length === 2")
        picture = page.driver.execute_async_script("window.made[1].text().then(arguments[0])")
        true("<svg" in picture and f"{selected} samples" in picture, "the picture does not tell the samples")
        (browser.folder() / "saved.svg").write_text(picture, encoding="utf-8")
        answer = server.request(f"/{server.token}/save?" + urllib.parse.urlencode({"as": "pprof", "recording": 0, "filter": expression}))
        profile = browser.folder() / "saved.pb.gz"
        profile.write_bytes(answer.split(b"\r\n\r\n", 1)[1])
        lines = perfsift("fold", "--weight", "samples", profile).splitlines()
        equal(sum(int(line.rsplit(" ", 1)[1]) for line in lines), selected, "samples of the saved profile")
        wrong = server.request(f"/{server.token}/save?as=data&recording=7").split(b"\r\n\r\n", 1)[1]
        true(b"no such number" in wrong, f"a wrong number: {wrong}")


def check_pictures_of_the_server_look_as_the_page(page):
    with Server(*DEMO) as server:
        def asked(**state):
            show(page, server, unit="samples", **state)
            page.run("""window.asked = ''; const old = window.oldFetch ??= window.fetch;
                window.fetch = (what, how) => { window.asked = String(what); return old(what, how); };""")
            choose(page, "Save what is selected", "svg")
            page.wait_for("document.getElementById('status').textContent.startsWith('saved')")
            return server.request(f"/{server.token}/" + page.run("return window.asked")).split(b"\r\n\r\n", 1)[1].decode(), status(page)
        plain, told = asked()
        equal(told, "saved selected.svg", "told")
        flags = ("--quiet", "--no-cache", "--weight", "samples", *DEMO[:-2], "-o", "-")
        classes = lambda picture: (re.findall(r'<rect class="(c\d+)"', picture), re.findall(r"\.(c\d+)\{fill:(#[0-9a-f]{6})\}", picture))
        for state, options in (({"shape": "reversed"}, ["--reverse"]), ({"shape": "joined"}, ["--no-comm"]), ({"palette": "safe"}, ["--palette", "safe"]),
                               ({"palette": "binary"}, ["--palette", "dso"]), ({"upwards": "1"}, ["--no-inverted"])):
            picture, _ = asked(**state)
            true(picture != plain, f"{state} changes nothing")
            if options != ["--no-inverted"]:
                equal(classes(picture), classes(perfsift("flame", "--inverted", *options, *flags)), f"colours of {state}")
        true('"search":"a\\\\.b"' in asked(search="a.b")[0], "the search is not in the picture")
        show(page, server, unit="samples", shape="processes")  # the server has no such picture
        equal(page.run("return [...document.querySelector('select.save').options].map((one) => one.value)"), ["", "folded", "seen", "pprof", "data"], "menu")
        show(page, server, unit="samples", base="all", filter="cpumode == user")
        options = page.run("return [...document.querySelector('select.save').options].map((one) => one.textContent)")
        equal(options, ["Save…", "folded stacks, before and now", "flame graph as it is seen (SVG)", "flame graph that zooms (SVG), now only",
                        "pprof profile, now only", "perf.data, now only"], "menu")
        choose(page, "Save what is selected", "pprof")
        page.wait_for("document.getElementById('status').textContent.startsWith('saved')")
        equal(status(page), "saved selected.pb.gz, not compared: cpumode == user", "told")


def check_text_with_times_saves_what_it_can(page):
    text = browser.folder() / "script.txt"
    text.write_text("demo 1/1 [000] 1.000000: 1 cycles:\n\t1000 main (/demo)\n\ndemo 1/1 [000] 2.000000: 1 cycles:\n\t1000 main (/demo)\n\n")
    with Server(text, "--quiet") as server:
        show(page, server)
        equal(page.run("return [...document.querySelector('select.save').options].map((one) => one.value)"), ["", "folded", "seen"], "menu")


def filter_field(page):
    return page.run("const {disabled, title} = document.querySelector('input[aria-label=Filter]'); return [disabled, title]")


def check_text_cannot_be_filtered(page):
    text = browser.folder() / "text.folded"
    text.write_text("a;b 3\na;c 4\n")
    why = "No filters: text.folded is text, no recording"
    with Server(text, "--quiet") as server:
        show(page, server)
        equal(filter_field(page), [True, why], "the field of the filter")
        page.screenshot("no_filters")
        show(page, server, filter='comm == "a"')
        true("is no recording" in status(page), status(page))
        page.complaints()
    with Server(*DEMO, text) as server:  # compared from the start
        show(page, server)
        equal(filter_field(page), [True, why], "the field of the filter, with text after the recording")
        show(page, server, recording=0, base="none")
        equal(filter_field(page), [False, ""], "the field of the filter, with the recording alone")


def check_a_file_that_has_changed_is_not_read_again(page):
    """perf record creates perf.data, and writes into an old perf.data that cannot be moved."""
    path, other = browser.folder() / "changed.data", browser.folder() / "other.data"
    perfsift("filter", "-q", "--filter", "every(3)", DEMO[0], "-o", other)

    def replace():
        copy = browser.folder() / "copy.data"
        copy.write_bytes(other.read_bytes())
        copy.rename(path)

    questions = ("rows?filter=depth+%3E+3", "rows?filter=stack+has+%22main%22", "save?as=data&recording=0", "save?as=svg&recording=0",
                 "save?as=pprof&recording=0", "explain?filter=depth+%3E+3")
    for change in (replace, lambda: path.write_bytes(other.read_bytes())):
        for are_asked_before in (False, True):
            path.write_bytes(pathlib.Path(DEMO[0]).read_bytes())
            with Server(path, *DEMO[1:]) as server:
                show(page, server)
                for question in questions if are_asked_before else ():
                    equal(server.status(f"/{server.token}/{question}"), 200, question)
                change()
                for question in questions:
                    answer = server.request(f"/{server.token}/{question}").split(b"\r\n\r\n", 1)[1]
                    equal(json.loads(answer), {"error": f"{path} has changed since it was read: start perfsift view again"}, question)
                choose(page, "Save what is selected", "data")
                page.wait_for("document.getElementById('status').textContent.includes('start perfsift view again')")
                page.complaints()


def saved_recording(page, server):
    """The recording that the menu saves."""
    page.run("""window.asked = ''; const old = window.oldFetch ??= window.fetch;
        window.fetch = (what, how) => { window.asked = String(what); return old(what, how); };""")
    choose(page, "Save what is selected", "data")
    page.wait_for("document.getElementById('status').textContent.startsWith('saved')")
    path = browser.folder() / "options.data"
    path.write_bytes(server.request(f"/{server.token}/" + page.run("return window.asked")).split(b"\r\n\r\n", 1)[1])
    return path


MIXED = os.path.join(DATA, "oracle", "mixed.data")


def check_files_have_what_the_options_of_the_run_keep(page):
    """The recording that is saved, and the recording of the command in the summary, have the shown samples, and no
    other events."""
    strange = browser.folder() / "ev<il>&\"$(touch x)' \x1b\u202e.data"
    strange.write_bytes(pathlib.Path(MIXED).read_bytes())
    # Every second stack of the demo becomes a kernel stack: PERF_CONTEXT_USER becomes PERF_CONTEXT_KERNEL.
    of_kernel = browser.folder() / "of_kernel.data"
    stacks = pathlib.Path(DEMO[0]).read_bytes().split((-512).to_bytes(8, "little", signed=True))
    of_kernel.write_bytes(b"".join(piece + (-128 if i % 2 else -512).to_bytes(8, "little", signed=True) for i, piece in enumerate(stacks))[:-8])
    # If these names of the kernel are missing, the filter keeps nothing.
    symbols = browser.folder() / "kall'syms"
    symbols.write_text("ffffffff81000000 T _text\nffffffff81300000 T made_up\nffffffff81700000 T next\nffffffff82300000 T _etext\n")
    for file, options in ((strange, ["-e", "cpu-clock"]), (strange, ["-e", "page-f*", "--event", "cpu-clock"]), (of_kernel, ["--user-only"]),
                          (of_kernel, ["--kernel-only"]),
                          (strange, ["-e", "sched:sched_process_exec", "--kallsyms", symbols, "--filter", 'stack has "made_up"']),
                          (strange, ["-e", "cpu-clock", "--comms", "sorter,it's", "--filter", 'comm != "a`b"', "--time", "10%-90%"])):
        with Server(file, *DEMO[1:], *options) as server:
            show(page, server, unit="samples", tab="summary")
            seen, command = samples(page), page.run("return document.querySelector('.command').textContent")
            saved = saved_recording(page, server)
        made = browser.folder() / "selected.data"
        words = command.replace("perfsift", f"'{os.path.abspath(sys.argv[1])}'", 1).replace("selected.data", f"'{made}'", 1)
        subprocess.run(["bash", "-c", f"{words} --quiet"], cwd=browser.folder(), check=True)
        for one in (saved, made):
            samples_of_perf = subprocess.run(["perf", "script", "--force", "-F", "event", "-i", one], capture_output=True, text=True, check=True).stdout
            equal(len(samples_of_perf.splitlines()), seen, f"samples of perf script in {one.name} of {options}")


def check_server_that_has_gone(page):
    server = Server(*DEMO)
    show(page, server)
    server.stop()
    page.click("input[aria-label=Filter]")
    page.run("document.activeElement.value = 'pid > 0'")
    page.keys(Keys.ENTER)
    page.wait_for("document.getElementById('status').textContent.includes('perfsift view has ended')")
    page.complaints()


if __name__ == "__main__":
    browser.main(globals())
