"""What Prometheus' own checker says of the figures, at rest and after work of every kind."""
from world import World, check


def promtool():
    with World() as world:
        counted = [lint(world, "at rest")]
        digest = world.make_file("figures.bin", 2_000_000)
        url = f"{world.origin}/figures.bin"
        world.download(url, expected_digest=f"sha256:{digest}", max_bytes_per_second=4_000_000)
        world.post("/v1/downloads", {"url": f"{world.origin}/nothing"})
        world.post("/v1/downloads", {"url": url, "earliest_begin_date": "2099-01-01T00:00:00Z"})
        world.get("/nothing")
        counted.append(lint(world, "after work"))
        return f"{counted[-1]} series, no complaint"


def lint(world, when):
    """Sends the figures through promtool, which ends with 0 where nothing is wrong."""
    status, headers, body = world.get("/metrics")
    check(status == 200, f"/metrics answered {status} {when}")
    kind = headers["Content-Type"]
    check(kind.startswith("text/plain; version=0.0.4"), f"/metrics is declared as {kind}")
    path = world.write("figures.txt", body.decode())
    world.run(["sh", "-c", f"promtool check metrics < '{path}'"], f"promtool {when}")
    return sum(1 for line in body.splitlines() if line and not line.startswith(b"#"))
