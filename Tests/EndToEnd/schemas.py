"""Validates messages against protocol/schema, with `jsonschema` where it is there (PAGEWIRE_SCHEMAS requires it).

Each distinct shape is validated once: two messages have the same shape if they differ in nothing that a schema looks
at. That makes it cheap enough for every message of every test.
"""

import glob
import json
import os

from strict_json import ProtocolViolation

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "protocol", "schema")
BASE = "https://pagewire.example/1.0/"
# What may be any JSON value, and is not looked into.
OPAQUE = ("items", "cursor", "next", "previous", "cause", "presentation", "startAt")
FREE_TEXT = ("text", "message", "session", "path", "url", "query", "resume", "reason", "stderr")
BOUNDS = (-(2**53) - 1, -1, 0, 1, 100, 10_000_000, 2**53)
# The errors after which a request need not have been a valid one: the session is looked for before other members are,
# and an unknown type of source, or one that is switched off, is no fault of form.
REFUSED = (-32700, -32600, -32601, -32602, 1001, 1003, 1009)


def strict(schema):
    """The same schema, where an object that lists its members has no others."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict):
        found.setdefault("additionalProperties", False)
    return found


def shape(value, name=""):
    """What a schema can tell apart of a value."""
    if name in OPAQUE:
        return type(value).__name__
    if isinstance(value, dict):
        return tuple(sorted((key, shape(each, key)) for key, each in value.items()))
    if isinstance(value, list):
        return ("array", *sorted({repr(shape(each, name)) for each in value}))
    if isinstance(value, str):
        return repr(value) if len(value) <= 40 and name not in FREE_TEXT else "text" if value else "empty"
    if isinstance(value, int) and not isinstance(value, bool) and name != "code":
        return "integer", sum(value > bound for bound in BOUNDS)
    return repr(value)


class Schemas:
    """The schemas, each compiled when it is first needed: strict for what the server says, as they are for requests."""

    def __init__(self):
        import jsonschema
        import referencing

        self.files = {}
        for path in glob.glob(os.path.join(FOLDER, "*.schema.json")):
            with open(path, encoding="utf-8") as stream:
                self.files[os.path.basename(path)] = json.load(stream)
        self.registries = {
            is_strict: referencing.Registry().with_resources(
                (BASE + name, referencing.Resource.from_contents(strict(schema) if is_strict else schema))
                for name, schema in self.files.items()
            )
            for is_strict in (True, False)
        }
        self.compile = jsonschema.Draft202012Validator
        self.validators = {}
        self.seen = set()

    def check(self, value, reference, is_strict):
        key = (reference, is_strict, shape(value))
        if key in self.seen:
            return
        if key[:2] not in self.validators:
            self.validators[key[:2]] = self.compile({"$ref": BASE + reference}, registry=self.registries[is_strict])
        wrong = next(self.validators[key[:2]].iter_errors(value), None)
        if wrong:
            where = "/".join(map(str, wrong.absolute_path))
            raise ProtocolViolation("%s, at /%s: %s, in %.300r" % (reference, where, wrong.message[:300], value))
        self.seen.add(key)


try:
    SCHEMAS = Schemas()
except ImportError:
    if os.environ.get("PAGEWIRE_SCHEMAS"):
        raise
    SCHEMAS = None


class Conversation:
    """What is said on one connection: every message of the server's, and every request that it does not refuse."""

    def __init__(self):
        self.asked = {}

    def sent(self, raw_id, method, params):
        self.asked[raw_id] = (method, params)

    def received(self, message):
        if not SCHEMAS:
            return
        if message.kind != "response":
            name = message.method.replace("$/", "") + ".schema.json"
            if name not in SCHEMAS.files:
                raise ProtocolViolation("no schema describes %s" % message.method)
            SCHEMAS.check(message.members, name, True)
            return
        method, params = self.asked.pop(message.raw["id"], ("", None))
        name = method.replace("$/", "") + ".schema.json"
        if "error" in message.members:
            SCHEMAS.check(message["error"], "error.schema.json", True)
        elif name in SCHEMAS.files and "result" in SCHEMAS.files[name].get("$defs", {}):
            SCHEMAS.check(message["result"], name + "#/$defs/result", True)
        elif name in SCHEMAS.files and message["result"] is not None:
            raise ProtocolViolation("%s is a notification, so it is answered null" % method)
        if name in SCHEMAS.files and message.get("error", {}).get("code") not in REFUSED:
            # Where a member is optional, null means that it was left out, and the schemas know the latter only.
            needed = "id" if method == "setScrolledID" else ""
            said = {key: value for key, value in (params or {}).items() if value is not None or key == needed}
            SCHEMAS.check({"jsonrpc": "2.0", "id": 1, "method": method, "params": said}, name, False)
