"""Add, watch, choose and act, by mouse and by keyboard alone."""
import re
import secrets

from world import check, eventually

from page.everybody import settle
from page.house import opened
from page.stage import scene

MANY = 7


def tag():
    """A word that no other scene has in its names."""
    return f"s{secrets.token_hex(4)}"


def row(page, name):
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


@scene("tasks")
def empty_states(stage):
    """Before there is anything, each view says what to do."""
    with stage.context() as context:
        for view, word in (("", "Add"), ("queue", "Add")):
            with opened(context, stage.house.address(view)) as page:
                settle(page)
                check(page.get_by_role("main").get_by_role("link", name=re.compile(word)).count() > 0,
                      f"the empty view /ui/{view} leads nowhere")


@scene("tasks")
def add_watch_and_get(stage, hand):
    """Two URLs are added, their bars go on, and the file is a link when it is whole."""
    word, house = tag(), stage.house
    house.files.gate.clear()
    urls = [f"{house.files.base}/gate/90000/{word}-one.txt", f"{house.files.base}/data/500/{word}-two.txt"]
    with stage.context() as context, opened(context, house.address()) as page:
        hand.press(page.get_by_role("link", name=re.compile("^Add")).first)
        page.get_by_role("heading", level=1, name="Add").wait_for()
        hand.write(page.get_by_role("textbox", name="URLs"), "\n".join(urls))
        hand.press(page.get_by_role("button", name="Add 2 downloads"))
        page.get_by_role("status").filter(has_text=re.compile("2 downloads")).wait_for()
        hand.press(page.get_by_role("navigation").first.get_by_role("link", name="Queue"))
        page.get_by_role("heading", level=1, name="Queue").wait_for()
        page.get_by_role("progressbar", name=f"{word}-one.txt").wait_for()
        house.files.open()
        hand.press(page.get_by_role("link", name=f"{word}-one.txt", exact=True))
        page.get_by_role("heading", level=1, name=f"{word}-one.txt").wait_for()
        page.get_by_role("list", name="Timeline").wait_for()
        page.get_by_text(re.compile("succeeded", re.I)).first.wait_for()
        with page.expect_download() as arrived:
            hand.press(page.get_by_role("link", name="Download the file"))
        check(arrived.value.suggested_filename == f"{word}-one.txt", f"it is {arrived.value.suggested_filename}")


@scene("tasks")
def bad_lines_are_named(stage):
    """Of many URLs each bad one is named by its line, and none is added."""
    word, house = tag(), stage.house
    with stage.context() as context, opened(context, house.address("add")) as page:
        lines = [f"{house.files.base}/data/5/{word}-a.txt", "javascript:alert(1)", f"{house.files.base}/data/5/{word}-b.txt",
                 "gopher://x/y"]
        page.get_by_role("textbox", name="URLs").fill("\n".join(lines))
        page.get_by_role("button", name="Add 4 downloads").click()
        alert = page.get_by_role("main")
        for line in (2, 4):
            alert.get_by_text(re.compile(rf"line {line}\b", re.I)).first.wait_for()
        check(not house.read(f"/v1/downloads?q={word}")["data"], "something was added")


@scene("tasks")
def cancel_many(stage, hand):
    """Seven chosen rows are canceled after a question whose first answer keeps them."""
    word, house = tag(), stage.house
    house.create_all([{"url": f"{house.files.base}/data/5/{word}-{number}.txt", "suspended": True}
                      for number in range(MANY)])
    with stage.context() as context, opened(context, house.address(f"queue?q={word}")) as page:
        settle(page)
        row(page, f"{word}-0.txt").wait_for()
        hand.tick(page.get_by_role("checkbox", name="Select all on this page"))
        hand.tick(page.get_by_role("checkbox", name=f"Select {word}-3.txt"))
        page.get_by_role("button", name="Cancel 6 downloads").wait_for()
        hand.tick(page.get_by_role("checkbox", name=f"Select {word}-3.txt"))
        hand.press(page.get_by_role("button", name=f"Cancel {MANY} downloads"))
        dialog = page.get_by_role("dialog")
        keep = dialog.get_by_role("button", name="Keep them")
        keep.wait_for()
        check(keep.evaluate("it => it === document.activeElement"), "the focus is not on Keep them")
        hand.press(keep)
        dialog.wait_for(state="hidden")
        check(len(house.read(f"/v1/downloads?q={word}&state=suspended")["data"]) == MANY, "they were canceled")
        hand.press(page.get_by_role("button", name=f"Cancel {MANY} downloads"))
        hand.press(dialog.get_by_role("button", name=f"Cancel {MANY} downloads"))
        page.get_by_role("status").filter(has_text=re.compile(rf"{MANY} downloads")).wait_for()
        eventually("canceled", lambda: len(house.read(f"/v1/downloads?q={word}&state=canceled")["data"]) == MANY)


@scene("tasks")
def retry_a_group(stage, hand):
    """The overview groups failures by cause and origin, and one button retries them."""
    word, house = tag(), stage.house
    house.put(f"/v1/sessions/{word}", {})
    made = house.create_all([{"url": f"{house.files.base}/status/410/{word}-{number}.txt", "session": word}
                             for number in range(3)])
    for identifier in made:
        house.reaches(identifier, "failed")
    with stage.context() as context, opened(context, house.address(f"queue?state=failed&q={word}")) as page:
        settle(page)
        hand.tick(page.get_by_role("checkbox", name="Select all on this page"))
        hand.press(page.get_by_role("button", name="Retry 3 downloads").or_(
            page.get_by_role("button", name="Retry these 3")).first)
        page.get_by_role("status").filter(has_text=re.compile("3 downloads")).wait_for()
    with stage.context() as context, opened(context, house.address()) as page:
        settle(page)
        button = page.get_by_role("button", name=re.compile("^Retry (these [0-9]+|this)")).first
        tries = len(house.files.seen)
        hand.press(button)
        page.get_by_role("status").filter(has_text=re.compile("[0-9]+ downloads?")).wait_for()
        eventually("another try", lambda: len(house.files.seen) > tries)


@scene("tasks")
def filter_and_page_in_the_address(stage):
    """What is looked for, the state and the page are in the address: reload and Back keep them."""
    word, house = tag(), stage.house
    house.create_all([{"url": f"{house.files.base}/data/5/{word}-{number:03}.txt", "suspended": True}
                      for number in range(130)])
    with stage.context() as context, opened(context, house.address("queue")) as page:
        settle(page)
        page.get_by_role("searchbox", name="Name or URL").fill(word)
        page.get_by_role("searchbox", name="Name or URL").press("Enter")
        row(page, f"{word}-129.txt").wait_for()
        page.get_by_role("link", name=re.compile(r"^Suspended [0-9,]+")).first.click()
        row(page, f"{word}-129.txt").wait_for()
        check(f"q={word}" in page.url and "state=suspended" in page.url, f"the address is {page.url}")
        check(page.get_by_role("row").count() <= 101, f"{page.get_by_role('row').count()} rows")
        page.get_by_role("link", name=re.compile("Next")).click()
        row(page, f"{word}-000.txt").wait_for()
        second = page.url
        page.reload()
        row(page, f"{word}-000.txt").wait_for()
        page.go_back()
        row(page, f"{word}-129.txt").wait_for()
        page.go_forward()
        row(page, f"{word}-000.txt").wait_for()
        check(page.url == second, f"{page.url} is not {second}")


@scene("tasks")
def an_origin_s_words_are_text(stage):
    """A file that is called like markup, and a link that is a script, are text everywhere."""
    house, name = stage.house, "<img src=x onerror=alert(1)>.txt"
    made = house.create("/data/5/plain.txt", filename=name, task_description="javascript:alert(1)")
    house.reaches(made, "succeeded")
    with stage.context() as context:
        for view in ("", "queue", f"download?id={made}", "when", "webhooks"):
            with opened(context, house.address(view)) as page:
                page.on("dialog", lambda dialog: check(False, f"a script ran in {view}"))
                settle(page)
                check(page.locator("main img, a[href^='javascript:']").count() == 0, f"{view}: markup came through")
        with opened(context, house.address("queue")) as page:
            page.get_by_role("link", name=name, exact=True).wait_for()


@scene("tasks")
def sound_is_played(stage):
    """A WAV has a player that the browser can use, by a link without a key."""
    made = stage.house.create(f"/data/40000/{tag()}.wav")
    stage.house.reaches(made, "succeeded")
    with stage.context() as context, opened(context, stage.house.address(f"download?id={made}")) as page:
        settle(page)
        page.get_by_role("button", name=re.compile("^Play")).click()
        page.wait_for_function("() => document.querySelector('audio, video')?.readyState >= 1")
