"""What the tests share: the server under test, and programs that are none."""

import os
import shutil
import sys

import pytest


@pytest.fixture(scope="session", autouse=True)
def binary():
    path = os.environ.get("PAGEWIRE") or shutil.which("pagewire")
    assert path and os.access(path, os.X_OK), "set PAGEWIRE to the release binary"
    os.environ["PAGEWIRE"] = path
    return path


@pytest.fixture
def program(tmp_path):
    """Makes an executable Python script, to be started in place of a server."""

    def make(text, name="program"):
        path = tmp_path / name
        path.write_text("#!%s\n%s" % (sys.executable, text))
        path.chmod(0o755)
        return str(path)

    return make


LATER_VERSION = """
import json, sys
length = int(sys.stdin.buffer.readline().split()[1])
sys.stdin.buffer.readline()
asked = json.loads(sys.stdin.buffer.read(length))
result = {"protocolVersion": "2.0", "capabilities": {}}
body = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode()
sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n%s" % (len(body), body))
sys.stdout.flush()
sys.stdin.read()
"""
# Each is a program, and what a person is told who starts it in place of a server.
NO_SERVERS = {
    "speaks another version": (LATER_VERSION, "The server speaks version 2.0 of the protocol, and this client 1.0."),
    "ends at once": ("import sys; sys.exit('No room.')", "The pagewire server ended with status 1. No room."),
    "writes something else": ("print('Welcome!')", "It wrote what is no message: no frame begins with b'Welcome!"),
    "writes a broken body": ("print('Content-Length: 2\\r\\n\\r\\n{{')", "It wrote what is no message"),
    "writes what it reads": (
        "import os\nwhile data := os.read(0, 9999): os.write(1, data)",
        "What was started is no pagewire server: This client has no method initialize.",
    ),
}
