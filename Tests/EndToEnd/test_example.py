"""The smallest client there is, written from the protocol alone, gets every line once."""

import os
import subprocess
import sys
import unittest

from pagewire_client import BINARY, LIMIT
from support import EndToEndCase

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "example_client.py")


class ExampleTests(EndToEndCase):
    def run_example(self, path):
        return subprocess.run([sys.executable, SCRIPT, path, BINARY], capture_output=True, timeout=LIMIT)

    def test_every_line_once(self):
        for number in (0, 1, 19, 20, 21, 40, 5000):
            with self.subTest(number):
                content = "".join("line %d é\n" % n for n in range(number)).encode()
                done = self.run_example(self.file(content))
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, content, b""))

    def test_a_missing_file_is_a_sentence_that_names_it(self):
        path = os.path.join(self.folder(), "nosuch.txt")
        done = self.run_example(path)
        self.assertEqual(done.returncode, 1)
        self.assertIn(path.encode(), done.stderr)


if __name__ == "__main__":
    unittest.main()
