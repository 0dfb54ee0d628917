"""An origin on loopback that answers as the path of a request says."""
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

TYPES = {"wav": "audio/wav", "html": "text/html", "txt": "text/plain", "mp4": "video/mp4"}
PIECE = 16_384


def head_of(name, length):
    """How a file begins, and the byte that fills it: a WAV is silence, others are zeros behind their name."""
    if not name.endswith(".wav"):
        return name.encode()[:length], b"\0"
    sizes = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", length - 8, b"WAVE", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8,
                        b"data", length - 44)
    return sizes, b"\x80"


def part_of(name, length, begin, end):
    """Some bytes of a file, which is never in memory as a whole."""
    head, fill = head_of(name, length)
    part = head[begin:end]
    return part + fill * (min(end, length) - begin - len(part))


class Origin:
    """`/data/LENGTH/NAME` gives a file, `/slow/LENGTH/RATE/NAME` the same at RATE bytes a second, `/status/CODE/NAME`
    that status. `/gate/LENGTH/NAME` gives half of a file, and the rest once `open()` was called."""

    def __init__(self):
        self.seen = []
        self.gate = threading.Event()
        origin = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                origin.seen.append(self.path)
                words = unquote(self.path.partition("?")[0]).lstrip("/").split("/")
                kind, first, name = words[0], int(words[1]), words[-1]
                if kind == "status":
                    self.send_response(first)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                rate = int(words[2]) if kind == "slow" else 0
                self.send_file(name, first, rate, kind == "gate")

            def send_file(self, name, length, rate, is_gated):
                begin = self.range_begin(length)
                self.send_response(206 if begin else 200)
                if begin:
                    self.send_header("Content-Range", f"bytes {begin}-{length - 1}/{length}")
                self.send_header("Content-Length", str(length - begin))
                self.send_header("Content-Type", TYPES.get(name.rpartition(".")[2], "application/octet-stream"))
                self.send_header("ETag", f'"{length}"')
                self.send_header("Accept-Ranges", "bytes")
                self.end_headers()
                piece = max(rate // 10, 1) if rate else PIECE
                for place in range(begin, length, piece):
                    if is_gated and place >= length // 2:
                        origin.gate.wait(120)
                    self.wfile.write(part_of(name, length, place, place + piece))
                    self.wfile.flush()
                    if rate:
                        time.sleep(piece / rate)

            def range_begin(self, length):
                words = self.headers.get("Range", "")
                if not words.startswith("bytes=") or not words.endswith("-"):
                    return 0
                begin = int(words[6:-1])
                return begin if begin < length else 0

            def handle(self):
                try:
                    super().handle()
                except OSError:
                    pass  # Lull ended the transfer.

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def open(self):
        """Lets everything through that waits at the gate, now and later."""
        self.gate.set()

    def close(self):
        self.gate.set()
        self.server.shutdown()
        self.server.server_close()
