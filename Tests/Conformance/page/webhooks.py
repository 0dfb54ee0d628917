"""Endpoints and deliveries: what was answered, once more, a ping, another secret; and sessions."""
import re

from world import check, eventually

from page.everybody import settle
from page.house import opened
from page.queue import tag
from page.stage import scene


def endpoint(house, path):
    status, _, body = house.post("/v1/webhook_endpoints", {
        "url": house.receiver.base + path, "description": path.strip("/"), "sessions": [path.strip("/")]})
    check(status == 201, f"the endpoint answered {status}: {body!r}")


@scene("tasks")
def redeliver(stage, hand):
    """A delivery that was answered comes once more after a question."""
    house, word = stage.house, tag()
    endpoint(house, f"/{word}")
    house.put(f"/v1/sessions/{word}", {})
    house.reaches(house.create(f"/data/5/{word}.txt", session=word), "succeeded")
    eventually("the webhook", lambda: house.receiver.at(f"/{word}"))
    with stage.context() as context, opened(context, house.address("webhooks")) as page:
        settle(page)
        line = page.get_by_role("row").filter(has_text=f"/{word}").filter(has_text="download.succeeded")
        check(re.search("204", line.inner_text()), f"the last answer is not shown: {line.inner_text()}")
        hand.press(line.get_by_role("button", name=re.compile("^Redeliver")))
        hand.press(page.get_by_role("dialog").get_by_role("button", name=re.compile("^Redeliver")))
        eventually("the webhook again", lambda: len(house.receiver.at(f"/{word}")) == 2)
        first, second = house.receiver.at(f"/{word}")
        check(first[0]["webhook-id"] == second[0]["webhook-id"], "it is another event")


@scene("tasks")
def ping(stage, hand):
    house, word = stage.house, tag()
    endpoint(house, f"/{word}")
    with stage.context() as context, opened(context, house.address("webhooks")) as page:
        settle(page)
        place = page.get_by_role("row").filter(has_text=f"/{word}").first
        hand.press(place.get_by_role("button", name=re.compile("^Ping")))
        dialog = page.get_by_role("dialog")
        hand.press(dialog.get_by_role("button", name=re.compile("^Ping")))
        eventually("the ping", lambda: house.receiver.at(f"/{word}"))
        check(b"endpoint.ping" in house.receiver.at(f"/{word}")[0][1], "it is another event")


@scene("tasks")
def another_secret(stage, hand):
    """The secret is replaced after a question, and the new one is shown once."""
    house, word = stage.house, tag()
    endpoint(house, f"/{word}")
    with stage.context() as context, opened(context, house.address("webhooks")) as page:
        settle(page)
        place = page.get_by_role("row").filter(has_text=f"/{word}").first
        hand.press(place.get_by_role("button", name=re.compile("^Replace the secret")))
        dialog = page.get_by_role("dialog")
        hand.press(dialog.get_by_role("button", name=re.compile("^Replace")))
        page.get_by_text(re.compile("whsec_")).first.wait_for()
        shown = re.search(r"whsec_[A-Za-z0-9+/=]+", page.locator("body").inner_text())[0]
        kept = [one for one in house.read("/v1/webhook_endpoints")["data"] if one["description"] == word][0]
        check(house.read(f"/v1/webhook_endpoints/{kept['id']}/secret")["secret"] == shown, "it is another secret")


@scene("tasks")
def a_session_rests(stage, hand):
    """Sessions show their version and counts; one is suspended and resumed."""
    house, word = stage.house, tag()
    house.put(f"/v1/sessions/{word}", {"max_running": 3})
    house.create(f"/data/5/{word}.txt", session=word, suspended=True)
    with stage.context() as context, opened(context, house.address("sessions")) as page:
        settle(page)
        hand.press(page.get_by_role("button", name=f"Suspend {word}"))
        eventually("the suspension", lambda: house.read(f"/v1/sessions/{word}")["state"] == "suspended")
        hand.press(page.get_by_role("button", name=f"Resume {word}"))
        eventually("the resumption", lambda: house.read(f"/v1/sessions/{word}")["state"] == "active")
        line = page.get_by_role("row").filter(has_text=word)
        hand.press(line.locator("summary"))
        line.get_by_text("max_running").wait_for()
