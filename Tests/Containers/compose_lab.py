"""The compose files of docker/, started for real: jobs, the loss of a replica, a rolling restart.

usage: compose_lab.py FOLDER LIMITS ENGINE...   FOLDER is a copy of docker/ with files/; LIMITS are options
of `podman run` for each container, separated by spaces; ENGINE is the command of podman.
"""
import hashlib
import json
import os
import sys
import threading
import time

from compose import SUBNET, ComposeError, Project

FILE_BYTES = 6_000_000
# The additions of the test to the files: an origin, and permission to fetch from it.
OVERRIDE = """
services:
%s
  origin:
    image: nginx:1.28-alpine
    user: "101:101"
    volumes: ["./origin.conf:/etc/nginx/nginx.conf:ro", "./files:/files:ro"]
    tmpfs: ["/tmp:mode=1777"]
"""
REPLICA = """
  %s:
    environment:
      LULL_DOWNLOAD_DESTINATIONS: public,%s.0/24
      LULL_MAX_RUNNING_PER_ORIGIN: "8"
      LULL_LEASE: 8s
      LULL_DATABASE_TIMEOUT: 5s
"""
ORIGIN = """
worker_processes 1; pid /tmp/nginx.pid; error_log /dev/stderr warn;
events { worker_connections 1024; }
http {
    access_log off; client_body_temp_path /tmp/a; proxy_temp_path /tmp/b;
    fastcgi_temp_path /tmp/c; uwsgi_temp_path /tmp/d; scgi_temp_path /tmp/e;
    limit_rate 3m;
    server { listen 8000; root /files; }
}
"""


def check(condition, what):
    """Ends the lab where something does not hold."""
    if not condition:
        raise ComposeError(f"does not hold: {what}")


def note(text):
    """A line of progress."""
    print(f"container-test: {text}", flush=True)


class Client:
    """curl at the published port of a service."""

    def __init__(self, project, service, key=None):
        self.project, self.service, self.key = project, service, key

    def ask(self, path, *words):
        """The status and the body of an answer; 0 where none came."""
        key = ["-H", f"Authorization: Bearer {self.key}"] if self.key else []
        done = self.project.inside(
            self.service, "curl", "-sS", "-w", "\n%{http_code}", *key, *words,
            f"http://127.0.0.1:8080{path}", check=False)
        body, _, status = done.stdout.rpartition("\n")
        return int(status or 0), body

    def create(self, number):
        """Creates a download, as a client does that may have lost the answer to its first try."""
        order = json.dumps({"url": f"http://origin:8000/file.bin?{number}"})
        for _ in range(300):
            status, body = self.ask(
                "/v1/downloads", "-H", f"Idempotency-Key: order-{number}", "--json", order)
            if status == 201:
                return json.loads(body)["id"]
            check(status == 0 or status >= 500, f"a create is answered with {status}: {body}")
            time.sleep(0.2)
        raise ComposeError("no create was accepted")

    def finished(self, identifier):
        """Waits for the end of a download, over replicas that come and go."""
        for _ in range(300):
            status, body = self.ask(f"/v1/downloads/{identifier}?wait=20")
            if status == 200 and json.loads(body)["state"] not in ("waiting", "running"):
                return json.loads(body)
            time.sleep(0.1)
        raise ComposeError(f"{identifier} did not end: {body}")

    def digest(self, identifier, scratch):
        """SHA-256 of the content, where it is answered."""
        path = os.path.join(scratch, "content")
        for _ in range(300):
            status, _ = self.ask(f"/v1/downloads/{identifier}/content", "-o", path)
            if status == 200:
                with open(path, "rb") as file:
                    return hashlib.sha256(file.read()).hexdigest()
            check(status == 503 or status == 0, f"content is answered with {status}")
            time.sleep(0.2)
        raise ComposeError(f"no content of {identifier}")


class Lab:
    """One project of the compose files with what the test adds."""

    def __init__(self, folder, limits, engine, files, replicas):
        self.folder = folder
        path = os.path.join(folder, "override.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(OVERRIDE % "".join(REPLICA % (name, SUBNET) for name in replicas))
        paths = [os.path.join(folder, name) for name in files] + [path]
        self.project = Project(f"lull{os.getpid()}", paths, engine, limits)
        with open(os.path.join(folder, "files", "file.bin"), "rb") as file:
            self.digest = hashlib.sha256(file.read()).hexdigest()

    def __enter__(self):
        self.project.connect()
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            for service in self.project.services:
                logs = self.project.podman(
                    "logs", "--tail", "15", self.project.container(service), check=False)
                print(f"--- {service}\n{logs.stdout}{logs.stderr}", file=sys.stderr)
        self.project.down()

    def key(self, service):
        """A key, made as docs/how-to/containers.md says."""
        return self.project.podman(
            "exec", self.project.container(service), "lull", "keys", "create", "--app", "trial")

    def is_confined(self, service):
        """What the kernel says of the first process of a container."""
        process = self.project.inspect(service, "{{.State.Pid}}")
        with open(f"/proc/{process}/status", encoding="utf-8") as file:
            status = dict(line.rstrip().split(":\t", 1) for line in file if ":\t" in line)
        check(status["CapEff"] == "0" * 16, f"{service} has capabilities {status['CapEff']}")
        check(status["CapBnd"] == "0" * 16, f"{service} may get capabilities {status['CapBnd']}")
        check(status["NoNewPrivs"] == "1", f"{service} may get privileges")
        check(status["Uid"].split()[0] != "0", f"{service} runs as root")
        with open(f"/proc/{process}/mounts", encoding="utf-8") as file:
            root = next(line.split() for line in file if line.split()[1] == "/")
        check("ro" in root[3].split(","), f"the root of {service} may be written: {root}")

    def ends(self):
        """Events of success, and downloads that have one, as the database has them."""
        return self.project.podman(
            "exec", self.project.container("postgres"), "psql", "-qAt", "-h", "127.0.0.1", "-U",
            "lull", "lull", "-c",
            "SELECT count(*) || ' ' || count(DISTINCT download_id) FROM events"
            " WHERE type = (SELECT lull_event_type('succeeded'))")


def single(folder, limits, engine):
    """compose.yaml: one Lull beside its PostgreSQL."""
    with Lab(folder, limits, engine, ["compose.yaml"], ["lull"]) as lab:
        lab.project.up()
        for service in ("lull", "postgres"):
            lab.is_confined(service)
        check(Client(lab.project, "lull").ask("/v1/downloads")[0] == 401, "keys are needed")
        client = Client(lab.project, "lull", lab.key("lull"))
        made = client.create(1)
        check(client.finished(made)["state"] == "succeeded", "a download succeeds")
        check(client.digest(made, folder) == lab.digest, "its content is the file")
        check(lab.project.stop("lull") == 0, "SIGTERM ends it with status 0")
        lab.project.up("lull")
        check(client.digest(made, folder) == lab.digest, "the content outlives the container")
    note("compose.yaml: healthy, confined, a download, stopped with 0, and came back")


class Orders(threading.Thread):
    """Creates downloads one after the other until it is ended."""

    def __init__(self, client, first):
        super().__init__()
        self.client, self.number, self.is_over = client, first, threading.Event()
        self.made, self.trouble = [], None

    def run(self):
        try:
            while not self.is_over.is_set() and len(self.made) < 400:
                self.made.append(self.client.create(self.number))
                self.number += 1
        except Exception as trouble:
            self.trouble = trouble

    def finish(self):
        """Ends it, and answers what it created."""
        self.is_over.set()
        self.join()
        if self.trouble:
            raise self.trouble
        return self.made


def replicas(folder, limits, engine):
    """compose.replicas.yaml: two replicas behind nginx."""
    files = ["compose.yaml", "compose.replicas.yaml"]
    with Lab(folder, limits, engine, files, ["lull-a", "lull-b"]) as lab:
        project = lab.project
        project.up()
        for service in ("lull-a", "lull-b", "nginx", "postgres"):
            lab.is_confined(service)
        project.podman("exec", project.container("nginx"), "nginx", "-e", "/dev/stderr", "-t")
        client = Client(project, "nginx")
        for _ in range(100):
            if client.ask("/readyz")[0] == 200:
                break
            time.sleep(0.2)
        client.key = lab.key("lull-a")
        note("compose.replicas.yaml: two replicas behind nginx are healthy and confined")

        made = [client.create(number) for number in range(8)]
        project.podman("kill", "--signal=KILL", project.container("lull-b"))
        made += [client.create(number) for number in range(8, 16)]
        for identifier in made:
            check(client.finished(identifier)["state"] == "succeeded", f"{identifier} succeeds")
        project.up("lull-b")
        for identifier in made:
            check(client.digest(identifier, folder) == lab.digest, f"content of {identifier}")
        note(f"{len(made)} downloads while one replica was killed: all succeeded, content whole")

        orders = Orders(client, len(made))
        orders.start()
        for service in ("lull-a", "lull-b"):
            check(project.stop(service) == 0, f"SIGTERM ends {service} with status 0")
            project.up(service)
        made += orders.finish()
        for identifier in made:
            check(client.finished(identifier)["state"] == "succeeded", f"{identifier} succeeds")
            check(client.digest(identifier, folder) == lab.digest, f"content of {identifier}")
        check(len(set(made)) == len(made), "each order is a download of its own")
        ends = lab.ends()
        check(ends == f"{len(made)} {len(made)}", f"one end for each of {len(made)}: {ends}")
        note(f"a rolling restart under load: {len(orders.made)} orders, none lost, none twice")


def main():
    folder, limits, engine = sys.argv[1], sys.argv[2].split(), sys.argv[3:]
    os.makedirs(os.path.join(folder, "files"), exist_ok=True)
    with open(os.path.join(folder, "files", "file.bin"), "wb") as file:
        file.write(os.urandom(FILE_BYTES))
    with open(os.path.join(folder, "origin.conf"), "w", encoding="utf-8") as file:
        file.write(ORIGIN)
    single(folder, limits, engine)
    replicas(folder, limits, engine)


if __name__ == "__main__":
    try:
        main()
    except ComposeError as error:
        note(f"FAILED: {error}")
        sys.exit(1)
