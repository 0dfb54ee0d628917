"""What the page weighs beside 10,000 rows and 500 events a second, and costs when nothing happens."""
import itertools
import json
import os
import re
import statistics
import time

from world import check, eventually

from page.everybody import settle
from page.house import opened
from page.stage import scene

ROWS, A_SECOND, SECONDS, PARTS = 10_000, 500, 14, 10
ROWS_SHOWN, HEAP = 260, 60_000_000
LONG = """() => {
    window.longTasks = [];
    new PerformanceObserver(list => list.getEntries().forEach(one => longTasks.push(one.duration)))
        .observe({type: 'longtask'});
}"""


def fill(house):
    """Ten thousand suspended downloads."""
    for start in range(0, ROWS, 1_000):
        house.create_all([
            {"url": f"{house.files.base}/data/5/file-{number:05}.bin", "session": "crowd", "suspended": True}
            for number in range(start, start + 1_000)])


@scene("budget")
def many_rows_and_events(stage):
    """A list of 10,000 rows is light, and stays quick while each row that it shows changes five times a second."""
    house = stage.house
    house.put("/v1/sessions/crowd", {})
    fill(house)
    proxy = house.between()
    with stage.context() as context, opened(context, f"{proxy.base}/ui/queue?session=crowd") as page:
        settle(page)
        eventually("a stream", lambda: proxy.streams)
        events = changes(house)
        page.evaluate(LONG)
        shown = 0
        for second in range(SECONDS):
            for part in range(PARTS):
                began = time.monotonic()
                proxy.add("".join(itertools.islice(events, A_SECOND // PARTS)))
                page.wait_for_timeout(max(1, 1_000 * (1 / PARTS - (time.monotonic() - began))))
            shown += page.get_by_text(re.compile("canceling$", re.I)).count()  # A reading takes them back.
        rows = page.locator("tr, [role=row]").count()
        tasks = sorted(page.evaluate("() => longTasks"), reverse=True)
        session = context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")["usedSize"]
        check(rows <= ROWS_SHOWN, f"{rows} rows in the DOM")
        check(shown, "no event came into a row")
        check(heap < HEAP, f"a heap of {heap} bytes")
        return (f"{A_SECOND * SECONDS} events in {SECONDS} s, {rows} rows, heap {heap // 1000} kB, "
                f"{len(tasks)} tasks over 50 ms, the longest {tasks[0] if tasks else 0:.0f} ms")


def changes(house):
    """Events without end, as Lull writes them, that change the rows of the first page."""
    listed = house.read("/v1/downloads?view=row&session=crowd&limit=100")["data"]
    for number in itertools.count():
        row = listed[number % len(listed)]
        state = ("suspended", "canceling")[number // len(listed) % 2]
        data = row | {"state": state, "sequence": row["sequence"] + 1 + number}
        event = {"type": f"download.{state}", "timestamp": row["created_at"], "data": data}
        yield f"event: download.{state}\ndata: {json.dumps(event)}\n\n"


@scene("budget")
def first_paint(stage):
    """The median of five, with the processor slowed down four times; printed, because machines differ."""
    paints = []
    for _ in range(5):
        with stage.context() as context:
            page = context.new_page()
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
            page.goto(stage.house.address())
            settle(page)
            paints.append(page.evaluate(
                "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"))
    return f"first paint after {statistics.median(paints):.0f} ms"


@scene("budget")
def an_open_page_costs_little(stage):
    """The processor time of the service and its database while a page is open and nothing happens; printed."""
    house = stage.house
    with stage.context() as context, opened(context, house.address()) as page:
        settle(page)
        page.wait_for_timeout(5_000)
        before = ticks(house)
        page.wait_for_timeout(20_000)
        used = ticks(house) - before
    return f"{used / os.sysconf('SC_CLK_TCK') / 20:.2%} of a core"


def ticks(house):
    """Of lull and of every process of its database, which belong to its session of processes or to the postmaster."""
    parents, used = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    words = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(name)], used[int(name)] = int(words[1]), int(words[11]) + int(words[12])
    with open(house.path("data", "postgres", "data", "postmaster.pid")) as file:
        postmaster = int(file.readline())
    roots = {house.lull.pid, postmaster}
    return sum(count for pid, count in used.items() if descends(pid, roots, parents))


def descends(pid, roots, parents):
    while pid > 1:
        if pid in roots:
            return True
        pid = parents.get(pid, 0)
    return False
