"""Pictures of the page for the documentation: a seeded service in light, dark and on a phone."""
import os
import shutil
import subprocess
import sys

from world import ROOT, Failed, check

from page.browser import Browser
from page.everybody import settle
from page.house import House, opened
from page.seed import seed

FOLDER = os.path.join(ROOT, "docs", "pictures")
MOST = 150_000  # Bytes of a picture.
SCREENS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 860}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 860}},
    "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 844}},
}


def take(house, browser, folder):
    """A picture of each view on each screen; gives the paths."""
    made = seed(house)
    views = {"overview": "", "queue": "queue", "why": f"download?id={made['night'][5]}", "when": "when"}
    paths = []
    for screen, options in SCREENS.items():
        with browser.context("pictures", **options) as context:
            for name, address in views.items():
                with opened(context, house.address(address)) as page:
                    settle(page)
                    page.wait_for_timeout(2_000)  # Rates are means of some seconds.
                    paths.append(os.path.join(folder, f"{name}-{screen}.png"))
                    page.screenshot(path=paths[-1])
    return paths


def shrink(path):
    """A palette of 256 colours shows all that the page has."""
    subprocess.run(["pngquant", "--force", "--skip-if-larger", "--strip", "--speed", "1", "--output", path, path],
                   check=True)
    size = os.path.getsize(path)
    check(size < MOST, f"{path} has {size} bytes")
    return size


def main():
    check(shutil.which("pngquant"), "there is no pngquant")
    os.makedirs(FOLDER, exist_ok=True)
    browser = Browser()
    try:
        with House() as house:
            for path in take(house, browser, FOLDER):
                print(f"{os.path.relpath(path, ROOT)}: {shrink(path)} bytes")
    finally:
        browser.close()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        sys.exit(f"screenshots: {failure}")
