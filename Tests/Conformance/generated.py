"""Clients that generators make from openapi.yaml: how much of them is typed, and one in use."""
import ast
import importlib
import json
import os
import re
import sys
from pathlib import Path

import yaml

from world import ROOT, TOOLS, World, check, plain_environment

EXAMPLE = f"{ROOT}/examples/client-python"
# A JSON Schema is a document of any shape.
DOCUMENTS = {"GetPolicySchemaResponse200", "V1PolicySchemaGetResponse"}


def types():
    """Every operation in both generators' clients, with typed bodies, parameters and answers."""
    with open(f"{ROOT}/openapi.yaml", encoding="utf-8") as file:
        description = yaml.safe_load(file)
    operations = {
        one["operationId"]: one for item in description["paths"].values()
        for one in item.values() if isinstance(one, dict) and "operationId" in one}
    with World(starts=False) as world:
        first = openapi_python_client(world, operations, description)
        second = datamodel_code_generator(world, operations)
    return f"{len(operations)} operations, typed; classes: {first} and {second}"


def openapi_python_client(world, operations, description):
    output = generate(world)
    warnings = re.findall("^(Unsupported|Unable|Cannot|Invalid|ERROR).*$", output, re.M)
    check(
        len(warnings) == 1 and "Unsupported content type text/uri-list" in output,
        f"openapi-python-client leaves something out:\n{output}")
    untyped = []
    classes = 0
    for path in Path(world.path("lull_client", "models")).glob("*.py"):
        for one in classes_of(path):
            classes += 1
            fields = fields_of(one)
            rest = fields.pop("additional_properties", None)
            untyped += [f"{one.name}.{name}" for name, kind in fields.items() if is_any(kind)]
            if not fields and is_any(rest) and one.name not in DOCUMENTS:
                untyped.append(one.name)
    made = set()
    for path in Path(world.path("lull_client", "api")).glob("*/[a-z]*.py"):
        operation = next(name for name in operations if snake(name) == path.stem)
        made.add(operation)
        functions = {one.name: one for one in tree(path).body if isinstance(one, ast.FunctionDef)}
        untyped += untyped_arguments(operation, functions["_get_kwargs"])
        # An answer without content is written as Any.
        answers = operations[operation]["responses"].values()
        contents = [resolve(description, answer).get("content") for answer in answers]
        if is_any(functions["_parse_response"].returns) and all(contents):
            untyped.append(f"the answer of {operation}")
    check(made == set(operations), f"it has no {set(operations) - made}")
    check(not untyped, f"openapi-python-client does not type {untyped}")
    return classes


def datamodel_code_generator(world, operations):
    world.run(
        [f"{TOOLS}/datamodel-codegen", "--input", f"{ROOT}/openapi.yaml", "--input-file-type", "openapi",
         "--output", world.path("models.py"), "--output-model-type", "pydantic_v2.BaseModel",
         "--use-annotated", "--formatters", "builtin", "--target-python-version", "3.11",
         "--generate-client", "httpx2", "--client-output", world.path("made"),
         "--client-package", "made", "--client-model-package", "models",
         "--client-server-base-url", "http://127.0.0.1:8080"], "datamodel-codegen")
    # The classes can be made: each annotation has its meaning, and each discriminator its members.
    world.run([f"{TOOLS}/python", "-c", "import models"], "the import of the classes")
    found = classes_of(world.path("models.py"))
    untyped = [
        f"{one.name}.{name}" for one in found for name, kind in fields_of(one).items() if is_any(kind)]
    untyped += [one.name for one in found if any(is_any(base) for base in one.bases)]
    untyped += [
        one.name for one in found
        if one.name not in DOCUMENTS and any(isinstance(part, ast.Pass) for part in one.body)]
    made = set()
    for path in Path(world.path("made", "resources")).glob("*/_sync.py"):
        for one in classes_of(path):
            for function in (part for part in one.body if isinstance(part, ast.FunctionDef)):
                name = next((name for name in operations if snake(name) == function.name), None)
                if name and not function.decorator_list:
                    made.add(name)
                    untyped += untyped_arguments(name, function)
                    if is_any(function.returns):
                        untyped.append(f"the answer of {name}")
    check(made == set(operations), f"it has no {set(operations) - made}")
    check(not untyped, f"datamodel-code-generator does not type {untyped}")
    return len(found)


def generate(world):
    """The client of openapi-python-client, as docs/clients.md says; what the generator printed."""
    # The generator formats its output with ruff, which is installed beside it.
    return world.run(
        [f"{TOOLS}/openapi-python-client", "generate", "--path", f"{ROOT}/openapi.yaml",
         "--config", f"{EXAMPLE}/openapi-python-client.yaml", "--meta", "none",
         "--output-path", world.path("lull_client")], "the generator",
        env=plain_environment(PATH=f"{TOOLS}:{os.environ['PATH']}"))


def tree(path):
    with open(path, encoding="utf-8") as file:
        return ast.parse(file.read())


def classes_of(path):
    return [one for one in ast.walk(tree(path)) if isinstance(one, ast.ClassDef)]


def fields_of(one):
    return {
        part.target.id: part.annotation
        for part in one.body if isinstance(part, ast.AnnAssign)}


def untyped_arguments(operation, function):
    arguments = function.args.args[1:] + function.args.kwonlyargs
    return [
        f"{one.arg} of {operation}" for one in arguments
        if one.annotation and is_any(one.annotation)]


def is_any(kind):
    """Whether an annotation leaves a type open."""
    return kind is not None and any(
        isinstance(one, ast.Name) and one.id in ("Any", "object") for one in ast.walk(kind))


def resolve(description, node):
    while "$ref" in node:
        target = description
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


def snake(name):
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def client():
    with World() as world:
        generate(world)
        sys.path.insert(0, world.folder)
        try:
            words = use(world)
        finally:
            sys.path.remove(world.folder)
        policy_equals_its_schema(world)
        return f"{words}, {example(world)}"


def example(world):
    """The program of docs/clients.md."""
    digest = world.make_file("example.bin", 5000)
    output = world.run(
        [f"{TOOLS}/python", f"{EXAMPLE}/fetch.py", f"{world.origin}/example.bin", "saved.bin"],
        "the example",
        env=plain_environment(LULL_SERVER=world.base, PYTHONPATH=world.folder))
    check(output == f"saved.bin: 5000 bytes, sha256 {digest}\n", f"the example printed {output}")
    with open(world.path("saved.bin"), "rb") as file:
        check(len(file.read()) == 5000, "the example saved something else")
    with open(f"{ROOT}/docs/clients.md", encoding="utf-8") as page, \
            open(f"{EXAMPLE}/fetch.py", encoding="utf-8") as program:
        check(program.read().strip() in page.read(), "docs/clients.md shows another example")
    return "the example of docs/clients.md"


def policy_equals_its_schema(world):
    """openapi.yaml has the members that the table has by which the service judges a policy."""
    with open(f"{ROOT}/openapi.yaml", encoding="utf-8") as file:
        described = yaml.safe_load(file)
    served = json.loads(world.get("/v1/policy/schema")[2])
    policy = described["components"]["schemas"]["Policy"]
    first, second = plain(policy, described), plain(served, served)
    for name in sorted(set(first["properties"]) | set(second["properties"])):
        one, other = first["properties"].get(name), second["properties"].get(name)
        check(one == other, f"openapi.yaml has {name} of a policy as {one}, the service {other}")


def plain(node, document):
    """A schema in one notation: without words and references, unions without null in one list."""
    if not isinstance(node, dict):
        return node
    node = resolve(document, node)
    kinds = node.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    parts = [plain(part, document) for part in node.get("anyOf", [])]
    nulls = [part for part in parts if part == {"type": ["null"]}]
    others = [part for part in parts if part not in nulls]
    if nulls and len(others) == 1:
        only = others[0]
        return only | {"type": sorted({*only.get("type", []), "null"})}
    made = {"anyOf": parts} if parts else {}
    for name, value in node.items():
        if name == "properties":
            made[name] = {key: plain(one, document) for key, one in value.items()}
        elif name in ("items", "additionalProperties", "propertyNames"):
            made[name] = plain(value, document)
        elif name == "enum":
            made[name] = value
            kinds = kinds or ["null" if one is None else "string" for one in value]
        elif name not in ("description", "type", "anyOf", "title", "$schema"):
            if (name, value) != ("minItems", 0):
                made[name] = value
    if kinds:
        made["type"] = sorted(set(kinds))
    return made


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
