"""A strict receiver that speaks tus 1.0, and fails on order.

usage: tus.py FOLDER LOG PORT OTHER_PORT

Listens on 127.0.0.1 at both ports; uploads live at both. POST /BEHAVIOUR/NAME creates the upload of
a file, whose Location is /upload/NUMBER. A whole file lies in FOLDER/NAME. Each request is one line
of JSON in LOG, once it ended; a break of the protocol is in its member `fault`. GET /up answers 200.
The behaviours:

plain         as the protocol says
slow-KIB      takes KIB KiB a second
relative      with a Location that is a path
foreign       with a Location at OTHER_PORT
denied        with a Location at 192.0.2.1
unreadable    with a Location that is no URL
nowhere       201 without a Location
odd           200 in place of 201
cut-TENTH     resets the first PATCH after that tenth of the file
drop          closes the connection in place of the first answer to a PATCH
drop-create   closes the connection in place of the first answer to a creation
piece         takes at most 1 MB with each PATCH, and says so
conflict      409 to the first PATCH
gone-CODE     forgets the upload before the first PATCH, and answers CODE
lost-CODE     forgets every upload at once, and answers CODE
mismatch      460 to the first PATCH, whose bytes are not kept
locked        423 to the first HEAD; the first PATCH is cut in the middle
busy          503 with Retry-After: 1 to the first PATCH
full          413 to every PATCH
later         403 to the first PATCH, whatever it is
boast         answers the first PATCH with an offset behind the end
moved         307 to every creation
silent        never says the offset of a PATCH
"""

import base64
import itertools
import json
import os
import socket
import struct
import sys
import threading
import time

folder, log_file, port, other = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
os.makedirs(folder, exist_ok=True)
lock = threading.RLock()
log = open(log_file, "a", encoding="utf-8")
uploads, gone, numbers, seen = {}, {}, itertools.count(1), {}


class Upload:
    """The bytes of a file so far."""

    def __init__(self, name, behaviour, length):
        self.name, self.length = name, length
        self.kind, _, self.argument = behaviour.partition("-")
        self.bytes = bytearray()
        self.lock = threading.Lock()


class Cut(Exception):
    """The connection ends without an answer."""


class Connection:
    """One client."""

    def __init__(self, sock, at):
        self.sock, self.at, self.buffer = sock, at, b""

    def line(self, request, status, fault=None, **more):
        with lock:
            entry = {"method": request.method, "path": request.path, "port": self.at,
                     "status": status, "fault": fault,
                     "authorization": request.headers.get("authorization"),
                     "key": request.headers.get("x-key"),
                     "metadata": request.headers.get("upload-metadata"), **more}
            log.write(json.dumps(entry) + "\n")
            log.flush()

    def read(self, most):
        if self.buffer:
            block, self.buffer = self.buffer[:most], self.buffer[most:]
            return block
        block = self.sock.recv(most)
        if not block:
            raise Cut("the client has gone")
        return block

    def head(self):
        while b"\r\n\r\n" not in self.buffer:
            block = self.sock.recv(65536)
            if not block:
                return None
            self.buffer += block
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        return head.decode("latin-1").split("\r\n")

    def reset(self):
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def say(self, status, fields=()):
        lines = [f"HTTP/1.1 {status} Answer", "Tus-Resumable: 1.0.0", *fields]
        if status != 204:
            lines.append("Content-Length: 0")
        self.sock.sendall("\r\n".join(lines + ["", ""]).encode())

    def run(self):
        try:
            while (lines := self.head()) is not None:
                request = Request(lines)
                if request.path == "/up":
                    self.say(200)
                    continue
                try:
                    status, fields = self.answer(request)
                except Cut as error:
                    self.line(request, 0, note=str(error))
                    self.reset()
                    break
                self.say(status, fields)
                if request.left:
                    # The body was not read; what follows is no request.
                    self.sock.shutdown(socket.SHUT_WR)
                    while self.sock.recv(65536):
                        pass
                    break
        except OSError:
            pass
        finally:
            self.sock.close()

    def answer(self, request):
        fault = request.fault()
        if fault:
            self.line(request, 400, fault)
            return 400, []
        status, fields = {"POST": self.create, "HEAD": self.ask, "PATCH": self.take,
                          "DELETE": self.remove}[request.method](request)
        self.line(request, status, offset=[f for f in fields if f.startswith("Upload-Offset")])
        return status, fields

    def create(self, request):
        _, behaviour, name = request.path.split("/", 2)
        upload = Upload(name, behaviour, int(request.headers["upload-length"]))
        with lock:
            seen[request.path] = seen.get(request.path, 0) + 1
            is_first = seen[request.path] == 1
            number = next(numbers)
        if upload.kind == "moved":
            return 307, [f"Location: http://127.0.0.1:{other}/plain/{name}"]
        if not (upload.kind == "lost" or upload.kind == "gone" and is_first):
            uploads[f"/upload/{number}"] = upload
        gone[f"/upload/{number}"] = int(upload.argument) if upload.kind in ("lost", "gone") else 404
        if upload.length == 0:
            keep(upload)
        if upload.kind == "drop" and upload.argument == "create" and is_first:
            raise Cut("the answer to the creation")
        path = f"/upload/{number}"
        base = other if upload.kind == "foreign" else self.at
        location = {"relative": path, "denied": f"http://192.0.2.1{path}",
                    "unreadable": "http://[::"}.get(
                        upload.kind, f"http://127.0.0.1:{base}{path}")
        fields = [] if upload.kind == "nowhere" else [f"Location: {location}"]
        return (200 if upload.kind == "odd" else 201), fields

    def find(self, request):
        with lock:
            return uploads.get(request.path)

    def ask(self, request):
        upload = self.find(request)
        if upload is None:
            return gone.get(request.path, 404), []
        if upload.kind == "locked" and self.once(request):
            return 423, []
        with upload.lock:
            return 200, [f"Upload-Offset: {len(upload.bytes)}", f"Upload-Length: {upload.length}",
                         "Cache-Control: no-store"]

    def once(self, request):
        with lock:
            key = request.method + request.path
            seen[key] = seen.get(key, 0) + 1
            return seen[key] == 1

    def refusal(self, request, upload, is_first):
        """The status that comes in place of the bytes; None to take them."""
        if upload.kind == "full":
            return 413
        if not is_first:
            return None
        return {"conflict": 409, "busy": 503, "later": 403}.get(upload.kind)

    def take(self, request):
        upload = self.find(request)
        if upload is None:
            return gone.get(request.path, 404), []
        is_first = self.once(request)
        refused = self.refusal(request, upload, is_first)
        if refused:
            return refused, ["Retry-After: 1"] if refused == 503 else []
        with upload.lock:
            if int(request.headers["upload-offset"]) != len(upload.bytes):
                return 409, []
            if len(upload.bytes) + request.left > upload.length:
                return 400, []
            return self.fill(request, upload, is_first)

    def fill(self, request, upload, is_first):
        most = upload.length
        if is_first and upload.kind == "cut":
            most = upload.length * int(upload.argument) // 10
        if is_first and upload.kind == "locked":
            most = upload.length // 2
        if upload.kind == "piece":
            most = len(upload.bytes) + 1_000_000
        if request.expects:
            self.sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        before = len(upload.bytes)
        while request.left:
            block = self.read(min(65536, request.left))
            request.left -= len(block)
            if upload.kind == "slow":
                time.sleep(len(block) / (int(upload.argument) * 1024))
            room = most - len(upload.bytes)
            upload.bytes += block[:room]
            if len(upload.bytes) >= most and upload.kind in ("cut", "locked") and is_first:
                raise Cut("cut")
        if is_first and upload.kind == "mismatch":
            del upload.bytes[before:]
            return 460, []
        if len(upload.bytes) == upload.length:
            keep(upload)
        if is_first and upload.kind == "drop" and not upload.argument:
            raise Cut("the answer")
        if upload.kind == "silent":
            return 204, []
        extra = 1 if is_first and upload.kind == "boast" else 0
        return 204, [f"Upload-Offset: {len(upload.bytes) + extra}"]

    def remove(self, request):
        with lock:
            return (204 if uploads.pop(request.path, None) else 404), []


def keep(upload):
    """Writes a whole file."""
    with open(f"{folder}/{upload.name}", "wb") as file:
        file.write(upload.bytes)


class Request:
    """The head of a request."""

    def __init__(self, lines):
        self.method, target, _ = lines[0].split(" ", 2)
        self.path = target.partition("?")[0]
        fields = [line.split(":", 1) for line in lines[1:]]
        self.names = [name.lower() for name, _ in fields]
        self.headers = {name.lower(): value.strip() for name, value in fields}
        self.left = int(self.headers.get("content-length", 0))
        self.expects = self.headers.get("expect", "").lower() == "100-continue"

    def fault(self):
        """The break of the protocol; None for none."""
        if self.headers.get("tus-resumable") != "1.0.0":
            return "no Tus-Resumable: 1.0.0"
        if len(set(self.names)) != len(self.names):
            return "a field is there twice"
        if "transfer-encoding" in self.headers:
            return "chunked"
        number = {"POST": "upload-length", "PATCH": "upload-offset"}.get(self.method)
        if number and not self.headers.get(number, "").isdigit():
            return f"no {number}"
        if self.method == "PATCH":
            if self.headers.get("content-type") != "application/offset+octet-stream":
                return "another Content-Type"
            if "content-length" not in self.headers or self.left == 0:
                return "no bytes"
        if self.method == "POST":
            if self.left:
                return "a creation with bytes"
            for pair in self.headers.get("upload-metadata", "").split(","):
                name, _, value = pair.partition(" ")
                if not name or not base64.b64decode(value, validate=True):
                    return "metadata"
        return None


def listen(at):
    server = socket.create_server(("127.0.0.1", at), backlog=256)
    while True:
        sock, _ = server.accept()
        threading.Thread(target=Connection(sock, at).run, daemon=True).start()


for number in (port, other):
    threading.Thread(target=listen, args=(number,)).start()
