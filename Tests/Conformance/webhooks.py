"""Live webhooks judged by libraries that Lull's authors did not write: signatures, also while a secret
is replaced, CloudEvents, and the description of the API."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import yaml
from cloudevents.v1.http import from_http
from openapi_core import OpenAPI, V31WebhookRequestValidator
from openapi_core.datatypes import RequestParameters
from standardwebhooks import Webhook as StandardWebhook
from svix.webhooks import Webhook as SvixWebhook
from werkzeug.datastructures import Headers

from world import ROOT, World, check, eventually

NAMES = {
    "download": "downloadEvent", "endpoint": "endpointEvent", "delivery": "deliveryEvent",
    "session": "sessionEvent",
}


class Receiver:
    """Keeps every request as it came; answers by the path: /STATUS, else 204."""

    def __init__(self):
        self.seen = []
        seen = self.seen

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                seen.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                word = self.path.strip("/")
                self.send_response(int(word) if word.isdigit() else 204)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def at(self, path):
        return [(headers, body) for target, headers, body in self.seen if target == path]


class MessageRequest:
    """A request as openapi-core wants it for a webhook."""

    method = "post"
    content_type = "application/json"

    def __init__(self, name, headers, body):
        self.name, self.body = name, body
        self.parameters = RequestParameters(header=Headers(headers))


def webhooks():
    receiver = Receiver()
    with open(f"{ROOT}/openapi.yaml", encoding="utf-8") as file:
        description = OpenAPI.from_dict(yaml.safe_load(file)).spec
    # A public address would ask for keys.
    with World(
            LULL_PUBLIC_URL="https://lull.example", LULL_AUTH="none",
            LULL_WEBHOOK_RETRY_SCHEDULE="100ms") as world:
        world.make_file("event.bin", 1000)
        own = make(world, {"url": receiver.base + "/own", "events": ["*"]})
        make(world, {"url": receiver.base + "/500", "events": ["download.succeeded"]})
        first = own["secret"]
        shared = secret(world, "default")
        download(world, receiver)
        second = rotate(world, own["id"])
        download(world, receiver)
        world.post(f"/v1/webhook_endpoints/{own['id']}/ping", {})
        eventually("a ping", lambda: "endpoint.ping" in types(receiver))
        eventually("what was given up", lambda: "delivery.exhausted" in types(receiver))
        for headers, body in receiver.at("/hook"):
            judge(description, headers, body, {shared})
        both = [headers["webhook-signature"].count("v1,") for headers, _ in receiver.at("/own")]
        check(set(both) == {1, 2}, f"signatures of {both}")
        for headers, body in receiver.at("/own"):
            pair = headers["webhook-signature"].count("v1,") == 2
            judge(description, headers, body, {first, second} if pair else {first})
        first_hook, first_own = receiver.at("/hook")[0], receiver.at("/own")[0]
        check(
            first_hook[0]["webhook-id"] in {h["webhook-id"] for h, _ in receiver.at("/own")},
            "an event has one identifier")
        check(first_own[1], "a body")
    return f"{len(receiver.seen)} webhooks of {len(types(receiver))} types verified"


def types(receiver):
    return {json.loads(body)["type"] for _, _, body in receiver.seen}


def make(world, document):
    status, _, body = world.post("/v1/webhook_endpoints", document)
    check(status == 201, f"the endpoint answered {status}: {body!r}")
    return json.loads(body)


def secret(world, name):
    return json.loads(world.get(f"/v1/webhook_endpoints/{name}/secret")[2])["secret"]


def rotate(world, name):
    status, _, body = world.post(f"/v1/webhook_endpoints/{name}/secret/rotate", {})
    check(status == 200, f"the rotation answered {status}: {body!r}")
    return json.loads(body)["secret"]


def download(world, receiver):
    """One with Unicode in what the client named, to its end and the webhooks of it."""
    document = world.download(
        f"{world.origin}/event.bin", webhook_url=receiver.base + "/hook",
        webhook_events=["download.*"], task_description="Grüße, 世界 \U0001f680",
        metadata={"ключ": "\u2028 \\ \" é"})
    eventually("the end by webhook", lambda: any(
        json.loads(body)["data"].get("id") == document["id"]
        and json.loads(body)["type"] == "download.succeeded"
        for path in ("/hook", "/own") for _, body in receiver.at(path)))


def judge(description, headers, body, secrets):
    """Each secret verifies by both libraries; the event is that of the headers and of the schema."""
    for one in secrets:
        for library in (StandardWebhook, SvixWebhook):
            library(one).verify(body, headers)
    event = from_http(headers, body)
    document = json.loads(body)
    check(event["type"] == "lull." + document["type"], f"ce-type is {event['type']}")
    check(event["id"] == headers["webhook-id"], f"ce-id is {event['id']}")
    data = document["data"]
    subject = data.get("id", data.get("identifier"))
    check(event["subject"] == subject, f"ce-subject is {event['subject']}")
    check(event["source"].startswith("https://lull.example/v1/"), f"ce-source: {event['source']}")
    check(document["data"]["app"] == "default", f"the app is {document['data']['app']}")
    content = document["data"].get("content")
    check(not content or content["href"].startswith("https://lull.example/v1/"), "href")
    name = NAMES[document["type"].split(".")[0]]
    V31WebhookRequestValidator(description).validate(MessageRequest(name, headers, body))
