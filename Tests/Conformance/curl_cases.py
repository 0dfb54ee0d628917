"""Origins that answer as those of curl's own tests do, and what has to come of it here.

Each case has the number of the file in curl's tests/data that asks the same question. A case is a
raw reply and a verdict of ours: where curl itself decides otherwise, the note says so.
"""
from dataclasses import dataclass, field

BODY = b"012345678\n" * 10
DATED = ("Date: Mon, 13 Nov 2007 13:41:09 GMT", "Last-Modified: Tue, 13 Jun 2000 12:10:00 GMT")
OK = "HTTP/1.1 200 OK"
CHUNKED = (OK, "Transfer-Encoding: chunked")
MOVED = "HTTP/1.1 301 Moved"
FOUND = "HTTP/1.1 302 Found"
HERE = "text at the target\n"
NONE = "Content-Length: 0"


def reply(*lines, body=""):
    """A raw reply: a head of these lines, then the body as it stands."""
    body = body if isinstance(body, bytes) else body.encode()
    return "".join(line + "\r\n" for line in (*lines, "")).encode() + body


def whole(body=BODY, *lines):
    """200 with all of it."""
    body = body if isinstance(body, bytes) else body.encode()
    return reply(OK, *lines, f"Content-Length: {len(body)}", body=body)


def cut(*lines, at=40):
    """200 that announces 100 bytes and ends earlier."""
    return reply(OK, *(lines or DATED), "Content-Length: 100", body=BODY[:at])


def endless(body, *lines):
    """200 in chunks that brings all of it and ends before the last chunk."""
    size = f"{len(body):x}\r\n".encode()
    return reply(*CHUNKED, *(lines or DATED), body=size + body + b"\r\n")


@dataclass
class Case:
    """One origin. Every list is answered from in order; its last reply is repeated."""
    number: int
    note: str
    plain: list  # The replies to requests without Range.
    verdict: tuple  # ("bytes", content), ("failed", code), ("attention", code), ("waits", seconds).
    ranged: list = field(default_factory=list)  # The replies to requests with Range.
    at: dict = field(default_factory=dict)  # The replies for a target.
    path: str = "/want/start"
    members: dict = field(default_factory=dict)
    filename: str = ""
    ranges: list = None  # The Range of every request, if it matters.


def redirected(number, note, location, target, path="/want/start", status=FOUND):
    """A redirect that has to lead to a target at the same origin."""
    return Case(
        number, note, [reply(status, f"Location: {location}", "Connection: close")],
        ("bytes", HERE), at={target: [whole(HERE)]}, path=path)


def stray(number, note, location, code, status=FOUND, path="/want/start"):
    """A redirect that leads nowhere."""
    return Case(
        number, note, [reply(status, f"Location: {location}", NONE)], ("failed", code), path=path)


def resumed(number, note, first, ranged, verdict, **more):
    """A first answer that is cut, and what the origin makes of Range."""
    plain = more.pop("plain", [whole()])
    return Case(number, note, [first, *plain], verdict, ranged=ranged, **more)


A, B, C = "a" * 63 + "\n", "b" * 47 + "\n", "c" * 32 + "\n"
CHUNKS = f"40\r\n{A}\r\n30\r\n{B}\r\n21;heresatest=moooo\r\n{C}\r\n"
LOST, BAD = ("failed", "network_connection_lost"), ("failed", "bad_server_response")
ETAG = 'ETag: "21025-dc7-39462498"'
FLOOD = ["Repeat-this: " + "x" * 160] * 1900

FRAMING = [
    Case(1, "a length and as many bytes", [whole("-foo-\n")], ("bytes", "-foo-\n")),
    Case(30, "nothing at all", [b""], LOST),
    Case(34, "chunks", [reply(*CHUNKED, body=CHUNKS + "0\r\n\r\n")], ("bytes", A + B + C)),
    Case(36, "no chunk where one should be",
         [reply(*CHUNKED, body="2\r\na\n\r\nILLEGAL\r\nbbbbbbbbb\r\n")], BAD),
    Case(59, "HTTP/1.0 without a length", [reply("HTTP/1.0 200 OK", body="hej \n")],
         ("bytes", "hej \n")),
    Case(66, "no head", [b"no headers\n"], BAD),
    Case(178, "a negative length", [reply(OK, "Content-Length: -6", body="moo")], BAD),
    Case(207, "an end before the last chunk",
         [reply(*CHUNKED, body="41\r\n" + "a" * 65 + "\r\n")], LOST),
    Case(376, "fewer bytes than announced",
         [reply(OK, ETAG, "Content-Length: 75", body="-foo-\n")], LOST),
    Case(393, "a length beyond 64 bits",
         [reply(OK, "Content-Length: 36893488147419103232", body="-foo-\n")],
         ("failed", "data_length_exceeds_maximum")),
    Case(398, "a line without a colon",
         [reply(OK, "Server test-server/fake", "Content-Length: 6", body="hello\n")], BAD),
    Case(457, "more in chunks than max_bytes",
         [reply(*CHUNKED, body=CHUNKS + "0\r\n\r\n")],
         ("attention", "data_length_exceeds_maximum"), members={"max_bytes": 143}),
    Case(497, "a head that never ends",
         [reply(OK, "Content-Length: 6", *FLOOD, body="-foo-\n")], BAD),
    Case(1274, "folded lines",
         [reply(OK, "Server: test-server/", " fake", " folded", "Content-Length: 6",
                "Connection:    ", "   close", body="-foo-\n")], ("bytes", "-foo-\n")),
    Case(1416, "a chunk size that overflows",
         [reply(*CHUNKED, body=f"12345678123456789\r\n{A}\r\n0\r\n\r\n")], BAD),
    Case(1417, "a trailer without carriage returns",
         [reply(*CHUNKED, "Trailer: chunky-trailer",
                body=CHUNKS + "0\nchunky-trailer: header data\n\n")], ("bytes", A + B + C)),
    Case(1429, "a status of four digits; curl reads three",
         [reply("HTTP/1.1 1234 OK", "Content-Length: 6", body="-foo-\n")], BAD),
    Case(1432, "a status of a hundred digits",
         [reply(f"HTTP/1.1 {'0123456789' * 10} OK", "Content-Length: 6", body="-foo-\n")], BAD),
    Case(1496, "gzip as transfer coding, unasked",
         [reply(OK, "Transfer-Encoding: gzip, chunked", "Content-Length: 19", body="stuff\r\n")],
         BAD),
    Case(1665, "a head without its end",
         [reply(OK, ETAG, "Content-Length: 6")[:-2]], LOST),
]

RESUMES = [
    resumed(38, "an origin that knows no ranges: its answer is all there is; curl gives up",
            cut(), [reply("HTTP/1.0 200 Mooo", body="we know nothing about ranges\n")],
            ("bytes", "we know nothing about ranges\n"), ranges=["", "bytes=40-"]),
    resumed(92, "416 with the size that is here, and a length for no body",
            endless(BODY[:87], *DATED),
            [reply("HTTP/1.1 416 Unsatisfiable", *DATED, "Content-Length: 87",
                   "Content-Range: bytes */87")], ("bytes", BODY[:87])),
    resumed(99, "404 to the resume: bytes are kept", cut(),
            [reply("HTTP/1.1 404 Nah", "Content-Length: 13", body="0123456789123")],
            ("attention", "resource_unavailable")),
    resumed(188, "a redirect of the resume, and 200 with a range of its own invention; "
            "curl appends it", cut(), [reply(MOVED, "Location: /188", NONE)],
            ("bytes", "Actual content\n"),
            at={"/188": [whole("Actual content\n", "Content-Range: bytes 50-")]}),
    resumed(189, "a redirect of the resume to an origin that knows no ranges; curl gives up",
            cut(), [reply(MOVED, "Location: /189", NONE)], ("bytes", "Actual content\n"),
            at={"/189": [whole("Actual content\n")]}),
    resumed(194, "416 with the size that is here", endless(BODY[:87], ETAG),
            [reply("HTTP/1.1 416 Unsatisfiable", ETAG, "Content-Length: 4",
                   "Content-Range: bytes */87", body="bad\n")], ("bytes", BODY[:87])),
    resumed(1040, "416 that says no size: asked again without Range; curl calls it complete",
            endless(BODY), [reply("HTTP/1.1 416 Invalid range", NONE)], ("bytes", BODY)),
    resumed(1042, "200 to a range", cut(), [whole()], ("bytes", BODY)),
    resumed(1043, "206 with the rest", cut(),
            [reply("HTTP/1.1 206 Partial Content", *DATED, "Content-Length: 60",
                   "Content-Range: bytes 40-99/100", body=BODY[40:])], ("bytes", BODY),
            ranges=["", "bytes=40-"]),
    resumed(1117, "416 with a long message", cut(),
            [reply("HTTP/1.1 416 Unsatisfiable", *DATED, "Content-Length: 115", body="x" * 115)],
            ("bytes", BODY)),
    resumed(1117, "206 with another range than asked and another length than its own", cut(),
            [reply("HTTP/1.1 206 Partial", *DATED, "Content-Range: bytes 10-18/155",
                   "Content-Length: 13", body="partial body\n")], ("bytes", BODY)),
    resumed(1156, "200 with a broken Content-Range", cut(),
            [whole("body\n", "Content-Range: bytes 3/7")], ("bytes", "body\n")),
    resumed(1156, "416 with a smaller size", cut(),
            [reply("HTTP/1.1 416 Unsatisfiable", "Content-Length: 5", "Content-Range: bytes */2",
                   body="body\n")], ("bytes", BODY)),
    resumed(1434, "200 at the very end", endless(BODY), [whole()], ("bytes", BODY)),
    resumed(1475, "416 with a size but no unit: asked again without Range", endless(BODY),
            [reply("HTTP/1.1 416 Invalid range", NONE, "Content-Range: */100")], ("bytes", BODY)),
    resumed(3035, "parts without any validator never join; curl joins them",
            cut("Accept-Ranges: bytes", at=5),
            [reply("HTTP/1.1 206 Partial", "Content-Length: 95", "Content-Range: bytes 5-99/100",
                   body=BODY[5:])], LOST, plain=[cut("Accept-Ranges: bytes", at=5)],
            ranges=[""]),
    resumed(3035, "parts of one version, then 404: bytes are kept", cut(ETAG, at=5),
            [reply("HTTP/1.1 206 Partial", ETAG, "Content-Length: 95",
                   "Content-Range: bytes 5-99/100", body=BODY[5:11]),
             reply("HTTP/1.1 404 Not Found", "Content-Length: 5", body="body\n")],
            ("attention", "resource_unavailable"), ranges=["", "bytes=5-", "bytes=11-"]),
]

WAITS = [
    Case(366, "503 with a long Retry-After",
         [reply("HTTP/1.1 503 BAD", "Content-Length: 2", "Retry-After: 200", body="no")],
         ("waits", 200)),
    Case(1594, "503 with seconds", [reply("HTTP/1.1 503 Error", "Retry-After: 22", NONE)],
         ("waits", 22)),
    Case(1595, "503 without Retry-After", [reply("HTTP/1.1 503 Error", NONE)],
         ("failed", "http_status")),
    Case(1596, "503 with a date that is over",
         [reply("HTTP/1.1 503 Error", "Retry-After: Thu, 11 Jul 2024 02:26:59 GMT", NONE)],
         ("failed", "http_status")),
    Case(1633, "429 behind a redirect", [reply(MOVED, "Location: /2", NONE)],
         ("waits", 30),
         at={"/2": [reply("HTTP/1.1 429 too many requests", "Retry-After: 30", NONE)]}),
]

NOWHERE = "redirect_to_non_existent_location"
REDIRECTS = [
    redirected(11, "relative to a folder", "data/110002.txt?coolsite=yes",
               "/want/data/110002.txt?coolsite=yes"),
    stray(25, "a loop", "data/reply/25", "http_too_many_redirects", MOVED),
    redirected(28, "blanks in front", "  /online/1,1795,Welcome,00.html/280002.txt?logout=TRUE",
               "/online/1,1795,Welcome,00.html/280002.txt?logout=TRUE"),
    redirected(42, "blanks inside and behind", "../m o o.html/420002    ",
               "/we/are/all/m%20o%20o.html/420002", "/we/are/all/twits/42"),
    redirected(45, "an address in the query", "data.cgi?moo=http://&/450002",
               "/want/data.cgi?moo=http://&/450002"),
    redirected(49, "one folder up", "../moo.html/490002", "/we/are/all/moo.html/490002",
               "/we/are/all/twits/49"),
    redirected(50, "two folders up", "../../moo.html/500002", "/we/are/moo.html/500002",
               "/we/are/all/twits/50"),
    redirected(51, "more folders up than there are", "../../../../../../../510002", "/510002",
               "/we/are/all/twits/51"),
    redirected(52, "this folder", "./520002", "/we/are/all/twits/520002", "/we/are/all/twits/52"),
    stray(54, "blanks alone; curl takes the answer", "  ", NOWHERE),
    redirected(55, "beside a page without a folder", "550002", "/550002", "/55"),
    redirected(187, "from a query without a path", "/root/1870002.txt?coolsite=yes",
               "/root/1870002.txt?coolsite=yes", "?oh=what-weird=test/187"),
    Case(477, "a body of the redirect does not count against max_bytes",
         [reply(MOVED, "Location: /2", "Content-Length: 26", body="a" * 26)], ("bytes", "hej\n"),
         at={"/2": [whole("hej\n")]}, members={"max_bytes": 5}),
    redirected(662, "blanks in an absolute one", "http://127.0.0.1:PORT/tes t case=/6620002",
               "/tes%20t%20case=/6620002"),
    Case(772, "two on 200; curl gives up", [whole("ok", "Location: this", "Location: that")],
         ("bytes", "ok")),
    stray(1055, "another protocol", "ftp://127.0.0.1/1055", "unsupported_url",
          "HTTP/1.1 307 Temporary"),
    redirected(1138, "letters beyond ASCII", "../moo.html/?name=\u0622\u063a&t=/11380002",
               "/we/are/all/moo.html/?name=%D8%A2%D8%BA&t=/11380002", "/we/are/all/twits/1138"),
    stray(1141, "three slashes; curl takes them for two", "http:///foo.example.com/1", NOWHERE),
    stray(1142, "four slashes", "http:////foo.example.com/1", NOWHERE),
    stray(1159, "no protocol that there is", "ht3p://localhost/", "unsupported_url", MOVED),
    redirected(1314, "a host without a protocol", "//127.0.0.1:PORT/reply/1314", "/reply/1314",
               status=MOVED),
    stray(1448, "a name beyond ASCII; curl converts it", "http://\u00e5\u00e4\u00f6.se/1", NOWHERE),
    stray(1518, "a blank in the host", "http://1.2 .4.5/test", NOWHERE),
]

NAMES = [
    Case(number, note, [whole("12345\n", f"Content-Disposition: {value}")], ("bytes", "12345\n"),
         filename=name, path=f"/{number}")
    for number, note, value, name in (
        (1310, "quoted, another parameter inside", 'attachment; filename="name1310; charset=x"',
         "name1310; charset=x"),
        (1311, "bare, another parameter behind", "attachment; filename=name1311; charset=funny",
         "name1311"),
        (1312, "a semicolon inside", 'inline; filename="name1312;weird"', "name1312;weird"),
        (1313, "uneven quotes, which are no quotes here", "inline; filename='name1313",
         "'name1313"),
    )
] + [Case(1368, "the name of the address", [whole("12345\n")], ("bytes", "12345\n"),
          filename="1368", path="/1368")]

CASES = FRAMING + RESUMES + WAITS + REDIRECTS + NAMES
