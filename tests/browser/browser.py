"""Headless Chromium for tests of pages and pictures.

A test is a script with functions named check_*; each gets the browser and runs even if an earlier one failed:

  import browser

  def check_title(page):
      page.open("/tmp/out.svg")
      browser.equal(page.run("return document.title"), "Flame graph", "title")

  if __name__ == "__main__":
      browser.main(globals())

The script runs as NAME.py PERFSIFT FOLDER [ARGUMENT...]: the program, and the folder for outputs and screenshots. After
each check, an error in the console or a request to another host than this one fails the check: pages work offline.
Exit status: 0, 1 if a check failed, 77 if there is no browser.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage",
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-default-apps", "--disable-extensions", "--hide-scrollbars", "--force-device-scale-factor=1",
    # Tests compare texts and widths of texts.
    "--lang=en-US", "--font-render-hinting=none",
    # No request of a page or of the browser leaves this machine.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
OWN_HOSTS = ("127.0.0.1", "localhost", "::1")
# chrome: is the browser's own start page.
OWN_SCHEMES = ("file", "data", "blob", "about", "chrome")


class Failed(Exception):
    """A check found another result than it expects."""


def equal(found, expected, what):
    if found != expected:
        raise Failed(f"{what}: found {found!r}, expected {expected!r}")


def true(condition, what):
    if not condition:
        raise Failed(what)


def at_most(found, limit, what):
    print(f"  {what}: {found:.1f} (at most {limit})")
    if found > limit:
        raise Failed(f"{what}: {found:.1f}, at most {limit}")


def in_time(found, limit, what):
    """A time in milliseconds. A busy machine takes longer, so only PERFSIFT_TIMED=1 makes the limit a check."""
    if os.environ.get("PERFSIFT_TIMED"):
        at_most(found, limit, f"{what} in ms")
    else:
        print(f"  {what} in ms: {found:.1f} (limit {limit}, not checked without PERFSIFT_TIMED)")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


class Browser:
    """One browser with one page. Not for several threads."""

    def __init__(self, screenshots, size=(1280, 800)):
        try:
            from selenium import webdriver
            from selenium.webdriver.chrome.service import Service
        except ImportError:
            skip("no selenium for Python (package python3-selenium)")
        chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
        if not chromium or not driver:
            skip("no chromium or no chromedriver (packages chromium, chromium-driver)")
        self.screenshots = pathlib.Path(screenshots)
        self.screenshots.mkdir(parents=True, exist_ok=True)
        self._home = tempfile.mkdtemp(prefix="perfsift-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for flag in FLAGS:
            options.add_argument(flag)
        options.add_argument(f"--user-data-dir={self._home}/profile")
        options.add_argument(f"--window-size={size[0]},{size[1]}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
        # Settings of the user must not change the browser's behaviour.
        environment = {**os.environ, "HOME": self._home, "XDG_CONFIG_HOME": self._home, "XDG_CACHE_HOME": self._home}
        self.driver = webdriver.Chrome(service=Service(driver, env=environment), options=options)
        self.driver.set_script_timeout(60)
        self._media = {}
        self.resize(*size)

    def close(self):
        self.driver.quit()
        shutil.rmtree(self._home, ignore_errors=True)

    def open(self, place, fragment=""):
        """Loads a file or a URL again, even if only the fragment (without #) differs from the shown page."""
        url = str(place) if "://" in str(place) else pathlib.Path(place).resolve().as_uri()
        self.driver.get("about:blank")
        self.driver.get(url + ("#" + fragment if fragment else ""))

    def run(self, script, *arguments):
        """Runs JavaScript. `return` gives the result, and arguments[i] are the arguments."""
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, expression, seconds=60):
        """Waits until the JavaScript expression is true."""
        end = time.monotonic() + seconds
        while not self.run(f"return Boolean({expression})"):
            true(time.monotonic() < end, f"still not true after {seconds} s: {expression}")
            time.sleep(0.02)

    def find(self, selector):
        """The first element, by CSS selector."""
        return self.driver.find_element("css selector", selector)

    def click(self, element):
        """Clicks as a user does: on the topmost element at the middle of the element (or of the selector's first
        element)."""
        from selenium.webdriver import ActionChains
        element = self.find(element) if isinstance(element, str) else element
        ActionChains(self.driver, duration=0).move_to_element(element).click().perform()

    def hover(self, element):
        from selenium.webdriver import ActionChains
        element = self.find(element) if isinstance(element, str) else element
        ActionChains(self.driver, duration=0).move_to_element(element).perform()

    def keys(self, *keys):
        """Presses keys, one after the other: texts, or selenium's Keys. Keys in a tuple are pressed together:
        (Keys.CONTROL, "f")."""
        from selenium.webdriver import ActionChains
        actions = ActionChains(self.driver, duration=0)
        for key in keys:
            if isinstance(key, tuple):
                for held in key[:-1]:
                    actions.key_down(held)
                actions.send_keys(key[-1])
                for held in reversed(key[:-1]):
                    actions.key_up(held)
            else:
                actions.send_keys(key)
        actions.perform()

    def resize(self, width, height):
        """The size of the page itself, in pixels."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def prefers(self, **features):
        """Settings of the viewer: prefers(color_scheme="dark", reduced_motion="reduce"). The settings stay until
        changed."""
        self._media.update({"prefers-" + name.replace("_", "-"): value for name, value in features.items()})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name, "value": value} for name, value in self._media.items()]})

    def screenshot(self, name):
        """Saves the shown page as NAME.png in the folder of the screenshots."""
        path = self.screenshots / f"{name}.png"
        true(self.driver.save_screenshot(str(path)), f"no screenshot {path}")
        return path

    def first_paint(self):
        """Milliseconds from the start of the navigation to the first paint with content."""
        script = "return performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime)[0]"
        self.wait_for(script.removeprefix("return ") + " !== undefined")
        return self.run(script)

    def next_paint_after(self, script):
        """Milliseconds from the start of `script` until its changes are on the screen."""
        return self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            requestAnimationFrame(() => {
              const start = performance.now();
              (() => {""" + script + """})();
              // The message comes after the frame was laid out and painted.
              requestAnimationFrame(() => {
                const channel = new MessageChannel();
                channel.port1.onmessage = () => done(performance.now() - start);
                channel.port2.postMessage(0);
              });
            });""")

    def file_after(self, script, *arguments):
        """The text of the file that the script makes the browser save."""
        self.run("""window.made = []; const old = window.oldURL ??= URL.createObjectURL;
            URL.createObjectURL = (blob) => { window.made.push(blob); return old.call(URL, blob); };""" + script, *arguments)
        self.wait_for("window.made.length > 0")
        return self.driver.execute_async_script("window.made[0].text().then(arguments[0])")

    def complaints(self):
        """Errors in the console, and requests to other hosts, since the last call."""
        found = [f"console: {entry['message']}" for entry in self.driver.get_log("browser")
                 if entry["level"] == "SEVERE"]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            parameters = message["params"]
            url = parameters.get("request", {}).get("url") or parameters.get("url", "")
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated") and not _is_own(url):
                found.append(f"request to {url}")
        return found


def _is_own(url):
    parts = urllib.parse.urlsplit(url)
    return parts.scheme in OWN_SCHEMES or parts.hostname in OWN_HOSTS


def perfsift(*arguments, status=0):
    """Runs the program of the test, and returns its standard output. An unexpected exit status fails the check."""
    done = subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, check=False, text=True, errors="replace")
    if done.returncode != status:
        raise Failed(f"perfsift {' '.join(map(str, arguments))}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def scripts(*modules):
    """JavaScript that declares `modules`: the exports of the ES modules of output/."""
    exports = "".join(f'export * from "./{module}";' for module in modules)
    return subprocess.run(["esbuild", "--bundle", "--format=iife", "--global-name=modules"], input=exports, text=True,
                          stdout=subprocess.PIPE, check=True, cwd=pathlib.Path(__file__).parents[2] / "output").stdout


def folder():
    """The folder for files that the test writes."""
    return pathlib.Path(sys.argv[2])


def _passes(page, name, check):
    print(f"-- {name}", flush=True)
    try:
        check(page)
        complaints = page.complaints()
        true(not complaints, "\n".join(complaints))
    except Failed as failed:
        print(f"FAILED {name}: {failed}")
    except Exception:  # a failed check does not stop the other checks
        print(f"FAILED {name}:\n{traceback.format_exc()}")
    else:
        return True
    page.complaints()
    page.screenshot(f"failed_{name}")
    return False


def main(names):
    """Runs the functions check_* of a script, in the order of the script."""
    checks = [(name, check) for name, check in names.items() if name.startswith("check_")]
    shutil.rmtree(folder(), ignore_errors=True)
    page = Browser(folder())
    try:
        failed = [name for name, check in checks if not _passes(page, name, check)]
    finally:
        page.close()
    print(f"{len(checks)} checks, {len(failed)} failed" + "".join(f"\n  {name}" for name in failed))
    sys.exit(1 if failed or not checks else 0)
