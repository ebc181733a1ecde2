#!/usr/bin/env python3
"""The front-end conformance kit (README.md): plays scenarios to a front end, in place of its server.

  kit.py list                               the scenarios, with what each shows
  kit.py make SCENARIO FOLDER [PAGEWIRE]    prepares a run in a folder: FOLDER/pagewire is the server to start
  kit.py result FOLDER                      how the run ended; status 0 if all was as it should be

In Python, `Run` does the same, and `play` leads a front end through a scenario. Standard library only, 3.9 or newer."""
import json, os, re, shlex, shutil, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIOS = os.path.join(HERE, "scenarios")
SERVER = """#!/bin/sh
# Plays one part of a scenario for each start, whatever arguments come.
starts=$(($(cat {folder}/starts 2>/dev/null || echo 0) + 1))
echo "$starts" >{folder}/starts
[ "$starts" = 1 ] && part= || part=.$starts
exec {pagewire} replay --serve {scenario}"$part".jsonl --looks {folder}
"""


class Failed(AssertionError):
  """What a front end did or showed is not what the scenario wants."""


def names():
  """The scenarios; further parts, which are played after a restart, are not counted."""
  return sorted(name[:-6] for name in os.listdir(SCENARIOS) if re.fullmatch(r"[a-z-]+\.jsonl", name))


def parts(name):
  return [each for each in sorted(os.listdir(SCENARIOS)) if re.fullmatch(re.escape(name) + r"(\.[0-9]+)?\.jsonl", each)]


def description(name):
  with open(os.path.join(SCENARIOS, name + ".jsonl"), encoding="utf-8") as stream:
    return json.loads(stream.readline())["description"]


def make(name, folder, pagewire=None):
  """Writes FOLDER/pagewire, which plays the scenario; returns its path."""
  if name not in names():
    raise Failed("there is no scenario %r; there are %s" % (name, ", ".join(names())))
  pagewire = pagewire or os.environ.get("PAGEWIRE") or "pagewire"
  found = shutil.which(pagewire)
  if not found:
    raise Failed("there is no program %r to play the server: set PAGEWIRE" % pagewire)
  folder, path = os.path.abspath(folder), os.path.join(os.path.abspath(folder), "pagewire")
  with open(path, "w", encoding="utf-8") as stream:
    words = {"folder": folder, "pagewire": os.path.abspath(found), "scenario": os.path.join(SCENARIOS, name)}
    stream.write(SERVER.format(**{key: shlex.quote(value) for key, value in words.items()}))
  os.chmod(path, 0o755)
  with open(os.path.join(folder, "scenario"), "w", encoding="utf-8") as stream:
    stream.write(name + "\n")
  return path


def result(folder, restarts=True):
  """Raises what went wrong; waits a little for the server, which writes its result when the front end is gone."""
  with open(os.path.join(folder, "scenario"), encoding="utf-8") as stream:
    wanted = len(parts(stream.read().strip())) if restarts else 1
  deadline, text = time.monotonic() + 10, ""
  while text.count("passed\n") < wanted and "FAILED" not in text and time.monotonic() < deadline:
    time.sleep(0.02)
    try:
      with open(os.path.join(folder, "results"), encoding="utf-8") as stream:
        text = stream.read()
    except FileNotFoundError:
      pass
  if "FAILED" in text or text.count("passed\n") != wanted:
    raise Failed(text or "the server was never started, or was killed before it could say how it went")


class Run:
  """One run of a scenario, in a folder of its own. `server` is the program that the front end has to start."""

  def __init__(self, name, pagewire=None):
    self.name, self.folder = name, tempfile.mkdtemp(prefix="pagewire-kit-")
    self.server = make(name, self.folder, pagewire)
    self.environment = {**os.environ, "PAGEWIRE": self.server}
    self.now = os.path.join(self.folder, "now")

  def __enter__(self):
    return self

  def __exit__(self, *_):
    shutil.rmtree(self.folder, ignore_errors=True)

  def result_so_far(self):
    try:
      with open(os.path.join(self.folder, "results"), encoding="utf-8") as stream:
        return stream.read()
    except FileNotFoundError:
      return ""

  def look(self):
    """What is to be looked at now; None while there is nothing new. Raises Failed where the server has given up."""
    if "FAILED" in self.result_so_far():
      raise Failed(self.result_so_far())
    try:
      with open(self.now, encoding="utf-8") as stream:
        return json.load(stream)
    except FileNotFoundError:
      return None

  def go_on(self):
    os.unlink(self.now)


def play(name, start, screen, words, actions, pagewire=None, seconds=20, restarts=True, idle=lambda: time.sleep(0.02)):
  """Leads a front end through a scenario; raises Failed with the screen where it shows or does the wrong thing.

  start(run): starts the front end on any source, with `run.server` as its server (`run.environment` says so too).
  screen(): the text that a person sees. words: {"loader": regex, "error": …, "empty": …, "paused": …, "gone": …,
  "wrongVersion": …}: how this front end shows these states. actions: {"refresh": function, "retry": …, "toStart": …,
  "toEnd": …, "restart": …, "quit": …}. idle(): called while waiting. restarts: whether it can start a server again."""
  with Run(name, pagewire) as run:
    start(run)

    def until(condition, what):
      deadline = time.monotonic() + seconds
      while True:
        value = condition()
        if value:
          return value
        if time.monotonic() > deadline:
          raise Failed("%s: %s\nthe screen:\n%s%s" % (name, what(), screen(), run.result_so_far()))
        idle()

    action = None
    while action != "quit":
      look = until(run.look, lambda: "nothing new to look at, after %r" % action)
      if look.get("do") == "restart" and not restarts:
        look = {name: look[name] for name in ("name", "shows")}  # it has ended, and its screen with it
        action = "quit"
      wrong = lambda: faults(look, screen(), words)
      until(lambda: not wrong(), lambda: "at %r: %s" % (look["name"], "; ".join(wrong())))
      action = action if action == "quit" else look.get("do")
      run.go_on()
      if action in actions and look.get("do"):
        actions[action]()
      elif look.get("do"):
        raise Failed("the front end's test has no action %r" % action)
    result(run.folder, restarts)


def faults(look, text, words):
  """What of a look does not hold of a screen."""
  found = ["there is no %r" % part for part in look.get("see", []) if not has(text, part)]
  places = [place(text, part) for part in look.get("see", []) if part.startswith("item ") and has(text, part)]
  if places != sorted(places):
    found.append("these are not in their order: %s" % ", ".join(look["see"]))
  found += ["there still is %r" % part for part in look.get("unseen", []) if has(text, part)]
  for member, isShown in (("shows", True), ("hides", False)):
    for word in look.get(member, []):
      if word in words and bool(re.search(words[word], text)) != isShown:
        found.append("the state %r is%s shown" % (word, " not" if isShown else ""))
      elif word not in words and isShown:
        found.append("the front end's test has no word for %r" % word)
  return found


def place(text, part):
  """Where a text is on a screen, or -1: `item 1` is not in `item 10`."""
  found = re.search(re.escape(part) + r"(?![0-9])", text)
  return found.start() if found else -1


def has(text, part):
  return place(text, part) >= 0


def main(arguments):
  if arguments == ["list"]:
    for name in names():
      print("%-20s %s" % (name, description(name)))
  elif len(arguments) in (3, 4) and arguments[0] == "make":
    print(make(*arguments[1:]))
  elif len(arguments) == 2 and arguments[0] == "result":
    result(arguments[1])
    print("passed")
  else:
    print(__doc__, file=sys.stderr)
    return 2
  return 0


if __name__ == "__main__":
  try:
    sys.exit(main(sys.argv[1:]))
  except (Failed, OSError) as fault:
    print("kit: %s" % fault, file=sys.stderr)
    sys.exit(1)
