"""The origin at every address: a file, redirects of every kind, and what it was asked."""
import socket
import ssl
import threading
import urllib.parse

FILE = b"the bytes of a public file\n"


class Origin:
    """Serves port 80 of every address, and port 443 with a certificate."""

    def __init__(self, certificate):
        self.requests = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        for family, address in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
            for port in (80, 443):
                listener = socket.socket(family, socket.SOCK_STREAM)
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                listener.bind((address, port))
                listener.listen(128)
                wrap = context if port == 443 else None
                threading.Thread(target=self.accept, args=(listener, wrap), daemon=True).start()

    def accept(self, listener, context):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=self.serve, args=(connection, context), daemon=True).start()

    def serve(self, connection, context):
        connection.settimeout(60)
        try:
            if context:
                connection = context.wrap_socket(connection, server_side=True)
            stays = True
            while stays:
                head, target = self.request(connection)
                if not head:
                    return
                self.requests.append((connection.getsockname()[0], target))
                stays = target.startswith("/hook/")
                connection.sendall(self.hook(target) if stays else self.answer(target))
        except OSError:
            pass
        finally:
            connection.close()

    @staticmethod
    def request(connection):
        """The head of a request and its target; the body that it announces is read too."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return b"", ""
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        length = [int(line.split(b":")[1]) for line in head.split(b"\r\n")
                  if line.lower().startswith(b"content-length:")]
        while length and len(body) < length[0]:
            body += connection.recv(65536)
        return head, head.split(b" ", 2)[1].decode("latin-1")

    def hook(self, target):
        """A receiver of webhooks that fails once, and keeps the connection."""
        times = sum(asked == target for _, asked in self.requests)
        status = b"503 Service Unavailable" if times == 1 else b"204 No Content"
        return b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n"

    @staticmethod
    def answer(target):
        path, _, query = target.partition("?")
        if path == "/ask":
            # A begin hook whose answer leads to the address in the query.
            body = b'{"disposition":"use_new_request","request":{"url":"http://%s/canary"}}' % (
                query.encode())
            return (b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                    % len(body)) + body
        if path == "/to":
            location = urllib.parse.unquote_to_bytes(query)
            return (b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\n"
                    b"Location: " + location + b"\r\n\r\n")
        if path == "/long":
            return (b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\n"
                    b"Location: http://ok.test/" + b"x" * int(query) + b"\r\n\r\n")
        if path == "/loop":
            step = int(query or "0") + 1
            return (b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\n"
                    b"Location: ?%d\r\n\r\n" % step)
        return (b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                % len(FILE)) + FILE
