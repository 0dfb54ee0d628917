"""Calls a trigger as its sender would, with signatures that Lull's authors did not write.

usage: caller.py URL SIGNATURE SECRET BODY

SIGNATURE is `none`, `github` or `standard_webhooks`. Writes the status and the body of the answer.
"""

import datetime
import hashlib
import hmac
import sys
import urllib.error
import urllib.request
import uuid

from standardwebhooks import Webhook

url, signature, secret, body = sys.argv[1:5]
headers = {"Content-Type": "application/json"}
if signature == "github":
    digest = hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()
    headers |= {"X-Hub-Signature-256": f"sha256={digest}", "X-GitHub-Event": "release"}
elif signature == "standard_webhooks":
    now, name = datetime.datetime.now(tz=datetime.timezone.utc), f"msg_{uuid.uuid4()}"
    headers |= {
        "webhook-id": name, "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign(name, now, body)}
request = urllib.request.Request(url, body.encode(), headers, method="POST")
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        print(answer.status, answer.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
