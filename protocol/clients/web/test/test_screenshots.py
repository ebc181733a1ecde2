"""The two pictures of the README, made anew under .build/screenshots: light and vertical, dark and horizontal."""

import os
import sys
import unittest

from browser import HERE, SCREENSHOTS, Browser


class ScreenshotTests(Browser):
    def books(self, seconds):
        return {"type": "command", "argv": [sys.executable, os.path.join(HERE, "books.py"), str(seconds)], "format": "jsonl"}

    def brightness(self, page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0) / 3")

    def test_light(self):
        page = self.open("--page-size", "18", self.books(30), color_scheme="light", viewport={"width": 820, "height": 520})
        self.until_visible(page, "Middlemarch")
        page.evaluate("document.querySelector('#title').textContent = 'Books'")
        page.wait_for_selector(".edge.end .loader")
        self.scroll_to(page, 10**6)
        self.until_visible(page, "A Doll's House")
        page.wait_for_timeout(300)
        self.assertGreater(self.brightness(page), 220)
        self.picture(page, "light")

    def test_dark(self):
        options = ["--axis", "horizontal", "--page-size", "18"]
        page = self.open(*options, self.books(0), color_scheme="dark", viewport={"width": 820, "height": 360})
        self.until_visible(page, "Middlemarch")
        page.evaluate("document.querySelector('#title').textContent = 'Books'")
        self.scroll_to(page, 130, "Left")
        page.wait_for_timeout(400)
        self.assertLess(self.brightness(page), 60)
        self.picture(page, "dark")

    def tearDown(self):
        super().tearDown()
        sizes = [os.path.getsize(os.path.join(SCREENSHOTS, name)) for name in os.listdir(SCREENSHOTS) if name.startswith("web-")]
        self.assertTrue(sizes and min(sizes) > 1000)


if __name__ == "__main__":
    unittest.main()
