"""Firefox by WebDriver BiDi over a WebSocket: no driver stands between."""
import itertools
import json
import os
import re
import shutil

from websockets.sync.client import connect

from world import Failed, check, eventually, plain_environment

REPORTS = """() => {
    addEventListener('securitypolicyviolation', one => console.error(
        `policy report: ${one.effectiveDirective} ${one.blockedURI}`));
    addEventListener('unhandledrejection', one => console.error(`unhandled rejection: ${one.reason}`));
}"""


class Firefox:
    """A Firefox with a profile of its own in the folder of a world, and one tab of it."""

    def __init__(self, world):
        program = shutil.which("firefox-esr")
        check(program, "there is no firefox-esr")
        profile = world.path("firefox")
        os.makedirs(profile)
        self.world = world
        self.program = world.start(
            [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
            "firefox.log", env=plain_environment(HOME=profile, MOZ_HEADLESS="1"))
        self.numbers = itertools.count(1)
        self.faults = []
        address = eventually("Firefox", self.address)
        self.socket = connect(f"{address}/session", max_size=None, open_timeout=60)
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self.call("script.addPreloadScript", functionDeclaration=REPORTS)
        self.tab = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def address(self):
        with open(self.world.path("firefox.log"), errors="replace") as file:
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", file.read())
        return found and found[1]

    def call(self, method, **params):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv(timeout=120))
            if message.get("method") == "log.entryAdded":
                self.hear(message["params"])
            elif message.get("id") == number:
                if message["type"] == "error":
                    raise Failed(f"{method}: {message['error']}: {message['message']}")
                return message["result"]

    def hear(self, entry):
        if entry["level"] in ("error", "warn"):
            self.faults.append(entry.get("text"))

    def open(self, address):
        self.call("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def value(self, expression):
        """The value of an expression in the page; promises are waited for."""
        answer = self.call(
            "script.evaluate", expression=expression, target={"context": self.tab}, awaitPromise=True)
        check(answer["type"] == "success", f"{expression}: {answer.get('exceptionDetails')}")
        return answer["result"].get("value")

    def find(self, role, name):
        """The first node with a role and a name, as a screen reader finds it."""
        def located():
            nodes = self.call("browsingContext.locateNodes", context=self.tab, locator={
                "type": "accessibility", "value": {"role": role, "name": name}})["nodes"]
            return nodes and nodes[0]
        try:
            return eventually(f"{role} {name}", located)
        except Failed as failure:
            raise Failed(f"{failure}, in {self.value('document.body.innerText')!r}") from failure

    def press(self, role, name):
        """A click with the mouse on the middle of an element."""
        origin = {"type": "element", "element": {"sharedId": self.find(role, name)["sharedId"]}}
        self.call("script.callFunction", functionDeclaration="it => it.scrollIntoView({block: 'center'})",
                  arguments=[origin["element"]], target={"context": self.tab}, awaitPromise=False)
        self.call("input.performActions", context=self.tab, actions=[{
            "type": "pointer", "id": "mouse", "actions": [
                {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
                {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])

    def write(self, role, name, words):
        """Focus by a click, then a key for each letter."""
        self.press(role, name)
        keys = [{"type": kind, "value": letter} for letter in words for kind in ("keyDown", "keyUp")]
        self.call("input.performActions", context=self.tab, actions=[
            {"type": "key", "id": "keys", "actions": keys}])

    def close(self):
        self.call("session.end")
        self.socket.close()
        self.world.end(self.program)
        check(not self.faults, "Firefox reported " + "; ".join(map(str, self.faults[:5])))
