"""Fills a Lull with what an evening brings: some of it runs, most waits for the night, some has failed."""
import datetime

from world import check, eventually

MEGABYTE = 1_000_000
# Megabytes, and bytes a second: they run for longer than all scenes take.
RUNNING = [
    ("debian-13.2.0-amd64-DVD-1.iso", 1_900, 1_600_000), ("ubuntu-26.04-live-server-amd64.iso", 1_100, 700_000),
    ("openstreetmap-europe.osm.pbf", 2_600, 2_100_000)]
NIGHT = [
    "genome-assembly-2026-11.tar", "census-2025-persons.csv", "common-crawl-segment-0017.warc",
    "weather-reanalysis-2025.nc", "imagery-tile-32UQD.tif", "imagery-tile-32UQE.tif", "imagery-tile-33UUT.tif",
    "podcast-archive-2019.zip", "library-scans-vol-3.pdf", "training-set-shard-004.parquet",
    "training-set-shard-005.parquet", "training-set-shard-006.parquet"]
DONE = ["lecture-01.wav", "lecture-02.wav", "release-notes.txt", "checksums.txt", "kernel-6.18.tar", "fonts.zip"]
MISSING = ["report-march.pdf", "report-april.pdf", "report-may.pdf", "report-june.pdf"]


def hour_after(hours):
    """A full hour in UTC that is at least so many hours away."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return now.replace(minute=0, second=0, microsecond=0) + datetime.timedelta(hours=hours + 1)


def night_policy():
    """A window that opens in two to three hours, slower days, and a budget of a month."""
    opening, closing = hour_after(2), hour_after(10)
    return {
        "time_zone": "UTC",
        "windows": {"night": [f"{opening:%H}:00-{closing:%H}:00"]},
        "rules": [{"name": "only-at-night", "match": {"is_discretionary": True}, "require": ["window night"],
                   "at_close": "stop"}],
        "bandwidth": {"deployment": f"{closing:%H}:00,80MB {opening:%H}:00,off"},
        "budgets": [{"name": "month", "bytes": "2TB", "per": "month", "scope": "deployment", "hard": True}],
    }


def seed(house):
    """Gives identifiers by what became of their downloads."""
    house.put("/v1/policy", night_policy())
    for session, members in (("nightly", {"is_discretionary": True}), ("mirror", {}), ("reports", {})):
        house.put(f"/v1/sessions/{session}", members)
    status, _, body = house.post("/v1/webhook_endpoints", {
        "url": house.receiver.base + "/hook", "description": "the catalogue"})
    check(status == 201, f"the endpoint answered {status}: {body!r}")
    status, _, body = house.post("/v1/webhook_endpoints", {
        "url": house.receiver.base + "/503", "description": "the dashboard", "events": ["download.failed"]})
    check(status == 201, f"the endpoint answered {status}: {body!r}")
    made = {}
    made["done"] = [house.create(f"/data/{40_000 + 7 * number}/{name}", session="mirror")
                    for number, name in enumerate(DONE)]
    made["missing"] = [house.create(f"/status/404/{name}", session="reports") for name in MISSING]
    made["refused"] = [house.create("/status/500/minutes.pdf", session="reports")]
    made["attention"] = [house.create("/status/401/payroll-2026-11.csv", session="reports")]
    made["night"] = [
        house.create(f"/data/{MEGABYTE}/{name}", session="nightly",
                     count_of_bytes_client_expects_to_receive=(number + 1) * 60 * MEGABYTE)
        for number, name in enumerate(NIGHT)]
    made["later"] = [house.create(
        "/data/5000/price-list.csv", session="reports", earliest_begin_date=f"{hour_after(20):%Y-%m-%dT%H:00:00Z}")]
    made["suspended"] = [house.create("/data/5000/old-backup.tar", session="mirror", suspended=True)]
    for kind, states in (("done", ["succeeded"]), ("missing", ["failed"]), ("refused", ["failed"]),
                         ("attention", ["attention_required"])):
        for identifier in made[kind]:
            house.reaches(identifier, *states)
    made["running"] = [
        house.create(f"/slow/{size * MEGABYTE}/{rate}/{name}", session="mirror")
        for name, size, rate in RUNNING]
    for identifier in made["running"]:
        eventually("its rate", lambda: house.read(f"/v1/downloads/{identifier}")["completes_at"])
    eventually("the webhooks", lambda: all(
        one["attempts"] for one in house.read("/v1/webhook_deliveries?limit=50")["data"]))
    return made
