"""Plays raw replies to a real Lull: what curl's suite asks of curl."""
import datetime
import json
import socket
import threading

from curl_cases import CASES
from world import Failed, World, check, eventually

STATES = {"bytes": "succeeded", "failed": "failed", "attention": "attention_required",
          "waits": "waiting"}


class Origin:
    """One case on a port of its own; a connection has one answer."""

    def __init__(self, case):
        self.case = case
        self.ranges = []
        self.lock = threading.Lock()
        self.counts = {}
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            head = b""
            while b"\r\n\r\n" not in head:
                piece = connection.recv(65536)
                if not piece:
                    return
                head += piece
            try:
                connection.sendall(self.answer(head.decode("latin-1")))
                # Bytes that a reader still sends must not turn the end into a reset.
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
            except OSError:
                return

    def answer(self, head):
        lines = head.split("\r\n")
        target = lines[0].split(" ")[1]
        asked = [line[6:].strip() for line in lines if line.lower().startswith("range:")]
        with self.lock:
            if target in self.case.at:
                key, replies = target, self.case.at[target]
            elif asked and self.case.ranged:
                key, replies = "ranged", self.case.ranged
            else:
                key, replies = "plain", self.case.plain
            place = self.counts.get(key, 0)
            self.counts[key] = place + 1
            self.ranges.append(asked[0] if asked else "")
        return replies[min(place, len(replies) - 1)].replace(b"PORT", str(self.port).encode())


def curl_cases():
    with World(LULL_RETRY_BASE="10ms", LULL_RETRY_CAP="50ms", LULL_MAX_ATTEMPTS="3",
               LULL_TIMEOUT_INTERVAL_FOR_REQUEST="20s") as world:
        origins = [Origin(case) for case in CASES]
        try:
            names = [create(world, origin) for origin in origins]
            wrong = [words for origin, name in zip(origins, names)
                     if (words := verdict(world, origin, name))]
        finally:
            for origin in origins:
                origin.close()
        check(world.is_ready(), "lull is not ready after the replies")
    check(not wrong, f"{len(wrong)} of {len(CASES)}:\n  " + "\n  ".join(wrong))
    return f"{len(CASES)} replies: state, code, bytes and names as decided"


def create(world, origin):
    url = f"http://127.0.0.1:{origin.port}{origin.case.path}"
    status, _, body = world.post("/v1/downloads", {"url": url} | origin.case.members)
    check(status == 201, f"create answered {status}: {body!r}")
    return json.loads(body)["id"]


def verdict(world, origin, name):
    """What is wrong with a case, or nothing."""
    case, (kind, value) = origin.case, origin.case.verdict
    label = f"{case.number} ({case.note})"

    def settled():
        document = json.loads(world.get(f"/v1/downloads/{name}")[2])
        ended = document["state"] in ("succeeded", "failed", "attention_required", "canceled")
        return document if ended or kind == "waits" and document["next_attempt_at"] else None

    try:
        document = eventually(label, settled, seconds=90)
    except Failed as failure:
        return str(failure)
    error = document["error"] or {}
    if document["state"] != STATES[kind]:
        return f"{label}: {document['state']} {error.get('code')} instead of {kind} {value!r}"
    if kind == "bytes":
        wanted = value if isinstance(value, bytes) else value.encode()
        content = world.get(document["content"]["href"])[2]
        if content != wanted:
            return f"{label}: {len(content)} bytes {content[:40]!r} instead of {wanted[:40]!r}"
        if case.filename and document["response"]["suggested_filename"] != case.filename:
            return f"{label}: the name is {document['content']['suggested_filename']!r}"
    elif kind == "waits":
        left = datetime.datetime.fromisoformat(document["next_attempt_at"]) \
            - datetime.datetime.now(datetime.timezone.utc)
        if not 0 < left.total_seconds() <= value:
            return f"{label}: waits {left} instead of {value} s"
    elif error.get("code") != value:
        return f"{label}: {error.get('code')} instead of {value}"
    if case.ranges is not None and origin.ranges[:len(case.ranges)] != case.ranges:
        return f"{label}: asked {origin.ranges} instead of {case.ranges}"
    if case.ranges == [""] and any(origin.ranges):
        return f"{label}: asked {origin.ranges}, never a range was right"
    return None
