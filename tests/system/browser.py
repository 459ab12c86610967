"""A headless Chromium, driven over the DevTools protocol by a pair of pipes; nothing listens on a port.

    with Browser(folder) as browser:
        page = browser.open(path, width=1440, height=900)
        page.evaluate("document.title")

What a page writes to its console as an error, throws or asks a network for is kept, so that a test can
hold it against nothing.
"""

import base64
import contextlib
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

DEADLINE_S = 120  # a safety net, never a measure

KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35, "Tab": 9, "Enter": 13, " ": 32}


def program():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """Use as a context, which ends the browser with everything that it has started."""

    def __init__(self, folder):
        """`folder` keeps its profile."""
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()

        def hand_over():  # the protocol's pipes are descriptors 3 and 4
            kept = os.dup(commands), os.dup(answers)
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)

        self._process = subprocess.Popen(
            [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", "--disable-component-update", "--force-color-profile=srgb",
             f"--user-data-dir={pathlib.Path(folder) / 'browser'}", "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=hand_over, pass_fds=(3, 4),
            start_new_session=True)
        os.close(commands)
        os.close(answers)
        os.set_blocking(self._answers, False)
        self._numbers = itertools.count(1)
        self._unread = b""
        self._replies = {}
        self._pages = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._commands)
        os.close(self._answers)

    def _read(self):
        """Takes what has come; a message is JSON that ends with a zero byte."""
        try:
            part = os.read(self._answers, 1 << 20)
        except BlockingIOError:
            time.sleep(0.002)
            return
        if not part:
            raise AssertionError("the browser has ended")
        *messages, self._unread = (self._unread + part).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self._replies[message["id"]] = message
            elif message.get("sessionId") in self._pages:
                self._pages[message["sessionId"]].take(message["method"], message["params"])

    def wait_until(self, condition, what):
        deadline = time.monotonic() + DEADLINE_S
        while not (found := condition()):
            if time.monotonic() > deadline:
                raise AssertionError(f"not {what} after {DEADLINE_S} s")
            self._read()
        return found

    def call(self, method, parameters=None, session=None):
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters or {}, **({"sessionId": session} if session else {})}
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        reply = self.wait_until(lambda: self._replies.pop(number, None), f"answered {method}")
        if "error" in reply:
            raise AssertionError(f"{method}: {reply['error']}")
        return reply["result"]

    def open(self, path, width=1440, height=900, scheme="light", is_touch=False):
        """Shows the file in a new page, and waits until it has loaded."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        page = self._pages[session] = Page(self, session, path)
        page.show(pathlib.Path(path).resolve().as_uri(), width, height, scheme, is_touch)
        return page


class Page:
    def __init__(self, browser, session, path):
        self.path = path
        self._browser = browser
        self._session = session
        self._has_loaded = False
        self._address = None
        self._view = None
        self.errors = []    # what it threw, or wrote as an error or a warning
        self.requests = []  # what it asked for beside itself; data within the page do not count

    def take(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(parameters["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(json.dumps(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(json.dumps(parameters["entry"]))
        elif method == "Network.requestWillBeSent":
            address = parameters["request"]["url"]
            if address != self._address and not address.startswith("data:"):
                self.requests.append(address)
        elif method == "Page.loadEventFired":
            self._has_loaded = True

    def call(self, method, **parameters):
        return self._browser.call(method, parameters, self._session)

    def show(self, address, width, height, scheme, is_touch):
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Performance.enable", timeDomain="threadTicks")
        self.resize(width, height, is_touch)
        self.prefer(scheme)
        self._address = address
        self._has_loaded = False
        self.call("Page.navigate", url=address)
        self._browser.wait_until(lambda: self._has_loaded, f"loaded {address}")

    def close(self):
        self.call("Page.close")

    def resize(self, width, height, is_touch=False):
        self._view = (width, height, is_touch)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_touch)

    def prefer(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def evaluate(self, expression):
        """The value of a JavaScript expression, or of the promise that it is."""
        reply = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in reply:
            raise AssertionError(f"{expression}: {json.dumps(reply['exceptionDetails'])}")
        return reply["result"].get("value")

    def wait_until(self, expression, what):
        self._browser.wait_until(lambda: self.evaluate(expression), what)

    def seconds_of_work(self):
        """Processor seconds of the page's main thread so far, whatever else the machine does meanwhile."""
        metrics = {one["name"]: one["value"] for one in self.call("Performance.getMetrics")["metrics"]}
        return metrics["TaskDuration"]

    def settle(self):
        """Until what was asked for is on the screen."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def press(self, key):
        event = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": KEYS[key]}
        text = {"Enter": "\r", " ": " "}.get(key)
        self.call("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)
        self.settle()

    def screenshot(self, path, whole=False):
        """Of what is in view, or in a view that is as high as the whole page."""
        before = self._view
        if whole:
            height = self.call("Page.getLayoutMetrics")["cssContentSize"]["height"]
            self.resize(before[0], height, before[2])
            self.settle()  # charts draw themselves again when they are resized
        shot = self.call("Page.captureScreenshot", format="png")
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))
        self.resize(*before)
