"""Queues a download, waits for its end, and saves the content: fetch.py URL FILE

LULL_SERVER is the service (http://127.0.0.1:8080), LULL_KEY a key where the service asks for one.
"""
import os
import sys

import httpx
from lull_client import AuthenticatedClient, Client
from lull_client.api.downloads import create_download, get_download
from lull_client.models import Download, NewDownload, State

SERVER, KEY = os.environ.get("LULL_SERVER", "http://127.0.0.1:8080"), os.environ.get("LULL_KEY")
ENDED = (State.SUCCEEDED, State.FAILED, State.CANCELED)


def fetch(url, path):
    timeout = httpx.Timeout(90)  # A read waits for up to a minute.
    plain = Client(base_url=SERVER, timeout=timeout)
    keyed = AuthenticatedClient(base_url=SERVER, token=KEY, timeout=timeout) if KEY else None
    with keyed or plain as lull:
        found = create_download.sync(client=lull, body=NewDownload(url=url))
        while isinstance(found, Download) and found.state not in ENDED:
            found = get_download.sync(found.id, client=lull, wait=60)
        if not isinstance(found, Download):
            raise SystemExit(f"refused: {found.detail}")  # It is a Problem.
        if found.state is not State.SUCCEEDED:
            raise SystemExit(f"{found.state}: {found.error.detail if found.error else ''}")
        http = lull.get_httpx_client()
        with http.stream("GET", found.content.href, follow_redirects=True) as answer:
            answer.raise_for_status()
            with open(path, "wb") as file:
                file.writelines(answer.iter_bytes())
    print(f"{path}: {found.content.length} bytes, sha256 {found.content.sha256}")


if __name__ == "__main__":
    fetch(*sys.argv[1:3])
