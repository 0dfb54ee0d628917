"""Programs that fetch in ways of their own: what they resume, split and check must come out whole."""
import hashlib
import os

from world import World, check


def fetchers():
    with World() as world:
        digest = world.make_file("big.bin", 24 << 20)
        url = world.base + world.download(f"{world.origin}/big.bin")["content"]["href"]
        curl_resumes(world, url, digest)
        world.run(["wget2", "--no-config", "-q", "-O", world.path("wget2.out"), url], "wget2")
        whole(world, "wget2.out", digest)
        wget2_resumes(world, url, digest)
        world.run(
            ["aria2c", "--no-conf", "-q", "-x8", "-s8", "-k1M", f"--checksum=sha-256={digest}",
             "--allow-overwrite=true", "-d", world.folder, "-o", "aria2.out", url], "aria2c")
        whole(world, "aria2.out", digest)
        etags(world, url)
    return "curl -C -, curl --etag-compare, wget2, wget2 -c, aria2c -x8 -s8 --checksum"


def whole(world, name, digest):
    with open(world.path(name), "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    check(found == digest, f"{name} is not what the origin had")


def curl_resumes(world, url, digest):
    world.run(["curl", "-sS", "-r", "0-9999999", "-o", "curl.out", url], "curl")
    check(os.path.getsize(world.path("curl.out")) == 10_000_000, "the beginning has another length")
    # curl ends with 33 if a server cannot continue where it is told.
    world.run(["curl", "-sS", "--fail", "-C", "-", "-o", "curl.out", url], "curl -C -")
    whole(world, "curl.out", digest)


def wget2_resumes(world, url, digest):
    world.run(["curl", "-sS", "-r", "0-4999999", "-o", "part.out", url], "curl")
    world.run(
        ["wget2", "--no-config", "-q", "-c", "-O", world.path("part.out"), url], "wget2 -c")
    whole(world, "part.out", digest)


def etags(world, url):
    """A file that is here already is not sent again."""
    world.run(["curl", "-sS", "--etag-save", "tag", "-o", "first.out", url], "curl --etag-save")
    printed = world.run(
        ["curl", "-sS", "--etag-compare", "tag", "-o", "second.out", "-w", "%{http_code}", url],
        "curl --etag-compare")
    check(printed == "304", f"curl --etag-compare got {printed}")
