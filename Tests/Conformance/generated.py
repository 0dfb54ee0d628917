"""A client that openapi-python-client makes from openapi.yaml, used as its user would."""
import importlib
import os
import sys

from world import ROOT, TOOLS, World, check, plain_environment


def client():
    with World() as world:
        # The generator formats its output with ruff, which is installed beside it.
        output = world.run(
            [f"{TOOLS}/openapi-python-client", "generate", "--path", f"{ROOT}/openapi.yaml",
             "--meta", "none", "--output-path", world.path("lull_client")], "the generator",
            env=plain_environment(PATH=f"{TOOLS}:{os.environ['PATH']}"))
        check("ERROR" not in output, f"the generator complains:\n{output}")
        sys.path.insert(0, world.folder)
        try:
            return use(world)
        finally:
            sys.path.remove(world.folder)


def use(world):
    package = importlib.import_module("lull_client")
    models = importlib.import_module("lull_client.models")
    call = {
        name: importlib.import_module(f"lull_client.api.{tag}.{name}")
        for tag, name in (
            ("downloads", "create_download"), ("downloads", "get_download"),
            ("downloads", "list_downloads"), ("downloads", "cancel_download"),
            ("sessions", "put_session"), ("operation", "get_readiness"))
    }
    digest = world.make_file("client.bin", 5000)
    url = f"{world.origin}/client.bin"
    lull = package.Client(base_url=world.base)
    with lull:
        ready = call["get_readiness"].sync(client=lull)
        check(ready.is_ready is True, f"readiness is {ready}")
        made = call["create_download"].sync(
            client=lull, body=models.NewDownload(url=url, task_description="by a made client"))
        check(made.task_description == "by a made client", f"create gave {made}")
        ended = call["get_download"].sync(made.id, client=lull, wait=30)
        check(str(ended.state) == "succeeded", f"it is {ended.state}")
        check(ended.count_of_bytes_received == 5000, f"it has {ended.count_of_bytes_received} bytes")
        check(isinstance(ended.content, models.Content), f"content is {type(ended.content)}")
        check(ended.content.length == 5000, f"its length is {ended.content.length}")
        check(ended.content.sha256 == digest, f"its digest is {ended.content.sha256}")
        check(str(ended.content.state) == "held", f"its state is {ended.content.state}")
        check(ended.content.length_verified is True, "its length is not verified")
        check(ended.content.expires_at is not None, "it has no end")
        check(isinstance(ended.response, models.OriginResponse), f"it is {type(ended.response)}")
        check(ended.response.status_code == 200, f"the origin said {ended.response.status_code}")
        check(str(ended.proxy.mode) == "none", f"the proxy is {ended.proxy}")
        check(ended.authorization is None, f"it is authorized by {ended.authorization}")
        session = call["put_session"].sync(
            "nightly", client=lull, body=models.SessionConfiguration(is_discretionary=True))
        check(session.identifier == "nightly", f"the session is {session}")
        waiting = call["create_download"].sync(
            client=lull, body=models.NewDownload(url=url, session="nightly", suspended=True))
        canceled = call["cancel_download"].sync(waiting.id, client=lull)
        check(str(canceled.state) == "canceled", f"after cancel it is {canceled.state}")
        page = call["list_downloads"].sync(client=lull, state=[models.State("canceled")])
        check([one.id for one in page.data] == [waiting.id], f"the list is {page}")
        missing = call["get_download"].sync_detailed("dl_" + "0" * 26, client=lull)
        problem = missing.parsed
        check(missing.status_code == 404, f"nothing is {missing.status_code}")
        check(isinstance(problem, models.Problem), f"a refusal is {type(problem)}")
        check(str(problem.code) == "not-found", f"the problem is {problem}")
    return "create, wait to succeeded, typed content, put session, cancel, list by state, read a Problem"
