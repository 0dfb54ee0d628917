"""Judges a view: axe in both schemes and on a small screen, and its accessibility tree beside a kept one."""
import difflib
import os
import re

from axe_playwright_python.sync_playwright import Axe

from world import Failed, check

SNAPSHOTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "snapshots")
RULES = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
# The small screen is also what zoom of 400 % leaves of one that is 1280 wide.
SCREENS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "320 px": {"color_scheme": "light", "viewport": {"width": 320, "height": 640}},
}
# What another run has otherwise: the first expression that fits a place replaces it.
VARIABLES = [
    (re.compile(r"\b(dl|whd|whe|evt)_[0-9A-Z]{26}\b"), r"\1_ID"),
    (re.compile(r"/content/\S+"), "/content/TOKEN"),
    (re.compile(r"127\.0\.0\.1(:|%3A)\d+"), "ORIGIN"),
    (re.compile(r"(Webhook \S+: \w+)( after \d+ tries)?"), r"\1"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)"), "INSTANT"),
    (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d [A-Z][A-Za-z_/]+)?"), "INSTANT"),
    (re.compile(r"\b\d\d?:\d\d(:\d\d)?\b"), "INSTANT"),
    (re.compile(r"\b\d+(\.\d+)? ?(ms|s|seconds?|min|minutes?|h|hours?|d|days?)\b( \d+ ?(s|min|h)\b)?"), "SPAN"),
    (re.compile(r"\bany moment\b"), "SPAN"),
    (re.compile(r"\b\d+(\.\d+)? ?([kMGT]i?)?(B|bytes)(/s)?"), "BYTES"),
    (re.compile(r"\b\d+(\.\d+)? ?%"), "PERCENT"),
    (re.compile(r"(?m)^ *- paragraph: SPAN later\n"), ""),
    (re.compile(r"((look-up|connect|TLS|first byte|body) SPAN(, )?)+"), "PHASES"),
]


def accessibility(page, view):
    """What axe finds, a sentence for each element."""
    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{view}: {one['id']} ({one['help']}): {node['html'][:160]}" for one in found for node in one["nodes"][:3]]


def fits(page, view):
    """Whether anything makes the page scroll sideways."""
    wide = page.evaluate(WIDE)
    return [f"{view}: wider than its screen: {one}" for one in wide[:3]]


WIDE = """() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
        it => it.getBoundingClientRect().right > root.clientWidth + 1);
    return [`${root.scrollWidth} of ${root.clientWidth}`].concat(wide.map(it => it.outerHTML.slice(0, 120)));
}"""


def settled(tree):
    """A tree without what changes from run to run."""
    for pattern, word in VARIABLES:
        tree = pattern.sub(word, tree)
    return tree.strip() + "\n"


def compare(page, name):
    """Fails where the tree is another than the kept one; LULL_PAGE_SNAPSHOTS=write keeps this one."""
    tree = settled(page.locator("body").aria_snapshot())
    path = os.path.join(SNAPSHOTS, f"{name}.txt")
    if os.environ.get("LULL_PAGE_SNAPSHOTS") == "write":
        os.makedirs(SNAPSHOTS, exist_ok=True)
        with open(path, "w") as file:
            file.write(tree)
    try:
        with open(path) as file:
            kept = file.read()
    except FileNotFoundError as missing:
        raise Failed(f"there is no tree of {name}: LULL_PAGE_SNAPSHOTS=write keeps one") from missing
    changes = list(difflib.unified_diff(kept.splitlines(), tree.splitlines(), "kept", "now", lineterm="", n=1))
    check(not changes, f"the accessibility tree of {name} changed:\n" + "\n".join(changes[:40]))
