"""The stream of events read by sseclient-py, cut off and taken up again by Last-Event-ID."""
import json

import httpx
import sseclient

from world import World, check, eventually


def resumption():
    with World() as world:
        world.make_file("event.bin", 1000)
        start = newest(world)
        seen = [event.id for event in read(world, start, downloads=4, cut_after=5)]
        check(len(seen) == 5, f"5 events were to come before the cut, came {seen}")
        # Events that happen while no client listens must come too.
        for _ in range(3):
            world.download(f"{world.origin}/event.bin")
        wanted = journal(world, start)
        seen += [event.id for event in read(world, seen[-1], until=wanted[-1])]
        check(seen == wanted, f"the stream had {seen}, the journal {wanted}")
    return f"{len(wanted)} events over a cut connection, none lost, none twice, in order"


def newest(world):
    """An event to begin behind."""
    world.download(f"{world.origin}/event.bin")
    return journal(world, None)[-1]


def journal(world, after):
    """The cursors of all events behind one, page by page."""
    cursors, place = [], after
    while True:
        query = f"?limit=7&after={place}" if place else "?limit=7"
        page = json.loads(world.get("/v1/events" + query)[2])
        cursors += [event["cursor"] for event in page["data"]]
        place = page["next_cursor"]
        if not place:
            return cursors


def read(world, after, downloads=0, cut_after=None, until=None):
    """Events behind one; makes downloads while it listens, and ends in the middle of the stream."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": after}
    events = []
    with httpx.Client(timeout=60) as client:
        with client.stream("GET", world.base + "/v1/events", headers=headers) as answer:
            check(answer.status_code == 200, f"the stream answered {answer.status_code}")
            for _ in range(downloads):
                world.post("/v1/downloads", {"url": f"{world.origin}/event.bin"})
            for event in sseclient.SSEClient(answer.iter_bytes()).events():
                if not event.data:
                    continue
                document = json.loads(event.data)
                check(document["type"] == event.event, f"{event.event} is {document['type']}")
                events.append(event)
                if len(events) == cut_after or event.id == until:
                    break
    if downloads:
        eventually("the end of all downloads", lambda: all_ended(world))
    return events


def all_ended(world):
    page = json.loads(world.get("/v1/downloads?limit=200")[2])
    return all(one["state"] == "succeeded" for one in page["data"])
