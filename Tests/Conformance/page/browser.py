"""Chromium by Playwright, and a watch over everything that it reports about a page."""
import contextlib
import os
import re
import shutil

from playwright.sync_api import sync_playwright

from world import Failed, check

# Runs before the scripts of each page: all reports come to the console, across navigations.
REPORTS = """
addEventListener('securitypolicyviolation', one => console.error(
    `policy report: ${one.effectiveDirective} ${one.blockedURI} ${one.sourceFile}:${one.lineNumber} ${one.sample}`));
addEventListener('unhandledrejection', one => console.error(`unhandled rejection: ${one.reason}`));
addEventListener('error', one => console.error(`uncaught: ${one.message}`));
"""
# Chromium writes this line about each answer of 4xx that a script asked for; no page can prevent it.
REFUSAL = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")


class Watch:
    """What a page reported that it should not have."""

    def __init__(self, allowed):
        self.faults = []
        self.allowed = allowed

    def over(self, page):
        page.on("console", self.hear)
        page.on("pageerror", lambda fault: self.faults.append(f"uncaught: {fault}"))
        page.on("crash", lambda _: self.faults.append("the page crashed"))

    def hear(self, message):
        if message.type not in ("error", "warning"):
            return
        address = (message.location or {}).get("url", "")
        if REFUSAL.match(message.text) and "/v1/" in address:
            return
        if any(words in message.text for words in self.allowed):
            return
        self.faults.append(f"{message.type}: {message.text[:300]} ({address})")


class Browser:
    """One Chromium for all scenes; each scene has a context of its own, as a person with a fresh profile."""

    def __init__(self):
        program = shutil.which("chromium")
        check(program, "there is no chromium")
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--lang=en-GB", "--enable-precise-memory-info"])

    def close(self):
        self.chromium.close()
        self.playwright.stop()

    @contextlib.contextmanager
    def context(self, name, allowed=(), **options):
        """A context whose pages are watched; a fault that was reported fails the scene at its end."""
        options = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", "timezone_id": "Europe/Berlin"} | options
        context = self.chromium.new_context(**options)
        context.set_default_timeout(30_000)
        context.add_init_script(REPORTS)
        watch = Watch(allowed)
        context.on("page", watch.over)
        context.watch = watch
        try:
            yield context
            check(not watch.faults, "the browser reported " + "; ".join(watch.faults[:5]))
        except BaseException as fault:
            keep_evidence(context, name)
            if watch.faults and not isinstance(fault, Failed):
                fault.add_note("the browser reported " + "; ".join(watch.faults[:5]))
            raise
        finally:
            context.close()


def keep_evidence(context, name):
    """Pictures of the pages as they were when a scene failed, where LULL_PAGE_EVIDENCE names a folder."""
    folder = os.environ.get("LULL_PAGE_EVIDENCE")
    if not folder:
        return
    os.makedirs(folder, exist_ok=True)
    for number, page in enumerate(context.pages):
        with contextlib.suppress(Exception):
            page.screenshot(path=os.path.join(folder, f"{name}-{number}.png"), full_page=True)
            with open(os.path.join(folder, f"{name}-{number}.txt"), "w") as file:
                file.write(page.url + "\n" + page.locator("body").aria_snapshot())
