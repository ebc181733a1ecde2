"""A bridge and a page in Chromium, for the tests."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from playwright.sync_api import sync_playwright

HERE = os.path.dirname(os.path.abspath(__file__))
WEB = os.path.dirname(HERE)
ROOT = os.path.abspath(os.path.join(WEB, "..", "..", ".."))
SCREENSHOTS = os.path.join(ROOT, ".build", "screenshots")
PAGEWIRE = os.path.abspath(os.environ["PAGEWIRE"])

# Remembers what was shown, however briefly: a busy machine looks at the screen too rarely for that.
REMEMBER = """
  window.seen = new Set();
  new MutationObserver(() => {
    for (const part of document.querySelectorAll(".edge, .pull, .whole, .banner, progress")) {
      if (!part.hidden) seen.add(part.localName === "progress" ? "a progress bar" : part.textContent);
    }
    seen.add(`busy: ${document.querySelector("[role=feed]")?.getAttribute("aria-busy")}`);
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "aria-busy"] });
"""

# What is on the screen: the articles whose box lies in that of the scroller.
VISIBLE = """() => {
  const box = document.querySelector("section:not([hidden]) .scroller")?.getBoundingClientRect();
  if (!box) return [];
  return [...document.querySelectorAll("section:not([hidden]) article:not([hidden])")]
    .map((row) => ({ row, at: row.getBoundingClientRect() }))
    .filter(({ at }) => at.bottom > box.top + 1 && at.top < box.bottom - 1 && at.right > box.left + 1 && at.left < box.right - 1)
    .sort((a, b) => a.at.top - b.at.top || a.at.left - b.at.left)
    .map(({ row, at }) => ({ text: row.innerText, title: row.querySelector(".title")?.textContent, top: at.top, left: at.left,
      width: at.width, height: at.height, number: Number(row.getAttribute("aria-posinset")), size: Number(row.getAttribute("aria-setsize")) }));
}"""


def synthetic(**members):
    return {"type": "synthetic", **members}


class Browser(unittest.TestCase):
    """One Chromium for the tests of a class."""

    @classmethod
    def setUpClass(cls):
        os.makedirs(SCREENSHOTS, exist_ok=True)
        cls.playwright = sync_playwright().start()
        chromium = shutil.which("chromium") or "/usr/bin/chromium"
        cls.chromium = cls.playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.chromium.close()
        cls.playwright.stop()

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="pagewire-web-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.faults = []

    def bridge(self, *arguments, server=PAGEWIRE):
        words = [each if isinstance(each, str) else json.dumps(each) for each in arguments]
        process = subprocess.Popen(["node", os.path.join(WEB, "main.js"), "--server", server, *words], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        url = process.stdout.readline().strip()
        self.assertRegex(url, r"^http://127\.0\.0\.1:\d+/#[\w-]{43}$")
        process.url = url
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.terminate()
        process.wait(10)
        process.stdout.close()

    def open(self, *arguments, server=PAGEWIRE, **settings):
        self.process = self.bridge(*arguments, server=server)
        return self.visit(self.process.url, **settings)

    def visit(self, url, remember=False, **settings):
        settings = {"viewport": {"width": 900, "height": 640}, "reduced_motion": "reduce", **settings}
        context = self.chromium.new_context(**settings)
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(15000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))
        if remember:
            page.add_init_script(REMEMBER)
        page.goto(url)
        return page

    def tearDown(self):
        self.assertEqual(self.faults, [], "errors of the page")

    def picture(self, page, name):
        page.screenshot(path=os.path.join(SCREENSHOTS, "web-%s.png" % name))

    def visible(self, page):
        return page.evaluate(VISIBLE)

    def until(self, condition, what, seconds=15):
        deadline = time.monotonic() + seconds
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > deadline:
                self.fail("waited in vain for %s" % what)
            time.sleep(0.02)

    def until_visible(self, page, title, seconds=15):
        return self.until(
            lambda: next((row for row in self.visible(page) if row["title"] == title), None),
            "%r, of %r" % (title, self.visible(page)),
            seconds,
        )

    def was_shown(self, page, text):
        self.until(lambda: page.evaluate("(text) => [...seen].some((each) => each.includes(text))", text), "%r to have been shown" % text)

    @staticmethod
    def scroll_to(page, pixels, axis="Top"):
        page.evaluate("([pixels, axis]) => { document.querySelector('section:not([hidden]) .scroller')['scroll' + axis] = pixels }", [pixels, axis])

    @staticmethod
    def offset(page, axis="Top"):
        return page.evaluate("(axis) => document.querySelector('section:not([hidden]) .scroller')['scroll' + axis]", axis)

    def servers(self):
        """The process ids of the bridge's servers."""
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True)
        return [int(word) for word in listed.stdout.split()]

    def kill_server(self):
        for pid in self.servers():
            os.kill(pid, signal.SIGKILL)
