"""speedscope itself opens an export in Chromium, and shows the total of each thread.

  speedscope_shows.py PERFSIFT FOLDER RECORDING SPEEDSCOPE
"""

import functools
import http.server
import json
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "browser"))
# pylint: disable=wrong-import-position
import browser
import recordings


class Server(http.server.ThreadingHTTPServer):
    """Serves speedscope and an export, because a page from a file may not fetch."""

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def address(self, path):
        return f"http://127.0.0.1:{self.server_address[1]}/{path}"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        # A browser checks for changes in whole seconds. It would show an old export if the export was replaced within a
        # second.
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_):
        pass


def wait_for_title(page, profiles, number):
    title = f"{profiles[number]['name']} ({number + 1}/{len(profiles)})"
    page.wait_for(f"document.body.innerText.includes({json.dumps(title)})")


def busy(profile):
    """The sum of the samples of a profile. Samples without a frame are the time between other samples."""
    return sum(weight for stack, weight in zip(profile["samples"], profile["weights"]) if stack)


def check_totals(page):
    perfsift, recording = sys.argv[1], sys.argv[3]
    folder = browser.folder()
    served = folder / "served"
    served.mkdir(parents=True, exist_ok=True)
    for file in pathlib.Path(sys.argv[4]).iterdir():
        (served / file.name).write_bytes(file.read_bytes())
    export = served / "export.speedscope.json"
    recordings.run(perfsift, "export", "--to", "speedscope", "--weight", "samples", "-q", "-o", export, recording)
    content = json.loads(export.read_text(encoding="utf-8"))
    profiles, first = content["profiles"], content["activeProfileIndex"]
    totals = [busy(profile) for profile in profiles]
    browser.equal(totals[first], max(totals), "the profile to begin with")
    samples = sum(totals)
    browser.equal(samples, sum(count for count, _ in recordings.totals(recording).values()), "samples of the recording")
    server = Server(str(served))
    page.open(server.address("index.html"),
              "view=sandwich&profileURL=" + server.address("export.speedscope.json"))
    wait_for_title(page, profiles, first)
    for number in reversed(range(first)):
        page.keys("p")
        wait_for_title(page, profiles, number)
    for number, profile in enumerate(profiles):
        wait_for_title(page, profiles, number)
        total = f"{totals[number]:,} (100%)"
        page.wait_for(f"document.body.innerText.includes({json.dumps(total)})")
        page.screenshot(f"thread{number + 1}")
        page.keys("n")


if __name__ == "__main__":
    if not pathlib.Path(sys.argv[4]).is_dir():
        browser.skip("no speedscope (./dev test unpacks it from npm)")
    browser.main(globals())
