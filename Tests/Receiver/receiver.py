"""Judges Lull's webhooks with a library that Lull's authors did not write.

usage: receiver.py ADDRESS_FILE SECRETS_FILE DELIVERIES_FILE [PORT]

Listens on 127.0.0.1 and writes its base URL to ADDRESS_FILE. Every POST is verified with the
secrets in SECRETS_FILE (one a line, read anew each time) and appended to DELIVERIES_FILE as one
line of JSON. A delivery that does not verify is answered 401, any other by its path: /STATUS.
A `download.will_begin` at /sign is answered with the URL of its download signed anew, as
EndToEnd's NginxOrigin checks it; at /sign-later the first delivery of each gets no answer.
A question at /answer-continue or /answer-cancel gets that answer, and at /answer-ticket the URL of
its receiver with a number that no other question got, and a header with it; at /late-continue the
first delivery of each is answered 500.
"""

import base64
import hashlib
import itertools
import json
import os
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

address_file, secrets_file, deliveries_file = sys.argv[1:4]
port = int(sys.argv[4]) if len(sys.argv) > 4 else 0
writing = threading.Lock()
log = open(deliveries_file, "a", encoding="utf-8")


def verify(body, headers):
    """The parsed body, or the reason why no secret accepts it."""
    with open(secrets_file, encoding="utf-8") as file:
        secrets = file.read().split()
    reason = "no secret is known"
    for secret in secrets:
        try:
            return Webhook(secret).verify(body, headers), None
        except (WebhookVerificationError, ValueError) as error:
            reason = f"{type(error).__name__}: {error}"
    return None, reason


def signed(url):
    """The answer of a begin hook: the same URL, valid for five minutes."""
    parts = urllib.parse.urlsplit(url)
    expires = int(time.time()) + 300
    digest = hashlib.md5(f"{expires}{parts.path} secret".encode()).digest()
    signature = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    query = urllib.parse.urlencode({"signature": signature, "expires": expires})
    fresh = urllib.parse.urlunsplit(parts._replace(query=query))
    return {"disposition": "use_new_request", "request": {"url": fresh}}


seen = set()
tickets = itertools.count(1)


def answered(word, data):
    """The answer of a hook at the path `answer-WORD`."""
    if word == "continue":
        return {"disposition": "continue_loading"}
    if word == "cancel":
        return {"disposition": "cancel"}
    number = str(next(tickets))
    request = {"url": f"{data['destination']['url']}?{number}", "headers": {"X-Ticket": number}}
    return {"disposition": "use_new_request", "request": request}


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Lull keeps connections open; a thread must not wait on one for ever.
    timeout = 60

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        payload, reason = verify(body, headers)
        data = payload.get("data", {}) if payload else {}
        line = {
            "verified": reason is None,
            "reason": reason,
            "webhook_id": headers.get("webhook-id"),
            "type": payload.get("type") if payload else None,
            "subject": data.get("id"),
            "state": data.get("state"),
        }
        with writing:
            is_first = line["webhook_id"] not in seen
            seen.add(line["webhook_id"])
            log.write(json.dumps(line) + "\n")
            log.flush()
        wanted = self.path.strip("/")
        status = 401 if reason else int(wanted) if wanted.isdigit() else 204
        answer = b""
        if status == 204 and wanted in ("sign", "sign-later"):
            if is_first and wanted == "sign-later":
                time.sleep(60)
            status, answer = 200, json.dumps(signed(data["url"])).encode()
        if status == 204 and wanted == "late-continue" and is_first:
            status = 500
        elif status == 204 and wanted.startswith(("answer-", "late-")):
            status, answer = 200, json.dumps(answered(wanted.split("-")[1], data)).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


server = Server(("127.0.0.1", port), Receiver)
with open(address_file + ".part", "w", encoding="utf-8") as file:
    file.write(f"http://127.0.0.1:{server.server_address[1]}")
os.rename(address_file + ".part", address_file)
server.serve_forever()
