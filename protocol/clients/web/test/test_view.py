"""The list as a view: axis, spacing, scroll bars, cells, rows used again, keys, roles, and how smoothly it moves."""

import json
import os
import sys
import unittest

from browser import HERE, Browser, synthetic

# Scrolls by so many pixels each frame, for so many items, and measures the time between frames.
FLING = """async ([pixels, items]) => {
  const scroller = document.querySelector(".scroller");
  const number = () => Math.max(...[...document.querySelectorAll("article:not([hidden])")].map((row) => Number(row.getAttribute("aria-posinset"))));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const deltas = [];
  let [last, most, waited] = [await frame(), 0, 0];
  const began = last;
  while (number() < items && last - began < 120000) {
    const before = scroller.scrollTop;
    scroller.scrollTop += pixels;
    if (scroller.scrollTop === before) waited++;
    const now = await frame();
    deltas.push(now - last);
    last = now;
    most = Math.max(most, document.querySelectorAll("article").length);
  }
  deltas.sort((a, b) => a - b);
  const at = (share) => Math.round(deltas[Math.floor(deltas.length * share)] * 10) / 10;
  return { reached: number(), frames: deltas.length, seconds: (last - began) / 1000, median: at(.5), p95: at(.95), p99: at(.99),
    slow: deltas.filter((delta) => delta > 25).length / deltas.length, waited: waited / deltas.length, rows: most, nodes: document.querySelectorAll("*").length };
}"""


class LayoutTests(Browser):
    def test_a_horizontal_list_scrolls_and_loads_along_its_axis(self):
        page = self.open("--axis", "horizontal", "--page-size", "20", synthetic(count=60))
        self.until_visible(page, "Item 0")
        first, second = self.visible(page)[:2]
        self.assertEqual(second["top"], first["top"])
        self.assertEqual(second["left"] - first["left"], 240 + 12)
        self.assertEqual(first["height"], 320)
        for _ in range(20):
            self.scroll_to(page, 10**6, "Left")
            page.wait_for_timeout(50)
        self.until_visible(page, "Item 59")
        self.picture(page, "horizontal")
        page.reload()
        self.until_visible(page, "Item 59")

    def test_earlier_pages_come_without_a_jump_along_the_other_axis_too(self):
        page = self.open("--axis", "horizontal", "--page-size", "20", synthetic(count=1000, start=500, latencyMs=200))
        before = self.until_visible(page, "Item 500")
        self.until(lambda: self.offset(page, "Left") > 0, "the earlier page")
        self.assertEqual(self.until_visible(page, "Item 500")["left"], before["left"])

    def test_spacing_and_extent(self):
        page = self.open("--spacing", "14", "--extent", "40", synthetic(count=60))
        self.until_visible(page, "Item 0")
        first, second = self.visible(page)[:2]
        self.assertEqual(first["height"], 40)
        self.assertEqual(second["top"] - first["top"], 54)
        height = page.evaluate("document.querySelector('.feed').clientHeight")
        self.assertEqual(height, 60 * 54 - 14, "there is no space behind the last one")

    def test_scroll_indicators_are_shown_or_hidden(self):
        for options, expected in (([], "auto"), (["--hide-indicators"], "none")):
            page = self.open(*options, synthetic(count=60))
            self.until_visible(page, "Item 0")
            self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('.scroller')).scrollbarWidth"), expected)

    def test_cells_and_loader_of_ones_own(self):
        source = synthetic(count=60, latencyMs=300)
        page = self.open("--page-size", "20", "--cells", os.path.join(HERE, "my-cells.js"), source, remember=True)
        self.was_shown(page, "a progress bar")
        self.until(lambda: self.visible(page) and self.visible(page)[0]["text"] == "★ Item 0", "a cell")

    def test_a_long_line_is_cut_on_the_screen_only(self):
        path = os.path.join(self.folder, "long.txt")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("x" * 5_000_000 + "\nshort\n")
        page = self.open(path)
        self.until_visible(page, "short")
        self.assertLess(len(self.visible(page)[0]["title"]), 1000)
        self.assertEqual(self.visible(page)[0]["height"], 28)


class RecyclingTests(Browser):
    def test_a_fling_through_many_items_keeps_the_page_small_and_smooth(self):
        page = self.open("--page-size", "500", "--max-items", "4000", synthetic(count=1_000_000))
        self.until_visible(page, "Item 0")
        seen = page.evaluate(FLING, [3000, 20_000])
        self.assertGreaterEqual(seen["reached"], 20_000)
        self.assertLess(seen["rows"], 60)
        self.assertLess(seen["nodes"], 400)
        # Sixty frames a second are 16.7 ms; twice of that leaves room for a busy machine.
        self.assertLess(seen["median"], 34, seen)
        kept = page.evaluate("document.querySelector('.feed').clientHeight")
        self.assertLess(kept, 8_000_000)
        page.wait_for_timeout(400)
        kept = page.evaluate("document.querySelector('.feed').clientHeight / 56")
        self.assertLess(kept, 6000, "the window bounds what is kept")
        print("fling:", json.dumps(seen), file=sys.stderr)
        rows = [row["number"] for row in self.visible(page)]
        self.assertEqual(rows, list(range(rows[0], rows[0] + len(rows))), "neighbours stand side by side")
        titles = [row["title"] for row in self.visible(page)]
        self.assertEqual(titles, ["Item %d" % (number - 1) for number in rows])
        for _ in range(200):
            self.scroll_to(page, 0)
            page.wait_for_timeout(20)
        back = [row["title"] for row in self.visible(page)]
        self.assertLess(int(back[0].split()[1]), int(titles[0].split()[1]) - 2000, "dropped pages come again")

    def test_rows_stand_in_the_order_of_the_list_once_scrolling_rests(self):
        page = self.open(synthetic(count=1000))
        self.until_visible(page, "Item 0")
        for pixels in (900, 300, 2000, 1500, 2300):
            self.scroll_to(page, pixels)
            page.wait_for_timeout(40)
        page.wait_for_timeout(400)
        order = "[...document.querySelectorAll('article:not([hidden])')].map((row) => Number(row.getAttribute('aria-posinset')))"
        numbers = page.evaluate(order)
        self.assertEqual(numbers, sorted(numbers))
        self.assertGreater(len(numbers), 10)

    def test_the_row_with_the_focus_is_kept_until_its_item_is_gone(self):
        page = self.open("--page-size", "50", "--max-items", "200", synthetic(count=100_000))
        self.until_visible(page, "Item 0")
        focused = "document.activeElement.closest('article')?.querySelector('.title').textContent ?? document.activeElement.className"
        page.locator(".scroller").press("Home")
        self.assertEqual(page.evaluate(focused), "Item 0")
        self.scroll_to(page, 1500)
        page.wait_for_timeout(300)
        self.assertEqual(page.evaluate(focused), "Item 0")
        for _ in range(60):
            self.scroll_to(page, 10**7)
            page.wait_for_timeout(20)
        self.until(lambda: page.evaluate(focused) == "scroller", "the focus at the list, for its item was dropped")


class AccessTests(Browser):
    FOCUSED = "document.activeElement.querySelector?.('.title')?.textContent ?? document.activeElement.id"

    def test_roles_are_those_of_a_feed(self):
        page = self.open("--page-size", "20", synthetic(count=45, latencyMs=300), remember=True)
        page.wait_for_selector("article")
        self.assertEqual(page.get_by_role("article", name="Item 7", exact=True).count(), 1)
        feed = page.locator("[role=feed]")
        self.assertEqual(feed.get_attribute("aria-label"), "synthetic")
        self.assertEqual(page.evaluate("[...document.querySelector('[role=feed]').children].every((row) => row.localName === 'article')"), True)
        self.assertEqual([(row["number"], row["size"]) for row in self.visible(page)[:2]], [(1, -1), (2, -1)])
        self.was_shown(page, "busy: true")
        for _ in range(40):
            self.scroll_to(page, 10**6)
            page.wait_for_timeout(50)
        self.until(lambda: self.visible(page)[-1]["size"] == 45, "the size, once it is known")
        self.assertEqual(feed.get_attribute("aria-busy"), "false")
        self.assertEqual(page.locator("[role=alert]").count(), 1)
        self.assertEqual(self.visible(page)[-1]["number"], 45)

    def test_a_size_that_the_source_tells_is_told_at_once(self):
        page = self.open("--page-size", "20", synthetic(count=45, reportTotal=True))
        self.until_visible(page, "Item 0")
        self.until(lambda: self.visible(page)[0]["size"] == 45, "the size")
        self.assertEqual(page.inner_text("#status"), "45 items")

    def test_a_size_is_not_told_where_the_start_is_not_known(self):
        page = self.open("--page-size", "20", synthetic(count=1000, start=990, latencyMs=400))
        self.until_visible(page, "Item 990")
        self.assertEqual(self.visible(page)[0]["size"], -1)

    def test_keys_move_from_article_to_article(self):
        page = self.open("--page-size", "20", synthetic(count=200))
        self.until_visible(page, "Item 0")
        scroller = page.locator(".scroller")
        scroller.press("PageDown")
        self.assertEqual(page.evaluate(self.FOCUSED), "Item 0")
        for _ in range(30):
            page.keyboard.press("PageDown")
            page.wait_for_timeout(20)
        self.assertEqual(page.evaluate(self.FOCUSED), "Item 30")
        self.assertIn("Item 30", [row["title"] for row in self.visible(page)], "what has the focus is visible")
        page.keyboard.press("PageUp")
        self.assertEqual(page.evaluate(self.FOCUSED), "Item 29")
        page.keyboard.press("Home")
        self.assertEqual(page.evaluate(self.FOCUSED), "Item 0")
        page.keyboard.press("PageUp")
        self.assertEqual(page.evaluate(self.FOCUSED), "Item 0")
        page.keyboard.press("End")
        self.assertRegex(page.evaluate(self.FOCUSED), r"Item \d+9")
        page.keyboard.press("Control+End")
        self.assertEqual(page.evaluate(self.FOCUSED), "to-start")
        scroller.focus()
        page.keyboard.press("Control+Home")
        self.assertEqual(page.evaluate(self.FOCUSED), "refresh")

    def test_one_article_is_in_the_order_of_tabs(self):
        page = self.open(synthetic(count=200))
        self.until_visible(page, "Item 0")
        page.locator(".scroller").press("PageDown")
        page.keyboard.press("PageDown")
        page.keyboard.press("PageDown")
        self.assertEqual(page.evaluate("[...document.querySelectorAll('article[tabindex=\"0\"]')].length"), 1)
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate(self.FOCUSED), "to-start")
        page.keyboard.press("Shift+Tab")
        self.assertEqual(page.evaluate(self.FOCUSED), "Item 2")


if __name__ == "__main__":
    unittest.main()
