"""Make the pictures of pages in the README: a real comparison, a real path, in a real browser.

Usage: python docs/make_screenshot.py PAGE.html PICTURE.png [--at FRAGMENT] [--dark] [--width N]
       [--height N]
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def main(arguments: Sequence[str]) -> None:
    """Take the picture that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--at", default="", help="such as step-12")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--width", type=int, default=1200)
    parser.add_argument("--height", type=int, default=1500)
    options = parser.parse_args(arguments)
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("expected Debian's chromium on the path, found none: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        page = browser.new_page(
            viewport={"width": options.width, "height": options.height},
            color_scheme="dark" if options.dark else "light",
        )
        page.goto(f"{options.page.absolute().as_uri()}#{options.at}")
        page.wait_for_timeout(500)
        page.screenshot(path=str(options.picture))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
