"""Takes webhooks of Lull at http://127.0.0.1:PORT/ and prints each event once: SECRET=whsec_... PORT=9000 python3 receiver.py"""
import http.server, os
from standardwebhooks import Webhook, WebhookVerificationError

seen = set()  # where it has to outlast a restart: a column that is unique

class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = Webhook(os.environ["SECRET"]).verify(body, headers)
        except WebhookVerificationError:
            return self.send_response(401), self.end_headers()
        if headers["webhook-id"] not in seen:  # the same event may come again
            seen.add(headers["webhook-id"])
            # Events of sessions have the session's identifier; they come only if they are named in the subscription.
            print(event["type"], event["data"].get("id", event["data"].get("identifier")), flush=True)
        self.send_response(204)  # received; after a session.wake: done (202: still at work)
        self.end_headers()

http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
