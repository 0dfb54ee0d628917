"""Takes files over raw sockets as receivers of the world do, well or badly.

usage: taker.py FOLDER LOG PORT...

Listens on 127.0.0.1 at each PORT. The last component of a path is the NAME of a file. A body that
arrived whole, and was answered with success, lies in FOLDER/NAME. Each request is one line of JSON
in LOG, once it ended. The first component is the behaviour:

/whole/NAME        takes the body, 201
/slow/KIB/NAME     the same, at KIB KiB a second
/late/NAME         the same, without ever sending 100 Continue
/early/CODE/NAME   answers before the body, and closes
/reset/TENTH/NAME  resets the connection after that tenth of the body; the next request is taken
/drop/NAME         takes the whole body and closes without an answer; the next request is taken
/once/CODE/NAME    takes the whole body and answers CODE; the next request gets 201
/silent/NAME       takes the whole body and never answers
/busy/N/NAME       503 with Retry-After: 1 to the first N requests, then 201
/moved/NAME        302
/echo/NAME         400 with the fields of the request as body
/ticket/NAME?N     takes the body once for each N; 403 for one that was used, 503 to the first one
"""

import hashlib
import json
import os
import select
import socket
import struct
import sys
import threading
import time

folder, log_file = sys.argv[1:3]
os.makedirs(folder, exist_ok=True)
lock = threading.Lock()
log = open(log_file, "a", encoding="utf-8")
seen = {}
REASONS = {100: "Continue", 201: "Created", 302: "Found", 400: "Bad Request", 503: "Busy"}
TAKEN = {"whole", "slow", "late", "reset", "drop", "once", "silent", "busy", "ticket"}


class Request:
    """One request of a connection."""

    def __init__(self, connection, lines):
        self.connection = connection
        self.method, self.target, _ = lines[0].split(" ", 2)
        self.fields = [line.split(":", 1) for line in lines[1:]]
        self.headers = {name.lower(): value.strip() for name, value in self.fields}
        self.length = int(self.headers.get("content-length", 0))
        self.expects = self.headers.get("expect", "").lower() == "100-continue"
        path, _, self.query = self.target.partition("?")
        parts = path.strip("/").split("/")
        self.kind, self.arguments, self.name = parts[0], parts[1:-1], parts[-1]
        self.arrived = 0
        self.digest = hashlib.sha256()
        self.part = f"{folder}/.{self.name}.{id(self)}"
        with lock:
            self.number = seen[path] = seen.get(path, 0) + 1
            if self.kind == "ticket":
                key = path + "?" + self.query
                self.use = seen[key] = seen.get(key, 0) + 1

    def take(self, most=None, rate=None):
        """Reads the body, or the beginning of it."""
        if self.expects and self.kind != "late":
            self.connection.say(100)
        most = self.length if most is None else most
        with open(self.part, "wb") as file:
            while self.arrived < most:
                block = self.connection.read(min(65536, most - self.arrived))
                if not block:
                    return False
                self.arrived += len(block)
                self.digest.update(block)
                file.write(block)
                if rate:
                    time.sleep(len(block) / rate)
        return self.arrived == self.length

    def end(self, status, note=""):
        """Keeps a body that was taken, and writes the line of the request."""
        is_whole = self.arrived == self.length and os.path.exists(self.part)
        if is_whole and 200 <= status < 300:
            os.rename(self.part, f"{folder}/{self.name}")
        elif os.path.exists(self.part):
            os.remove(self.part)
        line = {
            "method": self.method, "target": self.target, "kind": self.kind, "name": self.name,
            "status": status, "note": note, "length": self.length, "arrived": self.arrived,
            "whole": is_whole, "sha256": self.digest.hexdigest(), "expects": self.expects,
            "repr_digest": self.headers.get("repr-digest"),
            "authorization": self.headers.get("authorization"),
        }
        with lock:
            log.write(json.dumps(line) + "\n")
            log.flush()

    def status(self):
        """The answer that the path asks for, and fields of it."""
        argument = int(self.arguments[0]) if self.arguments else 0
        if self.kind == "busy" and self.number <= argument:
            return 503, ["Retry-After: 1"]
        if self.kind == "once" and self.number == 1 or self.kind == "early":
            return argument, []
        if self.kind == "moved":
            return 302, ["Location: /whole/" + self.name]
        if self.kind == "echo":
            return 400, []
        if self.kind == "ticket" and self.use > 1:
            return 403, []
        if self.kind == "ticket" and self.number == 1:
            return 503, []
        return (201 if self.kind in TAKEN else 404), []

    def serve(self):
        """Answers; whether the connection stays."""
        status, fields = self.status()
        is_refused = status >= 300 and self.kind != "once"
        # A refusal comes before the body where the client waits for a word.
        if self.kind == "early" or (is_refused and self.expects):
            self.end(status, "early")
            body = "".join(f"{n}:{v}\n" for n, v in self.fields) if self.kind == "echo" else "no\n"
            self.connection.say(status, fields + ["Connection: close"], body.encode())
            self.connection.linger()
            return False
        is_first = self.number == 1
        if self.kind == "reset" and is_first:
            self.take(self.length * int(self.arguments[0]) // 10)
            self.end(0, "reset")
            self.connection.reset()
            return False
        rate = int(self.arguments[0]) * 1024 if self.kind == "slow" else None
        if not self.take(rate=rate):
            self.end(0, "cut")
            return False
        if self.kind == "drop" and is_first:
            self.end(0, "drop")
            return False
        if self.kind == "silent":
            self.end(0, "silent")
            self.connection.read(1)
            return False
        self.end(status)
        body = "".join(f"{n}:{v}\n" for n, v in self.fields) if self.kind == "echo" else ""
        self.connection.say(status, fields, body.encode())
        return True


class Connection:
    """One client."""

    def __init__(self, sock):
        self.sock = sock
        self.buffer = b""

    def read(self, most):
        if self.buffer:
            block, self.buffer = self.buffer[:most], self.buffer[most:]
            return block
        return self.sock.recv(most)

    def say(self, status, fields=(), body=b""):
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Answer')}", *fields]
        if status != 100:
            lines.append(f"Content-Length: {len(body)}")
        self.sock.sendall("\r\n".join(lines + ["", ""]).encode() + (body if status != 100 else b""))

    def reset(self):
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def linger(self):
        """Ends the answer without a reset that could overtake it."""
        self.sock.shutdown(socket.SHUT_WR)
        while select.select([self.sock], [], [], 1)[0] and self.sock.recv(65536):
            pass

    def head(self):
        while b"\r\n\r\n" not in self.buffer:
            block = self.sock.recv(65536)
            if not block:
                return None
            self.buffer += block
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        return head.decode("latin-1").split("\r\n")

    def run(self):
        try:
            while (lines := self.head()) is not None:
                if lines[0].startswith("GET /up "):
                    self.say(200)
                    continue
                request = Request(self, lines)
                try:
                    if not request.serve():
                        break
                except OSError as error:
                    request.end(0, f"cut: {error}")
                    break
        except OSError:
            pass
        finally:
            self.sock.close()


def listen(port):
    server = socket.create_server(("127.0.0.1", port), backlog=256)
    while True:
        sock, _ = server.accept()
        threading.Thread(target=Connection(sock).run, daemon=True).start()


for port in sys.argv[3:]:
    threading.Thread(target=listen, args=(int(port),)).start()
