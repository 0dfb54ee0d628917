"""Schemathesis: openapi.yaml against the running service, all phases and all checks."""
import os
import re

from world import ROOT, TOOLS, World, check, plain_environment


def schemathesis():
    # Its URLs lead anywhere; nothing here has to be fetched, and what fails may fail soon.
    settings = {
        "LULL_DOWNLOAD_DESTINATIONS": "public,private,loopback",
        "LULL_WEBHOOK_DESTINATIONS": "public,private,loopback",
        "LULL_RUNNING": "1", "LULL_MAX_ATTEMPTS": "1",
    }
    here = os.path.dirname(os.path.abspath(__file__))
    with World(**settings) as world:
        world.make_file("fuzz.bin", 1000)
        content = world.download(f"{world.origin}/fuzz.bin")["id"]
        output = world.run(
            [f"{TOOLS}/schemathesis", "--config-file", f"{here}/schemathesis.toml", "run",
             f"{ROOT}/openapi.yaml", "--url", world.base],
            "schemathesis", seconds=900, tail=200_000,
            env=plain_environment(SCHEMATHESIS_HOOKS="hooks", PYTHONPATH=here, COLUMNS="100",
                CONTENT_ID=content))
        check(world.is_ready(), "lull is not ready any more")
        found = re.search(r"(\d+) generated, (\d+) passed", output)
        check(found, f"schemathesis says nothing of its cases:\n{output[-3000:]}")
    return f"{found[0]}"
