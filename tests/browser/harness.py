#!/usr/bin/env python3
"""The checks of browser.py itself: a page with an error, or a page with a request to another host, must not pass."""
import browser
from browser import equal, true


def page_of(name, body):
    path = browser.folder() / f"{name}.html"
    path.write_text(f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>{name}</title>{body}", encoding="utf-8")
    return path


def check_clean_page(page):
    page.open(page_of("clean", "<button onclick='this.textContent = 2'>1</button>"))
    page.click("button")
    page.wait_for("document.querySelector('button').textContent === '2'")
    equal(page.run("return arguments[0] + 1", 41), 42, "result of a script")
    true(page.screenshot("clean").stat().st_size > 1000, "an empty screenshot")


def check_console_error_is_found(page):
    page.open(page_of("error", "<script>console.error('a complaint')</script>"))
    complaints = page.complaints()
    equal(len(complaints), 1, "complaints")
    true("a complaint" in complaints[0], complaints[0])


def check_exception_is_found(page):
    page.open(page_of("exception", "<script>nothing.here()</script>"))
    complaints = page.complaints()
    equal(len(complaints), 1, "complaints")
    true("nothing is not defined" in complaints[0], complaints[0])


def check_request_is_found(page):
    page.open(page_of("request", "<img src='https://example.com/pixel.png' alt=''>"))
    page.wait_for("document.images[0].complete")
    true("request to https://example.com/pixel.png" in page.complaints(), "the request was not found")


def check_settings_of_the_viewer(page):
    page.open(page_of("dark", "<style>@media (prefers-color-scheme: dark) { body { background: #000 } }</style>"))
    colour = "return getComputedStyle(document.body).backgroundColor"
    page.prefers(color_scheme="dark")
    equal(page.run(colour), "rgb(0, 0, 0)", "background, dark")
    page.prefers(color_scheme="light")
    equal(page.run(colour), "rgba(0, 0, 0, 0)", "background, light")


def check_fragment(page):
    path = page_of("fragment", "")
    for fragment in ("a=1", "a=2"):
        page.open(path, fragment)
        equal(page.run("return location.hash"), "#" + fragment, "fragment")


if __name__ == "__main__":
    browser.main(globals())
