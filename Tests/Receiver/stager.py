"""Brings files to uploads without end, through replicas that are killed meanwhile.

usage: stager.py SEED LOG STOP RECEIVER BASE... -- FILE...

Six uploads are open at any time, each from its create to its end, until the file STOP exists; then
those that are open are brought to their ends. Each request goes to any BASE, as behind a balancer,
and is repeated until it has an answer. Of four uploads one is a PUT with `Repr-Digest`, one a PUT
without, and two come by tus in pieces of random lengths. Every other one goes to RECEIVER/NAME,
the rest to the destination `cold`. Each upload is one line of JSON in LOG at its end: its
`faults` are sentences about broken promises.
"""

import base64
import hashlib
import http.client
import json
import os
import random
import sys
import threading
import time
import urllib.parse

seed, log_file, stop_file, receiver = sys.argv[1:5]
split = sys.argv.index("--")
bases = [urllib.parse.urlsplit(base) for base in sys.argv[5:split]]
contents = [open(path, "rb").read() for path in sys.argv[split + 1 :]]
lock = threading.Lock()
log = open(log_file, "a", encoding="utf-8")
numbers = iter(range(1 << 30))
BLOCK = 65536
ENDS = {"succeeded", "failed", "canceled", "attention_required"}


class Lost(Exception):
    """No answer came."""


class Upload:
    """One upload, from its create to its end."""

    def __init__(self, number):
        self.number = number
        self.random = random.Random(f"{seed} {number}")
        self.kind = ["put", "tus", "proved put", "tus"][number % 4]
        self.file = number % len(contents)
        self.content = contents[self.file]
        self.name = f"u{number}"
        self.is_stored = number // 4 % 2 == 1
        self.faults = []
        self.counts = {}

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def ask(self, method, path, fields=None, body=b"", stop=None):
        """Sends a request to any replica; the content at some two seconds for the whole file.

        With `stop` it sends so many bytes and returns the connection.
        """
        base = self.random.choice(bases)
        connection = http.client.HTTPConnection(base.hostname, base.port, timeout=60)
        fields = dict(fields or {}, **{"Content-Length": str(len(body))})
        try:
            connection.putrequest(method, path)
            for name, value in fields.items():
                connection.putheader(name, value)
            connection.endheaders()
            for start in range(0, len(body) if stop is None else stop, BLOCK):
                connection.send(body[start : start + BLOCK])
                time.sleep(BLOCK / len(self.content))
            if stop is not None:
                return connection
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            self.count("lost")
            raise Lost(f"{method}: {error!r}") from error
        connection.close()
        self.count(f"{method} {answer.status}")
        return answer.status, answer.headers, text

    def sure(self, method, path, fields=None, body=b""):
        """Sends a request until a replica answers that works."""
        while True:
            try:
                status, headers, text = self.ask(method, path, fields, body)
                if status != 503:
                    return status, headers, text
            except Lost:
                pass
            time.sleep(0.05)

    def expect(self, condition, sentence):
        if not condition:
            self.faults.append(sentence)

    def create(self):
        to = (
            {"name": "cold", "path": self.name}
            if self.is_stored
            else {"url": f"{receiver}/{self.name}"}
        )
        body = {
            "length": len(self.content), "destination": to,
            "max_bytes_per_second": len(self.content) * 2,
        }
        fields = {
            "Content-Type": "application/json", "Idempotency-Key": f"stager-{seed}-{self.number}",
        }
        status, _, text = self.sure("POST", "/v1/uploads", fields, json.dumps(body).encode())
        if status not in (200, 201):
            raise RuntimeError(f"create: {status} {text!r}")
        upload = json.loads(text)
        self.id, self.href = upload["id"], upload["content"]["href"]

    def show(self):
        status, _, text = self.sure("GET", f"/v1/uploads/{self.id}")
        if status != 200:
            raise RuntimeError(f"show: {status} {text!r}")
        return json.loads(text)

    def put(self):
        """Sends the whole file until it is taken."""
        digest = base64.b64encode(hashlib.sha256(self.content).digest()).decode()
        is_proved = self.kind == "proved put"
        fields = {"Repr-Digest": f"sha-256=:{digest}:"} if is_proved else {}
        for tries in range(1, 1000):
            try:
                status, headers, text = self.ask("PUT", self.href, fields, self.content)
            except Lost:
                time.sleep(0.05)
                continue
            if status == 204:
                self.expect(
                    headers["Repr-Digest"] == f"sha-256=:{digest}:", f"PUT: {headers.items()}")
                return
            if status == 409 and not is_proved and tries > 1:
                # The bytes of a PUT whose answer was lost are here.
                if self.show()["state"] != "receiving":
                    return
            self.expect(status in (408, 409, 503), f"PUT: {status} {text!r}")
            time.sleep(0.05)
        raise RuntimeError("no PUT was taken")

    def offset(self, known, sent):
        """The offset of HEAD, which is at least the last that was promised."""
        status, headers, _ = self.sure("HEAD", self.href, {"Tus-Resumable": "1.0.0"})
        if status == 409:
            return known
        if status != 200:
            raise RuntimeError(f"HEAD: {status}")
        offset = int(headers["Upload-Offset"])
        self.expect(known <= offset <= sent, f"HEAD: {offset}, not {known} to {sent}")
        return offset

    def tus(self):
        """Sends pieces, and asks for the offset after each that was not answered by 204."""
        whole = len(self.content)
        offset = sent = 0
        for _ in range(1000):
            if offset == whole:
                return
            piece = self.content[offset : offset + self.random.randint(1, whole // 2)]
            sent = max(sent, offset + len(piece))
            fields = {
                "Tus-Resumable": "1.0.0", "Upload-Offset": str(offset),
                "Content-Type": "application/offset+octet-stream",
            }
            if self.random.random() < 0.3:
                sha1 = base64.b64encode(hashlib.sha1(piece).digest()).decode()
                fields["Upload-Checksum"] = f"sha1 {sha1}"
            try:
                if self.random.random() < 0.2:
                    # A request that hangs is ended by the next one.
                    hanging = self.ask("PATCH", self.href, fields, piece, len(piece) // 2)
                    offset = self.offset(offset, sent)
                    hanging.close()
                    continue
                status, headers, text = self.ask("PATCH", self.href, fields, piece)
            except Lost:
                offset = self.offset(offset, sent)
                continue
            if status == 204:
                told = int(headers["Upload-Offset"])
                self.expect(told == offset + len(piece), f"PATCH at {offset}: {told}")
                offset = told
                continue
            self.expect(status in (408, 409, 503), f"PATCH: {status} {text!r}")
            offset = self.offset(offset, sent)
        raise RuntimeError("the pieces came to no end")

    def run(self):
        self.create()
        if self.kind == "tus":
            self.tus()
        else:
            self.put()
        while self.show()["state"] not in ENDS:
            time.sleep(0.2)

    def end(self):
        """Checks the events, and writes the line of the upload."""
        upload = self.show()
        status, _, text = self.sure("GET", f"/v1/uploads/{self.id}/events?limit=200")
        types = [event["type"] for event in json.loads(text)["data"]] if status == 200 else []
        for kind in ("upload.created", "upload.staged", "upload.succeeded"):
            self.expect(types.count(kind) == 1, f"events: {types}, error: {upload['error']}")
        line = {
            "id": self.id, "name": self.name, "kind": self.kind, "file": self.file,
            "is_stored": self.is_stored, "state": upload["state"], "error": upload["error"],
            "faults": self.faults, "counts": self.counts,
        }
        with lock:
            log.write(json.dumps(line) + "\n")
            log.flush()


def work():
    """Brings one upload after the other to its end."""
    while not os.path.exists(stop_file):
        with lock:
            upload = Upload(next(numbers))
        try:
            upload.run()
            upload.end()
        except Exception as error:  # pylint: disable=broad-except
            with lock:
                line = {"name": upload.name, "kind": upload.kind, "error": repr(error)}
                print(json.dumps(line), flush=True)
                os._exit(1)


threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
