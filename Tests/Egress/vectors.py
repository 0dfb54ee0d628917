"""Where a URL may lead: the vectors, what must become of each, and the names that they use."""

NAMES = {
    "ok.test": [[("A", "1.1.1.1")]],
    "x.ok.test": [[("A", "8.8.8.8")]],
    "six.test": [[("AAAA", "2606:4700:4700::1111")]],
    "private.test": [[("A", "10.0.0.5")]],
    "mixed.test": [[("A", "10.0.0.5"), ("A", "1.1.1.1")]],
    "mixed6.test": [[("A", "1.1.1.1"), ("AAAA", "fd00::5")]],
    # A server that gives another answer each time, and asks that none is cached.
    "rebind.test": [[("A", "8.8.8.8")], [("A", "127.0.0.1")]],
    "rebound.test": [[("A", "127.0.0.1")], [("A", "8.8.8.8")]],
    "mapped.test": [[("AAAA", "::ffff:127.0.0.1")]],
    "nat64.test": [[("AAAA", "64:ff9b::7f00:1")]],
    "sixtofour.test": [[("AAAA", "2002:7f00:1::")]],
    "teredo.test": [[("AAAA", "2001:0:4136:e378:8000:63bf:3fff:fdd2")]],
    "alias.test": [[("CNAME", "internal.test"), ("A", "10.0.0.5")]],
    "metadata.google.internal": [[("A", "169.254.169.254")]],
    "instance-data": [[("A", "169.254.169.254")]],
    "self.test": [[("A", "93.184.216.34")]],
    "empty.test": [[]],
    "hole.test": None,
    "many.test": [[("A", f"9.{i // 250}.{i % 250}.9") for i in range(500)]],
    "manybad.test": [[("A", f"9.{i // 250}.{i % 250}.9") for i in range(499)]
                     + [("A", "10.0.0.5")]],
}

EDGES = ["100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "126.255.255.255",
         "128.0.0.0", "223.255.255.255", "9.255.255.255", "11.0.0.0", "169.253.255.255",
         "169.255.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0"]

# Every address that a connection may be made to.
ALLOWED = {"1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", *EDGES,
           *(value for _, value in NAMES["many.test"][0])}

DENIED_HOSTS = [
    # Every spelling of this machine.
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.0.0.1.",
    "localhost", "x.localhost", "localhost.", "0", "0.0.0.0", "127.255.255.255",
    "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
    "[::ffff:0:7f00:1]", "[64:ff9b::7f00:1]", "[64:ff9b::808:808]",
    "[64:ff9b:1:a00:0:100::]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[2606:4700::5efe:7f00:1]",
    "[2606:4700::200:5efe:a00:1]",
    # Networks that are not the Internet.
    "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1",
    "100.127.255.255", "169.254.0.1", "169.254.169.254", "169.254.170.2", "169.254.170.23",
    "100.100.100.200", "192.0.0.192", "168.63.129.16", "192.0.0.8", "192.0.2.1", "192.31.196.1",
    "192.52.193.1", "192.88.99.1", "192.175.48.1", "198.18.0.1", "198.19.255.255",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
    "255.255.255.255", "[fec0::1]", "[fc00::1]", "[fd00:ec2::254]", "[fd00:ec2::23]",
    "[fe80::1]", "[ff02::1]", "[100::1]", "[100:0:0:1::1]", "[2001:2::1]", "[2001:db8::1]",
    "[2001:10::1]", "[2620:4f:8000::1]", "[3ffe::1]", "[3fff::1]", "[5f00::1]", "[4000::1]",
    # Names that lead to such networks.
    "private.test", "mixed.test", "mixed6.test", "mapped.test", "nat64.test", "sixtofour.test",
    "teredo.test", "alias.test", "metadata.google.internal", "instance-data", "manybad.test",
    # This machine by its public address.
    "self.test", "93.184.216.34",
]

INVALID = [
    "file:///etc/passwd", "gopher://ok.test/", "dict://ok.test/", "ftp://ok.test/",
    "ldap://ok.test/", "smb://ok.test/", "tftp://ok.test/", "ws://ok.test/", "data:,x",
    "javascript:1", "127.0.0.1/", "//127.0.0.1/", "http:/127.0.0.1/", "http:///127.0.0.1/",
    "http:127.0.0.1/", "http://ok.test\\@127.0.0.1/", "http://ok.test@127.0.0.1/",
    "http://127.0.0.1:80@ok.test/", "http://127.0.0.1%00.ok.test/", "http://%31%32%37.0.0.1/",
    "http://[ok.test]/", "http://[127.0.0.1]/", "http://[fe80::1%25lo]/", "http://[fe80::1%lo]/",
    "http://ok.test:99999/", "http://ok.test:0/", "http://ok.test:-1/", "http://ok.test: 80/",
    "http://ok.test/\r\nX: y", "http://ok.test/\t", "http://ok.test/ x", "http://ok.test/\x00",
    "http://ok.test/\x7f", " http://ok.test/", "http://4294967296/", "http://127.0.0.256/",
    "http://1.2.3.4.5/", "http://ok.test/" + "x" * 65536, "http://" + "a" * 254 + "/",
    "http://" + "a" * 64 + ".test/", "http://\u24db\u24de\u24d2\u24d0\u24db.test/",
    "http://127\u30020\u30020\u30021/", "http:///", "http://", "",
]

REDIRECTS = [
    ("http://127.0.0.1/canary", "refused"), ("http://169.254.169.254/canary", "refused"),
    ("http://[::1]/canary", "refused"), ("http://private.test/canary", "refused"),
    ("http://mixed.test/canary", "refused"), ("//127.0.0.1/canary", "refused"),
    ("http://2130706433/canary", "refused"), ("http://self.test/canary", "refused"),
    ("http://ok.test:25/canary", "refused"), ("http://ok.test:6379/canary", "refused"),
    ("file:///etc/passwd", "unsupported_url"), ("gopher://ok.test/", "unsupported_url"),
    ("data:,x", "unsupported_url"),
    ("http://ok.test@127.0.0.1/canary", "redirect_to_non_existent_location|unsupported_url"),
    ("http://x.ok.test/file", "fetched"), ("/file", "fetched"), ("?file", "fetched"),
    # A chain of public hops that ends inside.
    ("http://x.ok.test/to?http://six.test/to?http://10.0.0.5/canary", "refused"),
    ("http://ok.test/%2509x", "redirect_to_non_existent_location|fetched"),
    ("http://\u00e9.test/", "redirect_to_non_existent_location|unsupported_url"),
]


def quoted(text):
    return "".join(c if c.isalnum() or c in ":/.@?[]=%-" else
                   "".join(f"%{b:02x}" for b in c.encode()) for c in text)


def vectors(api_port, own_address):
    """(name, URL, expected words separated by |)."""
    for host in DENIED_HOSTS:
        yield "denied", f"http://{host}/canary", "refused"
    for url in INVALID:
        yield "invalid", url, "invalid"
    for port in (25, 22, 5432, 6379, 1, 6667):
        yield "port", f"http://ok.test:{port}/canary", "refused"
    yield "case", "HTTP://127.0.0.1/canary", "refused"
    yield "fragment", "http://127.0.0.1#@ok.test/canary", "refused"
    for host in (own_address, "self.test", "127.0.0.1"):
        yield "own service", f"http://{host}:{api_port}/v1/downloads", "refused"
    for host in EDGES + ["1.1.1.1", "[2606:4700:4700::1111]", "ok.test", "six.test", "OK.Test.",
                         "many.test"]:
        yield "public", f"http://{host}/file", "fetched"
    yield "tls", "https://ok.test/file", "fetched"
    yield "downgrade", "https://ok.test/to?http://ok.test/file", (
        "app_transport_security_requires_secure_connection")
    for target, expected in REDIRECTS:
        yield "redirect", "http://ok.test/to?" + quoted(target), expected
    yield "redirect injection", "http://ok.test/to?http://ok.test/%0d%0aX:%20y", (
        "fetched|redirect_to_non_existent_location|bad_server_response")
    yield "long", "http://ok.test/long?65536", "bad_server_response"
    yield "long", "http://ok.test/long?9000", "redirect_to_non_existent_location"
    yield "loop", "http://ok.test/loop", "http_too_many_redirects"
    for turn in range(3):
        yield "rebinding", f"http://rebind.test/file?{turn}", "fetched|refused"
        yield "rebinding", f"http://rebound.test/file?{turn}", "fetched|refused"
    for name in ("empty.test", "servfail.test", "hole.test", "nowhere.test"):
        yield "name", f"http://{name}/canary", "cannot_find_host|dns_lookup_failed"


def webhooks(api_port, own_address):
    """The same hosts as receivers of events: accepted or not, none is connected to."""
    for host in DENIED_HOSTS:
        yield f"http://{host}/canary"
    yield f"http://{own_address}:{api_port}/canary"
    yield "http://ok.test/to?http://127.0.0.1/canary"


def receivers(api_port, own_address):
    """(URL, expected words) of receivers of finished files."""
    for host in DENIED_HOSTS:
        yield f"http://{host}/canary", "refused|invalid"
    for port in (25, 6379):
        yield f"http://ok.test:{port}/canary", "refused"
    yield f"http://{own_address}:{api_port}/canary", "refused"
    yield "http://ok.test/to?http://127.0.0.1/canary", "destination_refused"
    yield "http://ok.test/file", "sent"
