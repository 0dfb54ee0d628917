"""The API as a user meets it, directly and through proxies with the settings that they come with."""
import hashlib
import http.client
import json
import os
import socket

from world import World, check, free_port, listening, nginx, plain_environment


def direct(world=None, base=None):
    """Everything that has to come through unharmed."""
    if world is None:
        with World() as world:
            return direct(world)
    digest = world.make_file("smoke.bin", 300_000)
    created_whole_and_in_parts(world, base, digest)
    refusals(world, base)
    request_bodies(world, base)
    events_to_their_end(world, base)
    return "create, wait, events, content, batch, problems, HEAD, chunked, 100-continue"


def created_whole_and_in_parts(world, base, digest):
    url = f"{world.origin}/smoke.bin"
    document = world.download(url, base, expected_digest=f"sha256:{digest}")
    path = document["content"]["href"]
    status, headers, body = world.get(path, base)
    check(status == 200 and hashlib.sha256(body).hexdigest() == digest, "the content is another")
    check(headers["ETag"] == f'"sha256-{digest}"', f"ETag is {headers['ETag']}")
    status, headers, part = world.get(path, base, Range="bytes=1000-1999")
    check(status == 206 and part == body[1000:2000], f"the range is another: {status}")
    check(headers["Content-Range"] == "bytes 1000-1999/300000", "Content-Range is wrong")
    status, _, _ = world.get(path, base, **{"If-None-Match": f'"sha256-{digest}"'})
    check(status == 304, f"If-None-Match answered {status}")
    status, headers, nothing = world.request("HEAD", path, base=base)
    check(status == 200 and nothing == b"", "HEAD has a body")
    check(headers["Content-Length"] == "300000", f"HEAD says {headers['Content-Length']} bytes")
    lines = f"# a list\r\n{url}\r\n{url}?again\r\n".encode()
    status, _, body = world.request(
        "POST", "/v1/downloads/batch", lines, {"Content-Type": "text/uri-list"}, base)
    check(status == 201 and len(json.loads(body)["data"]) == 2, f"the batch answered {status}")


def refusals(world, base):
    for method, path, wanted in (
            ("GET", "/nothing", 404), ("POST", "/livez", 405), ("PROPFIND", "/v1/downloads", 405)):
        status, headers, body = world.request(method, path, base=base)
        check(status == wanted, f"{method} {path} answered {status}")
        problem = json.loads(body)
        check(headers["Content-Type"] == "application/problem+json", "a problem is not declared")
        check(problem["status"] == wanted and problem["instance"] == path, f"it is {problem}")
        check(problem["request_id"] == headers["X-Request-Id"], "the names differ")
        check(body.endswith(b"}\n"), "the line has no end")
        check(wanted != 405 or headers["Allow"], "405 without Allow")


def request_bodies(world, base):
    document = json.dumps({"url": f"{world.origin}/smoke.bin"}).encode()

    def pieces():
        for byte in document:
            yield bytes([byte])

    status, _, body = world.request(
        "POST", "/v1/downloads", pieces(), {"Content-Type": "application/json"}, base)
    check(status == 201, f"a chunked POST answered {status}: {body!r}")
    host, port = (base or world.base).removeprefix("http://").split(":")
    head = (
        f"POST /v1/downloads HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n"
        "Content-Type: application/json\r\nExpect: 100-continue\r\n"
        f"Content-Length: {len(document)}\r\n\r\n")
    with socket.create_connection((host, int(port)), timeout=60) as sock:
        sock.sendall(head.encode())
        answer = sock.recv(65536)
        check(answer.startswith(b"HTTP/1.1 100 "), f"instead of 100 came {answer!r}")
        sock.sendall(document)
        rest = answer.partition(b"\r\n\r\n")[2]
        while piece := sock.recv(65536):
            rest += piece
    # Caddy sends 100 itself and passes Lull's on too, which RFC 9110 section 15.2 allows.
    while rest.startswith(b"HTTP/1.1 100 "):
        rest = rest.partition(b"\r\n\r\n")[2]
    check(rest.startswith(b"HTTP/1.1 201 "), f"behind 100 came {rest[:200]!r}")


def events_to_their_end(world, base):
    """The stream of one download: each event arrives while the next is still to come."""
    status, _, body = world.post(
        "/v1/downloads", {"url": f"{world.origin}/smoke.bin", "suspended": True}, base)
    check(status == 201, f"create answered {status}: {body!r}")
    path = f"/v1/downloads/{json.loads(body)['id']}"
    connection = http.client.HTTPConnection((base or world.base)[7:], timeout=60)
    try:
        connection.request("GET", path + "/events", headers={"Accept": "text/event-stream"})
        stream = connection.getresponse()
        types = []
        while line := stream.readline():
            if line.startswith(b"event: "):
                types.append(line[7:].strip().decode())
            # The client resumes only once it has seen the suspension: no proxy may keep that event
            # back.
            if line.startswith(b"event: download.suspended") or (
                    types == ["download.created"] and line == b"\n"):
                world.post(path + "/resume", {}, base)
    finally:
        connection.close()
    check(types[0] == "download.created" and types[-1] == "download.succeeded", f"came {types}")


def through_nginx():
    with World() as world:
        port = free_port()
        os.makedirs(world.path("nginx"), exist_ok=True)
        world.write("nginx/proxy.conf", nginx(world.path("nginx"), "edge", f"""
            server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass {world.base}; }} }}"""))
        world.start(
            ["nginx", "-p", world.path("nginx"), "-c", world.path("nginx", "proxy.conf")],
            "proxy.log", env=plain_environment(PATH="/usr/sbin:/usr/bin:/sbin:/bin"))
        return through(world, "nginx", port)


def through_haproxy():
    with World() as world:
        port = free_port()
        # Without timeouts haproxy warns and waits for ever; these are the values of its manual.
        config = world.write("haproxy.cfg", f"""
defaults
    mode http
    timeout connect 5s
    timeout client 50s
    timeout server 50s
listen edge
    bind 127.0.0.1:{port}
    server lull 127.0.0.1:{world.port}
""")
        world.start(
            ["haproxy", "-db", "-f", config], "proxy.log",
            env=plain_environment(PATH="/usr/sbin:/usr/bin:/sbin:/bin"))
        return through(world, "haproxy", port)


def through_caddy():
    with World() as world:
        port = free_port()
        config = world.write("Caddyfile", f"""
{{
    admin off
    auto_https off
}}
http://127.0.0.1:{port} {{
    reverse_proxy 127.0.0.1:{world.port}
}}
""")
        home = world.path("caddy")
        os.makedirs(home)
        world.start(
            ["caddy", "run", "--adapter", "caddyfile", "--config", config], "proxy.log",
            env=plain_environment(HOME=home, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home))
        return through(world, "caddy", port)


def through(world, name, port):
    listening(name, port)
    return direct(world, f"http://127.0.0.1:{port}")
