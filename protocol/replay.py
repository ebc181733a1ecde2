#!/usr/bin/env python3
"""Plays transcripts (see transcripts/README.md) against a server; standard library only, Python 3.9 or newer.

  replay.py [--chunk BYTES] [--sources a,b] [--negative] [--provider] [-v] TRANSCRIPT|PAGE.md|DIRECTORY... -- SERVER [ARGUMENT...]

Exit status: 0 all as expected, 1 a difference (printed: where, what was expected, what came), 2 unusable input."""
import argparse, contextlib, http.server, os, queue, re, subprocess, sys, tempfile, threading, time
from json.decoder import scanstring

WORD = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
BLANK = re.compile(r"[ \t\r\n]*")
sys.setrecursionlimit(20000)

class Difference(Exception):
  """What came is not what was expected; the text tells both."""

class Value:
  """A JSON value with its exact text. data: a dict, a list of values, a string, or the text of a number or word."""
  def __init__(self, text, start, end, kind, data):
    self.text, self.start, self.end, self.kind, self.data, self.raw = text, start, end, kind, data, text[start:end]

def parse(text, at=0, isWhole=True):
  start = at = BLANK.match(text, at).end()
  first, parts = text[at:at + 1], []
  if first == '"':
    data, at = scanstring(text, at + 1)
    value = Value(text, start, at, "string", data)
  elif first in ("{", "["):
    close, at = ("}" if first == "{" else "]"), BLANK.match(text, at + 1).end()
    while parts or text[at:at + 1] != close:
      parts.append(parse(text, at, False))
      at = BLANK.match(text, parts[-1].end).end()
      isName = first == "{" and len(parts) % 2 == 1
      if isName and parts[-1].kind != "string" or text[at:at + 1] != (":" if isName else ",") and (isName or text[at:at + 1] != close):
        raise ValueError("no JSON at offset %d" % at)
      if text[at:at + 1] == close:
        break
      at += 1
    data = {name.data: member for name, member in zip(parts[::2], parts[1::2])} if first == "{" else parts
    value = Value(text, start, at + 1, "object" if first == "{" else "array", data)
  else:
    word = WORD.match(text, at)
    if not word:
      raise ValueError("no JSON at offset %d" % at)
    value = Value(text, start, word.end(), {"t": "boolean", "f": "boolean", "n": "null"}.get(first, "number"), word[0])
  if isWhole and BLANK.match(text, value.end).end() != len(text):
    raise ValueError("text after the value")
  return value

def shorten(text):
  return text if len(text) <= 1500 else "%s … (%d characters) … %s" % (text[:1000], len(text), text[-300:])

def match(pattern, value, path, names):
  """Compares numbers by their text, strings by their characters; fills `names` with what $capture finds."""
  def differ(why):
    raise Difference("%s: %s\n    expected %s\n    got      %s" % (path or "/", why, shorten(pattern.raw), shorten(value.raw)))
  def members(wanted, partial):
    for name in wanted:
      if name in value.data:
        match(wanted[name], value.data[name], path + "/" + name, names)
      elif wanted[name].kind != "object" or "$optional" not in wanted[name].data:
        differ("no member " + name)
    if not partial and value.data.keys() - wanted.keys():
      differ("unexpected member " + min(value.data.keys() - wanted.keys()))
  if pattern.kind == "object" and any(name.startswith("$") for name in pattern.data):
    for name, operand in pattern.data.items():
      if name == "$type" and operand.data != value.kind and (operand.data != "integer" or not re.fullmatch("-?[0-9]+", value.raw)):
        differ("another kind of value")
      elif name == "$ref" and value.raw != names.get(operand.data):
        differ("%s was %s" % (operand.data, names.get(operand.data)))
      elif name == "$raw" and value.raw != operand.data:
        differ("other text")
      elif name == "$contains" and not (value.kind == "string" and operand.data in value.data):
        differ("text not found in it")
      elif name == "$partial":
        members(operand.data, True) if value.kind == "object" else differ("no object")
      elif name == "$optional":
        match(operand, value, path, names)
      elif name == "$unordered":
        rest = list(value.data) if value.kind == "array" else []
        for wanted in operand.data:
          found = next((item for item in rest if fits(wanted, item, names)), None)
          rest.remove(found) if found else differ("nothing like %s in it" % shorten(wanted.raw))
        if rest:
          differ("too many elements")
      elif name == "$capture":
        names[operand.data] = value.raw
  elif pattern.kind != value.kind:
    differ("another kind of value")
  elif pattern.kind == "object":
    members(pattern.data, False)
  elif pattern.kind == "array":
    for index, (wanted, item) in enumerate(zip(pattern.data, value.data)):
      match(wanted, item, "%s/%d" % (path, index), names)
    if len(pattern.data) != len(value.data):
      differ("%d elements, not %d" % (len(value.data), len(pattern.data)))
  elif pattern.data != value.data:
    differ("another value")

def fits(pattern, value, names):
  found = dict(names)
  try:
    match(pattern, value, "", found)
  except Difference:
    return False
  names.update(found)
  return True

def filled(value, names):
  """The exact text of a message to send, each {"$ref": name} in it replaced by the text captured under that name."""
  if value.kind == "object" and list(value.data) == ["$ref"]:
    return names[value.data["$ref"].data]
  out, at = "", value.start
  parts = value.data.values() if value.kind == "object" else value.data if value.kind == "array" else []
  for child in sorted(parts, key=lambda part: part.start):
    out, at = out + value.text[at:child.start] + filled(child, names), child.end
  return out + value.text[at:value.end]

class Server:
  def __init__(self, command, directory, chunk):
    self.errors, self.chunk, self.messages = tempfile.TemporaryFile(), chunk, queue.Queue()
    self.process = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=self.errors, cwd=directory, bufsize=0)
    threading.Thread(target=self.read, args=(self.process.stdout,), daemon=True).start()

  def read(self, raw):
    with os.fdopen(os.dup(raw.fileno()), "rb") as stream:
      while True:
        header = stream.readline() + stream.readline()
        form = re.fullmatch(rb"Content-Length: ([0-9]+)\r\n\r\n", header)
        body = stream.read(int(form[1])) if form else b""
        if not form or len(body) < int(form[1]):
          return self.messages.put("not a frame: %r" % (header + body)[:300] if header else None)
        try:
          self.messages.put(parse(body.decode("utf-8")))
        except ValueError as fault:
          return self.messages.put("not JSON (%s): %r" % (fault, body[:300]))

  def write(self, data):
    size = self.chunk or 65536
    try:
      for at in range(0, len(data), size):
        part = data[at:at + size]
        while part:
          part = part[self.process.stdin.write(part):]
    except BrokenPipeError:
      pass  # what is missing then says more than the pipe

  def next(self, seconds, wanted):
    try:
      message = self.messages.get(timeout=seconds)
    except queue.Empty:
      message = "nothing for %g s" % seconds
    if not isinstance(message, Value):
      raise Difference("no message\n    expected %s\n    got      %s" % (wanted, message or "the end of the output"))
    return message

@contextlib.contextmanager
def answering(answers, names):
  """Serves the header's `http` on the loopback, and names the URL of each of its targets."""
  asked = {}
  class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
      self.rfile.read(int(self.headers.get("Content-Length") or 0))
      row = answers[self.path].data if self.path in answers else []
      at = asked[self.path] = asked.get(self.path, -1) + 1
      answer = row[min(at, len(row) - 1)].data if row else {"status": parse("404")}
      self.send_response_only(int(answer["status"].data) if "status" in answer else 200)
      for name, value in answer["headers"].data.items() if "headers" in answer else ():
        self.send_header(name, value.data)
      body = answer["text"].data.encode("latin-1") if "text" in answer else b""
      self.send_header("Content-Length", str(len(body)))
      self.end_headers()
      self.wfile.write(body)
    do_POST = do_GET
    def log_message(self, *arguments):
      pass
  with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
    names.update({target: '"http://127.0.0.1:%d%s"' % (server.server_address[1], target) for target in answers})
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
      yield
    finally:
      server.shutdown()

def perform(server, kind, operand, times, names, seconds, directory):
  if kind == "send":
    body = filled(operand, names).encode("utf-8")
    server.write((b"Content-Length: %d\r\n\r\n" % len(body) + body) * times)
  elif kind == "sendRaw":
    server.write(operand.data.encode("latin-1") * times)
  elif kind == "expect":
    for _ in range(times):
      match(operand, server.next(seconds, shorten(operand.raw)), "", names)
  elif kind == "anyOrder":
    lanes = [list(lane.data) if lane.kind == "array" else [lane] for lane in operand.data]
    while any(lanes):
      wanted = " or ".join(shorten(lane[0].raw) for lane in lanes if lane)
      message = server.next(seconds, wanted)
      lane = next((lane for lane in lanes if lane and fits(lane[0], message, names)), None)
      if not lane:
        raise Difference("not one that may come now\n    expected %s\n    got      %s" % (wanted, shorten(message.raw)))
      lane.pop(0)
  elif kind in ("wait", "expectNothing"):
    time.sleep(float(operand.data) / 1000)
    if kind == "expectNothing" and not server.messages.empty():
      raise Difference("/: too much\n    expected nothing\n    got      %s" % shorten(server.next(0, "nothing").raw))
  elif kind == "writeFile":
    with open(os.path.join(directory, operand.data["path"].data), "ab" if "append" in operand.data else "wb") as file:
      file.write(operand.data["text"].data.encode("latin-1"))
  elif kind == "closeStdin":
    server.process.stdin.close()
  elif kind == "expectExit":
    message = server.messages.get(timeout=seconds)
    if message is not None:
      raise Difference("/: too much\n    expected the end\n    got      %s" % shorten(getattr(message, "raw", message)))
    if server.process.wait(seconds) != int(operand.data):
      raise Difference("exit status\n    expected %s\n    got      %d" % (operand.data, server.process.returncode))
  else:
    raise ValueError("unknown step " + kind)

def lane(message):
  if "method" not in message.data:
    return "answer " + message.data["id"].raw
  params = message.data["params"].data if "params" in message.data else {}
  return "session " + (params["session"].raw if "session" in params else "")

def expect_recorded(server, steps, index, met, names, seconds):
  """In a recording an answer and the notifications of a session may come in another order than they did."""
  patterns = {at: step.data["expect"] for at, (_, step) in enumerate(steps) if at >= index and "expect" in step.data}
  while index not in met:
    message = server.next(seconds, shorten(patterns[index].raw))
    place = next((at for at in patterns if at not in met and lane(patterns[at]) == lane(message)), None)
    if place is None:
      raise Difference("not in the recording\n    got      " + shorten(message.raw))
    match(patterns[place], message, "", names)
    met.add(place)

def play(lines, command, options):
  """Plays one transcript; returns None, or a report of the first difference."""
  header, steps = lines[0][1].data, lines[1:]
  seconds = float(header["timeoutMs"].data) / 1000 if "timeoutMs" in header else 10.0
  if "expectExit" not in steps[-1][1].data:
    steps += [(0, parse('{"closeStdin":true}')), (0, parse('{"expectExit":0}'))]
  names = {}
  answers = header["http"].data if "http" in header else {}
  with tempfile.TemporaryDirectory() as directory, answering(answers, names) if answers else contextlib.nullcontext():
    for name, text in (header["files"].data if "files" in header else {}).items():
      with open(os.path.join(directory, name), "wb") as file:
        file.write(text.data.encode("latin-1"))
    command = command + [option.data for option in header["options"].data] if "options" in header else command
    # A recording names the files that were there where it was made.
    server, met = Server(command, None if "recorded" in header else directory, options.chunk), set()
    try:
      for index, (number, step) in enumerate(steps):
        if options.verbose:
          print("line %d: %s" % (number, shorten(step.raw)), flush=True)
        times = int(step.data["repeat"].data) if "repeat" in step.data else 1
        kind = next(name for name in step.data if name not in ("note", "at", "repeat"))
        if kind == "expect" and "recorded" in header:
          expect_recorded(server, steps, index, met, names, seconds)
        else:
          perform(server, kind, step.data[kind], times, names, seconds, directory)
    except (Difference, queue.Empty, subprocess.TimeoutExpired) as fault:
      server.errors.seek(0)
      said = server.errors.read()[-2000:].decode("utf-8", "replace").strip()
      note = " (%s)" % step.data["note"].data if "note" in step.data else ""
      return "line %s%s, at %s%s" % (number or "after the last", note, str(fault) or "the end: the server goes on",
                                     "\n    stderr   " + said if said else "")
    finally:
      server.process.kill()
      server.process.wait()
      for stream in (server.errors, server.process.stdin, server.process.stdout):
        stream.close()

def transcripts(path):
  """Yields (path, [(line number, value)]) for each ```jsonl block of a .md page, any other file, and a directory's files."""
  if os.path.isdir(path):
    for name in sorted(os.listdir(path)):
      if name.endswith((".jsonl", ".md")) or (name != "negative" and os.path.isdir(os.path.join(path, name))):
        yield from transcripts(os.path.join(path, name))
    return
  with open(path, encoding="utf-8") as file:
    lines, block = list(enumerate(file.read().split("\n"), 1)), None
  if not path.endswith(".md"):
    yield path, [(number, parse(line)) for number, line in lines if line.strip()]
  else:
    for number, line in lines:
      if block is not None and line == "```":
        yield path, block
      block = [] if line == "```jsonl" else None if line == "```" or block is None else block + [(number, parse(line))]

def main():
  usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  usage.add_argument("--chunk", type=int, default=0, help="write so many bytes at a time")
  usage.add_argument("--sources", help="skip transcripts that use other source types")
  usage.add_argument("--negative", action="store_true", help="every transcript must fail, with its mustFail in the report")
  usage.add_argument("--provider", action="store_true", help="the command is a provider; plays only what is for one")
  usage.add_argument("-v", "--verbose", action="store_true")
  usage.add_argument("paths", nargs="+", metavar="TRANSCRIPT")
  cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
  options, command = usage.parse_args(sys.argv[1:cut]), sys.argv[cut + 1:]
  if not command:
    usage.error("no server command after --")
  command[0] = os.path.abspath(command[0]) if os.path.sep in command[0] else command[0]
  count = {"passed": 0, "failed": 0, "skipped": 0}
  for name, lines in (found for path in options.paths for found in transcripts(path)):
    header = lines[0][1].data
    needed = {source.data for source in header["sources"].data} if "sources" in header else set()
    if "frontEnd" in header or ("provider" in header) != options.provider or options.sources is not None and needed - set(options.sources.split(",")):
      count["skipped"] += 1
      continue
    report = play(lines, command, options)
    if options.negative:
      wanted = header["mustFail"].data
      report = "it passed" if report is None else None if wanted in report else "not %r, but %s" % (wanted, report)
    count["failed" if report else "passed"] += 1
    if report:
      print("FAILED %s: %s\n  %s" % (name, header["description"].data, report), flush=True)
  if not any(count.values()):
    raise ValueError("there is no transcript in %s" % " ".join(options.paths))
  print(", ".join("%d %s" % (number, what) for what, number in count.items()))
  return 1 if count["failed"] else 0

if __name__ == "__main__":
  try:
    sys.exit(main())
  except (OSError, ValueError, KeyError, IndexError) as fault:
    print("replay: %s: %s" % (type(fault).__name__, fault), file=sys.stderr)
    sys.exit(2)
