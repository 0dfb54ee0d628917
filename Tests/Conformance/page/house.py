"""A Lull with its page, an origin and a receiver, which the scenes of one kind share."""
import contextlib
import json

from webhooks import Receiver
from world import World, check, eventually, plain_environment

from page.between import Between
from page.origin import Origin


class House(World):
    """Ends what it started, the origin and the proxies too."""

    def __init__(self, **settings):
        super().__init__(LULL_UI="on", LULL_MAX_ATTEMPTS="1", **settings)
        self.helpers = []

    def __enter__(self):
        super().__enter__()
        self.files = Origin()
        self.helpers.append(self.files)
        self.receiver = Receiver()
        return self

    def __exit__(self, *words):
        for helper in self.helpers:
            helper.close()
        self.receiver.server.shutdown()
        self.receiver.server.server_close()
        super().__exit__(*words)

    def address(self, view="", base=None):
        return f"{base or self.base}/ui/{view}"

    def between(self, prefix=""):
        """A proxy of this scene's own."""
        proxy = Between(self.base, prefix)
        self.helpers.append(proxy)
        return proxy

    def create(self, path, **members):
        """Queues a download from the origin; gives its identifier."""
        status, _, body = self.post("/v1/downloads", {"url": self.files.base + path} | members)
        check(status == 201, f"create answered {status}: {body!r}")
        return json.loads(body)["id"]

    def create_all(self, members):
        """Queues many downloads at once; gives their identifiers."""
        status, _, body = self.post("/v1/downloads/batch", {"downloads": members})
        check(status == 201, f"the batch answered {status}: {body!r}")
        return [one["id"] for one in json.loads(body)["data"]]

    def read(self, path):
        status, headers, body = self.get(path)
        check(status == 200, f"GET {path} answered {status}: {body!r}")
        return json.loads(body)

    def put(self, path, document, **headers):
        headers["Content-Type"] = "application/json"
        status, _, body = self.request("PUT", path, json.dumps(document), headers)
        check(status in (200, 201), f"PUT {path} answered {status}: {body!r}")
        return json.loads(body)

    def reaches(self, identifier, *states):
        """Waits until a download is in one of some states."""
        eventually(f"{identifier} {states}", lambda: self.read(f"/v1/downloads/{identifier}")["state"] in states)
        return identifier

    def without_policy(self):
        status, _, body = self.request("DELETE", "/v1/policy")
        check(status in (204, 404), f"DELETE /v1/policy answered {status}: {body!r}")

    def new_key(self, *scopes):
        """A key of the app `conformance`."""
        return self.run(
            [self.binary(), "keys", "create", "--app", "conformance",
             *(word for scope in scopes for word in ("--scope", scope))], "keys create", env=self.environment()).split()[-1]

    def environment(self):
        return plain_environment(**self.settings)


@contextlib.contextmanager
def opened(context, address):
    """A tab at an address, once its heading is there."""
    page = context.new_page()
    page.goto(address)
    page.locator("h1").wait_for()
    yield page
    page.close()
