"""Takes messages to people: the posts of chats and ntfy, and mail by aiosmtpd.

usage: people.py ADDRESS_FILE MESSAGES_FILE

Listens on 127.0.0.1 and writes its base URL and the port of its mail server to ADDRESS_FILE, in two
lines. Every POST is answered 200, and every mail of `user` with the password `p@ss` is taken unless
it is for `nobody@…`; each is appended to MESSAGES_FILE as one line of JSON.
"""

import asyncio
import email
import email.policy
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aiosmtpd.smtp import SMTP, AuthResult

address_file, messages_file = sys.argv[1:3]
writing = threading.Lock()
log = open(messages_file, "a", encoding="utf-8")


def note(**line):
    with writing:
        log.write(json.dumps(line) + "\n")
        log.flush()


class Chat(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        note(to=self.path, headers=headers, text=body.decode())
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Mailbox:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        headers = {name.lower(): str(value) for name, value in mail.items()}
        headers["envelope"] = f"{envelope.mail_from} {' '.join(envelope.rcpt_tos)}"
        note(to="mail", headers=headers, text=mail.get_content())
        return "250 OK"


def check(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login, data.password) == (b"user", b"p@ss"))


chat = ThreadingHTTPServer(("127.0.0.1", 0), Chat)
chat.daemon_threads = True


def factory():
    return SMTP(
        Mailbox(), auth_required=True, auth_require_tls=False, authenticator=check, loop=loop)


loop = asyncio.new_event_loop()
server = loop.run_until_complete(loop.create_server(factory, "127.0.0.1", 0))
port = server.sockets[0].getsockname()[1]
threading.Thread(target=loop.run_forever, daemon=True).start()
with open(address_file + ".part", "w", encoding="utf-8") as file:
    file.write(f"http://127.0.0.1:{chat.server_address[1]}\n{port}")
os.rename(address_file + ".part", address_file)
chat.serve_forever()
