"""One download: what can be done with it, its content for others, and one that needs somebody."""
import re
import urllib.request

from world import check, eventually

from page.everybody import settle
from page.house import opened
from page.queue import tag
from page.stage import scene


@scene("tasks")
def one_is_worked(stage, hand):
    """It is resumed, suspended, canceled and deleted from its own view; what is lost by it is asked for."""
    word, house = tag(), stage.house
    one = house.create(f"/slow/9000000/1000/{word}.txt", suspended=True)
    with stage.context() as context, opened(context, house.address(f"download?id={one}")) as page:
        settle(page)
        hand.press(page.get_by_role("button", name="Resume", exact=True))
        house.reaches(one, "running")
        page.get_by_role("progressbar", name=f"{word}.txt").wait_for()
        hand.press(page.get_by_role("button", name="Suspend", exact=True))
        house.reaches(one, "suspended")
        for verb, answer in (("Cancel", "canceled"), ("Delete", None)):
            hand.press(page.get_by_role("button", name=verb, exact=True))
            hand.press(page.get_by_role("dialog").get_by_role("button", name="Keep them"))
            page.get_by_role("dialog").wait_for(state="hidden")
            hand.press(page.get_by_role("button", name=verb, exact=True))
            hand.press(page.get_by_role("dialog").get_by_role("button", name=verb, exact=True))
            if answer:
                house.reaches(one, answer)
        page.get_by_role("heading", level=1, name="Queue").wait_for()
        eventually("its end", lambda: house.get(f"/v1/downloads/{one}")[0] == 404)


@scene("tasks")
def a_link_for_others(stage):
    """The link to the file gives it without a key, and the page says when the link ends."""
    word, house = tag(), stage.house
    one = house.reaches(house.create(f"/data/500/{word}.txt"), "succeeded")
    with stage.context() as context, opened(context, house.address(f"download?id={one}")) as page:
        settle(page)
        address = page.get_by_role("link", name="Download the file").evaluate("it => it.href")
        with urllib.request.urlopen(address, timeout=30) as answer:
            content = answer.read()
            check("attachment" in answer.headers["Content-Disposition"], "it is no attachment")
        check(len(content) == 500 and content.startswith(word.encode()), f"the link gives {content[:40]!r}")
        page.get_by_text(re.compile(r"\bin (23|24) h")).first.wait_for()


@scene("tasks")
def one_that_needs_somebody(stage, hand):
    """The overview names it with its cause; with another URL it goes on."""
    word, house = tag(), stage.house
    one = house.create(f"/status/401/{word}.csv")
    house.reaches(one, "attention_required")
    with stage.context() as context, opened(context, house.address()) as page:
        settle(page)
        line = page.get_by_role("row").filter(has=page.get_by_role("link", name=f"{word}.csv", exact=True))
        check("401" in line.inner_text(), f"its cause is not shown: {line.inner_text()}")
        asked = len(house.files.seen)
        hand.press(line.get_by_role("button", name=f"Resume {word}.csv"))
        eventually("another request", lambda: len(house.files.seen) > asked)
        house.reaches(one, "attention_required")
        page.goto(house.address(f"download?id={one}"))
        settle(page)
        hand.write(page.get_by_role("textbox", name="Another URL"), f"{house.files.base}/data/9/{word}.csv")
        hand.press(page.get_by_role("button", name="Change and resume"))
        house.reaches(one, "succeeded")
        page.get_by_text(re.compile("succeeded", re.I)).first.wait_for()


@scene("tasks")
def curl_has_no_secret(stage):
    """The command for a shell names the URL and the header fields, and none of the secrets."""
    word, house = tag(), stage.house
    one = house.create(f"/data/9/{word}.txt", suspended=True, headers={"X-Token": "hidden-secret", "Accept": "text/plain"})
    with stage.context() as context, opened(context, house.address(f"download?id={one}")) as page:
        settle(page)
        command = "\n".join(page.locator("pre").all_inner_texts())
        check(f"{house.files.base}/data/9/{word}.txt" in command, f"no URL in {command}")
        check("hidden-secret" not in page.locator("body").inner_text(), "the page shows a secret")
