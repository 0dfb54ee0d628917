"""What the page weighs beside 10,000 rows and 500 events a second, and costs when nothing happens."""
import json
import os
import statistics
import threading
import time

from world import check

from page.everybody import settle
from page.house import opened
from page.stage import scene

ROWS, A_SECOND, SECONDS = 10_000, 500, 14
ROWS_SHOWN, HEAP, TASK = 260, 60_000_000, 150
LONG = """() => {
    window.longTasks = [];
    new PerformanceObserver(list => list.getEntries().forEach(one => longTasks.push(one.duration)))
        .observe({type: 'longtask'});
}"""


def fill(house):
    """Ten thousand suspended downloads; gives the identifiers of a thousand."""
    made = []
    for start in range(0, ROWS, 1_000):
        made = house.create_all([
            {"url": f"{house.files.base}/data/5/file-{number:05}.bin", "session": "crowd", "suspended": True}
            for number in range(start, start + 1_000)])
    return made


@scene("budget")
def many_rows_and_events(stage):
    house = stage.house
    house.put("/v1/sessions/crowd", {})
    status, _, body = house.post("/v1/sessions/crowd/suspend", {})
    check(status == 200, f"suspend answered {status}: {body!r}")
    identifiers = fill(house)
    with stage.context() as context, opened(context, house.address("queue")) as page:
        settle(page)
        page.evaluate(LONG)
        sent = []
        worker = threading.Thread(target=events, args=(house, identifiers, sent))
        worker.start()
        page.wait_for_timeout(SECONDS * 1_000)
        worker.join()
        rows = page.locator("tr, [role=row]").count()
        elements = page.locator("*").count()
        tasks = sorted(page.evaluate("() => longTasks"), reverse=True)
        session = context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")["usedSize"]
        check(rows <= ROWS_SHOWN, f"{rows} rows in the DOM")
        check(heap < HEAP, f"a heap of {heap} bytes")
        return (f"{sum(sent)} events in {SECONDS} s, {rows} rows, {elements} elements, heap {heap // 1000} kB, "
                f"{len(tasks)} tasks over 50 ms, the longest {tasks[0] if tasks else 0:.0f} ms")


def events(house, identifiers, sent):
    """Suspends and resumes half a thousand downloads a second."""
    end, action = time.monotonic() + SECONDS, "resume"
    while time.monotonic() < end:
        began = time.monotonic()
        status, _, body = house.post("/v1/downloads/bulk", {"action": action, "ids": identifiers[:A_SECOND]})
        sent.append(json.loads(body)["changed"] if status == 200 else 0)
        action = "suspend" if action == "resume" else "resume"
        time.sleep(max(0, 1 - (time.monotonic() - began)))


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
