"""What REDbot says of the content and of the JSON: it always exits 0, so its notes are judged."""
import json

from world import TOOLS, World, check, plain_environment

# The words that a report on a file has to have.
CONTENT = [
    "If-None-Match conditional requests are supported.",
    "If-Modified-Since conditional requests are supported.",
    "A ranged request returned the correct partial content.",
    "The Content-Length header is correct.",
]
OTHERS = ("/", "/livez", "/readyz", "/metrics", "/version", "/openapi.yaml", "/v1/downloads",
          "/v1/events", "/v1/policy", "/v1/sessions/default", "/problems/not-found", "/nothing")

# The warnings without a fault, and the reason for each.
ALLOWED = {}


def redbot():
    with World() as world:
        world.make_file("cached.txt", 200_000)
        document = world.download(f"{world.origin}/cached.txt")
        content = document["content"]["href"]
        said = judge(world, content)
        missing = [words for words in CONTENT if words not in said]
        check(not missing, f"of the content REDbot does not say {missing}, but {said}")
        for other in (*OTHERS, content.removesuffix("/content")):
            judge(world, other)
    return f"the content and {len(OTHERS) + 1} other resources; no warning"


def judge(world, path):
    """All that REDbot says; fails for a warning or an error that is not allowed."""
    printed = world.run(
        [f"{TOOLS}/redbot", "-o", "har", world.base + path], "redbot", env=plain_environment())
    said = list(notes(json.loads(printed)))
    check(said, f"{path}: REDbot says nothing")
    bad = [words for level, words in said if level in ("WARN", "BAD") and words not in ALLOWED]
    check(not bad, f"{path}: REDbot warns {bad}")
    return [words for _, words in said]


def notes(value):
    """Level and words of every note in an archive."""
    if isinstance(value, dict):
        if "level" in value and "summary" in value:
            yield value["level"], value["summary"]
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from notes(one)
