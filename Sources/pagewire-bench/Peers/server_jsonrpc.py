"""The same server on python-lsp-jsonrpc, the layer below python-lsp-server."""

import sys

from pylsp_jsonrpc.dispatchers import MethodDispatcher
from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter


class Server(MethodDispatcher):
    def __init__(self):
        self.sessions = {}

    def m_initialize(self, **_):
        return {"serverInfo": {"name": "python-lsp-jsonrpc", "version": "1"}}

    def m_open(self, session, **_):
        self.sessions[session] = {"count": 1000, "zone": 200, "last": None}
        return {}

    def m_item_appeared(self, session, position, **_):
        session = self.sessions[session]
        session["last"] = position
        in_zone = position >= session["count"] - session["zone"]
        return {"decision": "load" if in_zone else "idle", "position": position}


writer = JsonRpcStreamWriter(sys.stdout.buffer)
JsonRpcStreamReader(sys.stdin.buffer).listen(Endpoint(Server(), writer.write).consume)
