"""A proxy between the browser and Lull that keeps what was asked, cuts streams, adds events and holds answers back."""
import contextlib
import http.client
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DROPPED = {"connection", "transfer-encoding", "keep-alive"}


class Between:
    """Passes requests below `prefix` on without it; all others get 404, as from another program."""

    def __init__(self, target, prefix=""):
        self.target = target.removeprefix("http://")
        self.prefix = prefix
        self.asked = []
        self.streams = set()
        self.is_cut = False
        self.held = None
        self.release = threading.Event()
        self.lock = threading.Lock()
        between = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self):
                if not self.path.startswith(between.prefix + "/"):
                    self.send_error(404)
                    return
                path = self.path.removeprefix(between.prefix)
                between.asked.append((self.command, path, self.headers))
                if between.is_cut:
                    self.close_connection = True
                    return
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                upstream = http.client.HTTPConnection(between.target, timeout=300)
                try:
                    fields = {k: v for k, v in self.headers.items() if k.lower() not in DROPPED}
                    upstream.request(self.command, path, body or None, fields)
                    sock = upstream.sock  # A connection that the service closes at the end has none later.
                    answer = upstream.getresponse()
                    if between.held and between.held in path:
                        between.release.wait(60)
                    self.answer_with(answer, sock)
                finally:
                    upstream.close()

            def answer_with(self, answer, sock):
                is_stream = answer.headers.get_content_type() == "text/event-stream"
                self.send_response_only(answer.status, answer.reason)
                for name, value in answer.headers.items():
                    if name.lower() not in DROPPED:
                        self.send_header(name, value)
                if is_stream:
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    self.pass_stream(answer, sock)
                    return
                body = answer.read()
                if "Content-Length" not in answer.headers and answer.status not in (204, 304):
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def pass_stream(self, answer, sock):
                with between.lock:
                    between.streams.add((self, sock))
                try:
                    while piece := answer.read1(65_536):
                        self.write_piece(piece)
                finally:
                    with between.lock:
                        between.streams.discard((self, sock))
                    self.close_connection = True

            def write_piece(self, piece):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()

            def handle(self):
                try:
                    super().handle()
                except (OSError, ValueError, http.client.HTTPException):
                    self.close_connection = True

            def log_message(self, *_):
                pass

        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"):
            setattr(Handler, f"do_{method}", Handler.forward)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}{prefix}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def cut(self):
        """Ends every stream in its middle, and refuses all requests until `mend()`."""
        self.is_cut = True
        with self.lock:
            streams = list(self.streams)
        for _, sock in streams:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def mend(self):
        self.is_cut = False

    def add(self, words):
        """Writes an event into every open stream, as Lull would."""
        with self.lock:
            streams = list(self.streams)
        for handler, _ in streams:
            handler.write_piece(words.encode())
        return len(streams)

    def hold(self, part):
        """Keeps the answers of all paths that contain `part` back until `let_go()`."""
        self.release.clear()
        self.held = part

    def let_go(self):
        self.held = None
        self.release.set()

    def paths(self, method="GET"):
        return [path for asked, path, _ in self.asked if asked == method]

    def close(self):
        self.cut()
        self.release.set()
        self.server.shutdown()
        self.server.server_close()
