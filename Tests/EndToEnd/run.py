#!/usr/bin/env python3
"""Runs the end-to-end tests: `python3 Tests/EndToEnd/run.py [names or parts of names]`.

The server is `.build/release/pagewire`, or what the environment variable PAGEWIRE names. The last line is
`N passed, N failed`; the status is 0 only if at least one test ran and none failed.
"""

import os
import signal
import sys
import time
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))


def flattened(suite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from flattened(each)
        else:
            yield each


class Result(unittest.TextTestResult):
    """Counts tests, not subtests, and names the slow ones."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.bad = set()
        self.times = []

    def startTest(self, test):
        self._started = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        self.times.append((time.monotonic() - self._started, test.id()))
        super().stopTest(test)

    def addFailure(self, test, error):
        self.bad.add(test.id())
        super().addFailure(test, error)

    def addError(self, test, error):
        self.bad.add(test.id())
        super().addError(test, error)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.bad.add(test.id())
        super().addSubTest(test, subtest, error)


def main(wanted):
    sys.path.insert(0, FOLDER)
    from pagewire_client import BINARY

    # Under nohup or behind a shell's `&` some are ignored, which every program that is started here would inherit.
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)

    if not os.access(BINARY, os.X_OK):
        print("There is no server at %s: run `swift build -c release`, or set PAGEWIRE." % BINARY, file=sys.stderr)
        return 2
    found = unittest.defaultTestLoader.discover(FOLDER, "test_*.py")
    tests = [each for each in flattened(found) if not wanted or any(part in each.id() for part in wanted)]
    runner = unittest.TextTestRunner(sys.stdout, resultclass=Result, verbosity=1, failfast="--failfast" in sys.argv)
    result = runner.run(unittest.TestSuite(tests))
    for seconds, name in sorted(result.times, reverse=True)[:5]:
        print("%6.2f s  %s" % (seconds, name))
    failed = len(result.bad)
    skipped = ", %d skipped" % len(result.skipped) if result.skipped else ""
    print("%d passed, %d failed%s" % (result.testsRun - failed - len(result.skipped), failed, skipped), flush=True)
    return 0 if result.testsRun and not failed else 1


if __name__ == "__main__":
    sys.exit(main([each for each in sys.argv[1:] if not each.startswith("-")]))
