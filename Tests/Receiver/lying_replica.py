"""Stands between two replicas: passes questions on, and spoils the answers as a file says.

Usage: lying_replica.py URL_FILE LIE_FILE PORT_OF_THE_REPLICA
"""

import socket
import socketserver
import sys

url_file, lie_file, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
recorded = {}


def ask(question):
    """The replica's answer: status, fields and body."""
    with socket.create_connection(("127.0.0.1", port)) as link:
        head = b"\r\n".join(
            line for line in question.split(b"\r\n") if not line.lower().startswith(b"connection:")
        )
        link.sendall(head.replace(b"\r\n\r\n", b"") + b"\r\nConnection: close\r\n\r\n")
        answer = b""
        while piece := link.recv(1 << 16):
            answer += piece
    head, body = answer.split(b"\r\n\r\n", 1)
    lines = head.split(b"\r\n")
    fields = [tuple(line.split(b": ", 1)) for line in lines[1:]]
    return int(lines[0].split()[1]), fields, body


def without(fields, *names):
    return [field for field in fields if field[0].lower() not in names]


def flipped(body, place):
    spoiled = bytearray(body)
    if spoiled:
        spoiled[place] ^= 1
    return bytes(spoiled)


def spoil(lie, path, question):
    """The answer that is given; a length of None leaves out Content-Length."""
    if lie == "silence":
        return None
    if lie == "plain-404":
        return 404, [(b"Content-Type", b"text/plain")], b"not found"
    if lie == "plain-410":
        return 410, [(b"Content-Type", b"application/problem+json")], b"{}"
    if lie == "plain-500":
        return 500, [], b""
    if lie == "plain-204":
        return 204, [], b""
    if lie == "redirect":
        return 302, [(b"Location", b"http://127.0.0.1:%d/livez" % port)], b""
    if lie == "plain-200":
        return 200, [(b"Content-Type", b"application/octet-stream")], b"x" * 300_000
    if lie == "replay" and path in recorded:
        return recorded[path]
    status, fields, body = ask(question)
    recorded.setdefault(path, (status, fields, body))
    if lie == "no-proof":
        fields = without(fields, b"lull-proof")
    elif lie == "wrong-proof":
        fields = without(fields, b"lull-proof") + [(b"Lull-Proof", b"00" * 32)]
    elif lie == "other-length":
        fields = without(fields, b"lull-length") + [(b"Lull-Length", b"5")]
    elif lie == "status-410":
        status = 410
    elif lie == "status-206":
        status = 206
    elif lie == "first-byte":
        body = flipped(body, 0)
    elif lie == "last-byte":
        body = flipped(body, -33)
    elif lie == "last-seal":
        body = flipped(body, -1)
    elif lie == "no-seals":
        body = body[:-32]
    elif lie == "cut":
        return status, fields, body[: len(body) // 2], len(body)
    elif lie == "cut-last-seal":
        return status, fields, body[:-1], len(body)
    elif lie == "empty":
        body = b""
    return status, fields, body


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        question = b""
        while not question.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            question += line
        path = question.split()[1]
        with open(lie_file) as file:
            lie = file.read().strip()
        answer = spoil(lie, path, question)
        if answer is None:
            return
        status, fields, body = answer[:3]
        length = answer[3] if len(answer) > 3 else len(body)
        head = b"HTTP/1.1 %d Answer\r\n" % status
        for name, value in without(fields, b"content-length", b"connection"):
            head += name + b": " + value + b"\r\n"
        if status != 204:
            head += b"Content-Length: %d\r\n" % length
        self.wfile.write(head + b"Connection: close\r\n\r\n" + body)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


with Server(("127.0.0.1", 0), Handler) as server:
    with open(url_file, "w") as file:
        file.write("127.0.0.1:%d" % server.server_address[1])
    server.serve_forever()
