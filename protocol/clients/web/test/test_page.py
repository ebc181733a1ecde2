"""The page in Chromium, over the bridge, with the real server."""

import json
import os
import unittest

from browser import Browser, synthetic

# Records each time the loader at the end is shown or taken away, which may be between two frames.
RECORD = """() => {
  const end = document.querySelector(".edge.end");
  window.record = end.hidden ? [] : ["shown"];
  new MutationObserver((changes) => changes.forEach(({ oldValue }) => record.push(oldValue === null ? "hidden" : "shown")))
    .observe(end, { attributes: true, attributeFilter: ["hidden"], attributeOldValue: true });
}"""

# Records, for each frame, where the row with a title is on the screen.
FOLLOW = """(title) => {
  window.places = [];
  const step = () => {
    const row = [...document.querySelectorAll("article:not([hidden])")].find((each) => each.querySelector(".title").textContent === title);
    places.push(row ? Math.round(row.getBoundingClientRect().top) : null);
    requestAnimationFrame(step);
  };
  step();
}"""


class LoadingTests(Browser):
    def test_what_appears_loads_the_next_page_to_the_end(self):
        page = self.open("--page-size", "20", synthetic(count=45))
        self.until_visible(page, "Item 0")
        for _ in range(10):
            self.scroll_to(page, 10**6)
            page.wait_for_timeout(60)
        self.until_visible(page, "Item 44")
        self.assertEqual(page.inner_text("#status"), "45 items")
        self.assertFalse(page.is_visible(".edge.end"))

    def test_the_loader_at_the_end_is_shown_exactly_while_a_load_runs(self):
        page = self.open("--page-size", "20", synthetic(count=60, latencyMs=250))
        self.until_visible(page, "Item 0")
        page.evaluate(RECORD)
        for _ in range(40):
            self.scroll_to(page, 10**6)
            page.wait_for_timeout(40)
        self.until_visible(page, "Item 59")
        self.until(lambda: page.inner_text("#status") == "60 items", "the end")
        # The second and third page, and the empty one that is the end.
        self.assertEqual(page.evaluate("record"), ["shown", "hidden"] * 3)
        self.assertFalse(page.is_visible(".edge.end"))
        self.assertEqual(page.get_attribute(".feed", "aria-busy"), "false")

    def test_a_failed_page_is_shown_with_a_way_to_try_again(self):
        fail = [{"page": 1, "times": 1, "message": "The shelf is stuck.", "retryable": False}]
        page = self.open("--page-size", "20", synthetic(count=45, fail=fail))
        self.until_visible(page, "Item 0")
        page.wait_for_selector(".edge.end button")
        self.scroll_to(page, 10**6)
        self.assertIn("The shelf is stuck.", page.inner_text(".edge.end"))
        self.picture(page, "error-at-the-end")
        page.click("text=Try again")
        self.until(lambda: page.evaluate("document.querySelector('.feed').clientHeight") > 30 * 56, "the page that had failed")
        self.assertFalse(page.is_visible("text=The shelf is stuck."))

    def test_a_failed_first_page_is_no_empty_list(self):
        fail = [{"page": 0, "times": 1, "message": "The shelf is stuck.", "retryable": False}]
        page = self.open(synthetic(count=5, fail=fail))
        page.wait_for_selector("text=The shelf is stuck.")
        self.assertFalse(page.is_visible("text=No items"))
        self.picture(page, "first-page-failed")
        page.click("text=Try again")
        self.until_visible(page, "Item 4")

    def test_a_retry_is_told_while_it_waits(self):
        fail = [{"page": 0, "times": 1, "message": "The shelf is stuck."}]
        page = self.open(synthetic(count=5, fail=fail), remember=True)
        self.was_shown(page, "Trying again: The shelf is stuck.")
        self.until_visible(page, "Item 4")
        self.assertFalse(page.is_visible("text=The shelf is stuck."))

    def test_an_empty_list_says_so(self):
        page = self.open(synthetic(count=0))
        page.wait_for_selector("text=No items")
        self.picture(page, "no-items")
        self.assertEqual(page.inner_text("#status"), "")

    def test_a_refused_source_is_one_line_and_can_be_tried_again(self):
        path = os.path.join(self.folder, "later.jsonl")
        page = self.open(path)
        page.wait_for_selector(".banner")
        self.assertIn("later.jsonl", page.inner_text(".banner"))
        with open(path, "w", encoding="utf-8") as stream:
            stream.write('{"title":"here now"}\n')
        page.click("text=Try again")
        self.until_visible(page, "here now")
        self.assertFalse(page.is_visible(".banner"))

    def test_whatever_an_item_holds_is_text(self):
        path = os.path.join(self.folder, "items.jsonl")
        hostile = ['<img src=x onerror="document.title=1">', "<script>document.title=2</script>", "&lt;b&gt;", "\u202eabc", "${1}"]
        with open(path, "w", encoding="utf-8") as stream:
            for text in hostile:
                stream.write(json.dumps({"title": text, "note": text, text: text}) + "\n")
            stream.write('{"id":12345678901234567890,"price":1.10}\n"a plain string"\n{"title":"exact","big":12345678901234567890,"price":1.10}\n{"a":"\\ud800"}\n')
        page = self.open(path)
        self.until_visible(page, hostile[0])
        self.assertEqual([row["title"] for row in self.visible(page)][:5], hostile)
        self.assertEqual(page.locator("article img, article script, article b").count(), 0)
        self.assertEqual(page.title(), "items.jsonl - Pagewire")
        titles = [row["title"] for row in self.visible(page)]
        self.assertIn('{"id":12345678901234567890,"price":1.10}', titles, "numbers are not altered")
        self.assertIn("a plain string", titles)
        self.assertIn("big 12345678901234567890 · price 1.10", " ".join(page.inner_text("article:has-text('exact')").split()))

    def test_several_lists_share_a_server(self):
        one, two = os.path.join(self.folder, "one.txt"), os.path.join(self.folder, "two.txt")
        for path in (one, two):
            with open(path, "w", encoding="utf-8") as stream:
                stream.write("".join("%s line %d\n" % (os.path.basename(path), number) for number in range(500)))
        page = self.open(one, two)
        self.until_visible(page, "one.txt line 0")
        page.click("text=two.txt")
        self.until_visible(page, "two.txt line 0")
        page.click("#tabs button:has-text('one.txt')")
        self.until_visible(page, "one.txt line 0")
        (server,) = self.servers()
        with open("/proc/%d/cmdline" % server, encoding="utf-8") as stream:
            self.assertEqual(stream.read().split("\0")[1:3], ["--allow", "file"], "other kinds of source are refused")


class RefreshTests(Browser):
    def growing(self):
        return synthetic(count=100, insertAtHeadPerPage=1, latencyMs=150)

    def grow(self, page):
        """Waits for the second page, with which a new item comes to the head of the source."""
        self.until(lambda: page.inner_text("#status") and not page.inner_text("#status").startswith("20 "), "the second page")

    def test_the_key_and_the_button_refresh(self):
        page = self.open("--page-size", "20", self.growing(), remember=True)
        self.grow(page)
        page.keyboard.press("r")
        self.was_shown(page, "Refreshing…")
        self.picture(page, "refreshing")
        self.until_visible(page, "Item -1")
        self.grow(page)
        page.click("#refresh")
        self.until_visible(page, "Item -2")
        self.assertFalse(page.is_visible("text=Refreshing"))

    def test_what_rests_during_a_refresh_is_not_where_the_new_list_is_shown(self):
        page = self.open("--page-size", "20", synthetic(count=100, insertAtHeadPerPage=1, latencyMs=600))
        self.grow(page)
        self.scroll_to(page, 30)
        self.scroll_to(page, 0)
        page.keyboard.press("r")
        self.until_visible(page, "Item -1")

    def test_a_pull_refreshes_and_a_short_one_does_not(self):
        page = self.open("--page-size", "20", self.growing(), has_touch=True)
        self.grow(page)
        touch = page.context.new_cdp_session(page)

        def pull(pixels):
            points = lambda y: [{"x": 400, "y": y}]
            touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points(120)})
            for step in range(1, 11):
                touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points(120 + pixels * step / 10)})
            text = page.evaluate("getComputedStyle(document.querySelector('.pull'), '::before').content")
            if pixels > 100:
                self.picture(page, "pulled")
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            return text

        self.assertIn("Pull to refresh", pull(60))
        page.wait_for_timeout(300)
        self.assertEqual(self.visible(page)[0]["title"], "Item 0")
        self.assertIn("Let go to refresh", pull(200))
        self.until_visible(page, "Item -1")

    def test_a_finger_scrolls(self):
        page = self.open("--page-size", "20", self.growing(), has_touch=True)
        self.until_visible(page, "Item 0")
        touch = page.context.new_cdp_session(page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 400, "y": 500}]})
        for step in range(1, 21):
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": 400, "y": 500 - 20 * step}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.until(lambda: self.offset(page) > 300, "the list to follow the finger")
        self.assertFalse(page.is_visible("text=Refreshing"))

    def test_a_failed_refresh_keeps_the_list(self):
        path = os.path.join(self.folder, "items.jsonl")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write('{"title":"old"}\n')
        page = self.open(path)
        self.until_visible(page, "old")
        os.unlink(path)
        page.keyboard.press("r")
        page.wait_for_selector(".banner", timeout=20000)
        self.until_visible(page, "old")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write('{"title":"new"}\n')
        page.click("text=Try again")
        self.until_visible(page, "new")
        self.assertFalse(page.is_visible(".banner"))


class PlaceTests(Browser):
    def test_earlier_pages_come_without_a_jump(self):
        page = self.open("--page-size", "20", synthetic(count=1000, start=500, latencyMs=300))
        self.until_visible(page, "Item 500")
        page.evaluate(FOLLOW, "Item 500")
        self.until(lambda: self.offset(page) > 0, "the earlier page")
        page.wait_for_timeout(400)
        places = page.evaluate("places")
        self.assertEqual(len(set(places)), 1, "the row has moved: %r" % places)
        self.scroll_to(page, 0)
        self.until_visible(page, "Item 480")
        self.until(lambda: self.offset(page) > 0, "the next of them")
        self.until_visible(page, "Item 480")

    def test_a_reload_comes_back_to_the_place(self):
        page = self.open("--page-size", "20", synthetic(count=1000))
        self.until_visible(page, "Item 0")
        for _ in range(12):
            self.scroll_to(page, 10**6)
            page.wait_for_timeout(50)
        self.scroll_to(page, 70 * 56 + 17)
        page.wait_for_timeout(700)
        before = self.visible(page)[0]
        self.assertEqual(before["title"], "Item 70")
        page.reload()
        after = self.until_visible(page, "Item 70")
        self.assertEqual(after["top"], before["top"], "to the pixel")
        page.wait_for_timeout(300)
        self.scroll_to(page, 0)
        page.wait_for_timeout(300)
        for _ in range(12):
            self.scroll_to(page, 0)
            page.wait_for_timeout(80)
        self.until_visible(page, "Item 0")

    def test_a_killed_server_is_told_once_and_restarts_in_place(self):
        page = self.open("--page-size", "20", synthetic(count=1000), synthetic(count=7))
        self.until_visible(page, "Item 0")
        page.click("#tabs button >> nth=1")
        page.click("#tabs button >> nth=0")
        for _ in range(8):
            self.scroll_to(page, 10**6)
            page.wait_for_timeout(50)
        self.scroll_to(page, 50 * 56 + 10)
        page.wait_for_timeout(700)
        before = self.visible(page)[0]
        self.kill_server()
        page.wait_for_selector(".banner:visible")
        self.assertIn("The Pagewire server has ended by SIGKILL.", page.inner_text(".banner:visible"))
        self.assertEqual(page.locator(".loader:visible").count(), 0)
        self.assertEqual(self.visible(page)[0]["title"], before["title"], "what was shown stays")
        self.picture(page, "server-gone")
        page.click(".banner:visible button")
        self.until(lambda: not page.is_visible("section:not([hidden]) .banner"), "the end of the banner")
        self.until(lambda: self.offset(page) < 40 * 56 and self.until_visible(page, "Item 50"), "the place")
        page.click("#tabs button >> nth=1")
        self.until_visible(page, "Item 6")

    def test_a_bridge_that_has_ended_is_told(self):
        page = self.open(synthetic(count=5))
        self.until_visible(page, "Item 0")
        self.process.kill()
        page.wait_for_selector("text=The bridge has ended")
        self.until_visible(page, "Item 0")
        page.keyboard.press("r")
        page.wait_for_timeout(200)
        self.faults.clear()  # Chromium tells of the refused connection.

    def test_no_server_is_told_in_one_line(self):
        page = self.open(synthetic(count=5), server="/nowhere/pagewire")
        page.wait_for_selector("text=cannot be started (ENOENT)")
        page.click("text=Try again")
        page.wait_for_selector("text=cannot be started (ENOENT)")
        self.picture(page, "no-server")

    def test_a_page_without_the_token_says_what_to_do(self):
        self.process = self.bridge(synthetic(count=5))
        page = self.visit(self.process.url.split("#")[0])
        page.wait_for_selector("text=use the whole address")
        self.faults.clear()  # Chromium tells of the status 401.


if __name__ == "__main__":
    unittest.main()
