"""The routes of the page, what their answers promise, and what they weigh."""
import re

from world import check

from page.everybody import VIEWS, settle
from page.house import opened
from page.stage import scene

PROMISED = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'", "connect-src": "'self'",
    "media-src": "'self'", "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'", "trusted-types": "'none'"}
ASSETS = 120_000
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@scene("seeded")
def routes(stage):
    """Every view has a route of one level; others are 404, and only a browser's `/` is led to the page."""
    house = stage.house
    for path in [*VIEWS.values(), "download?id=x"]:
        status, headers, body = house.get(f"/ui/{path}")
        check(status == 200 and headers.get_content_type() == "text/html", f"/ui/{path} answered {status}")
        policy = dict(part.strip().partition(" ")[::2] for part in headers["Content-Security-Policy"].split(";") if part.strip())
        check(policy == PROMISED, f"/ui/{path}: the policy is {policy}")
        for name, value in (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                            ("Cross-Origin-Opener-Policy", "same-origin"),
                            ("Cross-Origin-Resource-Policy", "same-origin")):
            check(headers[name] == value, f"/ui/{path}: {name} is {headers[name]}")
        check(not re.search(rb"<script>|\son[a-z]+=|style=|//", body), f"/ui/{path} has an inline script or style")
    for path in ("/ui/nothing", "/ui/queue/", "/ui/queue/more"):
        check(house.get(path)[0] == 404, f"{path} is there")
    status, headers, _ = house.get("/ui")
    check(status in (301, 302, 303, 307, 308) and headers["Location"].endswith("ui/"), f"/ui answered {status}")
    status, headers, _ = house.get("/", Accept=BROWSER)
    check(status in (302, 303, 307) and headers["Location"].endswith("ui/"), f"a browser's / answered {status}")
    status, headers, body = house.get("/", Accept="*/*")
    check(status == 200 and headers.get_content_type() == "text/plain", f"curl's / answered {status}")


@scene("seeded")
def assets(stage):
    """All files of the page together are small, and are asked for again only when they changed."""
    house, total, names = stage.house, 0, set()
    todo = ["/ui/"]
    while todo:
        path = todo.pop()
        if path in names:
            continue
        names.add(path)
        status, headers, body = house.get(path)
        check(status == 200, f"{path} answered {status}")
        check(headers["Cache-Control"] == "no-cache", f"{path}: Cache-Control is {headers['Cache-Control']}")
        total += len(body)
        again, _, _ = house.get(path, **{"If-None-Match": headers["ETag"]})
        check(again == 304, f"{path} with its ETag answered {again}")
        packed, packed_headers, short = house.get(path, **{"Accept-Encoding": "gzip"})
        check(packed == 200 and "Accept-Encoding" in packed_headers["Vary"], f"{path}: Vary is {packed_headers['Vary']}")
        check(len(body) < 1_025 or (packed_headers["Content-Encoding"] == "gzip" and len(short) < len(body)),
              f"{path} is not compressed")
        found = re.findall(rb'(?:src|href)="([a-z_-]+\.(?:js|css|svg))"', body)
        found += re.findall(rb'(?:from |import ?\(?)["\']\./([a-z_-]+\.js)["\']', body)
        todo += [f"/ui/{name.decode()}" for name in found]
    check(len(names) > 5, f"only {sorted(names)} were found")
    check(total < ASSETS, f"{total} bytes of assets")
    return f"{total} bytes in {len(names)} files"


@scene("seeded")
def words_are_there(stage):
    """Every word that a module of the page names stands in the file of words."""
    house, missing, names, todo = stage.house, [], set(), ["app.js"]
    with stage.context() as context, opened(context, house.address()) as page:
        settle(page)
        while todo:
            name = todo.pop()
            if name in names:
                continue
            names.add(name)
            source = house.get(f"/ui/{name}")[2].decode()
            todo += IMPORT.findall(source)
            whole = re.search(r"const words = text\.(\w+);", source)
            paths = [path.split(".") for path in re.findall(r"\btext\.((?!js\b)\w+(?:\.\w+)?)", source)]
            paths += [[whole[1], word] for word in re.findall(r"\bwords\.(\w+)", source)] if whole else []
            missing += page.evaluate(UNKNOWN, [name, paths])
    check(len(names) > 15, f"only {sorted(names)} were found")
    check(not missing, f"no such words: {missing}")


IMPORT = re.compile(r'(?:from |import\()"\./([a-z]+\.js)"')
UNKNOWN = """async ([name, paths]) => {
    const {text} = await import(new URL('text.js', document.baseURI));
    return paths.filter(([first, second]) => text[first] === undefined
        || (typeof text[first] === 'object' && second && text[first][second] === undefined))
        .map(path => `${name}: ${path.join('.')}`);
}"""


@scene("seeded")
def words_are_the_service_s(stage):
    """No address of another host stands in what the page loads."""
    with stage.context() as context:
        page = context.new_page()
        hosts = set()
        page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
        for path in VIEWS.values():
            page.goto(stage.house.address(path))
            page.locator("h1").wait_for()
        own = stage.house.base.removeprefix("http://")
        check(hosts == {own}, f"the page asks {hosts - {own}}")
