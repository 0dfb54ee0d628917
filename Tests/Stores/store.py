#!/usr/bin/env python3
"""An object store for tests that is stricter than any other, and fails when it is told to.

usage: store.py [--port N] [--access-key K] [--secret-key S] [--session-token T] [--region R] [--bucket B]...
                [--min-part BYTES] [--page N] [--ignore-conditions] [--no-checksums] [--fault OPERATION:KIND[:TIMES]]...
                [--until-line]

It listens on 127.0.0.1 (--port 0, the default, takes a free port) and prints `port N`. It needs only Python's own
library, keeps everything in memory, and ends at SIGTERM, with --until-line also at a line or the end of its standard
input. The bucket `bucket` is there unless others are named; the
other defaults are: keys `access` and `secret`, region `us-east-1`, --min-part 5242880, --page 1000.

It checks, beside what Amazon's reference says: every signature (in the header and in the query), that `host`,
`content-type` and all `x-amz-*` are signed, the hash of every body (no UNSIGNED-PAYLOAD, no chunks, no trailers), the
length, checksums (SHA-256 and CRC-64/NVME, of each part and of the whole), the sizes and the order of parts,
conditions, and the time. An upload that was begun with a checksum needs it with each part.
  --ignore-conditions   takes If-Match and If-None-Match of writes as if they were not there
  --no-checksums        answers requests with checksums by 501

Without a signature, for tests:
  GET  /_objects        {"bucket/key": {"etag", "size", "sha256", "metadata", "type", "disposition"}}
  GET  /_content/bucket/key
  GET  /_uploads        {"id": {"key": "bucket/key", "parts": {"1": size}, "begun": seconds}}
  GET  /_log            [{"operation", "key", "status", "code", "bytes", "fault", "range"}]; other requests are not there
  PUT  /_fault          {"operation": "PutObject" or "*", "kind": ..., "times": 1, "skip": 0}
  PUT  /_objects/bucket/key   makes an object of the body
  PUT  /_keys           {"access": ..., "secret": ..., "token": ... or null}: from now on only these keys are good
  PUT  /_age            {"seconds": N}: all uploads began so much earlier

Kinds of faults:
  slowdown      503 SlowDown with Retry-After: 1             internal     500 InternalError
  gateway       502 with a page in HTML                      timeout      400 RequestTimeout
  skewed        403 RequestTimeTooSkewed                     denied       403 AccessDenied
  conflict-409  409 ConditionalRequestConflict               precondition 412 PreconditionFailed
  moved-301     301 PermanentRedirect with a Location        moved-307    307 TemporaryRedirect with a Location
  error-200     200 with <Error> InternalError, no effect    garbage-200  200 with a body that is no document, no effect
  no-upload     404 NoSuchUpload                             bad-digest   400 BadDigest
  close-early   closes before the body is read               close-before reads the body and closes, no effect
  close-after   closes after the effect, without an answer   stall        never answers
  cut           sends half of the answer's body and closes
The faults before the effect answer, and close, without one.
"""
import argparse
import base64
import calendar
import hashlib
import hmac
import json
import re
import secrets
import socket
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote_to_bytes
from xml.sax.saxutils import escape

EMPTY = hashlib.sha256(b"").hexdigest()
NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"

TABLE = []
for number in range(256):
    for _ in range(8):
        number = number >> 1 ^ (0x9A6C9329AC4BC9B5 if number & 1 else 0)
    TABLE.append(number)


def crc64(data):
    rest = (1 << 64) - 1
    for byte in data:
        rest = rest >> 8 ^ TABLE[(rest ^ byte) & 0xFF]
    return base64.b64encode((rest ^ ((1 << 64) - 1)).to_bytes(8, "big")).decode()


def sha256(data):
    return base64.b64encode(hashlib.sha256(data).digest()).decode()


CHECKSUMS = {"x-amz-checksum-sha256": ("SHA256", sha256), "x-amz-checksum-crc64nvme": ("CRC64NVME", crc64)}


class Refusal(Exception):
    def __init__(self, status, code, message="refused by a test store", fields=()):
        super().__init__(code)
        self.status, self.code, self.message, self.fields = status, code, message, fields


class Closed(Exception):
    pass


class State:
    def __init__(self, options):
        self.lock = threading.RLock()
        self.options = options
        self.keys = (options.access_key, options.secret_key, options.session_token)
        self.buckets = set(options.bucket or ["bucket"])
        self.objects, self.uploads, self.log, self.faults = {}, {}, [], []
        for text in options.fault:
            operation, kind, *times = text.split(":")
            self.faults.append({"operation": operation, "kind": kind, "times": int(times[0]) if times else 1})

    def fault(self, operation):
        with self.lock:
            for fault in self.faults:
                if fault["operation"] not in (operation, "*"):
                    continue
                if fault.get("skip", 0) > 0:
                    fault["skip"] -= 1
                    continue
                if fault.get("times", 1) > 0:
                    fault["times"] = fault.get("times", 1) - 1
                    return fault["kind"]
        return None


def signature(secret, day, region, text):
    key = ("AWS4" + secret).encode()
    for step in (day, region, "s3", "aws4_request", text):
        key = hmac.new(key, step.encode(), hashlib.sha256).digest()
    return key.hex()


def encoded(data, safe=""):
    return quote(data, safe=safe + "-_.~")


def pairs_of(query):
    """The parameters as text, in the order of the request."""
    pairs = []
    for part in query.split("&") if query else []:
        name, _, value = part.partition("=")
        if "+" in part:
            raise Refusal(400, "InvalidArgument", "a plus sign in the query has two meanings")
        pairs.append((unquote_to_bytes(name), unquote_to_bytes(value)))
    return pairs


def canonical(method, path, pairs, headers, signed, payload):
    query = "&".join(f"{n}={v}" for n, v in sorted((encoded(n), encoded(v)) for n, v in pairs))
    lines = "".join(f"{n}:{','.join(' '.join(v.split()) for v in headers.get_all(n, []))}\n" for n in signed)
    request = "\n".join([method, encoded(unquote_to_bytes(path), "/"), query, lines, ";".join(signed), payload])
    return hashlib.sha256(request.encode()).hexdigest()


def seconds_of(stamp):
    try:
        return calendar.timegm(time.strptime(stamp, "%Y%m%dT%H%M%SZ"))
    except ValueError:
        raise Refusal(403, "AccessDenied", "the date of the signature cannot be read") from None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state = None

    def log_message(self, *_):
        pass

    def handle_expect_100(self):
        # The body is asked for when head and signature are good.
        self.wants_consent = True
        return True

    def do(self):
        self.path, _, self.query = self.path.partition("?")
        self.record = None
        try:
            if self.path.startswith("/_"):
                return self.look()
            self.serve()
        except Refusal as refusal:
            self.refuse(refusal)
        except (Closed, ConnectionError):
            self.close_connection = True
            try:
                self.connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        finally:
            self.wants_consent = False

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = do

    # Tests look

    def look(self):
        state = self.state
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with state.lock:
            if self.command == "PUT" and self.path.startswith("/_objects/"):
                key = unquote_to_bytes(self.path[len("/_objects/"):]).decode()
                state.objects[key] = {"data": body, "etag": f'"{hashlib.md5(body).hexdigest()}"', **self.described()}
                return self.reply(204, b"")
            if self.command in ("PUT", "POST"):
                given = json.loads(body)
                if self.path == "/_fault":
                    state.faults.append(given)
                elif self.path == "/_keys":
                    state.keys = (given["access"], given["secret"], given.get("token"))
                elif self.path == "/_age":
                    for upload in state.uploads.values():
                        upload["begun"] -= given["seconds"]
                return self.reply(204, b"")
            if self.path.startswith("/_content/"):
                found = state.objects.get(unquote_to_bytes(self.path[len("/_content/"):]).decode())
                return self.reply(200, found["data"]) if found else self.reply(404, b"")
            value = {
                "/_objects": lambda: {key: {"etag": o["etag"], "size": len(o["data"]),
                                            "sha256": hashlib.sha256(o["data"]).hexdigest(),
                                            "metadata": o["metadata"], "type": o["type"],
                                            "disposition": o["disposition"]}
                                      for key, o in state.objects.items()},
                "/_uploads": lambda: {id: {"key": u["key"], "begun": u["begun"],
                                           "parts": {n: len(p["data"]) for n, p in u["parts"].items()}}
                                      for id, u in state.uploads.items()},
                "/_log": lambda: state.log,
            }.get(self.path)
            text = json.dumps(value() if value else None).encode()
        self.reply(200 if value else 404, text, [("Content-Type", "application/json")])

    # The protocol

    def serve(self):
        self.name()
        fault = self.state.fault(self.operation)
        self.record = {"operation": self.operation, "key": self.full, "status": 0, "code": None, "bytes": 0,
                       "fault": fault, "range": self.headers.get("Range")}
        with self.state.lock:
            self.state.log.append(self.record)
        if fault == "close-early":
            raise Closed
        presigned = any(name == b"X-Amz-Signature" for name, _ in self.pairs)
        payload = self.check_query() if presigned else self.check_head()
        if self.bucket not in self.state.buckets:
            raise Refusal(404, "NoSuchBucket")
        if self.wants_consent:
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        self.body = self.rfile.read(self.length)
        self.record["bytes"] = len(self.body)
        if len(self.body) < self.length:
            raise Closed
        if payload is not None and hashlib.sha256(self.body).hexdigest() != payload:
            raise Refusal(400, "XAmzContentSHA256Mismatch")
        self.check_sums()
        self.fail(fault)
        self.fault_after = fault
        with self.state.lock:
            status, fields, body = getattr(self, self.operation)()
        if fault == "close-after":
            raise Closed
        self.reply(status, body, fields, cut=fault == "cut")

    def name(self):
        """Finds the operation."""
        self.pairs = pairs_of(self.query)
        self.parameters = {name.decode(): value.decode() for name, value in self.pairs}
        self.bucket, _, key = self.path[1:].partition("/")
        self.key = unquote_to_bytes(key).decode()
        self.full = f"{self.bucket}/{self.key}"
        names = set(self.parameters)
        table = [
            ("POST", {"uploads"}, "CreateMultipartUpload"), ("POST", {"uploadId"}, "CompleteMultipartUpload"),
            ("PUT", {"partNumber", "uploadId"}, "UploadPart"), ("DELETE", {"uploadId"}, "AbortMultipartUpload"),
            ("GET", {"uploadId"}, "ListParts"),
        ]
        self.operation = None
        for method, needed, operation in table:
            if self.command == method and needed <= names and self.key:
                self.operation = operation
                return
        if self.command == "GET" and not self.key and "uploads" in names:
            self.operation = "ListMultipartUploads"
        elif self.key and not names & {"uploads", "uploadId", "partNumber"}:
            self.operation = {"PUT": "PutObject", "GET": "GetObject", "HEAD": "HeadObject",
                              "DELETE": "DeleteObject"}.get(self.command)
        if not self.operation:
            raise Refusal(405, "MethodNotAllowed")

    @property
    def length(self):
        return int(self.headers.get("Content-Length", 0))

    def check_head(self):
        headers, (access, secret, token) = self.headers, self.state.keys
        if headers.get("Transfer-Encoding") or headers.get("x-amz-trailer") or headers.get("Trailer"):
            raise Refusal(501, "NotImplemented", "chunks and trailers")
        if self.command in ("PUT", "POST") and headers.get("Content-Length") is None:
            raise Refusal(411, "MissingContentLength")
        found = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, "
                             r"SignedHeaders=([^,]+), Signature=([0-9a-f]{64})", headers.get("Authorization", ""))
        if not found:
            raise Refusal(403, "AccessDenied", "no signature of version 4")
        key, day, region, names, given = found.groups()
        if key != access:
            raise Refusal(403, "InvalidAccessKeyId")
        if token != headers.get("x-amz-security-token"):
            raise Refusal(400, "InvalidToken")
        if region != self.state.options.region:
            raise Refusal(400, "AuthorizationHeaderMalformed", f"the region is {self.state.options.region}")
        signed = names.split(";")
        needed = {n.lower() for n in headers if n.lower().startswith("x-amz-") or n.lower() == "content-type"}
        if signed != sorted(set(signed)) or not needed | {"host"} <= set(signed):
            raise Refusal(403, "AccessDenied", "a header is not signed")
        payload, stamp = headers.get("x-amz-content-sha256", ""), headers.get("x-amz-date", "")
        if not re.fullmatch("[0-9a-f]{64}", payload):
            raise Refusal(400, "XAmzContentSHA256Mismatch", "the hash is not that of the body")
        if self.length == 0 and payload != EMPTY:
            raise Refusal(400, "XAmzContentSHA256Mismatch", "no body has this hash")
        self.check_signature(stamp, day, region, headers, signed, payload, given, secret, self.pairs)
        if abs(time.time() - seconds_of(stamp)) > 900:
            raise Refusal(403, "RequestTimeTooSkewed")
        return payload

    def check_query(self):
        (access, secret, token), given = self.state.keys, self.parameters
        if self.command not in ("GET", "HEAD") or given.get("X-Amz-Algorithm") != "AWS4-HMAC-SHA256":
            raise Refusal(403, "AccessDenied", "not for reading")
        key, day, region, *rest = given.get("X-Amz-Credential", "").split("/")
        if key != access:
            raise Refusal(403, "InvalidAccessKeyId")
        if rest != ["s3", "aws4_request"] or region != self.state.options.region:
            raise Refusal(400, "AuthorizationQueryParametersError")
        if given.get("X-Amz-Security-Token") != token:
            raise Refusal(400, "InvalidToken")
        stamp, expires = given.get("X-Amz-Date", ""), int(given.get("X-Amz-Expires", "0"))
        signed = given.get("X-Amz-SignedHeaders", "").split(";")
        pairs = [pair for pair in self.pairs if pair[0] != b"X-Amz-Signature"]
        self.check_signature(stamp, day, region, self.headers, signed, "UNSIGNED-PAYLOAD",
                             given["X-Amz-Signature"], secret, pairs)
        if not 1 <= expires <= 604800 or not -900 <= time.time() - seconds_of(stamp) <= expires:
            raise Refusal(403, "AccessDenied", "Request has expired")
        return None

    def check_signature(self, stamp, day, region, headers, signed, payload, given, secret, pairs):
        if stamp[:8] != day:
            raise Refusal(403, "SignatureDoesNotMatch", "the day is not that of the date")
        text = "\n".join(["AWS4-HMAC-SHA256", stamp, f"{day}/{region}/s3/aws4_request",
                          canonical(self.command, self.path, pairs, headers, signed, payload)])
        if not hmac.compare_digest(signature(secret, day, region, text), given):
            raise Refusal(403, "SignatureDoesNotMatch")

    def check_sums(self):
        if self.state.options.no_checksums and any(n.lower().startswith("x-amz-checksum") for n in self.headers):
            raise Refusal(501, "NotImplemented", "checksums")
        if self.operation not in ("PutObject", "UploadPart"):
            return
        for name, (_, compute) in CHECKSUMS.items():
            if self.headers.get(name) not in (None, compute(self.body)):
                raise Refusal(400, "BadDigest", f"{name} is not that of the body")

    def fail(self, kind):
        simple = {
            "slowdown": (503, "SlowDown", [("Retry-After", "1")]), "internal": (500, "InternalError", []),
            "timeout": (400, "RequestTimeout", []), "skewed": (403, "RequestTimeTooSkewed", []),
            "denied": (403, "AccessDenied", []), "conflict-409": (409, "ConditionalRequestConflict", []),
            "precondition": (412, "PreconditionFailed", []), "no-upload": (404, "NoSuchUpload", []),
            "bad-digest": (400, "BadDigest", []),
            "moved-301": (301, "PermanentRedirect", [("Location", "http://127.0.0.1:1/elsewhere")]),
            "moved-307": (307, "TemporaryRedirect", [("Location", "http://127.0.0.1:1/elsewhere")]),
            "error-200": (200, "InternalError", []),
        }
        if kind in simple:
            status, code, fields = simple[kind]
            raise Refusal(status, code, "a fault that a test asked for", fields)
        if kind == "gateway":
            raise Refusal(502, None, "<html><body>Bad Gateway<br></body></html>")
        if kind == "garbage-200":
            raise Refusal(200, None, "<html><br>")
        if kind == "close-before":
            raise Closed
        if kind == "stall":
            # Ends when the client goes away.
            self.connection.settimeout(600)
            try:
                while self.connection.recv(4096):
                    pass
            except OSError:
                pass
            raise Closed

    # Operations: each returns status, fields and body.

    def require(self):
        if self.state.options.ignore_conditions:
            return
        absent, tag, there = self.headers.get("If-None-Match"), self.headers.get("If-Match"), \
            self.state.objects.get(self.full)
        if absent not in (None, "*"):
            raise Refusal(501, "NotImplemented", "If-None-Match of a write is *")
        if absent and there:
            raise Refusal(412, "PreconditionFailed")
        if tag and not there:
            raise Refusal(404, "NoSuchKey")
        if tag and there["etag"] != tag:
            raise Refusal(412, "PreconditionFailed")

    def described(self):
        return {"metadata": {n.lower()[len("x-amz-meta-"):]: v for n, v in self.headers.items()
                             if n.lower().startswith("x-amz-meta-")},
                "type": self.headers.get("Content-Type", "binary/octet-stream"),
                "disposition": self.headers.get("Content-Disposition")}

    def PutObject(self):
        self.require()
        etag = f'"{hashlib.md5(self.body).hexdigest()}"'
        self.state.objects[self.full] = {"data": self.body, "etag": etag, **self.described()}
        return 200, [("ETag", etag)], b""

    def HeadObject(self):
        return self.GetObject()

    def GetObject(self):
        found = self.state.objects.get(self.full)
        if not found:
            raise Refusal(404, "NoSuchKey")
        if self.headers.get("If-Match") not in (None, "*", found["etag"]):
            raise Refusal(412, "PreconditionFailed")
        fields = [("ETag", found["etag"]), ("Accept-Ranges", "bytes"),
                  ("Content-Type", self.parameters.get("response-content-type", found["type"]))]
        disposition = self.parameters.get("response-content-disposition", found["disposition"])
        if disposition:
            fields.append(("Content-Disposition", disposition))
        fields += [(f"x-amz-meta-{name}", value) for name, value in found["metadata"].items()]
        data, asked = found["data"], re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not asked or self.headers.get("If-Range") not in (None, found["etag"]):
            return 200, fields, data
        first, last = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
        if first > last:
            raise Refusal(416, "InvalidRange")
        return 206, fields + [("Content-Range", f"bytes {first}-{last}/{len(data)}")], data[first:last + 1]

    def DeleteObject(self):
        self.state.objects.pop(self.full, None)
        return 204, [], b""

    def CreateMultipartUpload(self):
        algorithm, kind = self.headers.get("x-amz-checksum-algorithm"), self.headers.get("x-amz-checksum-type")
        if algorithm not in (None, "SHA256", "CRC64NVME") or kind == "FULL_OBJECT" and algorithm != "CRC64NVME":
            raise Refusal(400, "InvalidRequest", "this checksum is not for the whole object")
        id = secrets.token_urlsafe(24)
        self.state.uploads[id] = {"key": self.full, "parts": {}, "begun": time.time(), "algorithm": algorithm,
                                  **self.described()}
        return self.document("InitiateMultipartUploadResult", [
            ("Bucket", self.bucket), ("Key", self.key), ("UploadId", id)])

    @property
    def upload(self):
        found = self.state.uploads.get(self.parameters["uploadId"])
        if not found or found["key"] != self.full:
            raise Refusal(404, "NoSuchUpload")
        return found

    def UploadPart(self):
        upload, number = self.upload, int(self.parameters["partNumber"])
        if not 1 <= number <= 10000:
            raise Refusal(400, "InvalidArgument", "a part has a number from 1 to 10000")
        part, fields = {"data": self.body, "etag": f'"{hashlib.md5(self.body).hexdigest()}"', "sums": {}}, []
        for name, (algorithm, _) in CHECKSUMS.items():
            if self.headers.get(name):
                part["sums"][algorithm] = self.headers[name]
                fields.append((name, self.headers[name]))
        if upload["algorithm"] and upload["algorithm"] not in part["sums"]:
            raise Refusal(400, "InvalidRequest", "the upload was begun with a checksum, and this part has none")
        upload["parts"][number] = part
        return 200, fields + [("ETag", part["etag"])], b""

    def ListParts(self):
        upload, after = self.upload, int(self.parameters.get("part-number-marker", "0"))
        most = min(int(self.parameters.get("max-parts", "1000")), self.state.options.page)
        numbers = sorted(number for number in upload["parts"] if number > after)
        shown = numbers[:most]
        items = [("Bucket", self.bucket), ("Key", self.key), ("UploadId", self.parameters["uploadId"]),
                 ("IsTruncated", "true" if len(numbers) > most else "false")]
        for number in shown:
            part = upload["parts"][number]
            items.append(("Part", [("PartNumber", number), ("ETag", part["etag"]), ("Size", len(part["data"]))]
                          + [("Checksum" + name, value) for name, value in part["sums"].items()]))
        if len(numbers) > most:
            items.append(("NextPartNumberMarker", shown[-1]))
        return self.document("ListPartsResult", items)

    def CompleteMultipartUpload(self):
        upload, options = self.upload, self.state.options
        try:
            root = ElementTree.fromstring(self.body)
        except ElementTree.ParseError:
            raise Refusal(400, "MalformedXML") from None
        named = [{item.tag.split("}")[-1]: item.text for item in part} for part in root]
        numbers = [int(part["PartNumber"]) for part in named]
        if not numbers or numbers != sorted(set(numbers)):
            raise Refusal(400, "InvalidPartOrder")
        parts = [upload["parts"].get(number) for number in numbers]
        for part, given in zip(parts, named):
            if not part or part["etag"] != given.get("ETag"):
                raise Refusal(400, "InvalidPart")
            algorithm = upload["algorithm"]
            sum_ = given.get(f"Checksum{algorithm}") if algorithm else None
            if algorithm == "SHA256" and sum_ is None or sum_ not in (None, part["sums"].get(algorithm)):
                raise Refusal(400, "InvalidPart", "the checksum of a part")
        if any(len(part["data"]) < options.min_part for part in parts[:-1]):
            raise Refusal(400, "EntityTooSmall")
        data = b"".join(part["data"] for part in parts)
        if upload["algorithm"] == "CRC64NVME":
            if self.headers.get("x-amz-checksum-crc64nvme") not in (None, crc64(data)):
                raise Refusal(400, "BadDigest", "the checksum of the whole object")
        self.require()
        whole = hashlib.md5(b"".join(hashlib.md5(part["data"]).digest() for part in parts)).hexdigest()
        etag = f'"{whole}-{len(parts)}"'
        self.state.objects[self.full] = {"data": data, "etag": etag, **{
            name: upload[name] for name in ("metadata", "type", "disposition")}}
        del self.state.uploads[self.parameters["uploadId"]]
        return self.document("CompleteMultipartUploadResult", [
            ("Bucket", self.bucket), ("Key", self.key), ("ETag", etag)])

    def AbortMultipartUpload(self):
        _ = self.upload
        del self.state.uploads[self.parameters["uploadId"]]
        return 204, [], b""

    def ListMultipartUploads(self):
        given, prefix = self.parameters, self.parameters.get("prefix", "")
        most = min(int(given.get("max-uploads", "1000")), self.state.options.page)
        after = (given.get("key-marker", ""), given.get("upload-id-marker", ""))
        found = sorted((upload["key"].partition("/")[2], id) for id, upload in self.state.uploads.items()
                       if upload["key"].partition("/")[0] == self.bucket)
        found = [pair for pair in found if pair[0].startswith(prefix) and ("key-marker" not in given or pair > after)]
        spell = (lambda text: quote(text, safe="/").replace("%20", "+")) \
            if given.get("encoding-type") == "url" else (lambda text: text)
        items = [("Bucket", self.bucket), ("IsTruncated", "true" if len(found) > most else "false")]
        if given.get("encoding-type"):
            items.append(("EncodingType", given["encoding-type"]))
        if len(found) > most:
            items += [("NextKeyMarker", spell(found[most - 1][0])), ("NextUploadIdMarker", found[most - 1][1])]
        for key, id in found[:most]:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(self.state.uploads[id]["begun"]))
            items.append(("Upload", [("Key", spell(key)), ("UploadId", id), ("Initiated", stamp)]))
        return self.document("ListMultipartUploadsResult", items)

    # Answers

    def document(self, name, items):
        def text(value):
            return "".join(f"<{n}>{text(v)}</{n}>" for n, v in value) if isinstance(value, list) \
                else escape(str(value), {'"': "&quot;"})
        body = f'<?xml version="1.0" encoding="UTF-8"?>\n<{name} xmlns="{NAMESPACE}">{text(items)}</{name}>'
        return 200, [("Content-Type", "application/xml")], body.encode()

    def refuse(self, refusal):
        if self.record is not None:
            self.record["code"] = refusal.code
        if refusal.code is None:
            body = refusal.message.encode()
        else:
            body = (f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{refusal.code}</Code>'
                    f"<Message>{escape(refusal.message)}</Message></Error>").encode()
        # A body that was not read would be taken for the next request.
        self.close_connection = self.close_connection or self.length > 0 and not getattr(self, "body", b"")
        self.reply(refusal.status, body, [("Content-Type", "application/xml"), *refusal.fields])

    def reply(self, status, body, fields=(), cut=False):
        if self.record is not None:
            self.record["status"] = status
        self.body = b""
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD" and status != 204:
            self.wfile.write(body[:len(body) // 2] if cut else body)
        if cut:
            self.wfile.flush()
            raise Closed

    wants_consent = False


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--access-key", default="access")
    parser.add_argument("--secret-key", default="secret")
    parser.add_argument("--session-token")
    parser.add_argument("--region", default="us-east-1")
    parser.add_argument("--bucket", action="append")
    parser.add_argument("--min-part", type=int, default=5 << 20)
    parser.add_argument("--page", type=int, default=1000)
    parser.add_argument("--ignore-conditions", action="store_true")
    parser.add_argument("--no-checksums", action="store_true")
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--until-line", action="store_true")
    Handler.state = State(parser.parse_args())
    server = Server(("127.0.0.1", Handler.state.options.port), Handler)
    print(f"port {server.server_address[1]}", flush=True)
    if not Handler.state.options.until_line:
        server.serve_forever()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.readline()


if __name__ == "__main__":
    sys.exit(main())
