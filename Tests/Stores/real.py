#!/usr/bin/env python3
"""Starts an object store that we did not write, on free ports of 127.0.0.1, and prints `port N` when it is ready.

usage: real.py weed|rclone FOLDER

weed is SeaweedFS; rclone is `rclone serve s3`, which ignores conditions. Both come from Tests/Receiver/requirements.txt
and stand beside this Python. The keys are `access` and `secret`, the bucket is `bucket`, and everything is in FOLDER.
The store ends with this program: at a line or the end of its standard input, or at SIGTERM.
"""
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import time

TRIES = 5


def are_free(ports):
    taken = []
    try:
        for port in ports:
            one = socket.socket()
            taken.append(one)
            one.bind(("127.0.0.1", port))
        return True
    except OSError:
        return False
    finally:
        for one in taken:
            one.close()


def free_ports(count):
    while True:
        # Below the ports that the kernel gives to others.
        first = random.randrange(11000, 30000)
        ports = list(range(first, first + count))
        if are_free(ports):
            return ports


def weed(program, folder):
    names = ["master", "volume", "filer", "s3", "admin"]
    ports = free_ports(2 * len(names))
    (folder / "s3.json").write_text(json.dumps({"identities": [{
        "name": "test", "credentials": [{"accessKey": "access", "secretKey": "secret"}],
        "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}))
    words = [program, "-logtostderr", "mini", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
             f"-s3.config={folder}/s3.json", "-master.telemetry=false", "-admin.ui=false", "-webdav=false",
             "-s3.port.iceberg=0", "-s3.port.lance=0"]
    for place, name in enumerate(names):
        words += [f"-{name}.port={ports[2 * place]}", f"-{name}.port.grpc={ports[2 * place + 1]}"]
    return words, ports[2 * names.index("s3")]


def rclone(program, folder):
    (folder / "bucket").mkdir(exist_ok=True)
    [port] = free_ports(1)
    return [program, "serve", "s3", "--addr", f"127.0.0.1:{port}", "--auth-key", "access,secret", str(folder)], port


def answers(port):
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as one:
            one.settimeout(5)
            one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            return one.recv(12).startswith(b"HTTP/1.1")
    except OSError:
        return False


def started(kind, folder):
    program = str(pathlib.Path(sys.executable).parent / kind)
    for _ in range(TRIES):
        words, port = {"weed": weed, "rclone": rclone}[kind](program, folder)
        with open(folder / "store.log", "ab") as log:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder)
        for _ in range(600):
            if child.poll() is not None:
                break
            if answers(port):
                return child, port
            time.sleep(0.1)
        child.kill()
        child.wait()
    sys.exit(f"{kind} does not start; see {folder}/store.log")


def main():
    kind, folder = sys.argv[1], pathlib.Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    child, port = started(kind, folder)

    def end(*_):
        child.kill()
        child.wait()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    print(f"port {port}", flush=True)
    sys.stdin.readline()
    end()


if __name__ == "__main__":
    main()
