#!/usr/bin/env python3
"""Proves that everything in this folder says the same; standard library, and `jsonschema` from PyPI where it is there.

  python3 protocol/check.py                        the folder itself
  python3 protocol/check.py --write                the same, after writing anew what is made of the rest: pagewire.openrpc.json
                                                   of the schemas, section 20 of the specification of the pages
  python3 protocol/check.py -- SERVER [ARGUMENT...] and plays all transcripts, validates all that the server says, and runs
                                                   the programs of the guide

Exit status: 0 agreement, 1 at least one disagreement, each on a line of its own.
"""
import glob, json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
import replay

BASE = "https://pagewire.example/1.0/"
SECTIONS = ["Direction", "Params", "Result", "Errors", "Order", "Example", "Since"]
WIRE = {"cancelRequest": "$/cancelRequest", "setTrace": "$/setTrace", "progress": "$/progress"}
SHARED = ("common", "error", "message", "session-state", "source", "transcript")
faults = []

def fault(where, text):
  faults.append("%s: %s" % (where, text))

def text_of(name):
  with open(os.path.join(HERE, name), encoding="utf-8") as file:
    return file.read()

def same(what, one, other):
  """Both are dicts of name: collection; says what is in one and not in the other."""
  (left, a), (right, b) = one, other
  for missing in sorted(set(a) - set(b), key=str):
    fault(what, "%s is in %s, not in %s" % (missing, left, right))
  for missing in sorted(set(b) - set(a), key=str):
    fault(what, "%s is in %s, not in %s" % (missing, right, left))

def rows(text, heading):
  """The rows of the first table after `heading`, as lists of cells."""
  lines = text[text.index(heading):].split("\n")
  start = next(index for index, line in enumerate(lines) if line.startswith("|---"))
  found = []
  for line in lines[start + 1:]:
    if not line.startswith("|"):
      break
    found.append([cell.strip() for cell in line.strip("|").split(" | ")])
  return found

def code(cell):
  return re.findall(r"`([^`]*)`", cell)

# ---------------------------------------------------------------- schemas

class Schemas:
  """A small validator: enough of JSON Schema 2020-12 for this folder, and it lets the wildcards of transcripts pass."""
  def __init__(self):
    self.files = {os.path.basename(path): json.loads(text_of(path)) for path in sorted(glob.glob(os.path.join(HERE, "schema", "*.json")))}
    for name, schema in self.files.items():
      if schema.get("$id") != BASE + name:
        fault("schema/" + name, "its $id is not " + BASE + name)
      for reference in references(schema):
        self.resolve(name, reference)

  def resolve(self, name, reference):
    file, _, path = reference.partition("#")
    file, value = file or name, self.files.get(file or name)
    for part in path.strip("/").split("/") if path.strip("/") else []:
      value = value.get(part) if isinstance(value, dict) else None
    if value is None:
      fault("schema/" + name, "nothing is at " + reference)
      value = {}
    return file, value

  def check(self, value, reference, strict=True):
    """None, or why the value does not fit."""
    return self.fit(value, *self.resolve("", reference), strict, "")

  def fit(self, value, file, schema, strict, at):
    if schema is True or schema == {} or is_wildcard(value):
      if is_wildcard(value) and "$partial" in value:
        return self.fit(value["$partial"], file, without_required(schema, self, file), strict, at)
      return None
    if "$ref" in schema:
      why = self.fit(value, *self.resolve(file, schema["$ref"]), strict, at)
      if why:
        return why
    for branch in schema.get("allOf", []):
      why = self.fit(value, file, branch, strict, at)
      if why:
        return why
    for word in ("anyOf", "oneOf"):
      reasons = [self.fit(value, file, branch, strict, at) for branch in schema.get(word, [])]
      if reasons and None not in reasons:
        return max(reasons, key=lambda reason: reason.count("/"))
    if "not" in schema and self.fit(value, file, schema["not"], strict, at) is None:
      return "%s: %s is excluded" % (at or "/", shown(value))
    if "const" in schema and not equal(value, schema["const"]) or "enum" in schema and not any(equal(value, one) for one in schema["enum"]):
      return "%s: %s is not %s" % (at or "/", shown(value), shown(schema.get("const", schema.get("enum"))))
    types = schema.get("type")
    if types and not any(is_type(value, one) for one in ([types] if isinstance(types, str) else types)):
      return "%s: %s is not of type %s" % (at or "/", shown(value), types)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
      if value < schema.get("minimum", value) or value > schema.get("maximum", value):
        return "%s: %s is out of range" % (at or "/", value)
    if isinstance(value, str):
      if "pattern" in schema and not re.search(schema["pattern"], value) or len(value) < schema.get("minLength", 0) or len(value) > schema.get("maxLength", len(value)):
        return "%s: %s does not fit" % (at or "/", shown(value))
    if isinstance(value, list):
      if len(value) < schema.get("minItems", 0):
        return "%s: too few elements" % (at or "/")
      for index, item in enumerate(value):
        why = self.fit(item, file, schema.get("items", {}), strict, "%s/%d" % (at, index))
        if why:
          return why
    if isinstance(value, dict):
      for name in schema.get("required", []):
        if name not in value:
          return "%s: no member %s" % (at or "/", name)
      properties = schema.get("properties", {})
      for name, member in value.items():
        rest = schema.get("additionalProperties", not (strict and properties))
        why = "%s/%s: not a member" % (at, name) if name not in properties and rest is False else self.fit(member, file, properties.get(name, rest), strict, at + "/" + name)
        if why:
          return why
    return None

def without_required(schema, schemas, file):
  if isinstance(schema, dict):
    if "$ref" in schema:
      file, schema = schemas.resolve(file, schema["$ref"])
      schema = absolute(schema, file)
    schema = {key: value for key, value in schema.items() if key != "required"}
    for word in ("allOf", "anyOf", "oneOf"):
      if word in schema:
        schema[word] = [without_required(branch, schemas, file) for branch in schema[word]]
  return schema

def absolute(value, file):
  """The schema with every reference naming its file."""
  if isinstance(value, list):
    return [absolute(item, file) for item in value]
  if isinstance(value, dict):
    return {key: file + item if key == "$ref" and item.startswith("#") else absolute(item, file) for key, item in value.items()}
  return value

def references(value):
  if isinstance(value, dict):
    if isinstance(value.get("$ref"), str):
      yield value["$ref"]
    value = value.values()
  if not isinstance(value, (str, int, float, bool, type(None))):
    for item in value:
      yield from references(item)

def is_wildcard(value):
  return isinstance(value, dict) and any(name.startswith("$") for name in value)

def is_type(value, name):
  if isinstance(value, bool) or value is None:
    return name == ("null" if value is None else "boolean")
  kinds = {"integer": int, "number": (int, float), "string": str, "array": list, "object": dict}
  return name in kinds and isinstance(value, kinds[name])

def equal(one, other):
  return one == other and isinstance(one, bool) == isinstance(other, bool)

def shown(value):
  return json.dumps(value)[:160]

# ---------------------------------------------------------------- messages

class Messages:
  """Validates messages in the order in which they come; remembers which method each answer belongs to."""
  def __init__(self, schemas, where, isLoose):
    self.schemas, self.where, self.isLoose, self.asked = schemas, where, isLoose, {}
    self.methods = set()

  def check(self, message, isFromClient):
    if isinstance(message, list) or is_wildcard(message) and "$unordered" in message:
      for single in message if isinstance(message, list) else message["$unordered"]:
        self.check(single, isFromClient)
      return
    if not isinstance(message, dict) or is_wildcard(message):
      return
    method, identity = message.get("method"), json.dumps(name_of(message.get("id")))
    if isinstance(method, str):
      if "id" in message:
        self.asked.setdefault((isFromClient, identity), method)
      name = method.replace("$/", "")
      self.methods.add(method)
      if WIRE.get(name, name) != method or name + ".schema.json" not in self.schemas.files:
        return isinstance(self.isLoose, str) or self.isLoose or self.complain(message, "unknown method")
      self.fits(message if "id" in message else {**message, "id": None}, name + ".schema.json", message)
      return
    method = self.asked.pop((not isFromClient, identity), "").replace("$/", "")
    if "error" in message:
      if not isFromClient:
        self.fits(message["error"], "error.schema.json", message)
    elif method and "result" in message:
      if "result" in self.schemas.files[method + ".schema.json"]["$defs"]:
        self.fits(message["result"], method + ".schema.json#/$defs/result", message)
      elif message["result"] is not None:
        self.complain(message, "an answer to a notification that came as a request is null")

  def fits(self, value, reference, message):
    why = self.schemas.check(value, reference, not self.isLoose)
    if why and "method" in message and reference.endswith(".schema.json") and "id" not in message and why == "/id: not a member":
      why = None
    if why:
      self.complain(message, why)

  def complain(self, message, why):
    if not self.isLoose:
      fault(self.where, "%s in %s" % (why, shown(message)))

def name_of(identity):
  """What a captured id and its later references have in common."""
  if isinstance(identity, dict):
    return ["capture", identity.get("$capture", identity.get("$ref", ""))]
  return identity

def refused(lines):
  """The ids of requests that the transcript expects to be refused for their form."""
  found = set()
  for line in lines:
    message = line.get("expect")
    for single in message if isinstance(message, list) else [message]:
      if isinstance(single, dict) and isinstance(single.get("error"), dict) and single["error"].get("code") in (-32700, -32600, -32601, -32602):
        found.add(json.dumps(name_of(single.get("id"))))
  return found

def check_transcript(schemas, name, lines, sections, seen):
  header, steps = lines[0], lines[1:]
  for number, line in enumerate(lines, 1):
    part = "header" if number == 1 else "step"
    why = schemas.check({key: hide(value) for key, value in line.items()} if part == "step" else line, "transcript.schema.json#/$defs/" + part)
    if why:
      fault(name, "line %d of the transcript: %s" % (number, why))
  if header.get("section") not in sections:
    fault(name, "the specification has no section %s" % header.get("section"))
  isLoose = name.endswith(("/unknown-words.jsonl", "/unknown-request.jsonl", "/wrong-version.jsonl")) or "/jsonrpc/" in name or "/unknown-messages" in name or "/framing/" in name or "/negative/" in name
  messages, bad = Messages(schemas, name, isLoose), refused(steps)
  used = set()
  for step in steps:
    if ("await" in step or "awaitDemand" in step or "look" in step or "exit" in step) != ("frontEnd" in header) and not {"expect", "wait"} & set(step):
      fault(name, "a step that does not go with its header: %s" % json.dumps(step)[:80])
    for message in [step[key] for key in ("send", "expect") if key in step] + [pattern for lane in step.get("anyOrder", []) for pattern in (lane if isinstance(lane, list) else [lane])]:
      isFromClient = ("send" in step) != (header.get("provider") is True)
      if "send" in step and isinstance(message, dict):
        if "method" in message and json.dumps(name_of(message.get("id"))) in bad:
          messages.methods.add(message["method"])
          continue
        if "result" in message and '"badPage"' in json.dumps(steps):
          continue
        if isinstance(message.get("params"), dict):  # null for an optional member is leaving it out (section 3.3)
          keep = ("cursor", "id", "presentation", "startAt", "from", "params")
          message = {**message, "params": {key: value for key, value in message["params"].items() if value is not None or key in keep}}
          source = message["params"].get("source")
          used.add(source.get("type") if isinstance(source, dict) and message.get("method") in ("open", "refresh") else None)
      messages.check(message, isFromClient)
  listed = set(header.get("sources", []))
  used -= {None, "no-such-type-of-source"}
  if not isLoose and not used <= listed:
    fault(name, "its header does not list the sources %s" % sorted(used - listed))
  if "/negative/" not in name and (not name.startswith("methods/") or "provider" in header):
    seen["methods"] |= messages.methods
    expected = json.dumps([step for step in steps if "send" not in step])
    seen["codes"] |= {int(number) for number in re.findall(r'"code": (-?[0-9]+)', expected)}

def hide(value):
  """A step's message is checked by its own schema."""
  return {} if isinstance(value, dict) and ("jsonrpc" in value or is_wildcard(value)) else value

# ---------------------------------------------------------------- OpenRPC

def openrpc(schemas, pages, errors):
  """The OpenRPC document, made of the schemas and the pages."""
  def rewrite(value, file):
    if isinstance(value, list):
      return [rewrite(item, file) for item in value]
    if isinstance(value, dict):
      return {key: "#/components/schemas/" + component(item, file) if key == "$ref" else rewrite(item, file) for key, item in value.items()}
    return value
  def component(reference, file):
    name, _, path = reference.partition("#")
    stem, part = (name or file).split(".")[0], path.rsplit("/", 1)[-1]
    return part if stem == "common" else stem + "_" + part if part else stem
  def method(name):
    schema = schemas.files[name + ".schema.json"]
    params = schema["$defs"]["params"]
    variants = params.get("oneOf", [])
    if "properties" not in params:  # `loading`: one form for each value of isLoading
      members = {key: value for variant in variants for key, value in variant["properties"].items()}
      members["isLoading"] = {"type": "boolean"}
      required = [key for key in variants[0]["required"] if all(key in variant["required"] for variant in variants)]
    else:
      members, required = params["properties"], params.get("required", [])
    order = [key for key in members if key in required] + [key for key in members if key not in required]
    entry = {"name": WIRE.get(name, name), "summary": pages[name]["summary"], "paramStructure": "by-name",
             "params": [{"name": key, **({"required": True} if key in required else {}), "schema": rewrite(members[key], name)} for key in order]}
    if variants:
      entry["x-oneOf"] = rewrite(variants, name)
    if "result" in schema["$defs"]:
      entry["result"] = {"name": name + "Result", "schema": rewrite(schema["$defs"]["result"], name)}
    used = [one for one in errors if "`%s`" % one in pages[name]["Errors"]]
    if used:
      entry["errors"] = [{"$ref": "#/components/errors/" + one} for one in used]
    entry.update({"x-direction": schema["x-direction"], "x-kind": schema["x-kind"], "x-since": schema["x-since"]})
    return entry
  def listed(direction, kinds):
    return [method(name) for name in pages if schemas.files[name + ".schema.json"]["x-direction"] in direction and schemas.files[name + ".schema.json"]["x-kind"] in kinds]
  parts = {}
  for file, schema in schemas.files.items():
    stem = file.split(".")[0]
    if stem == "common":
      parts.update({name: rewrite(value, stem) for name, value in schema["$defs"].items()})
    elif stem in ("source", "session-state", "error"):
      parts[stem] = rewrite({key: value for key, value in schema.items() if key not in ("$schema", "$id", "$defs", "title")}, stem)
      parts.update({stem + "_" + name: rewrite(value, stem) for name, value in schema.get("$defs", {}).items()})
  return {"openrpc": "1.3.2", "info": {"title": "Pagewire", "version": "1.0.0", "description": "Paging of lists over stdin and stdout: JSON-RPC 2.0 in the frames of the Language Server Protocol. The normative text is specification.md."},
          "methods": listed(("client to server", "either way"), ("request", "notification")),
          "x-notifications": listed(("server to client",), ("notification",)), "x-serverRequests": listed(("server to client",), ("request",)),
          "components": {"schemas": parts, "errors": {name: {"code": number, "message": when} for name, (number, when) in errors.items()}}}

def check_openrpc(document):
  """The rules of OpenRPC 1.3 that apply to this document."""
  where = "pagewire.openrpc.json"
  def rule(holds, text):
    if not holds:
      fault(where, text)
  def only(value, allowed, what):
    for key in value:
      rule(key in allowed or key.startswith("x-"), "%s is no member of %s" % (key, what))
  only(document, ("openrpc", "info", "servers", "methods", "components", "externalDocs"), "the document")
  rule(re.fullmatch(r"1\.3\.[0-9]+", document["openrpc"]), "openrpc is not 1.3.x")
  only(document["info"], ("title", "version", "description", "termsOfService", "contact", "license"), "info")
  names = [method["name"] for method in document["methods"]]
  rule(len(names) == len(set(names)), "two methods have one name")
  for method in document["methods"] + document["x-notifications"] + document["x-serverRequests"]:
    only(method, ("name", "tags", "summary", "description", "externalDocs", "params", "result", "deprecated", "servers", "errors", "links", "paramStructure", "examples"), method["name"])
    rule(not method["name"].startswith("rpc."), "rpc. is reserved")
    rule(method["paramStructure"] in ("by-name", "by-position", "either"), "paramStructure")
    for descriptor in method["params"] + ([method["result"]] if "result" in method else []):
      only(descriptor, ("name", "summary", "description", "required", "schema", "deprecated"), "a content descriptor")
      rule("name" in descriptor and "schema" in descriptor, "a content descriptor needs name and schema")
    required = [bool(descriptor.get("required")) for descriptor in method["params"]]
    rule(required == sorted(required, reverse=True), "%s: required parameters come first" % method["name"])
    rule(len({descriptor["name"] for descriptor in method["params"]}) == len(required), "%s: two parameters have one name" % method["name"])
  for reference in references(document):
    value = document
    for part in reference[2:].split("/"):
      value = value.get(part, None) if isinstance(value, dict) else None
    rule(reference.startswith("#/components/") and value is not None, "nothing is at " + reference)
  for kind in ("schemas", "errors"):
    for name in document["components"][kind]:
      rule(re.fullmatch(r"[0-9A-Za-z_-]+", name), "%s is no name of a component" % name)
  for error in document["components"]["errors"].values():
    rule(isinstance(error["code"], int) and isinstance(error["message"], str), "an error needs code and message")

# ---------------------------------------------------------------- the folder

def read_pages():
  pages = {}
  order = re.findall(r"^\| \[[^]]*\]\(methods/([A-Za-z]+)\.md\) \|", text_of("specification.md"), flags=re.M)
  for name in order:
    try:
      text = text_of("methods/%s.md" % name)
    except OSError:
      fault("specification.md", "there is no page for " + name)
      continue
    parts = re.split(r"^## (.*)$", text, flags=re.M)
    if [part.strip() for part in parts[1::2]] != SECTIONS:
      fault("methods/%s.md" % name, "its sections are not %s" % ", ".join(SECTIONS))
    page = {title.strip(): body.strip() for title, body in zip(parts[1::2], parts[2::2])}
    head = parts[0].strip().split("\n")
    page["summary"] = re.sub(r" On the wire: .*", "", head[-1])
    if head[0] != "# " + WIRE.get(name, name):
      fault("methods/%s.md" % name, "its title is not the method's name")
    if page.get("Since") != "1.0":
      fault("methods/%s.md" % name, "Since is not 1.0")
    pages[name] = page
  return pages

def every_message(specification, pages):
  """The specification, with the table of section 20 as the pages have it; the order of its rows is its own."""
  head, _, _ = specification.partition("| message | way | what for |")
  table = ["| message | way | what for |", "|---|---|---|"]
  for name, page in pages.items():
    table.append("| [%s](methods/%s.md) | %s | %s |" % (WIRE.get(name, name), name, page["Direction"].split(" (")[0].rstrip("."), page["summary"]))
  return head + "\n".join(table) + "\n"

def check_words(specification, schemas, pages):
  """Tables of the specification against the schemas."""
  common = schemas.files["common.schema.json"]["$defs"]
  for heading, name in (("### 7.4 Decisions", "decision"), ("### 8.2 Outcomes", "outcome"), ("### 13.1 Phase", "phase")):
    same(name, ("specification", {code(row[0])[0] for row in rows(specification, heading)}), ("schema", common[name]["enum"]))
  line = re.search(r"In `loading` false, `result` is (.*)\.", specification).group(1)
  same("result of loading", ("specification", code(line)), ("schema", common["loadResult"]["enum"]))
  parameters = rows(pages["open"]["Params"], "| member")
  properties = schemas.files["open.schema.json"]["$defs"]["params"]["properties"]
  same("parameters of open", ("methods/open.md", [code(row[0])[0] for row in parameters]), ("schema", properties))
  for row in parameters:
    member, default = code(row[0])[0], code(row[2])
    stated = properties[member].get("default", "none") if member in properties else "none"
    if default and member not in ("presentation",) and json.loads(default[0]) != stated:
      fault("default of " + member, "%s in methods/open.md, %s in the schema" % (default[0], json.dumps(stated)))
  retry = json.loads(re.search(r"`retry` is `(\{.*?\})`", specification).group(1))
  if retry != {key: value["default"] for key, value in common["retrySettings"]["properties"].items()} or retry != properties["retry"]["default"]:
    fault("default of retry", "specification and schema differ")
  for heading, name in (("### 15.2 synthetic", "synthetic"), ("### 15.3 file", "file")):
    members = schemas.files["source.schema.json"]["$defs"][name]["properties"]
    table = rows(specification, heading)
    same("members of " + name, ("specification", [one for row in table for one in code(row[0])] + ["type"]), ("schema", members))
    for row in table:
      for member in code(row[0]):
        if "default" in members.get(member, {}) and code(row[1]) and json.loads(code(row[1])[0]) != members[member]["default"]:
          fault("default of %s of %s" % (member, name), "specification and schema differ")
  limits = schemas.files["initialize.schema.json"]["$defs"]["result"]["properties"]["capabilities"]["properties"]["limits"]["properties"]
  table = {code(row[0])[0]: int(row[1]) for row in rows(specification, "## 18. Limits")}
  same("limits", ("specification", table), ("schema", limits))
  if table["maxPageSize"] != properties["pageSize"]["maximum"]:
    fault("maxPageSize", "specification and schema differ")
  shown_limits = re.search(r'"limits":(\{[^}]*\})', pages["initialize"]["Example"]).group(1)
  if json.loads(shown_limits) != table:
    fault("limits", "the example of initialize does not show those of the specification")

def check_errors(specification, schemas, seen):
  table = {code(row[1])[0]: (int(row[0]), row[2]) for row in rows(specification, "## 17. Errors")}
  defined = {name: schema["properties"]["code"]["const"] for name, schema in schemas.files["error.schema.json"]["$defs"].items()}
  same("errors", ("specification", {(name, number) for name, (number, _) in table.items()}), ("schema", set(defined.items())))
  for name, (number, _) in table.items():
    if number not in seen["codes"] and name != "internalError":  # nobody can ask for a fault of the server's
      fault("errors", "no transcript shows %s" % name)
  for name in sorted(glob.glob(os.path.join(HERE, "methods", "*.md"))):
    for error, number in re.findall(r"`([A-Za-z]+)` \((-?[0-9]+)\)", text_of(name)):
      if table.get(error, (None,))[0] != int(number):
        fault(os.path.basename(name), "%s is not %s" % (error, number))
  return table

def check_links():
  for path in sorted(glob.glob(os.path.join(HERE, "**", "*.md"), recursive=True)):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text_of(path)):
      if not os.path.exists(os.path.join(os.path.dirname(path), target)):
        fault(os.path.relpath(path, HERE), "nothing is at " + target)

def check_with_jsonschema(schemas):
  try:
    import jsonschema, referencing
  except ImportError:
    return "without jsonschema (python3 -m pip install jsonschema)"
  for name, schema in schemas.files.items():
    try:
      jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
      fault("schema/" + name, error.message)
  registry = referencing.Registry().with_resources([(BASE + name, referencing.Resource.from_contents(schema)) for name, schema in schemas.files.items()])
  validator = jsonschema.Draft202012Validator(schemas.files["message.schema.json"], registry=registry)
  count = 0
  for path, lines in replay.transcripts(os.path.join(HERE, "methods")):
    for _, line in lines[1:]:
      message = [line.data[key].raw for key in ("send", "expect") if key in line.data and '"$' not in line.data[key].raw.replace('"$/', "")]
      count += len(message)
      if message and not validator.is_valid(json.loads(message[0])):
        fault(os.path.relpath(path, HERE), "jsonschema refuses " + message[0][:120])
  return "with jsonschema (%d messages)" % count

def play(schemas, command):
  """Plays every transcript, and validates what really came."""
  options = type("Options", (), {"chunk": 0, "verbose": False})
  log, plain = [], replay.Server.next
  def recording(server, seconds, wanted):
    message = plain(server, seconds, wanted)
    log.append((False, message.raw))
    return message
  replay.Server.next = recording
  filled = replay.filled
  depth = [0]
  def sending(value, names):
    depth[0] += 1
    text = filled(value, names)
    depth[0] -= 1
    if depth[0] == 0:
      log.append((True, text))
    return text
  replay.filled = sending
  command = [os.path.abspath(command[0]) if os.path.sep in command[0] else command[0]] + command[1:]
  count = 0
  for root in ("methods", "transcripts"):
    for name, lines in replay.transcripts(os.path.join(HERE, root)):
      if "provider" in lines[0][1].data:
        continue
      log.clear()
      short = os.path.relpath(name, HERE)
      report = replay.play(lines, command, options)
      if report:
        fault(short, report)
      count += 1
      messages = Messages(schemas, short, False)
      for isFromClient, text in log:
        if isFromClient:  # what was sent is checked where it stands
          try:
            for single in (lambda value: value if isinstance(value, list) else [value])(json.loads(text)):
              if isinstance(single, dict) and isinstance(single.get("method"), str) and "id" in single:
                messages.asked.setdefault((True, json.dumps(single["id"])), single["method"])
          except ValueError:
            pass
        else:
          messages.check(json.loads(text), False)
  return "%d transcripts played" % count

def run_guide(command):
  """Runs the programs of guide.md, and compares what they print with what stands below them."""
  command, count = [os.path.abspath(command[0]) if os.path.sep in command[0] else command[0]] + command[1:], 0
  blocks = re.findall(r"^```(python|text)\n(.*?)^```", text_of("guide.md"), flags=re.M | re.S)
  with tempfile.TemporaryDirectory() as directory:
    for index, (language, text) in enumerate(blocks):
      if language != "python":
        continue
      name = re.match(r"# (\w+\.py)\n", text).group(1)
      with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write(text)
      if not name.startswith("step"):
        continue
      done = subprocess.run([sys.executable, name] + command, cwd=directory, stdout=-1, stderr=-1, timeout=60, encoding="utf-8")
      expected = blocks[index + 1][1] if index + 1 < len(blocks) and blocks[index + 1][0] == "text" else done.stdout
      count += 1
      if done.returncode or done.stdout != expected:
        fault("guide.md", "%s ended with %d and printed\n%s%s" % (name, done.returncode, done.stdout, done.stderr[-1500:]))
    served = serve_front_ends(command, directory)
  return "%d steps of the guide run, %d of them against a server that is played" % (count, served)

def serve_front_ends(command, directory):
  """Plays the server of transcripts/front-ends to the programs of the guide, with a server that can do so."""
  if "--serve" not in subprocess.run(command[:1] + ["--help"], stdin=subprocess.DEVNULL, stdout=-1, stderr=-1, timeout=60, encoding="utf-8").stdout:
    return 0
  paths = sorted(glob.glob(os.path.join(HERE, "transcripts", "front-ends", "*.jsonl")))
  for path in paths:
    step = re.search(r"\(guide, step ([0-9]+)\)", text_of(path))[1]
    done = subprocess.run([sys.executable, "step%s.py" % step, command[0], "replay", "--serve", path], cwd=directory, stdout=-1, stderr=-1, timeout=60, encoding="utf-8")
    if done.returncode or done.stderr:
      fault(os.path.relpath(path, HERE), "step %s of the guide ended with %d\n%s" % (step, done.returncode, done.stderr[-1500:]))
  return len(paths)

def main():
  arguments = sys.argv[1:]
  command = arguments[arguments.index("--") + 1:] if "--" in arguments else []
  specification, schemas, pages = text_of("specification.md"), Schemas(), read_pages()
  sections = set(re.findall(r"^#{2,3} ([0-9]+(?:\.[0-9]+)?)[. ]", specification, flags=re.M))
  same("methods", ("specification", pages), ("methods/", [os.path.basename(path)[:-3] for path in glob.glob(os.path.join(HERE, "methods", "*.md"))]))
  same("methods", ("specification", pages), ("schema/", [name.split(".")[0] for name in schemas.files if name.split(".")[0] not in SHARED]))
  if faults:  # the rest would stumble over it
    print("\n".join(faults))
    return 1
  seen = {"methods": set(), "codes": set()}
  for root in ("methods", "transcripts", os.path.join("transcripts", "negative"), "conformance"):
    for path, lines in replay.transcripts(os.path.join(HERE, root)):
      name = os.path.relpath(path, HERE)
      check_transcript(schemas, name, [json.loads(value.raw) for _, value in lines], sections, seen)
      if root == "methods" and WIRE.get(os.path.basename(path)[:-3], os.path.basename(path)[:-3]) not in json.dumps([value.raw for _, value in lines]):
        fault(name, "its example does not show the message")
  same("methods", ("specification", {WIRE.get(name, name) for name in pages}), ("transcripts", {name for name in seen["methods"] if isinstance(name, str) and name.replace("$/", "") in pages}))
  errors = check_errors(specification, schemas, seen)
  check_words(specification, schemas, pages)
  for where, pattern in (("specification.md", r"^Version: \*\*1\.0\*\*$"), ("README.md", r"this is \*\*1\.0\*\*"), ("transcripts/README.md", r"Format version \*\*1\.0\*\*")):
    if not re.search(pattern, text_of(where), flags=re.M):
      fault(where, "it does not say version 1.0")
  if schemas.files["initialize.schema.json"]["$defs"]["result"]["properties"]["protocolVersion"] != {"const": "1.0"}:
    fault("schema/initialize.schema.json", "protocolVersion is not 1.0")
  document = json.dumps(openrpc(schemas, pages, errors), indent=2, ensure_ascii=False) + "\n"
  table = every_message(specification, pages)
  if "--write" in arguments:
    with open(os.path.join(HERE, "specification.md"), "w", encoding="utf-8") as file:
      file.write(table)
    with open(os.path.join(HERE, "pagewire.openrpc.json"), "w", encoding="utf-8") as file:
      file.write(document)
  if text_of("specification.md") != table:
    fault("specification.md", "section 20 is not what the pages say; run check.py --write")
  if text_of("pagewire.openrpc.json") != document:
    fault("pagewire.openrpc.json", "it is not what the schemas and pages give; run check.py --write")
  check_openrpc(json.loads(text_of("pagewire.openrpc.json")))
  check_links()
  how = check_with_jsonschema(schemas)
  played = ", %s, %s" % (play(schemas, command), run_guide(command)) if command else ""
  for line in faults:
    print(line)
  print("%d methods, %d schemas, %d errors, %s%s: %s" % (len(pages), len(schemas.files), len(errors), how, played, "%d disagreements" % len(faults) if faults else "all agree"))
  return 1 if faults else 0

if __name__ == "__main__":
  sys.exit(main())
