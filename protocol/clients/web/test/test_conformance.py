"""The front-end conformance kit, played to the page in place of its server."""

import os
import sys
import unittest

from browser import ROOT, Browser, synthetic

sys.path.insert(0, os.path.join(ROOT, "protocol", "conformance"))
import kit  # noqa: E402

WORDS = {
    "loader": r"Loading…|Refreshing…|Trying again: ",
    "error": r"Try again\b",
    "empty": r"No items",
    "paused": r"Go on\b",
    "gone": r"The Pagewire server has ended",
    "wrongVersion": r"speaks Pagewire \d",
}


class ConformanceTests(Browser):
    def conform(self, name):
        started = {}

        def start(run):
            # Cells low enough for all of a scenario's items.
            started["page"] = self.open("--page-size", "10", "--extent", "24", synthetic(count=10), server=run.server, viewport={"width": 900, "height": 900})

        def screen():
            rows = "\n".join(row["text"] for row in self.visible(started["page"]))
            parts = ".banner, .pull, .edge, .whole, .note"
            return rows + "\n" + "\n".join(text for text in started["page"].locator(parts).all_inner_texts())

        def press(key):
            started["page"].locator("section:not([hidden]) .scroller").press(key)

        def end():
            started["page"].context.close()
            self.end(self.process)

        page = lambda: started["page"]
        actions = {
            "refresh": lambda: page().keyboard.press("r"),
            "retry": lambda: page().click("section button"),
            "restart": lambda: page().click("text=Start again"),
            "toStart": lambda: press("Home"),
            "toEnd": lambda: press("End"),
            "quit": end,
        }
        kit.play(name, start, screen, WORDS, actions)


for scenario in kit.names():
    test = lambda self, name=scenario: self.conform(name)
    test.__doc__ = kit.description(scenario)
    setattr(ConformanceTests, "test_%s" % scenario.replace("-", "_"), test)


if __name__ == "__main__":
    unittest.main()
