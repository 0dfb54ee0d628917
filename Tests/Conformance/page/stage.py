"""Scenes by the kind of house that they play in, and the run of all of them."""
import inspect
import os
import traceback

from world import Failed

from page.browser import Browser
from page.firefox import Firefox
from page.hands import HANDS
from page.house import House
from page.seed import seed

SETTINGS = {"seeded": {}, "tasks": {}, "firefox": {}, "keys": {"LULL_AUTH": "keys"}, "budget": {}}
SCENES = {kind: [] for kind in SETTINGS}


def scene(kind):
    """Adds a scene to those of a kind; one that takes a `hand` is played by mouse and by keyboard."""
    def add(play):
        has_hand = "hand" in inspect.signature(play).parameters
        for hand in HANDS if has_hand else (None,):
            name = play.__name__.replace("_", "-") + (f"-by-{hand.name}" if hand else "")
            SCENES[kind].append((name, play, hand))
        return play
    return add


class Stage:
    """The house of a kind, and a browser for it."""

    def __init__(self, house, browser):
        self.house = house
        self.browser = browser
        self.made = None
        self.name = None

    def context(self, **options):
        return self.browser.context(self.name, **options)

    def firefox(self):
        return Firefox(self.house)


def run_all():
    """Plays all scenes, or those that LULL_PAGE_SCENES names in part; gives how many, and what failed."""
    words = [word for word in os.environ.get("LULL_PAGE_SCENES", "").split(",") if word]
    played, failed = 0, []
    browser = Browser()
    try:
        for kind, scenes in SCENES.items():
            chosen = [one for one in scenes if not words or any(word in one[0] for word in words)]
            if not chosen:
                continue
            with House(**SETTINGS[kind]) as house:
                stage = Stage(house, browser)
                prepare(stage, kind)
                for name, play, hand in chosen:
                    played += 1
                    failed += run_one(stage, name, play, hand)
    finally:
        browser.close()
    return played, failed


def prepare(stage, kind):
    if kind == "keys":
        stage.house.make_key()
    if kind in ("seeded", "keys"):
        stage.made = seed(stage.house)


def run_one(stage, name, play, hand):
    stage.name = name
    try:
        note = play(stage, hand) if hand else play(stage)
    except Failed as failure:
        print(f"  FAIL {name}: {failure}", flush=True)
        return [name]
    except Exception as fault:
        words = "".join(traceback.format_exception_only(fault)).strip()
        place = traceback.extract_tb(fault.__traceback__)
        here = [f"{os.path.basename(one.filename)}:{one.lineno}" for one in place if "/page/" in one.filename]
        print(f"  FAIL {name} ({' '.join(here[-2:])}): {words[:1500]}", flush=True)
        return [name]
    print(f"  pass {name}" + (f": {note}" if note else ""), flush=True)
    return []
