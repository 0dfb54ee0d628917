"""Writes Values/ and Calls/ of LullClient, and the table of bodies of its tests, from openapi.yaml."""
import os
import sys

import yaml

from schema import Types, camel, documented, member

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PACKAGE = os.path.join(ROOT, "clients", "swift")
HEAD = ["// swift-format-ignore-file", "// Written from openapi.yaml by scripts/client-values; do not edit.",
        "public import Foundation", ""]
# Types that no call has in its JSON, but problems, events and webhooks have.
FURTHER = ["Problem", "EndpointData", "DeliveryData", "SessionData", "BeginAnswer"]
# Calls that are written by hand: their bodies are no JSON and no text, or they are between replicas.
BY_HAND = {"getContent", "headContent", "getLinkedContent", "putUploadContent", "patchUploadContent",
           "headUploadContent", "optionsOfUploadContent", "deleteUploadContent"}
INTERNAL = "/internal/"
# Types that are written by hand, because what they hold depends on another member.
HAND_WRITTEN = {"JournalEvent", "EventData", "DownloadData", "UploadData"}
# POSTs that may be sent again although they take no key.
REPEATABLE = {"attachSession", "completeWake", "tryPolicy", "tryAppPolicy", "explainPolicy", "createContentLink",
              "trySchedule"}
PAGES = {"listDownloads": "DownloadPage", "listUploads": "UploadPage", "listEvents": "EventPage",
         "listDownloadEvents": "EventPage", "listUploadEvents": "EventPage", "listAttempts": "AttemptPage",
         "listUploadAttempts": "AttemptPage", "listSessions": "SessionPage", "listConditions": "ConditionPage",
         "listWebhookEndpoints": "WebhookEndpointPage", "listWebhookDeliveries": "WebhookDeliveryPage",
         "listEndpointDeliveries": "WebhookDeliveryPage", "attachSession": "Attachment", "getKey": "KeyGrant",
         "createContentLink": "ContentLink", "getResumeData": "ResumeData", "getVersion": "ServiceVersion",
         "getReadiness": "Readiness", "actOnDownloads": "BulkResult", "actOnUploads": "BulkResult",
         "getPolicy": "PolicyVersion", "putPolicy": "PolicyVersion", "getAppPolicy": "AppPolicyVersion",
         "putAppPolicy": "AppPolicyVersion"}
BODIES = {"createDownloads": "NewBatch", "actOnDownloads": "BulkAction", "actOnUploads": "UploadBulkAction",
          "extendWake": "WakeExtension", "createContentLink": "NewContentLink",
          "recoverWebhookEndpoint": "RecoveredTime"}


def rows_away(schema, types):
    """A page whose items are downloads or rows has downloads; rows have a call of their own."""
    data = schema.get("properties", {}).get("data", {})
    rest, _ = types.alternatives(data.get("items", {}))
    if not rest or not any(one.get("$ref", "").endswith("/Row") for one in rest):
        return schema
    kept = [one for one in rest if not one.get("$ref", "").endswith("/Row")][0]
    return schema | {"properties": schema["properties"] | {"data": data | {"items": kept}}}


class Calls:
    def __init__(self, document):
        self.document = document
        self.types = Types(document)
        for name in HAND_WRITTEN:
            self.types.written[name] = []
        self.by_tag, self.table = {}, []

    def resolved(self, value):
        return self.types.at(value["$ref"]) if "$ref" in value else value

    def write(self):
        for name in FURTHER:
            self.types.write(name, self.document["components"]["schemas"][name])
        for path, item in self.document["paths"].items():
            if path.startswith(INTERNAL):
                continue
            for method, operation in item.items():
                if method in ("get", "put", "post", "patch", "delete", "head", "options"):
                    self.operation(path, method, operation, item.get("parameters", []))

    def json(self, content):
        """The schema of a JSON document."""
        for kind in ("application/json", "application/merge-patch+json"):
            if kind in content:
                return kind, content[kind].get("schema", {})
        return None, None

    def body(self, name, operation):
        body = self.resolved(operation.get("requestBody", {}))
        kind, schema = self.json(body.get("content", {}))
        if "application/merge-patch+json" in body.get("content", {}):
            kind = "application/merge-patch+json"
        if schema is None or (not schema.get("properties") and "$ref" not in schema and
                              not schema.get("anyOf") and not schema.get("oneOf") and not schema.get("allOf")):
            return None
        swift = self.types.write_inline(BODIES.get(name, camel(name, True) + "Body"), schema)
        return kind, swift, body.get("required", False)

    def answer(self, name, operation):
        """What the call returns, by its first 2xx: a type, `String` for a text, None for nothing."""
        for status, response in operation["responses"].items():
            if not status.startswith("2") or status == "204":
                continue
            content = self.resolved(response).get("content", {})
            _, schema = self.json(content)
            if schema is not None:
                schema = rows_away(schema, self.types)
                return self.types.write_inline(PAGES.get(name, camel(name, True) + "Answer"), schema)
            if content:
                return "text"
        return "location" if any(status.startswith("3") and status != "304" for status in operation["responses"]) else None

    def operation(self, path, method, operation, common):
        name = operation["operationId"]
        if name in BY_HAND:
            return
        parameters = [self.resolved(one) for one in common + operation.get("parameters", [])]
        body, answer = self.body(name, operation), self.answer(name, operation)
        if body:
            self.table.append((f"{name} request", body[1]))
        if answer not in (None, "text", "location"):
            self.table.append((f"{name} answer", answer))
        lines = self.method(name, path, method, operation, parameters, body, answer, None)
        self.by_tag.setdefault(operation["tags"][0], []).append(lines)
        view = [one for one in parameters if one["name"] == "view"]
        if view and name.startswith("list") and not name.endswith("Events"):
            schema = {"type": "object", "required": ["data", "next_cursor", "truncated"], "description": "A page of rows.",
                      "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Row"}},
                                     "next_cursor": {"type": ["string", "null"],
                                                     "description": "The place of the next page; nil on the last one."},
                                     "truncated": {"type": "boolean", "description": "Whether it ended before it was full."}}}
            page = self.types.write_inline("RowPage", schema)
            lines = self.method(name[:-1] + "Rows", path, method, operation, parameters, body, page, ("view", "row"))
            self.by_tag[operation["tags"][0]].append(lines)

    def method(self, name, path, method, operation, parameters, body, answer, fixed):
        arguments, statements, segments = [], [], []
        for part in path.strip("/").split("/"):
            if part.startswith("{"):
                argument = member(part[1:-1])
                arguments.append(f"{argument}: String")
                segments.append(argument)
            elif part:
                segments.append(f'"{part}"')
        if path.endswith("/") and path != "/":
            segments.append('""')
        if body:
            # A body that may be left out has members that may all be left out.
            arguments.append(f"_ body: {body[1]}" + ("" if body[2] else "? = nil"))
        keyed = False
        for one in parameters:
            place, key = one["in"], one["name"]
            if place == "query" and key != "view":
                siblings = []
                kind = self.types.type(one["schema"], name, key, siblings)
                if siblings:
                    kind = "String"
                arguments.append(f"{member(key)}: {kind}? = nil")
                statements.append(f'call.query("{key}", {member(key)})')
            elif place == "header" and key == "Idempotency-Key":
                keyed = True
            elif place == "header" and key == "Prefer" and not any(p["name"] == "wait" for p in parameters):
                arguments.append("wait: Int? = nil")
                statements.append('call.field("Prefer", wait.map { "wait=\\($0)" })')
            elif place == "header" and key == "If-Match" and method != "get":
                arguments.append("ifMatch: String? = nil")
                statements.append('call.field("If-Match", ifMatch)')
        if keyed:
            arguments.append("idempotencyKey: String? = nil")
            statements.append("call.key(idempotencyKey)")
        if fixed:
            statements.append(f'call.query("{fixed[0]}", "{fixed[1]}")')
        if body:
            statements.append(f'try call.body(body, type: "{body[0]}")')
        repeats = method != "post" or keyed or operation["operationId"] in REPEATABLE
        result = {None: "", "text": " -> String", "location": " -> String"}.get(answer, f" -> {answer}")
        summary = operation["summary"] + "\n\n" + operation.get("description", "")
        # Some calls answer 204 where there is nothing to say.
        maybe = answer not in (None, "text", "location") and "204" in operation["responses"] and "Events" not in name
        if maybe:
            result += "?"
        lines = documented(summary, 4, name)
        if not result or answer not in ("text", "location"):
            lines += ["    @discardableResult"] if result and method != "get" else []
        head = f"    public func {name}("
        if len(head) + len(", ".join(arguments)) < 70:
            lines.append(f"{head}{', '.join(arguments)}) async throws(LullError){result} {{")
        else:
            lines += [head] + [f"        {one}," for one in arguments[:-1]] + [f"        {arguments[-1]}"]
            lines.append(f"    ) async throws(LullError){result} {{")
        lines.append(f"        {'var' if statements else 'let'} call = Call(")
        lines.append(f'            .{method}, [{", ".join(segments)}], operation: "{operation["operationId"]}", '
                     f'mayRepeat: {"true" if repeats else "false"})')
        lines += [f"        {one}" for one in statements]
        how = {None: "try await self.finish(call)", "text": "return try await self.text(call)",
               "location": "return try await self.location(call)"}.get(answer, "return try await self.valueIfAny(call)" if maybe else "return try await self.value(call)")
        return lines + [f"        {how}", "    }"]


def needed(lines):
    """The import of Foundation stands where a date is used."""
    if any(": Date" in line or "[Date" in line or "<Date" in line for line in lines):
        return lines
    return [line for line in lines if line != "public import Foundation"]


def files():
    with open(os.path.join(ROOT, "openapi.yaml")) as file:
        document = yaml.safe_load(file)
    calls = Calls(document)
    calls.write()
    found = {}
    for name, lines in calls.types.written.items():
        if lines:
            found[f"Sources/LullClient/Values/{name}.swift"] = HEAD + lines
    for tag, methods in calls.by_tag.items():
        parts, size = [[]], 0
        for lines in methods:
            if size + len(lines) > 460:
                parts.append([])
                size = 0
            parts[-1].append(lines)
            size += len(lines) + 1
        for number, part in enumerate(parts):
            lines = HEAD + ["extension Lull {"]
            for place, method in enumerate(part):
                lines += ([""] if place else []) + method
            suffix = "" if number == 0 else str(number + 1)
            found[f"Sources/LullClient/Calls/Lull+{camel(tag, True)}{suffix}.swift"] = lines + ["}"]
    lines = [line if line != "public import Foundation" else "@testable import LullClient" for line in HEAD]
    lines += ["/// The types of the JSON bodies of all operations.", "let bodyTypes: [String: any (Codable & Sendable).Type] = ["]
    lines += [f'    "{name}": {kind}.self,' for name, kind in calls.table]
    lines += ['    "problem": Problem.self,', '    "webhook": JournalEvent.self,']
    found["Tests/LullClientTests/BodyTypes.swift"] = lines + ["]"]
    return {name: "\n".join(needed(lines)) + "\n" for name, lines in found.items()}


def main():
    wanted, differ = files(), []
    folders = [os.path.join(PACKAGE, "Sources/LullClient", name) for name in ("Values", "Calls")]
    there = {os.path.relpath(os.path.join(folder, name), PACKAGE)
             for folder in folders if os.path.isdir(folder) for name in os.listdir(folder)}
    for name, text in wanted.items():
        path = os.path.join(PACKAGE, name)
        old = open(path).read() if os.path.exists(path) else None
        if old != text:
            differ.append(name)
            if "--check" not in sys.argv:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w") as file:
                    file.write(text)
    for name in sorted(there - set(wanted)):
        differ.append(name)
        if "--check" not in sys.argv:
            os.remove(os.path.join(PACKAGE, name))
    if differ and "--check" in sys.argv:
        sys.exit(f"openapi.yaml has changed, run scripts/client-values: {', '.join(differ)}")


main()
