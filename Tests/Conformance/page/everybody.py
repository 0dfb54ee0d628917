"""Each view for everybody: names, axe in both schemes and on a small screen, print, and kept accessibility trees."""
import re

from world import check

from page.house import opened
from page.judge import SCREENS, accessibility, compare, fits
from page.stage import scene

VIEWS = {
    "Overview": "", "Queue": "queue", "Add": "add", "When": "when", "Policy": "policy", "Webhooks": "webhooks",
    "Sessions": "sessions"}
NAVIGATION = ["Overview", "Queue", "When", "Policy", "Webhooks", "Sessions"]


def addresses(stage):
    """Each view with its address; of downloads one of each fate."""
    pages = {name: stage.house.address(path) for name, path in VIEWS.items()}
    for fate in ("running", "night", "done", "missing", "attention"):
        pages[f"One ({fate})"] = stage.house.address(f"download?id={stage.made[fate][0]}")
    return pages


def settle(page):
    """Waits until a view has its data: nothing says that it is busy."""
    page.locator("h1").wait_for()
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")


@scene("seeded")
def names(stage):
    """What people, tests and screen readers look for has the same name in every view."""
    with stage.context() as context:
        for name, address in addresses(stage).items():
            with opened(context, address) as page:
                settle(page)
                links = page.get_by_role("navigation").first.get_by_role("link").all_inner_texts()
                check([one.strip() for one in links] == NAVIGATION, f"{name}: the navigation has {links}")
                headings = page.get_by_role("heading", level=1).all_inner_texts()
                check(len(headings) == 1, f"{name}: the h1 are {headings}")
                check(name.startswith("One") or headings == [name], f"{name}: the h1 is {headings}")
                check(page.get_by_role("status").count() == 1, f"{name}: not one role=status")
                check(headings[0] in page.title(), f"{name}: the title is {page.title()}")
                check(page.locator("html").get_attribute("lang"), f"{name}: no language")
                current = page.get_by_role("navigation").first.locator("[aria-current=page]").all_inner_texts()
                check(name not in NAVIGATION or current == [name], f"{name}: the current link is {current}")
    return f"{len(VIEWS)} views, and downloads of five fates"


def judged(stage, screen):
    faults = []
    with stage.context(**SCREENS[screen]) as context:
        for name, address in addresses(stage).items():
            with opened(context, address) as page:
                settle(page)
                faults += accessibility(page, name) + fits(page, name)
    check(not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:20]))


@scene("seeded")
def axe_light(stage):
    judged(stage, "light")


@scene("seeded")
def axe_dark(stage):
    judged(stage, "dark")


@scene("seeded")
def axe_320(stage):
    judged(stage, "320 px")


@scene("seeded")
def tree_of_overview(stage):
    with stage.context() as context, opened(context, stage.house.address()) as page:
        settle(page)
        page.get_by_text(re.compile("will arrive")).wait_for()  # The hours come after the rest.
        compare(page, "overview")


@scene("seeded")
def tree_of_one(stage):
    with stage.context() as context:
        for fate in ("night", "done", "missing"):
            with opened(context, stage.house.address(f"download?id={stage.made[fate][0]}")) as page:
                settle(page)
                compare(page, f"one-{fate}")


@scene("seeded")
def printed(stage):
    """When and One are printed as black on white, without what only can be pressed."""
    with stage.context() as context:
        for name in ("when", f"download?id={stage.made['night'][0]}"):
            with opened(context, stage.house.address(name)) as page:
                settle(page)
                page.emulate_media(media="print")
                check(page.locator("h1").is_visible(), f"{name}: the heading is not printed")
                check(not page.get_by_role("navigation").first.is_visible(), f"{name}: the navigation is printed")
                shown = [one for one in page.get_by_role("button").all() if one.is_visible()]
                check(not shown, f"{name}: {len(shown)} buttons are printed")
                colour = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
                check(colour in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"), f"{name}: printed on {colour}")


@scene("seeded")
def still_and_forced(stage):
    """Nothing moves where that is not wished, and forced colours leave every state a word."""
    with stage.context(reduced_motion="reduce", forced_colors="active") as context:
        for name, address in addresses(stage).items():
            with opened(context, address) as page:
                settle(page)
                moving = page.evaluate("() => document.getAnimations().length")
                check(moving == 0, f"{name}: {moving} animations")
        with opened(context, stage.house.address("queue?state=failed")) as page:
            settle(page)
            row = page.get_by_role("row").filter(has_text="report-march.pdf")
            check(re.search("failed", row.inner_text(), re.I), "the state of a failed download has no word")


@scene("seeded")
def states_of_words(stage):
    """Of each download the list shows its state as a word, its file as a link and its bar by name."""
    with stage.context() as context, opened(context, stage.house.address("queue?state=running")) as page:
        settle(page)
        name = "openstreetmap-europe.osm.pbf"
        check(page.get_by_role("link", name=name).count() == 1, "the link of a row is not its file name")
        page.get_by_role("progressbar", name=name).wait_for()
        page.get_by_role("checkbox", name=f"Select {name}").wait_for()
        page.get_by_role("checkbox", name="Select all on this page").wait_for()
