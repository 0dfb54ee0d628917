"""A policy is tried, put in force and compared, by its text and by forms; a window is moved on When."""
import json
import re

from world import check, eventually

from page.everybody import settle
from page.hands import Mouse
from page.house import opened
from page.queue import tag
from page.seed import night_policy
from page.stage import scene

BOX = "Policy document (JSON)"


def document_in(page):
    return json.loads(page.get_by_role("textbox", name=BOX).input_value())


def put_in_force(page, hand):
    """The question says what would change, and keeps what is in force unless it is answered."""
    hand.press(page.get_by_role("button", name="Put in force"))
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("unchanged").wait_for()
    hand.press(dialog.get_by_role("button", name="Put in force"))
    dialog.wait_for(state="hidden")


def waiting(house, count=3):
    """Discretionary downloads of a session of their own, which any window holds back."""
    word = tag()
    house.create_all([{"url": f"{house.files.base}/data/5/{word}-{number}.txt", "is_discretionary": True}
                      for number in range(count)])
    return word


@scene("tasks")
def a_policy_is_tried_and_put_in_force(stage, hand):
    """Try says what would change and changes nothing; Put in force makes the next version."""
    house = stage.house
    house.put("/v1/policy", night_policy())
    version = house.read("/v1/policy")["version"]
    word = waiting(house)
    with stage.context() as context, opened(context, house.address("policy")) as page:
        settle(page)
        check(document_in(page) == night_policy(), "the text is not the policy in force")
        changed = night_policy() | {"rules": []}
        hand.write(page.get_by_role("textbox", name=BOX), json.dumps(changed))
        hand.press(page.get_by_role("button", name="Try", exact=True))
        page.get_by_text(re.compile(r"[1-9]\d* (begin )?(sooner|earlier)", re.I)).first.wait_for()
        page.get_by_role("link", name=f"{word}-0.txt", exact=True).first.wait_for()
        check(house.read("/v1/policy")["version"] == version, "the trial put it in force")
        put_in_force(page, hand)
        page.get_by_role("status").filter(has_text=re.compile(rf"version {version + 1}", re.I)).wait_for()
        eventually("the version", lambda: house.read("/v1/policy")["document"] == changed)
    house.without_policy()


@scene("tasks")
def a_fault_is_shown_at_its_member(stage, hand):
    """Each fault of a document is in a list; pressing it selects the member in the text."""
    with stage.context() as context, opened(context, stage.house.address("policy")) as page:
        settle(page)
        fault = {"windows": {"night": ["22:00-06:00"]}, "rules": [
            {"name": "a", "require": ["window night"]}, {"name": "b", "require": ["window nigt"]}]}
        box = page.get_by_role("textbox", name=BOX)
        hand.write(box, json.dumps(fault, indent=2))
        hand.press(page.get_by_role("button", name="Try", exact=True))
        hand.press(page.get_by_role("button").filter(has_text="/rules/1/require/0").first)
        chosen = box.evaluate("it => it.value.slice(it.selectionStart, it.selectionEnd)")
        check(chosen == '"window nigt"', f"chosen is {chosen!r}")
        hand.write(box, '{\n  "rules": [}')
        hand.press(page.get_by_role("button", name="Try", exact=True))
        page.get_by_text(re.compile("line 2", re.I)).first.wait_for()


@scene("tasks")
def forms_change_only_their_rule(stage, hand):
    """The forms for nights, bandwidth and bytes a month leave all other members as they are."""
    house = stage.house
    before = {"time_zone": "UTC", "windows": {"other": ["01:00-02:00"]}, "limits": {"running": 9},
              "rules": [{"name": "mine", "match": {"session": "x"}, "require": ["window other"]}]}
    house.put("/v1/policy", before)
    with stage.context() as context, opened(context, house.address("policy")) as page:
        settle(page)
        nights = page.get_by_role("group", name="Nights")
        hand.set_time(nights.get_by_label("From"), "21:00")
        hand.set_time(nights.get_by_label("Until"), "05:30")
        hand.press(nights.get_by_role("button", name="Write into the document"))
        hours = page.get_by_role("group", name="Bandwidth by hour")
        hand.write(hours.get_by_label("Timetable"), "06:00,5MB 22:00,off")
        hand.press(hours.get_by_role("button", name="Write into the document"))
        month = page.get_by_role("group", name="Bytes a month")
        hand.write(month.get_by_label("Bytes"), "500GB")
        hand.press(month.get_by_role("button", name="Write into the document"))
        after = document_in(page)
        check(after["windows"]["night"] == ["21:00-05:30"], f"windows are {after['windows']}")
        check(after["bandwidth"] == {"deployment": "06:00,5MB 22:00,off"}, f"bandwidth is {after['bandwidth']}")
        check([one for one in after["budgets"] if one["per"] == "month"][0]["bytes"] == "500GB", "no budget")
        check(after["windows"]["other"] == ["01:00-02:00"] and after["limits"] == {"running": 9}
              and after["rules"][0] == before["rules"][0] and after["time_zone"] == "UTC", f"others changed: {after}")
        put_in_force(page, hand)
        eventually("the policy", lambda: house.read("/v1/policy")["document"] == after)
    house.without_policy()


@scene("tasks")
def two_editors_do_not_overwrite(stage):
    """What another put in force meanwhile is not replaced: the page says so and keeps the text."""
    house = stage.house
    house.put("/v1/policy", night_policy())
    with stage.context() as context, opened(context, house.address("policy")) as page:
        settle(page)
        page.get_by_role("textbox", name=BOX).fill('{"limits": {"running": 3}}')
        house.put("/v1/policy", {"limits": {"running": 4}})
        put_in_force(page, Mouse())
        page.get_by_text(re.compile("meanwhile", re.I)).first.wait_for()
        check(document_in(page) == {"limits": {"running": 3}}, "the text is gone")
        check(house.read("/v1/policy")["document"] == {"limits": {"running": 4}}, "it was overwritten")
    house.without_policy()


@scene("tasks")
def versions_have_differences(stage, hand):
    """Each version shows what it changed of the one before."""
    house = stage.house
    house.put("/v1/policy", {"limits": {"running": 5}})
    house.put("/v1/policy", {"limits": {"running": 6}})
    version = house.read("/v1/policy")["version"]
    with stage.context() as context, opened(context, house.address("policy")) as page:
        settle(page)
        hand.press(page.get_by_role("button", name=re.compile(rf"Version {version}\b")).or_(
            page.locator("summary").filter(has_text=re.compile(rf"Version {version}\b"))).first)
        page.locator("del").filter(has_text='"running": 5').first.wait_for()
        page.locator("ins").filter(has_text='"running": 6').first.wait_for()
    house.without_policy()


@scene("tasks")
def a_window_is_moved_and_tried(stage, hand):
    """When shows the hours as a table, and Try says what another window would change."""
    house = stage.house
    house.put("/v1/policy", night_policy())
    word = waiting(house)
    with stage.context() as context, opened(context, house.address("when")) as page:
        settle(page)
        hours = page.get_by_role("table").filter(has=page.get_by_role("columnheader", name="Hour"))
        check(hours.get_by_role("row").count() == 25, f"{hours.get_by_role('row').count() - 1} hours")
        hand.choose(page.get_by_label("Hours shown"), "72 hours")
        page.wait_for_function("() => [...document.querySelectorAll('table')].some(it => it.rows.length === 73)")
        check("hours=72" in page.url, f"the address is {page.url}")
        hand.set_time(page.get_by_label("From"), "00:00")
        hand.set_time(page.get_by_label("Until"), "23:59")
        hand.press(page.get_by_role("button", name="Try", exact=True))
        page.get_by_text(re.compile(r"[1-9]\d* (begin )?(sooner|earlier)", re.I)).first.wait_for()
        page.get_by_role("link", name=f"{word}-0.txt", exact=True).first.wait_for()
        check(house.read("/v1/policy")["document"] == night_policy(), "the trial changed the policy")
        hand.press(page.get_by_role("button", name="Go on in Policy"))
        page.get_by_role("heading", level=1, name="Policy").wait_for()
        settle(page)
        check(document_in(page) == night_policy() | {"windows": {"night": ["00:00-23:59"]}}, "the text is another")
    house.without_policy()
