"""Takes pictures of a page of lipizz as laptops and phones show it, light and dark.

    python3 report_screenshots.py PAGE FOLDER

Writes FOLDER/1440-light.png and so on: the whole page; and FOLDER/1440-light-top.png: what is seen first.
"""

import argparse
import pathlib
import tempfile

from browser import Browser

SIZES = {1440: 1000, 390: 844}


def take(page_file, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, Browser(profile) as browser:
        for width, height in SIZES.items():
            for scheme in ("light", "dark"):
                page = browser.open(page_file, width, height, scheme, is_touch=width < 500)
                page.wait_until("lipizz.isIdle()", "drawn all charts")
                page.settle()
                page.screenshot(folder / f"{width}-{scheme}-top.png")
                page.screenshot(folder / f"{width}-{scheme}.png", whole=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    take(options.page, options.folder)
