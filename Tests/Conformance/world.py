"""What every step stands on: a Lull with its own database, an origin, and folders that go away."""
import hashlib
import http.client
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = os.path.join(ROOT, ".venv-conformance", "bin")


class Failed(Exception):
    """What did not hold, in a sentence."""


def check(holds, words):
    if not holds:
        raise Failed(words)


def eventually(what, question, seconds=60):
    """Asks until there is an answer; how long it took does not matter."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = question()
        if answer:
            return answer
        time.sleep(0.1)
    raise Failed(f"never came: {what}")


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def plain_environment(**more):
    """LULL_BINARY would be an unknown setting to lull; proxies would come between."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {"NO_COLOR": "1"} | more


class World:
    """A scratch folder and the programs that were started in it; all are ended with it."""

    def __init__(self, starts=True, **settings):
        self.folder = tempfile.mkdtemp(prefix="lull-conformance-")
        os.chmod(self.folder, 0o755)  # The embedded database runs as another user.
        self.children = []
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.settings = {
            "LULL_LISTEN": f"127.0.0.1:{self.port}",
            "LULL_DATA_DIR": self.path("data"),
            "LULL_DOWNLOAD_DESTINATIONS": "public,loopback",
            "LULL_WEBHOOK_DESTINATIONS": "public,loopback",
            "LULL_UPLOAD_DESTINATIONS": "public,loopback",
        } | settings
        self.starts = starts
        self.lull = None
        self.origin = None
        self.key = None

    def __enter__(self):
        try:
            if self.starts:
                self.start_lull()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for child in reversed(self.children):
            self.end(child)
        self.sweep_database()
        shutil.rmtree(self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def start(self, command, log, **options):
        """Starts a program that stays; what it says is in the file `log`."""
        with open(self.path(log), "ab") as output:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=options.pop("env", plain_environment()), start_new_session=True, **options)
        self.children.append(child)
        return child

    def end(self, child, seconds=60):
        """Asks a program to end, insists after a minute; gives its exit status."""
        if child.poll() is None:
            child.terminate()
            try:
                child.wait(seconds)
            except subprocess.TimeoutExpired:
                child.kill()
        return child.wait()

    def sweep_database(self):
        """A lull that was killed leaves its database behind."""
        try:
            with open(self.path("data", "postgres", "data", "postmaster.pid")) as file:
                pid = int(file.readline())
            os.kill(pid, signal.SIGQUIT)
        except (OSError, ValueError):
            return
        eventually("the end of the database", lambda: not os.path.exists(f"/proc/{pid}"))

    @staticmethod
    def binary():
        return os.environ.get("LULL_BINARY") or f"{ROOT}/.build/release/lull"

    def make_key(self):
        """A key of an app of its own, which every request carries from here on."""
        self.key = self.run(
            [self.binary(), "keys", "create", "--app", "conformance", *(
                word for scope in (
                    "downloads:write", "downloads:read", "content:read", "uploads:write",
                    "uploads:read", "webhooks", "admin")
                for word in ("--scope", scope))], "keys create",
            env=plain_environment(**self.settings)).split()[-1]
        return self.key

    def start_lull(self, prefix=()):
        self.lull = self.start(
            [*prefix, self.binary(), "serve"], "lull.log", env=plain_environment(**self.settings))
        eventually("lull", self.is_ready)

    def is_ready(self):
        if self.lull.poll() is not None:
            raise Failed(f"lull ended with {self.lull.returncode}:\n{self.log_end('lull.log')}")
        try:
            return self.get("/readyz")[0] == 200
        except OSError:
            return False

    def log_end(self, name, lines=20):
        with open(self.path(name), errors="replace") as file:
            return "".join(file.readlines()[-lines:])

    def start_origin(self):
        """nginx with a folder of its own; gives its address."""
        port = free_port()
        os.makedirs(self.path("origin"), exist_ok=True)
        os.makedirs(self.path("nginx"), exist_ok=True)
        self.write("nginx/origin.conf", nginx(self.path("nginx"), "origin", f"""
            server {{ listen 127.0.0.1:{port}; root {self.path("origin")}; }}"""))
        self.start(
            ["nginx", "-p", self.path("nginx"), "-c", self.path("nginx", "origin.conf")],
            "origin.log", env=plain_environment(PATH="/usr/sbin:/usr/bin:/sbin:/bin"))
        listening("the origin", port)
        self.origin = f"http://127.0.0.1:{port}"
        return self.origin

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def make_file(self, name, length):
        """Random bytes at the origin; gives their SHA-256."""
        if not self.origin:
            self.start_origin()
        content = secrets.token_bytes(length)
        with open(self.path("origin", name), "wb") as file:
            file.write(content)
        return hashlib.sha256(content).hexdigest()

    def request(self, method, path, body=None, headers=None, base=None):
        """One request over a connection of its own: status, headers, body."""
        host = (base or self.base).removeprefix("http://")
        connection = http.client.HTTPConnection(host, timeout=90)
        headers = dict(headers or {})
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def get(self, path, base=None, **headers):
        return self.request("GET", path, headers=headers, base=base)

    def post(self, path, document, base=None, **headers):
        headers["Content-Type"] = "application/json"
        return self.request("POST", path, json.dumps(document), headers, base)

    def download(self, url, base=None, **members):
        """Queues a download and gives it as it is after its end."""
        status, _, body = self.post("/v1/downloads", {"url": url} | members, base)
        check(status == 201, f"create answered {status}: {body!r}")
        identifier = json.loads(body)["id"]
        document = self.wait_for(identifier, base)
        check(document["state"] == "succeeded", f"the download is {document}")
        return document

    def wait_for(self, identifier, base=None):
        """A download once it has ended."""
        for _ in range(5):
            status, _, body = self.get(f"/v1/downloads/{identifier}?wait=30", base)
            check(status == 200, f"read answered {status}: {body!r}")
            document = json.loads(body)
            if document["state"] in ("succeeded", "failed", "canceled"):
                break
        return document

    def run(self, command, log, expected=0, seconds=600, tail=4000, **options):
        """Runs a program to its end; gives what it printed."""
        env = options.pop("env", plain_environment())
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds,
                cwd=options.pop("cwd", self.folder), env=env, **options)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"{log} did not end in {seconds} s") from late
        words = done.stdout[-tail:]
        check(done.returncode == expected, f"{log} ended with {done.returncode}:\n{words}")
        return done.stdout


def nginx(folder, name, server):
    """A configuration that touches nothing outside of its folder."""
    user = "user root;" if os.geteuid() == 0 else ""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {folder}/{name}-{kind};" for kind in kinds)
    return f"""
        daemon off; worker_processes 1; pid {folder}/{name}.pid; {user}
        error_log {folder}/{name}-error.log;
        events {{ worker_connections 1024; }}
        http {{ access_log off; {temporary} {server} }}
    """


def listening(what, port):
    """Waits until somebody listens on a port."""
    def is_open():
        with socket.socket() as sock:
            return sock.connect_ex(("127.0.0.1", port)) == 0
    eventually(what, is_open)
