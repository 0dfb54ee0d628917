"""What the page does while events come, streams break, and people go from view to view."""
import json
import re
import socket

from world import check, eventually

from page.everybody import settle
from page.house import opened
from page.queue import row, tag
from page.stage import scene

BROKEN = ("net::ERR_",)


def state_of(page, name, word):
    page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True)).filter(
        has_text=re.compile(word, re.I)).wait_for()


@scene("tasks")
def a_cut_stream_goes_on(stage):
    """When the connection breaks the page says so and marks its figures old; then it goes on behind the last event."""
    word, house = tag(), stage.house
    proxy = house.between()
    one = house.create(f"/data/5/{word}.txt", suspended=True)
    with stage.context(allowed=BROKEN) as context, opened(context, proxy.base + f"/ui/queue?q={word}") as page:
        settle(page)
        state_of(page, f"{word}.txt", "suspended")
        eventually("a stream", lambda: proxy.streams)
        before = len([path for path in proxy.paths() if path.startswith("/v1/events")])
        proxy.cut()
        page.get_by_text("Not live").first.wait_for()
        check(page.locator("[data-old], .old").count() > 0, "no figure is marked old")
        status, _, body = house.post(f"/v1/downloads/{one}/cancel", {})
        check(status == 200, f"cancel answered {status}: {body!r}")
        proxy.mend()
        state_of(page, f"{word}.txt", "canceled")
        page.get_by_text("Not live").first.wait_for(state="hidden")
        again = [(path, fields) for method, path, fields in proxy.asked if path.startswith("/v1/events")][before:]
        check(again, "no second stream was asked for")
        check(all("Last-Event-ID" in fields or "after=" in path for path, fields in again),
              "the stream was not taken up behind the last event")


@scene("tasks")
def a_gap_reloads(stage):
    """After the event `gap` the page reads anew what it shows."""
    word, house = tag(), stage.house
    proxy = house.between()
    house.create(f"/data/5/{word}.txt", suspended=True)
    with stage.context() as context, opened(context, proxy.base + f"/ui/queue?q={word}") as page:
        settle(page)
        eventually("a stream", lambda: proxy.streams)
        lists = len([path for path in proxy.paths() if path.startswith("/v1/downloads?")])
        cursor = house.read("/v1/events?limit=1")["data"][0]["cursor"]
        proxy.add(f"event: gap\nid: {cursor}\ndata: {{}}\n\n")
        eventually("another list", lambda: len(
            [path for path in proxy.paths() if path.startswith("/v1/downloads?")]) > lists)
        row(page, f"{word}.txt").wait_for()


@scene("tasks")
def an_older_event_changes_nothing(stage):
    """An event with a lower sequence than that of its row is passed over."""
    word, house = tag(), stage.house
    proxy = house.between()
    one = house.create(f"/data/5/{word}.txt", suspended=True)
    with stage.context() as context, opened(context, proxy.base + f"/ui/queue?q={word}") as page:
        settle(page)
        state_of(page, f"{word}.txt", "suspended")
        eventually("a stream", lambda: proxy.streams)
        event = house.read(f"/v1/downloads/{one}/events?view=row")["data"][0]
        data = event["data"] | {"state": "failed", "sequence": 0}
        proxy.add(f"event: download.failed\ndata: {json.dumps(event | {'type': 'download.failed', 'data': data})}\n\n")
        house.post(f"/v1/downloads/{one}/cancel", {})
        state_of(page, f"{word}.txt", "canceled")


@scene("tasks")
def late_answers_are_dropped(stage):
    """An answer for a view that was left does not come into the next one."""
    word, house = tag(), stage.house
    proxy = house.between()
    house.create(f"/data/5/{word}.txt", suspended=True)
    with stage.context(allowed=BROKEN) as context, opened(context, proxy.base + "/ui/sessions") as page:
        settle(page)
        proxy.hold("/v1/downloads?")
        page.get_by_role("navigation").first.get_by_role("link", name="Queue").click()
        eventually("a question", lambda: any(path.startswith("/v1/downloads?") for path in proxy.paths()))
        page.get_by_role("navigation").first.get_by_role("link", name="Policy").click()
        page.get_by_role("heading", level=1, name="Policy").wait_for()
        proxy.let_go()
        page.wait_for_timeout(500)
        check(page.get_by_role("heading", level=1).all_inner_texts() == ["Policy"], "another view came")
        check(page.get_by_role("link", name=f"{word}.txt").count() == 0, "rows of the view that was left came")


@scene("tasks")
def a_hidden_tab_rests(stage):
    """A hidden tab closes its stream, and opens it behind its last event when it is shown."""
    house = stage.house
    proxy = house.between()
    with stage.context() as context, opened(context, proxy.base + "/ui/queue") as page:
        settle(page)
        eventually("a stream", lambda: proxy.streams)
        hide(page, True)
        house.create("/data/5/seen.txt", suspended=True)
        eventually("the end of the stream", lambda: ended(page, proxy), seconds=30)
        hide(page, False)
        eventually("a stream", lambda: proxy.streams)


def hide(page, hidden):
    """What a browser tells a page whose tab is covered; a headless one covers none."""
    page.evaluate("""hidden => {
        Object.defineProperty(document, 'visibilityState', {value: hidden ? 'hidden' : 'visible', configurable: true});
        Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
        document.dispatchEvent(new Event('visibilitychange'));
    }""", hidden)


def ended(page, proxy):
    """A proxy notices a closed stream when it writes; a comment does no harm."""
    page.wait_for_timeout(200)
    for handler, sock in list(proxy.streams):
        try:
            handler.write_piece(b":\n\n")
        except OSError:
            sock.shutdown(socket.SHUT_RDWR)
    return not proxy.streams


@scene("tasks")
def below_a_prefix(stage):
    """Behind a proxy that gives the service a folder, every view, link and request stays in it."""
    word, house = tag(), stage.house
    proxy = house.between("/tools/lull")
    house.create(f"/data/5/{word}.txt", suspended=True)
    with stage.context() as context, opened(context, proxy.base + "/ui/") as page:
        settle(page)
        for name in ("Queue", "When", "Policy", "Webhooks", "Sessions", "Overview"):
            page.get_by_role("navigation").first.get_by_role("link", name=name).click()
            page.get_by_role("heading", level=1, name=name).wait_for()
            check("/tools/lull/ui/" in page.url, f"{name} is at {page.url}")
        page.goto(proxy.base + f"/ui/queue?q={word}")
        page.get_by_role("link", name=f"{word}.txt", exact=True).click()
        page.get_by_role("heading", level=1, name=f"{word}.txt").wait_for()
        check("/tools/lull/ui/download?id=" in page.url, f"the download is at {page.url}")


@scene("tasks")
def seven_tabs(stage):
    """With one stream a tab, six tabs and their successor load: those that are hidden have closed theirs."""
    house = stage.house
    with stage.context() as context:
        pages = []
        for _ in range(5):
            page = context.new_page()
            page.goto(house.address("queue"))
            settle(page)
            hide(page, True)
            pages.append(page)
        pages[0].wait_for_timeout(6_000)
        for _ in range(2):
            page = context.new_page()
            page.goto(house.address())
            settle(page)


@scene("tasks")
def letters_are_keys(stage):
    """Single letters search, move among rows and select; they can be switched off (WCAG 2.1.4)."""
    word, house = tag(), stage.house
    house.create_all([{"url": f"{house.files.base}/data/5/{word}-{number}.txt", "suspended": True} for number in range(2)])
    with stage.context() as context, opened(context, house.address(f"queue?q={word}")) as page:
        settle(page)
        row(page, f"{word}-1.txt").wait_for()
        at = "() => document.activeElement.textContent"
        for letter, name in (("j", f"{word}-1.txt"), ("j", f"{word}-0.txt"), ("k", f"{word}-1.txt")):
            page.keyboard.press(letter)
            check(page.evaluate(at) == name, f"{letter} leads to {page.evaluate(at)}")
        page.keyboard.press("x")
        check(page.get_by_role("checkbox", name=f"Select {word}-1.txt").is_checked(), "x selects nothing")
        page.keyboard.press("/")
        is_search = "() => document.activeElement?.type === 'search'"
        check(page.evaluate(is_search), "/ does not lead to the search")
        page.get_by_role("button", name=re.compile("letters", re.I)).click()
        page.keyboard.press("/")
        check(not page.evaluate(is_search), "letters are keys although they are switched off")
