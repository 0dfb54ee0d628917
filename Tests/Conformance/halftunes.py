"""Half Tunes, the example of LullURLSession, in Chromium: with kills of the example and of Lull."""
import os
import signal

from page.browser import Browser
from world import ROOT, World, check, eventually, free_port, listening, plain_environment

FOLDER = os.path.join(ROOT, "examples", "halftunes")
NEVER = """{"rules": [
    {"name": "nights", "match": {"is_discretionary": true}, "require": ["night_rate = true"]}],
    "conditions": {"night_rate": {"type": "boolean", "default": false}}}"""


class Tunes:
    """The catalogue, Lull and the example."""

    def __init__(self, world):
        self.world = world
        self.port, self.catalogue = free_port(), free_port()
        world.run([os.path.join(FOLDER, "make-catalogue"), world.path("catalogue"), str(self.catalogue), "400000"],
                  "make-catalogue")
        world.start(["nginx", "-p", world.path("catalogue"), "-c", world.path("catalogue", "nginx.conf")],
                    "catalogue.log", env=plain_environment(PATH="/usr/sbin:/usr/bin:/sbin:/bin"))
        listening("the catalogue", self.catalogue)
        world.run(["swift", "build", "--package-path", FOLDER, "-j", "2"], "swift build", env=dict(os.environ))
        self.start()

    def start(self):
        self.program = self.world.start(
            [os.path.join(FOLDER, ".build", "debug", "HalfTunes")], "halftunes.log", env=plain_environment(
                LULL_SERVER=self.world.base, CATALOGUE=f"http://127.0.0.1:{self.catalogue}", PORT=str(self.port),
                FOLDER=self.world.path("music")))
        listening("Half Tunes", self.port)

    def kill(self):
        self.program.kill()
        self.program.wait()

    def kill_lull(self):
        self.world.lull.send_signal(signal.SIGKILL)
        self.world.lull.wait()
        self.world.start_lull()


def line(page, part, song):
    return page.locator(f"#{part} li", has_text=song)


def picture(page, name):
    """A picture of the page, where LULL_PAGE_EVIDENCE names a folder."""
    folder = os.environ.get("LULL_PAGE_EVIDENCE")
    if folder:
        os.makedirs(folder, exist_ok=True)
        page.screenshot(path=os.path.join(folder, f"halftunes-{name}.png"), full_page=True)


def search(page, term, count):
    page.get_by_label("Song or artist").fill(term)
    page.get_by_role("button", name="Search").click()
    page.wait_for_function(f"document.querySelectorAll('#found li').length === {count}")


def received(page, part, song):
    words = line(page, part, song).locator(".how").inner_text()
    return int(words.split(" %")[0].split()[-1]) if " %" in words else 0


def play(page, tunes):
    """Everything that a person does, through a kill of each program."""
    search(page, "sine", 6)
    page.get_by_role("button", name="Download Low C by Sine").click()
    line(page, "songs", "Low C").get_by_text("of 2.6 MB").wait_for()
    page.get_by_role("button", name="Pause Low C by Sine").click()
    line(page, "songs", "Low C").get_by_text("Paused, ").wait_for()
    picture(page, "paused")
    before = received(page, "songs", "Low C")
    check(before > 0, "a paused song has no bytes")
    page.get_by_role("button", name="Resume Low C by Sine").click()
    page.get_by_role("button", name="Pause Low C by Sine").wait_for()
    check(received(page, "songs", "Low C") >= before, "a song that goes on has lost bytes")
    # Killed in the middle and started again the example finds its download; and Lull the same.
    page.get_by_role("button", name="Download Low E by Sine").click()
    line(page, "songs", "Low E").get_by_text("of 2.6 MB").wait_for()
    tunes.kill()
    tunes.start()
    page.reload()
    line(page, "songs", "Low E").get_by_text("of 2.6 MB").wait_for()
    picture(page, "running")
    tunes.kill_lull()
    for song in ("Low C", "Low E"):
        line(page, "songs", song).locator("audio").wait_for(timeout=60_000)
    heard = page.evaluate("""async () => {
        const player = document.querySelector('#songs audio');
        player.muted = true;
        await player.play();
        await new Promise(done => player.addEventListener('timeupdate', () => player.currentTime > 0.2 && done()));
        player.pause();
        return player.duration;
    }""")
    check(abs(heard - 30) < 1, f"a song of 30 s has {heard} s")


def tonight(page, tunes):
    """A song for tonight says why it waits, is canceled, and a search that finds nothing says so."""
    world = tunes.world
    status, _, body = world.request("PUT", "/v1/policy", NEVER, {"Content-Type": "application/json"})
    check(status == 200, f"the policy was answered with {status}: {body!r}")
    search(page, "octave", 6)
    page.get_by_role("button", name="Tonight Low G by Octave").click()
    line(page, "tonight", "Low G").get_by_text("night_rate").wait_for()
    picture(page, "tonight")
    page.get_by_role("button", name="Cancel Low G by Octave").click()
    line(page, "tonight", "Low G").wait_for(state="detached")
    search(page, "nobody", 0)
    page.get_by_text("Nothing was found.").wait_for()


def halftunes():
    with World() as world:
        tunes = Tunes(world)
        browser = Browser()
        try:
            # Requests are lost while a program is killed, which Chromium writes down.
            allowed = ("Failed to load resource", "net::ERR")
            with browser.context("halftunes", allowed=allowed) as context:
                page = context.new_page()
                page.goto(f"http://127.0.0.1:{tunes.port}/")
                play(page, tunes)
                tonight(page, tunes)
        finally:
            browser.close()
        eventually("no task is left", lambda: world.get("/v1/downloads")[2].startswith(b'{"data":[],'))
    return "search, download, pause, resume, two kills, play, tonight and cancel in Chromium"
