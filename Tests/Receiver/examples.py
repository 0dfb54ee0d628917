"""Every example of openapi.yaml fits its schema, and every successful answer has one.

usage: examples.py openapi.yaml; prints what is wrong, or how many examples were judged.
"""
import copy
import sys

import yaml
from openapi_schema_validator import OAS31Validator, oas31_format_checker

METHODS = ("get", "put", "post", "delete", "patch", "head")


class Description:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            # Timestamps stay texts, as JSON has them.
            self.document = yaml.load(file, Loader=without_timestamps())
        self.faults = []
        self.judged = 0
        self.mutants = 0

    def resolve(self, node):
        while "$ref" in node:
            target = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def errors(self, schema, value):
        validator = OAS31Validator(
            dict(schema, components=self.document["components"]),
            format_checker=oas31_format_checker)
        return [f"{error.json_path} {error.message}" for error in validator.iter_errors(value)]

    def judge(self, place, schema, holder):
        """The examples of a media type, a parameter or a header."""
        named = holder.get("examples", {})
        values = [(name, self.resolve(one)["value"]) for name, one in named.items()]
        if "example" in holder:
            values.append(("example", holder["example"]))
        for name, value in values:
            self.judged += 1
            self.faults += [f"{place} {name}: {error}" for error in self.errors(schema, value)]
            self.mutate(f"{place} {name}", schema, value)
        return len(values)

    def mutate(self, place, schema, value):
        """A required member that is missing has to be seen, or nothing is judged here."""
        for member in self.required(schema):
            mutant = copy.deepcopy(value)
            mutant.pop(member, None)
            self.mutants += 1
            if not self.errors(schema, mutant):
                self.faults.append(f"{place}: the schema does without {member}")

    def required(self, schema):
        schema = self.resolve(schema)
        found = list(schema.get("required", []))
        for part in schema.get("allOf", []):
            found += self.required(part)
        return found

    def check(self):
        for path, item in {**self.document["paths"], **self.document["webhooks"]}.items():
            for method in METHODS:
                if method in item:
                    self.operation(f"{method.upper()} {path}", item, item[method])
        return self.faults

    def operation(self, place, item, operation):
        for parameter in item.get("parameters", []) + operation.get("parameters", []):
            parameter = self.resolve(parameter)
            self.judge(f"{place} {parameter['name']}", parameter["schema"], parameter)
        for kind, media in self.resolve(operation.get("requestBody", {})).get("content", {}).items():
            self.judge(f"{place} {kind}", media["schema"], media)
        for status, response in operation["responses"].items():
            for kind, media in self.resolve(response).get("content", {}).items():
                if "schema" not in media:
                    continue  # `*/*` has the bytes of an arbitrary file.
                count = self.judge(f"{place} {status} {kind}", media["schema"], media)
                if status.startswith("2") and not count:
                    self.faults.append(f"{place} {status} {kind}: no example")


def without_timestamps():
    class Loader(yaml.SafeLoader):
        pass
    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}
    return Loader


def main(path):
    description = Description(path)
    faults = description.check()
    for fault in faults:
        print(fault)
    print(f"{description.judged} examples, {description.mutants} without a required member")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
