"""The table of broken feeds, read by feedparser as well: where both can read they read the same."""
import calendar
import json
import os
import time
from urllib.parse import urljoin

import feedparser

from world import ROOT, check

TABLE = f"{ROOT}/Tests/FeedsTests/Table"


def feeds():
    """FeedTableTests holds the reader to the table; this holds the table to another reader."""
    with open(f"{TABLE}/table.json", encoding="utf-8") as file:
        rows = json.load(file)
    compared = 0
    for row in rows:
        url = row.get("url", "https://pod.example/feeds/show.xml")
        headers = {"content-location": url}
        if "content_type" in row:
            headers["content-type"] = row["content_type"]
        with open(os.path.join(TABLE, row["file"]), "rb") as file:
            found = feedparser.parse(file.read(), response_headers=headers)
        reason = row.get("feedparser")
        difference = compare(row["expect"], found, url)
        if reason is None:
            check(difference is None, f"{row['file']}: {difference}")
            compared += 1
        else:
            check(difference, f"{row['file']}: there is no difference any more: {reason}")
    check(compared >= 40, f"only {compared} rows are alike")
    return f"{compared} feeds alike, {len(rows) - compared} otherwise, each with its reason"


def compare(expected, found, url):
    """What feedparser reads otherwise; None for nothing."""
    if "fault" in expected:
        return "a fault"
    if found.feed.get("title", "") != expected["title"]:
        return f"the title is {found.feed.get('title')!r}"
    entries = [entry for entry in found.entries if entry.get("enclosures")]
    if len(entries) != len(expected["items"]):
        return f"it has {len(entries)} items"
    for entry, item in zip(entries, expected["items"]):
        ours = (item["guid"], item["title"], item["date"], [
            (one["url"], one["type"], one["length"]) for one in item["files"]])
        # feedparser takes a guid for an address, which it resolves, and none for an empty one.
        guid = entry.get("id") or None
        if item["guid"] and guid == urljoin(url, item["guid"]):
            guid = item["guid"]
        theirs = (guid, entry.get("title", ""), date(entry), [
            (urljoin(url, one.get("href", "")), one.get("type"), length(one))
            for one in entry.enclosures])
        if theirs != ours:
            return f"{theirs} is not {ours}"
    return None


def length(one):
    text = one.get("length", "")
    return int(text) if text.isdigit() else text or None


def date(entry):
    parsed = entry.get("published_parsed")
    if not parsed:
        return None
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(calendar.timegm(parsed)))
