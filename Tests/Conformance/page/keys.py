"""The page with keys: what it asks for, what it hides, and what becomes of a key that is revoked."""
import re

from world import check, eventually

from page.everybody import VIEWS, settle
from page.house import opened
from page.stage import scene

CHANGES = re.compile(
    r"^(Cancel|Retry|Suspend|Resume|Delete|Add \d|Put in force|Try$|Redeliver|Ping|Replace|Rotate)", re.I)


def enter(page, hand, key):
    box = page.get_by_label("API key")
    check(box.get_attribute("type") == "password", "the key can be read over a shoulder")
    hand.write(box, key)
    box.press("Enter")


@scene("keys")
def a_key_is_asked_for(stage, hand):
    """Without a key nothing is shown but the question; with one its view. The key is in no address."""
    with stage.context() as context:
        page = context.new_page()
        page.goto(stage.house.address("queue?state=failed"))
        enter(page, hand, "lull_wrong")
        page.get_by_role("alert").or_(page.get_by_role("status").filter(has_text=re.compile("key"))).first.wait_for()
        enter(page, hand, stage.house.key)
        page.get_by_role("heading", level=1, name="Queue").wait_for()
        page.get_by_role("link", name="report-march.pdf", exact=True).wait_for()
        check("state=failed" in page.url, f"the view was left for {page.url}")
        check(stage.house.key not in page.url, "the key is in the address")
        stored = page.evaluate("() => [Object.values(sessionStorage), Object.values(localStorage), document.cookie]")
        check(stage.house.key in str(stored[0]), "the key does not outlive a reload")
        check(stage.house.key not in str(stored[1:]), "the key outlives the tab")
        page.reload()
        page.get_by_role("link", name="report-march.pdf", exact=True).wait_for()


@scene("keys")
def a_viewer_sees_no_button(stage):
    """A key that may only read sees no button that would be refused."""
    key = stage.house.new_key("downloads:read")
    with stage.context() as context:
        for name, path in VIEWS.items():
            page = context.new_page()
            page.goto(stage.house.address(path))
            box = page.get_by_label("API key")
            box.or_(page.get_by_role("heading", level=1)).first.wait_for()
            if box.count() and box.is_visible():
                box.fill(key)
                box.press("Enter")
            settle(page)
            shown = [one.inner_text() for one in page.get_by_role("button").all() if one.is_visible()]
            refused = [one for one in shown if CHANGES.match(one)]
            check(not refused, f"{name} shows {refused}")
            page.close()


@scene("keys")
def a_revoked_key_asks_and_returns(stage):
    """When its key is revoked the page asks for another, and then shows the view that it left."""
    house = stage.house
    key = house.new_key("downloads:read", "downloads:write")
    proxy = house.between()
    with stage.context(allowed=("net::ERR_",)) as context:
        page = context.new_page()
        page.goto(f"{proxy.base}/ui/queue?state=failed")
        box = page.get_by_label("API key")
        box.fill(key)
        box.press("Enter")
        page.get_by_role("link", name="report-march.pdf", exact=True).wait_for()
        eventually("a stream", lambda: proxy.streams)
        revoke(house, key)
        page.reload()
        box.wait_for()
        box.fill(house.key)
        box.press("Enter")
        page.get_by_role("link", name="report-march.pdf", exact=True).wait_for()
        check("state=failed" in page.url, f"the view was left for {page.url}")


def revoke(house, key):
    """Revokes the newest key; the command knows keys by their numbers."""
    words = house.run([house.binary(), "keys", "list"], "keys list", env=house.environment())
    number = max(int(found) for found in re.findall(r"(?m)^\s*(\d+)\s", words))
    house.run([house.binary(), "keys", "revoke", str(number)], "keys revoke", env=house.environment())
    eventually("the end of the key", lambda: is_refused(house, key))


def is_refused(house, key):
    kept, house.key = house.key, key
    try:
        return house.get("/v1/downloads?limit=1")[0] == 401
    finally:
        house.key = kept
