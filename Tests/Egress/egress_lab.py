"""Where Lull may not go, tried for real in a network namespace of our own.

usage: unshare --net --mount egress_lab.py PATH-OF-LULL
Every vector is POSTed to a real Lull. Every IPv4 and IPv6 address ends on this machine, so that a
packet to a denied one would be seen, and answered. Exit 0 only if every vector ends as it must and
no connection was begun to an address that the operator did not allow.
"""
import concurrent.futures
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

import network
import vectors
from origin import Origin

API_PORT = 18080
OWN_ADDRESS = "93.184.216.34"
# The proxy variables of a hostile environment, which a downloader must ignore.
HOSTILE = {name: "http://10.66.0.1:3128" for name in
           ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")}


class Lull:
    """A real Lull, spoken to over a Unix socket, so that all TCP connections are its own."""

    def __init__(self, binary, scratch):
        self.path = f"{scratch}/lull.sock"
        self.log = open(f"{scratch}/lull.log", "wb")
        environment = {"PATH": os.environ["PATH"], "HOME": scratch} | HOSTILE | {
            "SSL_CERT_FILE": "/nonexistent",
            "LULL_LISTEN": f"127.0.0.1:{API_PORT},unix:{self.path}",
            "LULL_DATA_DIR": f"{scratch}/data", "LULL_LOG_LEVEL": "debug",
            "LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "100ms", "LULL_MAX_ATTEMPTS": "2",
            "LULL_MAX_RUNNING": "64", "LULL_MAX_RUNNING_PER_ORIGIN": "32",
            # The pause is longer than the time for which an answer of a name server is cached.
            "LULL_WEBHOOK_RETRY_SCHEDULE": "14s,14s,14s,14s,14s",
        }
        self.process = subprocess.Popen(
            [binary, "serve"], env=environment, stdout=self.log, stderr=self.log)
        for _ in range(600):
            try:
                if self.ask("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                if self.process.poll() is not None:
                    break
            time.sleep(0.1)
        raise SystemExit(f"lull did not become ready:\n{open(self.log.name).read()[-3000:]}")

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("localhost", timeout=60)
        connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.sock.settimeout(60)
        connection.sock.connect(self.path)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, json.loads(data) if data[:1] == b"{" else data

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def verdict(lull, status, document):
    """One word for what became of a POST: fetched, refused, invalid, or the error's code."""
    if status != 201:
        code = document.get("code", "?")
        if code == "destination-not-allowed":
            return "refused", document
        if code in ("validation-failed", "unsupported-url-scheme"):
            return "invalid", document
        return f"{status} {code}", document
    for _ in range(30):
        status, document = lull.ask("GET", f"/v1/downloads/{document['id']}?wait=2")
        if document["state"] == "succeeded":
            return "fetched", document
        if document["state"] == "failed":
            code = document["error"]["code"]
            return ("refused" if code == "destination_not_allowed" else code), document
    return document["state"], document


def sending(lull, status, document):
    """One word for what became of a file with a receiver: sent, refused, invalid, or a code."""
    if status != 201:
        return verdict(lull, status, document)
    for _ in range(300):
        status, document = lull.ask("GET", f"/v1/downloads/{document['id']}")
        if document["state"] == "succeeded":
            return "sent", document
        if document["state"] in ("attention_required", "failed", "canceled"):
            code = (document["error"] or {}).get("code", document["state"])
            return ("refused" if code == "destination_not_allowed" else code), document
        time.sleep(0.1)
    return document["state"], document


def receivers_of_files(lull, origin):
    """What is wrong with the files that are to be sent to denied addresses."""
    wrong = []
    posted = []
    for url, expected in vectors.receivers(API_PORT, OWN_ADDRESS):
        body = {"url": "http://ok.test/file", "destination": {"url": url}}
        posted.append((url, expected, *lull.ask("POST", "/v1/downloads", body)))
    inside = ["10.0.0.5", "127.0.0.1", "169.254.169.254", "private.test"]
    for host in inside:
        hook = {"url": f"http://ok.test/ask?{host}", "timeout_seconds": 5,
                "on_no_answer": "cancel"}
        body = {"url": "http://ok.test/file",
                "destination": {"url": "http://ok.test/file", "hook": hook}}
        posted.append((hook["url"], "refused|canceled", *lull.ask("POST", "/v1/downloads", body)))
    for url, expected, status, document in posted:
        found, told = sending(lull, status, document)
        if found not in expected.split("|"):
            wrong.append(f"receiver {url}: {found} instead of {expected}: {told}")
    for host in inside:
        if not any(target == f"/ask?{host}" for _, target in origin.requests):
            wrong.append(f"the hook that leads to {host} was not asked")
    return wrong


class MovingReceiver:
    """A webhook's receiver whose name leads elsewhere between one try and the next."""

    def __init__(self, lull, server, name, addresses):
        self.lull, self.server, self.name, self.addresses = lull, server, name, addresses
        server.table[name] = [[("A", addresses[0])]]
        _, document = lull.ask("POST", "/v1/downloads", {
            "url": "http://ok.test/file", "webhook_url": f"http://{name}/hook/{name}"})
        self.query = f"/v1/webhook_deliveries?download={document['id']}"

    def delivery(self):
        data = self.lull.ask("GET", self.query)[1]["data"]
        return data[0] if data else {"attempts": [], "state": "pending"}

    def follow(self):
        """Moves the name on after each try; the delivery when it has ended or a minute is over."""
        for _ in range(600):
            delivery = self.delivery()
            done = len(delivery["attempts"])
            self.server.table[self.name] = [
                [("A", self.addresses[min(done, len(self.addresses) - 1)])]]
            if delivery["state"] != "pending":
                break
            time.sleep(0.1)
        return delivery


def moving_receivers(lull, server, origin):
    """What is wrong with the tries at receivers that move to a denied address, or away from one."""
    wrong = []
    # The receiver keeps its connection open: it may not outlive the verdict on the name either.
    cases = [("moving.test", ["8.8.8.8", "10.0.0.5", "169.254.169.254", "9.255.255.255"]),
             ("returning.test", ["10.0.0.5", "8.8.8.8", "8.8.8.8"])]
    receivers = [MovingReceiver(lull, server, *case) for case in cases]
    with concurrent.futures.ThreadPoolExecutor() as threads:
        deliveries = list(threads.map(MovingReceiver.follow, receivers))
    for receiver, delivery in zip(receivers, deliveries):
        path = f"/hook/{receiver.name}"
        if delivery["state"] != "succeeded":
            wrong.append(f"{receiver.name}: the delivery is {delivery}")
            continue
        refused = [attempt for attempt in delivery["attempts"]
                   if "destination_not_allowed" in (attempt.get("error") or "")]
        expected = sum(address not in vectors.ALLOWED for address in receiver.addresses)
        if len(refused) < expected:
            wrong.append(f"{receiver.name}: {len(refused)} refused tries of {expected}: {delivery}")
        asked = [address for address, target in origin.requests if target == path]
        if len(asked) != len(delivery["attempts"]) - len(refused):
            wrong.append(f"{receiver.name}: requests at {asked}: {delivery}")
    return wrong


def main(binary):
    scratch = tempfile.mkdtemp(prefix="lull-egress-")
    os.chmod(scratch, 0o755)
    network.set_up(OWN_ADDRESS)
    network.mount_over("/etc/resolv.conf", "nameserver %s\noptions timeout:2 attempts:1\n"
                       % network.NAME_SERVER, scratch)
    network.mount_over("/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n", scratch)
    certificate = f"{scratch}/certificate.pem"
    network.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=ok.test",
                "-addext", "subjectAltName=DNS:ok.test", "-keyout", certificate + ".key",
                "-out", certificate)
    with open(certificate, encoding="ascii") as text:
        network.mount_over("/etc/ssl/certs/ca-certificates.crt", text.read(), scratch)
    with open(certificate, "a", encoding="ascii") as text:
        text.write(open(certificate + ".key", encoding="ascii").read())
    server = network.NameServer(dict(vectors.NAMES))
    server.start()
    sniffer = network.Sniffer()
    sniffer.start()
    origin = Origin(certificate)
    lull = Lull(binary, scratch)
    failures = []
    try:
        posted = []
        for name, url, expected in vectors.vectors(API_PORT, OWN_ADDRESS):
            # A download that waits for its origin would show nothing of the addresses it was sent
            # to.
            body = {"url": url, "waits_for_connectivity": False}
            posted.append((name, url, expected, *lull.ask("POST", "/v1/downloads", body)))
        for name, url, expected, status, document in posted:
            found, told = verdict(lull, status, document)
            if found not in expected.split("|"):
                failures.append(f"{name} {url[:120]}: {found} instead of {expected}: {told}")
            if found == "refused" and status == 201:
                said = told["error"]["detail"]
                if said != "The operator of this service does not allow the destination.":
                    failures.append(f"{name}: the refusal says more than others: {said}")
        for url in vectors.webhooks(API_PORT, OWN_ADDRESS):
            lull.ask("POST", "/v1/downloads",
                     {"url": "http://ok.test/file", "webhook_url": url})
        failures += receivers_of_files(lull, origin)
        failures += moving_receivers(lull, server, origin)
        allowed = vectors.ALLOWED
        denied = sorted(f"{a} port {p}" for a, p in sniffer.begun
                        if a not in allowed and (a, p) != (network.NAME_SERVER, 53))
        failures += [f"a connection was begun to {where}" for where in denied]
        if ("1.1.1.1", 80) not in sniffer.begun:
            failures.append("the sniffer saw nothing: it proves nothing")
        if any(target.startswith("/canary") for _, target in origin.requests):
            failures.append("a canary was fetched")
    finally:
        status = lull.stop()
    if status != 0:
        failures.append(f"lull ended with {status}")
    print(json.dumps({"vectors": len(posted), "connections": len(sniffer.begun),
                      "failures": failures}, indent=1))
    subprocess.run(["rm", "-rf", scratch], check=False)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
