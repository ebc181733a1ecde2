"""Rules of the house that a machine can look after: no outside paths, no Foundation, nothing too long."""

import os
import re
import runpy
import subprocess
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
TOP_LEVEL = re.compile(r"^(Package\.swift|Sources|Tests|protocol|README\.md|\..+)$")
# Spelled in pieces, so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile("/(?:%s)/" % "|".join(("wor" + "k", "roo" + "t", "far" + "m", "bash" + "_jobs")))
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 70
PROOF = re.compile(
    r"nonisolated\(unsafe\)|@unchecked Sendable|\btry!|fatalError\(\"?(?:TODO|unimplemented)|\.disabled\(|XCTSkip"
)
FUNCTION = re.compile(r"^( *)(?:[@\w()\.\-:, ]*\s)?(?:func|init|deinit|subscript)\b.*\{\s*$")


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if listed.returncode:
        raise unittest.SkipTest("no git repository here")
    return [
        name for name in listed.stdout.decode("utf-8").split("\0") if name and os.path.isfile(os.path.join(ROOT, name))
    ]


def lines_of(name):
    with open(os.path.join(ROOT, name), encoding="utf-8", errors="replace") as stream:
        return stream.read().split("\n")


class TidyTests(unittest.TestCase):
    maxDiff = None

    def test_top_level_holds_only_what_belongs_there(self):
        self.assertEqual([name for name in tracked() if not TOP_LEVEL.match(name.split("/")[0])], [])

    def test_no_file_holds_a_path_of_some_machine(self):
        found = [
            "%s:%d" % (name, number)
            for name in tracked()
            for number, line in enumerate(lines_of(name), 1)
            if MACHINE_PATHS.search(line)
        ]
        self.assertEqual(found, [])

    def test_what_a_page_links_to_is_there(self):
        missing = [
            "%s: %s" % (name, target)
            for name in tracked()
            if name.endswith(".md")
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", "\n".join(lines_of(name)))
            if not os.path.exists(os.path.join(ROOT, os.path.dirname(name), target))
        ]
        self.assertEqual(missing, [])

    def test_no_outside_package(self):
        self.assertNotRegex("\n".join(lines_of("Package.swift")), r"\burl:\s*\"")

    def test_sources_import_no_foundation(self):
        pattern = re.compile(r"^\s*(?:@\w+(?:\(.*\))?\s+)*import\s+(?:\w+\s+)?Foundation")
        found = [
            name
            for name in tracked()
            if name.startswith("Sources/")
            and name.endswith(".swift")
            and any(pattern.match(line) for line in lines_of(name))
        ]
        self.assertEqual(found, [])

    def test_the_core_imports_nothing(self):
        found = [
            name
            for name in tracked()
            if name.startswith("Sources/PaginationCore/")
            and any(re.match(r"\s*(?:@\w+\s+)*import\s", line) for line in lines_of(name))
        ]
        self.assertEqual(found, [])

    def test_what_needs_a_proof_has_a_sentence_beside_it(self):
        for name in tracked():
            if not name.endswith(".swift"):
                continue
            lines = lines_of(name)
            for number, line in enumerate(lines):
                if PROOF.search(line) and not line.strip().startswith("//"):
                    around = lines[max(0, number - 6) : number]
                    self.assertTrue(any("//" in each for each in around), "%s:%d: %s" % (name, number + 1, line))

    def test_no_placeholder_is_left(self):
        self.assertEqual([name for name in tracked() if re.match(r"(Sources|Tests)/\w+/Placeholder\.swift$", name)], [])

    def test_files_are_not_too_long(self):
        long = [
            "%s: %d" % (name, len(lines_of(name)))
            for name in tracked()
            if name.endswith((".swift", ".c", ".h")) and len(lines_of(name)) > MAX_FILE_LINES + 1
        ]
        self.assertEqual(long, [])

    def test_functions_fit_a_screen(self):
        # Cheap on purpose: a function ends at the first closing brace in its own column, which the formatter ensures.
        long = []
        for name in tracked():
            if not (name.endswith(".swift") and name.startswith(("Sources/", "Tests/"))):
                continue
            lines = lines_of(name)
            for start, line in enumerate(lines):
                match = FUNCTION.match(line)
                if match:
                    closing = match.group(1) + "}"
                    end = next((n for n in range(start + 1, len(lines)) if lines[n].startswith(closing)), start)
                    if end - start + 1 > MAX_FUNCTION_LINES:
                        long.append("%s:%d: %d lines" % (name, start + 1, end - start + 1))
        self.assertEqual(long, [])

    def test_what_the_tables_of_tests_name_is_there(self):
        folder = os.path.join(ROOT, "Tests")
        for document in ("README.md", "source-faults.md", "robustness.md"):
            with self.subTest(document):
                table = "\n".join(lines_of("Tests/" + document))
                targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", table)
                self.assertEqual([path for path in targets if not os.path.exists(os.path.join(folder, path))], [])
                groups = re.findall(r"((?:`\w+\(\)`(?:, )?)+) in \[[^\]]*\]\(([^)]+)\)", table)
                named = [(name, path) for names, path in groups for name in re.findall(r"`(\w+)\(\)`", names)]
                self.assertEqual(len(named), len(re.findall(r"`\w+\(\)`", table)), "each test is named with its file")
                missing = [
                    "%s in %s" % (name, path)
                    for name, path in named
                    if not re.search(r"\b(?:def|func) %s\(" % name, "\n".join(lines_of(os.path.join("Tests", path))))
                ]
                self.assertEqual(missing, [])

    def test_the_attacks_that_the_security_page_names_are_made(self):
        page = "\n".join(lines_of("protocol/security.md"))
        files = [name for name in tracked() if name.startswith("Tests/") and name.endswith((".py", ".swift"))]
        tests = set(re.findall(r"(?:def|struct) (\w+)", "\n".join("\n".join(lines_of(name)) for name in files)))
        tests |= {os.path.basename(name) for name in files}
        named = re.findall(r"`(test_\w+(?:\.py)?|\w+Tests)`", page)
        self.assertGreater(len(named), 25)
        self.assertEqual([name for name in named if name not in tests], [])

    def test_each_fault_that_is_planted_has_its_place(self):
        faults = runpy.run_path(os.path.join(ROOT, "Tests", "Faults", "planted_faults.py"))
        found = {}
        for fault, path, text, _ in faults["FAULTS"]:
            found[fault] = "\n".join(lines_of(faults["SERVER"] + path)).count(text)
        self.assertEqual({fault: count for fault, count in found.items() if count != 1}, {})

    def test_the_faults_of_sources_are_numbered(self):
        rows = re.findall(r"^\| (\d+) \|", "\n".join(lines_of("Tests/source-faults.md")), re.M)
        self.assertEqual(rows, [str(number) for number in range(1, 85)])

    def test_each_fault_of_sources_has_a_test_or_a_sentence(self):
        lines = [line for line in lines_of("Tests/source-faults.md") if re.match(r"\| \d+ \|", line)]
        self.assertEqual([line for line in lines if not line.rstrip("| ").split(" | ")[3:]], [])


if __name__ == "__main__":
    unittest.main()
