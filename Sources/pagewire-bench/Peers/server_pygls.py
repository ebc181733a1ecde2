"""The same server on pygls, the usual framework for language servers in Python."""

from pygls.lsp.server import LanguageServer

server = LanguageServer("pygls", "1")
sessions = {}


@server.feature("open")
def open_session(params):
    sessions[params.session] = {"count": 1000, "zone": 200, "last": None}
    return {}


@server.feature("itemAppeared")
def item_appeared(params):
    session = sessions[params.session]
    session["last"] = params.position
    in_zone = params.position >= session["count"] - session["zone"]
    return {"decision": "load" if in_zone else "idle", "position": params.position}


server.start_io()
