"""An HTTP server on the loopback whose every answer a test decides, and which remembers what it was asked."""

import http.server
import json
import ssl
import sys
import threading
import urllib.parse


class Reply:
    """An answer: `body` is bytes, text, or a value to be sent as JSON; `raw` takes the socket's file and does the rest."""

    def __init__(self, body=b"", status=200, headers=(), raw=None):
        if isinstance(body, str):
            body = body.encode()
        elif not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.body, self.status, self.headers, self.raw = body, status, list(headers), raw


class Request:
    """What a client sent."""

    def __init__(self, handler, body):
        self.method = handler.command
        self.target = handler.path
        self.path, _, query = handler.path.partition("?")
        self.raw_query = query
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        self.headers = handler.headers
        self.body = body
        self.connection = handler.client_address[1]

    def number(self, name, default=None):
        return int(self.query.get(name, default))


class ScriptedServer:
    """Answers each request with what `script(request)` gives: a Reply, or the body of one."""

    def __init__(self, script, certificate=None):
        self.requests = []
        self.problems = []
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Without it each answer waits for the client's delayed acknowledgement.
            disable_nagle_algorithm = True
            wbufsize = -1

            def answer(self):
                request = Request(self, self.rfile.read(int(self.headers.get("Content-Length") or 0)))
                owner.requests.append(request)
                reply = script(request)
                if not isinstance(reply, Reply):
                    reply = Reply(reply)
                if reply.raw:
                    self.close_connection = True
                    try:
                        reply.raw(self.wfile)
                        self.wfile.flush()
                    except OSError:
                        pass
                    return
                self.send_response(reply.status)
                for name, value in reply.headers:
                    self.send_header(name, value)
                if reply.status != 204:
                    self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            do_GET = do_POST = do_PUT = answer

            def log_message(self, *arguments):
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, request, client_address):
                """A client that went away in the middle is what some tests want."""
                error = sys.exc_info()[1]
                if not isinstance(error, OSError):
                    owner.problems.append(error)
                    super().handle_error(request, client_address)

        self.server = Quiet(("127.0.0.1", 0), Handler)
        scheme = "http"
        if certificate:
            scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate[1], certificate[0])
            # The handshake is made when the connection's own thread reads.
            self.server.socket = context.wrap_socket(
                self.server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.origin = "%s://127.0.0.1:%d" % (scheme, self.server.server_address[1])
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
