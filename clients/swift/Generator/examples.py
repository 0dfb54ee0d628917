"""Prints the JSON examples of openapi.yaml: `operation request` or `operation answer`, and the JSON as a text."""
import datetime
import json
import os

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
with open(os.path.join(ROOT, "openapi.yaml")) as file:
    DOCUMENT = yaml.safe_load(file)


def resolved(value):
    while "$ref" in value:
        here = DOCUMENT
        for part in value["$ref"].removeprefix("#/").split("/"):
            here = here[part]
        value = here
    return value


def written(value):
    return value.isoformat() if isinstance(value, (datetime.date, datetime.datetime)) else str(value)


def bodies():
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            yield f"{operation['operationId']} request", resolved(operation.get("requestBody", {}))
            for status, response in operation["responses"].items():
                if status.startswith("2"):
                    yield f"{operation['operationId']} answer", resolved(response)
                elif status in ("4XX", "5XX"):
                    yield "problem", resolved(response)


def webhooks():
    for item in DOCUMENT.get("webhooks", {}).values():
        for operation in item.values():
            yield "webhook", resolved(operation.get("requestBody", {}))


found = []
for name, body in [*bodies(), *webhooks()]:
    for kind, content in body.get("content", {}).items():
        if not kind.endswith("json"):
            continue
        examples = [resolved(one).get("value") for one in content.get("examples", {}).values()]
        if "example" in content:
            examples.append(content["example"])
        for value in examples:
            if {"name": name, "json": json.dumps(value, default=written)} not in found:
                found.append({"name": name, "json": json.dumps(value, default=written)})
print(json.dumps(found))
