# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium, in which one clicks and types as a person would."""
import base64
import json
import os
import subprocess
import time

WAIT = 15  # seconds for what comes in an instant on a quiet machine
PAGE_IS_GONE = -32000


class Browser:
    """Chromium's own protocol over two pipes: one JSON text after the other, each with a zero behind it."""

    def __init__(self, program, folder):
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()

        def use_pipes():
            os.dup2(to_read, 103)
            os.dup2(to_write, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-pipe", "--user-data-dir=" + folder, "about:blank"],
            preexec_fn=use_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number = 0
        self.rest = b""
        self.session = None
        self.complaints = []
        page = next(each for each in self.ask("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(domain + ".enable")

    def message(self):
        while b"\0" not in self.rest:
            read = os.read(self.from_browser, 1 << 16)
            if not read:
                raise SystemExit("the browser has ended")
            self.rest += read
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        self.number += 1
        question = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            question["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(question).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("method") == "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(message["params"]["exceptionDetails"])[:600])
            if message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
                self.complaints.append(message["params"]["entry"]["text"])
            if message.get("id") == self.number:
                if message.get("error", {}).get("code") == PAGE_IS_GONE and method == "Runtime.evaluate":
                    return {"result": {"value": None}}  # another page takes its place
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']}")
                return message["result"]

    def value(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def expect(self, what, expression, wanted):
        """Waits for a value to be the wanted one."""
        end = time.monotonic() + WAIT
        while (got := self.value(expression)) != wanted:
            if time.monotonic() > end:
                raise SystemExit(f"{what}: expected {wanted!r}, got {got!r}; {self.complaints}")
            time.sleep(0.02)

    def click(self, selector, meanwhile=None):
        """With the mouse, where the element is seen. What is to be done before the button is released may be given."""
        place = self.value(f"""(() => {{ const e = {selector}; if (!e) return null; e.scrollIntoView({{ block: "nearest" }});
            const r = e.getBoundingClientRect(); return [r.x + Math.min(r.width / 2, 60), r.y + r.height / 2]; }})()""")
        if place is None:
            raise SystemExit(f"nothing to click on: {selector}")
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)
            if kind == "mousePressed" and meanwhile:
                self.value(meanwhile)

    def press(self, key):
        text = {"Enter": "\r", " ": " "}.get(key)
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, **({"text": text} if text else {}))
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def type(self, text):
        self.ask("Input.insertText", text=text)

    def picture(self, file):
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def end(self):
        self.process.terminate()
        self.process.wait()


def row(tree, name):
    return f"""[...document.querySelectorAll("[data-part={tree}] .row")].find(e => e.querySelector(".name").textContent.startsWith("{name}"))"""


def shown(tree):
    """`name=value` of all rows that are seen."""
    return f"""[...document.querySelectorAll("[data-part={tree}] .row")].map(e => e.querySelector(".name").textContent + "=" +
        e.querySelector(".value").textContent).join(", ")"""


def read_to(browser):
    """What a screen reader finds: nodes, and roles with names."""
    nodes = browser.ask("Accessibility.getFullAXTree")["nodes"]
    return nodes, [(node["role"]["value"], node.get("name", {}).get("value", ""))
                   for node in nodes if "role" in node and not node["ignored"]]
