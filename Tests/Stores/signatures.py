#!/usr/bin/env python3
"""Writes signatures.json: requests, and their signatures by botocore's signer.

usage: python signatures.py > signatures.json      (needs botocore; the tests need only the file)

Each line is one request. `url` is its spelling on the wire; `headers` are the fields that are signed;
`expected` is the value of Authorization, or of X-Amz-Signature where `seconds` says that the URL is presigned.
"""
import datetime
import hashlib
import json
import random
import re
from urllib.parse import quote

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

SEED = 20261127
COUNT = 150

random.seed(SEED)
ALPHABET = list("abcXYZ019-_.~ +=%&?#;:@,!*'()$[]{}|^`\"<>\\/") + ["ä", "é", "日", "\U0001f600", "//", "/./", "/../", "%2F"]
NAMES = ["uploads", "uploadId", "part-number-marker", "prefix", "list-type", "a b", "ü", "a", "A", "x+y", "delimiter"]


def text(most):
    return "".join(random.choice(ALPHABET) for _ in range(random.randint(0, most)))


class FixedTime(datetime.datetime):
    """A clock that stands."""

    moment = None

    @classmethod
    def utcnow(cls):
        return cls.moment

    @classmethod
    def now(cls, tz=None):
        return cls.moment


def clock(moment):
    FixedTime.moment = moment
    botocore.auth.datetime = type("Module", (), {"datetime": FixedTime, "timezone": datetime.timezone})
    # Later versions ask a function.
    if hasattr(botocore.auth, "get_current_datetime"):
        botocore.auth.get_current_datetime = lambda *args, **kwargs: moment


def query(repeats):
    pairs = []
    for _ in range(random.randint(0, 4)):
        name = random.choice(NAMES)
        if not repeats and any(name == other for other, _ in pairs):
            continue
        pairs.append((name, "" if random.random() < 0.3 else text(8)))
    return pairs


def spelled(pairs, bare):
    def part(name, value):
        name = quote(name, safe="-_.~")
        return name if bare and not value else f"{name}={quote(value, safe='-_.~')}"
    return "&".join(part(*pair) for pair in pairs)


def headers():
    found = []
    if random.random() < 0.5:
        found.append(["Content-Type", random.choice(["text/plain", "application/octet-stream", " a/b;  q=1 "])])
    if random.random() < 0.5:
        found.append(["x-amz-meta-lull-download", "dl_" + str(random.randint(1, 999))])
    if random.random() < 0.3:
        found.append(["X-Amz-Meta-Spaces", "  one   two \t three  "])
    if random.random() < 0.3:
        found += [["x-amz-repeated", "b"], ["X-Amz-Repeated", " a "]]
    if random.random() < 0.2:
        found.append(["x-amz-empty", ""])
    return found


def case(index):
    isStore = index % 4 != 3
    isPresigned = index % 5 == 4
    token = "FwoGZ/+=" + str(random.random()) if random.random() < 0.3 else None
    credentials = Credentials("AKID" + str(index), "se/cr+et=" + str(random.random()), token)
    region = random.choice(["us-east-1", "eu-central-1", "auto"])
    service = "s3" if isStore else random.choice(["execute-api", "glacier"])
    host = random.choice(["s3.example", "bucket.s3.example:8333", "[::1]:9000", "127.0.0.1:80"])
    pairs = query(repeats=not isPresigned)
    path = "/" + quote(text(24), safe="/-_.~")
    # A client of ours removes dot segments before it asks, and other rules for `//..` are no matter of signatures.
    while isStore and "/." in path:
        path = path.replace("/.", "/")
    if "/." in path:
        path = re.sub(r"(/\.{1,2})+$", "/x", re.sub("/+", "/", path))
    canonical = spelled(pairs, bare=False)
    bare = spelled(pairs, bare=True)
    url = f"http://{host}{path}"
    moment = datetime.datetime(2026, random.randint(1, 12), random.randint(1, 28), random.randint(0, 23),
                               random.randint(0, 59), random.randint(0, 59), tzinfo=datetime.timezone.utc)
    clock(moment)
    method = "GET" if isPresigned else random.choice(["GET", "PUT", "POST", "HEAD", "DELETE"])
    body = b"" if method in ("GET", "HEAD", "DELETE") else text(30).encode()
    fields = [] if isPresigned else headers()
    request = AWSRequest(method=method, url=url + (f"?{canonical}" if canonical else ""), data=body)
    request.context["payload_signing_enabled"] = True
    for name, value in fields:
        request.headers[name] = value
    hash_ = hashlib.sha256(body).hexdigest()
    result = {"method": method, "url": url + (f"?{bare}" if bare else ""), "headers": fields, "hash": hash_,
              "key": credentials.access_key, "secret": credentials.secret_key, "token": token,
              "region": region, "service": service, "time": int(moment.timestamp())}
    if isPresigned:
        kind = botocore.auth.S3SigV4QueryAuth if isStore else botocore.auth.SigV4QueryAuth
        seconds = random.choice([1, 300, 604800])
        kind(credentials, service, region, expires=seconds).add_auth(request)
        result["seconds"] = seconds
        result["expected"] = request.url.split("X-Amz-Signature=")[1]
    else:
        kind = botocore.auth.S3SigV4Auth if isStore else botocore.auth.SigV4Auth
        kind(credentials, service, region).add_auth(request)
        result["expected"] = request.headers["Authorization"]
    return result


print("[")
print(",\n".join(json.dumps(case(index), ensure_ascii=True, separators=(",", ":")) for index in range(COUNT)))
print("]")
