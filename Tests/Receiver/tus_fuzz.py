"""Sends requests with random header fields to uploads, and checks what becomes of their files.

usage: tus_fuzz.py SEED COUNT BASE RECEIVER FILE

Brings FILE to one upload after the other at BASE, each for RECEIVER/fuzz-N, with COUNT requests in
all: most are a right PATCH or PUT in which up to three header fields are replaced by values that
are right, wrong, or read either way. A request that has to be refused has other bytes than the
file has, so that bytes that are kept make the file wrong. After each request HEAD tells the offset,
which only a request that was taken may move. Prints one line of JSON: the number of uploads, that of
each status, and sentences about broken rules. The uploads have the names `fuzz-0` and so on.
"""

import base64
import hashlib
import http.client
import json
import random
import socket
import sys
import urllib.parse

seed, count, base, receiver, path = sys.argv[1:]
place = urllib.parse.urlsplit(base)
content = open(path, "rb").read()
draw = random.Random(int(seed))
faults, statuses = [], {}
# The problems that openapi.yaml has for these requests; a failure of the service is none of them.
DOCUMENTED = {400, 405, 408, 409, 410, 412, 413, 414, 415, 417, 422, 431, 460, 501, 505}
OK, BAD, EITHER = "taken", "refused", "either"
JUNK = ["", "a", "-1", "0x10", "1e3", "1.0", "\u0661", "\x7f", "1\t1", "1;1", ",", "null", "é" * 9]


def junk():
    """A value that no field means."""
    if draw.random() < 0.5:
        return draw.choice(JUNK)
    return "".join(chr(draw.choice([draw.randint(33, 126), draw.randint(128, 255), 32]))
                   for _ in range(draw.randint(1, 60)))


def b64(data):
    return base64.b64encode(data).decode()


class Connection:
    """One request on a connection of its own."""

    def __init__(self):
        self.socket = socket.create_connection((place.hostname, place.port), timeout=30)
        self.input = self.socket.makefile("rb")

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # The answer came before the end of the request.

    def answer(self):
        """The status and the fields of the final answer; None without one."""
        while True:
            try:
                line = self.input.readline()
                words = line.split()
                if len(words) < 2:
                    return None
                status, fields = int(words[1]), {}
                while (line := self.input.readline().strip()):
                    name, _, value = line.decode("latin-1").partition(":")
                    fields[name.lower()] = value.strip()
            except OSError:
                return None
            if status >= 200:
                return status, fields

    def close(self):
        self.input.close()
        self.socket.close()


def plain(method, target, fields=None, body=b""):
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    connection.request(method, target, body, fields or {})
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, answer.headers, text


class Upload:
    """The upload that gets the requests."""

    def __init__(self, number):
        body = json.dumps({
            "length": len(content), "destination": {"url": f"{receiver}/fuzz-{number}"}})
        status, _, text = plain(
            "POST", "/v1/uploads", {"Content-Type": "application/json"}, body)
        assert status == 201, text
        self.href = json.loads(text)["content"]["href"]
        self.offset = 0

    def look(self):
        status, fields, _ = plain("HEAD", self.href, {"Tus-Resumable": "1.0.0"})
        assert status == 200, status
        return int(fields["Upload-Offset"])

    def finish(self):
        """Brings the rest as it should be brought."""
        fields = {
            "Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream",
            "Upload-Offset": str(self.offset)}
        status, _, text = plain("PATCH", self.href, fields, content[self.offset :])
        assert status == 204, (status, text)


class Draft:
    """A request as it is meant: the fields by their names, each with its values."""

    def __init__(self, upload):
        self.upload, self.start = upload, upload.offset
        self.method = draw.choice(["PATCH"] * 8 + ["PUT"])
        whole = len(content)
        if self.method == "PUT":
            self.start, self.body = 0, content
            self.fields = {}
        else:
            room = whole - self.start
            self.body = content[self.start : self.start + draw.randint(0, min(room, whole // 4))]
            self.fields = {
                "Tus-Resumable": ["1.0.0"], "Upload-Offset": [str(self.start)],
                "Content-Type": ["application/offset+octet-stream"]}
        self.verdicts, self.version = [], "HTTP/1.1"
        # The number of bytes that belong to the request; fewer are sent if it is cut.
        self.length, self.is_cut, self.is_chunked, self.proof = len(self.body), False, False, None

    def mutate(self):
        rules = [self.content_length, self.transfer, self.ignored, self.expect, self.protocol]
        if self.method == "PATCH":
            rules += [self.version_of_tus, self.offset, self.offset, self.checksum, self.kind]
        else:
            rules += [self.digest, self.digest]
        # A field is replaced once; the first of two equal rules counts.
        for rule in dict.fromkeys(draw.sample(rules, draw.choice([0, 1, 1, 1, 2, 3]))):
            verdict = rule()
            if verdict != OK:
                self.verdicts.append(verdict)

    def pick(self, name, *options):
        values, verdict = draw.choice(options)
        if values is None:
            self.fields.pop(name, None)
        else:
            self.fields[name] = values
        return verdict

    def version_of_tus(self):
        return self.pick(
            "Tus-Resumable", (["1.0.0"], OK), ([" 1.0.0\t"], EITHER), (None, BAD), (["1.0"], BAD),
            (["0.2.2"], BAD), (["1.0.0", "1.0.0"], BAD), (["1.0.0,1.0.0"], BAD), (["1.0.00"], BAD),
            ([junk()], BAD))

    def offset(self):
        here = self.start
        other = draw.choice([here + 1, max(0, here - 1), here + 7, len(content), 1 << 62, 0])
        return self.pick(
            "Upload-Offset", ([f"{here}"], OK), ([f"000{here}"], EITHER), ([f"  {here} "], EITHER),
            (None, BAD), ([f"+{here}"], BAD), ([f"-{here + 1}"], BAD), ([f"{here}.0"], BAD),
            ([f"{here}"] * 2, BAD), ([f"{here},{here}"], BAD), (["9" * draw.randint(18, 400)], BAD),
            ([f"{other}"], OK if other == here else BAD), ([f"{here}{chr(0x661)}"], BAD),
            ([junk() + "x"], BAD))

    def checksum(self):
        self.proof = "Upload-Checksum"
        body = self.body[: self.length]
        right = [f"sha1 {b64(hashlib.sha1(body).digest())}",
                 f"sha256 {b64(hashlib.sha256(body).digest())}"]
        wrong = [f"sha1 {b64(hashlib.sha1(body + b'x').digest())}",
                 f"sha256 {b64(bytes(32))}", f"sha256 {right[0][5:]}", f"sha1 {right[1][7:]}",
                 right[0].upper(), right[0].replace(" ", "  "), right[1][:-1], right[0] + " x",
                 f"md5 {b64(hashlib.md5(body).digest())}", junk()]
        return self.pick(
            self.proof, ([draw.choice(right)], OK), ([draw.choice(right)], OK), (right, BAD),
            *[([value], BAD) for value in wrong])

    def digest(self):
        self.proof = "Repr-Digest"
        right = f"sha-256=:{b64(hashlib.sha256(content).digest())}:"
        wrong = f"sha-256=:{b64(bytes(32))}:"
        return self.pick(
            self.proof, ([right], OK), ([right + f", unknown=:{b64(b'x')}:"], EITHER),
            ([wrong], BAD), (["sha-512=:" + b64(bytes(64)) + ":"], BAD), ([right, wrong], BAD),
            ([right.replace("=:", "=")], EITHER), ([right[:-9] + ":"], EITHER), ([junk()], EITHER))

    def kind(self):
        right = "application/offset+octet-stream"
        return self.pick(
            "Content-Type", ([right], OK), ([right.title()], EITHER), ([right + "; a=b"], EITHER),
            (None, BAD), (["text/plain"], BAD), (["application/json"], BAD), ([right] * 2, BAD),
            ([junk() + "x"], BAD))

    def ignored(self):
        """Fields of requests that create, which mean nothing here."""
        for name in draw.sample(
                ["Upload-Length", "Upload-Metadata", "Upload-Defer-Length", "Upload-Concat",
                 "Upload-Expires", "X-HTTP-Method-Override", "Upload-Complete"], 2):
            self.fields[name] = draw.choice([
                [str(draw.randint(0, 1 << 40))], ["filename d29ybGQ=,is_confidential"],
                ["1", "2"], ["DELETE"], ["?1"], ["final;/a /b"]])
        return OK

    def expect(self):
        if self.version == "HTTP/1.0":
            return OK  # It has no expectations.
        return self.pick("Expect", (["100-continue"], OK), (["100-Continue"], EITHER),
                         (["200-ok"], BAD), ([junk() + "x"], BAD))

    def protocol(self):
        self.version, verdict = draw.choice(
            [("HTTP/1.1", OK), ("HTTP/1.0", EITHER), ("HTTP/2.0", BAD), ("HTTP/1.10", BAD)])
        if "Expect" in self.fields and self.version == "HTTP/1.0":
            self.version, verdict = "HTTP/1.1", OK
        if verdict != BAD and draw.random() < 0.3:
            self.fields["Content-Encoding"] = ["gzip"]
            return BAD
        return verdict

    def content_length(self):
        if self.is_chunked:
            return OK
        size = len(self.body)
        choice = draw.randint(0, 5)
        if choice == 0 and size:
            # Cut: the client goes away before the end.
            self.is_cut = True
            self.body = self.body[: draw.randint(0, size - 1)]
            return EITHER
        if choice == 1 and size and self.method == "PATCH":
            # Less than is sent: the rest is no request.
            self.length = draw.randint(0, size - 1)
            return BAD if self.proof else OK
        if choice == 2:
            self.length = len(content) - self.start + draw.randint(1, 1 << 50)
            return BAD
        bad = [["-1"], [f"+{size}"], [f"{size}", f"{size + 1}"], [f"{size}.0"], ["9" * 30],
               [f"0x{size:x}"], [""], [junk() + "x"]]
        return self.pick("Content-Length", *[(value, BAD) for value in bad])

    def transfer(self):
        if self.is_cut or "Content-Length" in self.fields or self.length != len(self.body):
            return OK
        self.is_chunked = True
        codings = [(["chunked"], OK), (["chunked", "chunked"], BAD), (["gzip, chunked"], BAD),
                   (["identity"], BAD), ([junk() + "x"], BAD)]
        verdict = self.pick("Transfer-Encoding", *codings)
        if draw.random() < 0.2:
            self.fields["Content-Length"] = [str(len(self.body))]
            return BAD
        return verdict

    def chunks(self, body):
        out, start = b"", 0
        while start < len(body):
            size = draw.randint(1, 3000)
            piece = body[start : start + size]
            out += b"%x\r\n%s\r\n" % (len(piece), piece)
            start += size
        return out + b"0\r\n\r\n"

    def send(self):
        """Sends the request; its answer, or None."""
        must_refuse = BAD in self.verdicts
        body = self.body
        if must_refuse and not (self.method == "PUT" and self.is_cut):
            body = bytes(byte ^ 0xFF for byte in body)
        lines = [f"{self.method} {self.upload.href} {self.version}", f"Host: {place.netloc}"]
        if not self.is_chunked and "Content-Length" not in self.fields:
            lines.append(f"Content-Length: {self.length}")
        named = [(name, value) for name, values in self.fields.items() for value in values]
        draw.shuffle(named)
        lines += [f"{name}: {value}" for name, value in named]
        head = "\r\n".join(lines).encode("utf-8") + b"\r\n\r\n"
        connection = Connection()
        connection.send(head + (self.chunks(body) if self.is_chunked else body))
        if must_refuse or self.is_cut:
            try:
                connection.socket.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        answer = connection.answer()
        connection.close()
        return answer

    def judge(self, answer):
        """Checks the answer, and the offset that HEAD tells then."""
        upload, before = self.upload, self.upload.offset
        upload.offset = now = upload.look()
        status = answer[0] if answer else None
        statuses[str(status)] = statuses.get(str(status), 0) + 1
        must_refuse = BAD in self.verdicts
        taken = min(self.length, len(self.body))

        def expect(condition, rule):
            if not condition:
                told = (f"{rule}: {self.method} {self.fields} {self.version} {self.verdicts} "
                        f"length {self.length}, sent {len(self.body)}, {before} to {now}: {answer}")
                faults.append(told)

        expect(status is None or status == 204 or status in DOCUMENTED, "a documented status")
        expect(answer or self.is_cut or must_refuse, "an answer")
        if status == 204:
            expect(not must_refuse and not self.is_cut, "refused")
            expect(now == self.start + taken, "the bytes that were sent")
            if self.method == "PATCH":
                expect(answer[1].get("upload-offset") == str(now), "the offset in the answer")
            return
        expect(self.verdicts, "taken")
        if self.method == "PUT":
            # It removes the bytes before, and its own if they are not as they should be.
            expect(now in (before, 0) or self.is_cut and now <= taken, "no bytes of a refused PUT")
        elif self.is_cut and not must_refuse and not self.proof:
            expect(before <= now <= before + taken, "the bytes before the cut")
        else:
            expect(now == before, "no byte of a refused PATCH")


uploads, upload = 1, Upload(0)
for _ in range(int(count)):
    if upload.offset == len(content):
        upload = Upload(uploads)
        uploads += 1
    draft = Draft(upload)
    draft.mutate()
    draft.judge(draft.send())
if upload.offset < len(content):
    upload.finish()
print(json.dumps({"uploads": uploads, "statuses": statuses, "faults": faults[:20]}), flush=True)
