"""Brings bytes to many uploads very slowly: COUNT uploads, five bytes a second each.

usage: slow_stagings.py BASE RECEIVER COUNT FOLDER

Creates the uploads at BASE, each of 1,000,000 bytes for RECEIVER, and begins a PATCH of all bytes
for each. A request that ends is followed by HEAD and a PATCH at its offset. Writes FOLDER/ready
once each upload has sent a byte, goes on until FOLDER/stop exists, then breaks all connections and
prints one line of JSON: the number of requests that ended, of those with another status than 408,
the sum of the bytes that were sent, and the sum of the offsets that HEAD tells at the end.
"""

import asyncio
import json
import os
import sys
import urllib.parse

base, receiver, count, folder = sys.argv[1:]
place = urllib.parse.urlsplit(base)
LENGTH = 1_000_000
totals = {"ended": 0, "refused": 0, "sent": 0, "offsets": 0}
begun = set()


async def read_head(reader):
    """The status and the fields of an answer."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = dict(line.split(": ", 1) for line in head[1:] if line)
    return int(head[0].split(" ")[1]), {name.lower(): value for name, value in fields.items()}


async def ask(method, path, fields="", body=b""):
    """A whole request and its answer."""
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(
        f"{method} {path} HTTP/1.1\r\nHost: {place.netloc}\r\nConnection: close\r\n{fields}"
        f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    status, answer = await read_head(reader)
    text = await reader.read() if method != "HEAD" else b""
    writer.close()
    return status, answer, text


async def create(number):
    body = json.dumps(
        {"length": LENGTH, "destination": {"url": f"{receiver}/slow-{number}"}}).encode()
    status, _, text = await ask(
        "POST", "/v1/uploads", "Content-Type: application/json\r\n", body)
    assert status == 201, text
    return json.loads(text)["content"]["href"]


async def offset(href):
    status, fields, _ = await ask("HEAD", href, "Tus-Resumable: 1.0.0\r\n")
    assert status == 200, status
    return int(fields["upload-offset"])


async def patch(href, number, stop):
    """Sends bytes until the request is answered, or until the end."""
    start = await offset(href)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(
        f"PATCH {href} HTTP/1.1\r\nHost: {place.netloc}\r\nTus-Resumable: 1.0.0\r\n"
        f"Upload-Offset: {start}\r\n"
        "Content-Type: application/offset+octet-stream\r\n"
        f"Content-Length: {LENGTH - start}\r\n\r\n".encode())
    answer = asyncio.create_task(read_head(reader))
    while not answer.done() and not stop.is_set():
        writer.write(b"x")
        totals["sent"] += 1
        begun.add(number)
        await asyncio.wait([answer], timeout=0.2)
    if answer.done():
        totals["ended"] += 1
        try:
            status, _ = answer.result()
        except (OSError, asyncio.IncompleteReadError):
            status = 0
        totals["refused"] += status != 408
    answer.cancel()
    writer.close()


async def bring(number, limit, stop):
    async with limit:
        href = await create(number)
    while not stop.is_set():
        await patch(href, number, stop)
    async with limit:
        told = await offset(href)
        totals["offsets"] += told


async def main():
    stop = asyncio.Event()
    limit = asyncio.Semaphore(20)
    tasks = [asyncio.create_task(bring(n, limit, stop)) for n in range(int(count))]
    while not os.path.exists(f"{folder}/stop"):
        if len(begun) == len(tasks) and not os.path.exists(f"{folder}/ready"):
            open(f"{folder}/ready", "w", encoding="utf-8").close()
        failed = [task for task in tasks if task.done()]
        if failed:
            await failed[0]
        await asyncio.sleep(0.1)
    stop.set()
    await asyncio.gather(*tasks)
    print(json.dumps(totals), flush=True)


asyncio.run(main())
