"""Tests of a program that prints a list whenever it has changed, such as those in clients/swift and clients/perl: on the real
server, and in every scenario of the kit. PAGEWIRE is the server, PAGEWIRE_LIST the program, which takes a source."""
import os, re, subprocess, sys, tempfile, threading, time, unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import kit

PAGEWIRE, LIST = os.environ["PAGEWIRE"], os.environ["PAGEWIRE_LIST"]
WORDS = {
  "loader": r"Loading \.\.\.", "error": r"Failed \(retry", "empty": r"No items\.", "paused": r"Nothing new was found",
  "gone": r"The server is gone", "wrongVersion": r"[Tt]he server speaks version 2\.0",
}


class List:
  """A running example: what it printed last, and a way to type words."""

  def __init__(self, case, source, server=PAGEWIRE):
    self.process = subprocess.Popen(
      [LIST, source], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
      env={**os.environ, "PAGEWIRE": server})
    case.addCleanup(self.close)
    self.text = ""
    self.reader = threading.Thread(target=self.read, daemon=True)
    self.reader.start()

  def read(self):
    text = b""
    while True:
      data = os.read(self.process.stdout.fileno(), 65536)
      if not data:
        return
      text = (text + data).split(b"\f")[-1]
      self.text = text.decode("utf-8", "replace")

  def type(self, word):
    try:
      self.process.stdin.write(word.encode() + b"\n")
      self.process.stdin.flush()
    except BrokenPipeError:
      pass  # it has ended, as it may

  def wait_for(self, pattern, seconds=30):
    deadline = time.monotonic() + seconds
    while not re.search(pattern, self.text):
      if time.monotonic() > deadline:
        raise AssertionError("no %r in:\n%s" % (pattern, self.text[-3000:]))
      time.sleep(0.02)

  def close(self):
    self.process.kill()
    self.process.wait()
    self.reader.join()
    try:
      self.process.stdin.close()
    except BrokenPipeError:
      pass
    self.process.stdout.close()

  def servers(self):
    """The processes that it has started."""
    tasks, found = "/proc/%d/task" % self.process.pid, set()
    for task in os.listdir(tasks):
      with open(os.path.join(tasks, task, "children")) as stream:
        found |= {int(pid) for pid in stream.read().split()}
    return found


class ListTests(unittest.TestCase):
  def test_a_file_is_printed_to_its_end(self):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
      file.write("".join("line %d\n" % n for n in range(100)))
      file.flush()
      shown = List(self, file.name)
      shown.wait_for(r"line 99\n")
    self.assertEqual(re.findall(r"line (\d+)", shown.text), [str(n) for n in range(100)])
    shown.type("quit")
    self.assertEqual(shown.process.wait(10), 0)

  def test_the_server_ends_with_the_program(self):
    shown = List(self, '{"type":"synthetic","count":3}')
    shown.wait_for("Item 2")
    servers = list(shown.servers())
    self.assertEqual(len(servers), 1)
    shown.process.kill()
    deadline = time.monotonic() + 10
    while os.path.exists("/proc/%d" % servers[0]) and time.monotonic() < deadline:
      time.sleep(0.02)
    self.assertFalse(os.path.exists("/proc/%d" % servers[0]))

  def test_no_server_is_one_line(self):
    for server, words in (("/nowhere/pagewire", "start"), ("/bin/true", "ended|exited")):
      shown = List(self, "{}", server)
      shown.wait_for(words)
      self.assertEqual(shown.text.count("\n"), 1, shown.text)

  def test_a_real_source_that_cannot_be_opened_is_said(self):
    shown = List(self, "/nowhere/file.txt")
    shown.wait_for(r"Failed \(retry: try again\): .*nowhere")

  def test_a_killed_server_is_started_again_in_place(self):
    shown = List(self, '{"type":"synthetic","count":60}')
    shown.wait_for("Item 59")
    os.kill(shown.servers().pop(), 9)
    shown.wait_for("The server is gone")
    self.assertIn("Item 59", shown.text)
    shown.type("restart")
    shown.wait_for(r"Item 59\n*$")
    self.assertNotIn("gone", shown.text)


class KitTests(unittest.TestCase):
  def play(self, name):
    started = []
    word = lambda word: lambda: started[0].type(word)
    actions = {each: word(each) for each in ("refresh", "retry", "restart", "quit")}
    actions.update(toStart=lambda: None, toEnd=lambda: None)
    kit.play(
      name, lambda run: started.append(List(self, '{"type":"client"}', run.server)), lambda: started[0].text, WORDS,
      actions, PAGEWIRE)


for _name in kit.names():
  setattr(KitTests, "test_" + _name.replace("-", "_"), lambda self, name=_name: self.play(name))

if __name__ == "__main__":
  unittest.main()
