"""The step `page` of the conformance tests."""
from world import check

from page import budget, everybody, firefox_scenes, keys, live, one, policy, queue, views, webhooks  # noqa: F401
from page.stage import run_all


def page():
    played, failed = run_all()
    check(played, "no scene has such a name")
    check(not failed, f"{len(failed)} of {played} scenes failed: {', '.join(failed)}")
    return f"{played} scenes in Chromium and Firefox"
