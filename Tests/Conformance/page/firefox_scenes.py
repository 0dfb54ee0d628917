"""Three scenes in Firefox: add and look, a view that asks much, and a change."""
import re

from world import check, eventually

from page.queue import tag
from page.stage import scene


@scene("firefox")
def firefox(stage):
    """One browser for all three: its start is the dear part."""
    firefox = stage.firefox()
    try:
        adds_and_watches(stage, firefox)
        tries_a_policy(stage, firefox)
        suspends_a_session(stage, firefox)
    finally:
        firefox.close()
    return "add and watch, try a policy, suspend a session"


def heading(firefox, name):
    eventually(f"the view {name}", lambda: firefox.value("document.querySelector('h1')?.textContent.trim()") == name)


def adds_and_watches(stage, firefox):
    word, house = tag(), stage.house
    firefox.open(house.address("add"))
    heading(firefox, "Add")
    firefox.write("textbox", "URLs", f"{house.files.base}/data/5/{word}.txt")
    firefox.press("button", "Add 1 download")
    eventually("the download", lambda: house.read(f"/v1/downloads?q={word}")["data"])
    firefox.open(house.address(f"queue?q={word}"))
    firefox.press("link", f"{word}.txt")
    heading(firefox, f"{word}.txt")
    firefox.find("list", "Timeline")
    eventually("its end", lambda: re.search("succeeded", firefox.value("document.body.innerText"), re.I))


def tries_a_policy(stage, firefox):
    firefox.open(stage.house.address("policy"))
    heading(firefox, "Policy")
    firefox.find("textbox", "Policy document (JSON)")
    firefox.press("button", "Try")
    eventually("an answer", lambda: re.search(
        "unchanged", firefox.value("document.querySelector('main').innerText"), re.I))


def suspends_a_session(stage, firefox):
    firefox.open(stage.house.address("sessions"))
    heading(firefox, "Sessions")
    firefox.press("button", "Suspend default")
    eventually("the suspension", lambda: stage.house.read("/v1/sessions/default")["state"] == "suspended")
    firefox.press("button", "Resume default")
    eventually("the resumption", lambda: stage.house.read("/v1/sessions/default")["state"] == "active")
