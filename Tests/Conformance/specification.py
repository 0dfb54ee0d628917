"""Schemathesis: openapi.yaml against the running service, all phases and all checks."""
import json
import os
import re

from world import ROOT, TOOLS, World, check, plain_environment


def schemathesis():
    """As it is tried out: without keys."""
    return cases()


def schemathesis_with_keys():
    """As it is run for others: every operation below /v1/ without its key, too."""
    return cases(needs_key=True)


def cases(needs_key=False):
    # The generated URLs lead anywhere; no file has to be fetched, and a failure may come soon.
    settings = {
        "LULL_DOWNLOAD_DESTINATIONS": "public,private,loopback",
        "LULL_WEBHOOK_DESTINATIONS": "public,private,loopback",
        "LULL_UPLOAD_DESTINATIONS": "public,private,loopback",
        "LULL_MAX_RUNNING": "1", "LULL_MAX_ATTEMPTS": "1",
    }
    here = os.path.dirname(os.path.abspath(__file__))
    if needs_key:
        settings["LULL_AUTH"] = "keys"
    with World(**settings) as world:
        with open(f"{ROOT}/openapi.yaml", encoding="utf-8") as file:
            description = file.read()
        with open(f"{here}/schemathesis.toml", encoding="utf-8") as file:
            configuration = file.read()
        if needs_key:
            # The description says that a deployment may do without keys.
            check("  - bearer: []\n  - {}\n" in description, "openapi.yaml lost its security")
            description = description.replace("  - bearer: []\n  - {}\n", "  - bearer: []\n")
            configuration += f"""
                [auth.openapi]
                bearer = {{ bearer = "{world.make_key()}" }}
            """
        command = [
            "--config-file", world.write("schemathesis.toml", configuration), "run",
            world.write("openapi.yaml", description), "--url", world.base]
        world.make_file("fuzz.bin", 1000)
        content = world.download(f"{world.origin}/fuzz.bin")["id"]
        status, _, body = world.post("/v1/uploads", {
            "length": 1 << 20, "destination": {"url": f"{world.origin}/never"}})
        check(status == 201, f"create of an upload answered {status}: {body!r}")
        upload = json.loads(body)["id"]
        tried = world.write("tried.txt", "")
        output = world.run(
            [f"{TOOLS}/schemathesis", *command], "schemathesis", seconds=900, tail=200_000,
            env=plain_environment(SCHEMATHESIS_HOOKS="hooks", PYTHONPATH=here, COLUMNS="100",
                CONTENT_ID=content, UPLOAD_ID=upload, TRIED=tried))
        check(world.is_ready(), "lull is not ready any more")
        with open(tried, encoding="utf-8") as file:
            # What the service sends is described behind the paths, and only receivers can try it.
            paths = description.partition("\nwebhooks:")[0]
            untried = set(re.findall(r"operationId: (\w+)", paths)) - set(file.read().split())
        check(not untried, f"{untried} were not tried:\n{output[-3000:]}")
        found = re.search(r"(\d+) generated, (\d+) passed", output)
        check(found, f"schemathesis says nothing of its cases:\n{output[-3000:]}")
    return f"{found[0]}"
