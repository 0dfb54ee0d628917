"""What Schemathesis is told beside openapi.yaml: how not to hold itself up, and which values a
schema cannot describe."""
import os
import re
import uuid

import schemathesis
from schemathesis.core.media_types import YAML_MEDIA_TYPES

# Places whose values have rules that no schema can say, by operation.
# Requests of the download: names and values of header fields, one body only and none for a GET,
# base64, one kind of credentials, a proxy that is allowed, PEM texts that belong together.
SENT = r"(method|headers|http_additional_headers(_origins)?|body|body_base64|authorization|proxy|tls)(/.*)?"
# A host, a port and a destination that is allowed; a session that exists.
# Mirrors: as a URL, each once whatever its spelling, only with a digest and for a GET.
PLACE = r"(url|urls(/\d+)?)"
# Deadlines are in the future, after the date, within the time limit.
DATES = r"(begin_deadline|complete_by)"
# A hook before the begin needs a date, and an address that is allowed.
HOOK = r"begin_hook(/url)?"
# The least number of bytes is not above the most.
BYTES = r"(min|max)_bytes"
# The digits of a digest, in any of its forms.
DIGEST = r"expected_digest"
# A folder of the operator, a path that stays in it, a name of which some characters are left;
# a receiver that is allowed, with headers and credentials for it and for its hook; resume data that
# this service sealed. A patch has members of both forms of a destination.
FILE = r"(filename|destination(/(name|path|on_conflict|keep|url|protocol|method|keep_content|(hook(/.*)?)|headers(/.*)?|authorization(/.*)?))?|resume_data)"
# `join` goes neither with a destination nor with resume data.
SHARED = r"on_duplicate_url"
# A download of this app with the same URL; entity tags and dates as HTTP has them, and no digest with them.
CHANGED = r"if_(changed_from|none_match|modified_since)"
NEW = (
    rf"(#(/defaults|/downloads/\d+)?/({PLACE}|{DATES}|webhook_url|{HOOK}|session|{FILE}|{SHARED}|{CHANGED}|{SENT}|{BYTES}"
    rf"|{DIGEST})|\?session)"
)
URL = rf"#/({PLACE}|webhook_url|{HOOK}|{FILE}|{SENT})"
POLICY = (
    r"#/(time_zone|windows|conditions|rules|limits|budgets|bandwidth|shares|guard)(/.*)?"
)
VALUE_RULES = {
    "createDownload": NEW,
    "createDownloads": NEW,
    "changeDownload": rf"({URL}|#/({DATES}|{BYTES}|{DIGEST}|earliest_begin_date))",
    "retryDownload": rf"#/({SENT}|{FILE}|begin_hook(/.*)?)",
    # The members of a configuration have rules of their own: bounds of the operator, durations, names of fields.
    "putSession": r"#/.*",
    "changeSession": r"#/.*",
    # The members of a policy are in the schema that the service makes from the parser's own table.
    "putPolicy": POLICY,
    "putAppPolicy": POLICY,
    "createWebhookEndpoint": r"#/(url|format|events|headers(/.*)?|authorization(/.*)?|sessions/\d+)",
    "changeWebhookEndpoint": r"#/(url|sessions(/\d+)?|events|description|format|headers(/.*)?|authorization(/.*)?|enabled)",
    "recoverWebhookEndpoint": r"#/since",
    "tryPolicy": POLICY,
    "tryAppPolicy": POLICY,
    "explainPolicy": NEW,
    # Only conditions that are not measured are pushed, with a value of the declared type.
    "putCondition": r"#(/(value|schedule)(/.*)?)?",
    # A length up to LULL_UPLOAD_MAX, or a download whose content is held here.
    "createUpload": rf"#/(length|from(/download)?|{DIGEST}|{DATES}|webhook_url|session|{FILE})",
    "changeUpload": rf"#/({DATES}|{DIGEST}|earliest_begin_date|webhook_url|{FILE})",
    "retryUpload": rf"#/({SENT}|{FILE}|begin_hook(/.*)?)",
    "listUploads": r"\?(origin|error_code|cursor|order)",
    # An identifier of the other kind; one that is named twice.
    "actOnUploads": r"#/(filter(/(origin|error_code))?|ids(/\d+)?)",
    # A port up to 65535, a code that there is, a cursor of this order, an order that goes with the state.
    "listDownloads": r"\?(origin|error_code|cursor|order)",
    # A port, a code that there is, and a filter that means all.
    "actOnDownloads": r"#/(filter(/(origin|error_code))?|ids(/\d+)?)",
    # A cursor is sealed by the service that gave it.
    **dict.fromkeys(
        ("listKeys", "listSessions", "listSources", "listLooks", "listVersions", "listItems", "listEndpointDeliveries",
         "listWebhookDeliveries"), r"\?cursor"),
    "listEvents": r"(Last-Event-ID|\?after)",
    "listDownloadEvents": r"(Last-Event-ID|\?after)",
    "listUploadEvents": r"(Last-Event-ID|\?after)",
    # An interval from LULL_SOURCE_MIN_INTERVAL, a cron expression, a time zone of the system.
    "trySchedule": r"#/schedule(/.*)?",
    # A schedule, and what goes with the kind; a template has the rules of a download.
    "putSource": r"#/.*",
    "changeSource": r"#/.*",
}
# The bytes of an upload are refused for their number and their digests, which are in no schema; so
# are a field of tus that is no number or no digest, and a request without its body.
CONTENT = {"putUploadContent", "patchUploadContent"}
KEY = re.compile(r'([!#-~][!-~]{0,254}|"[ !#-\[\]-~]{1,255}")')


schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
tried = set()


@schemathesis.deserializer(*YAML_MEDIA_TYPES)
def description(context, response):
    """openapi.yaml is described as the text that it is."""
    return response.content.decode()


@schemathesis.hook
def before_call(context, case, kwargs):
    # specification.py reads that each operation was tried.
    name = case.operation.definition.raw.get("operationId")
    if name not in tried:
        tried.add(name)
        with open(os.environ["TRIED"], "a", encoding="utf-8") as file:
            file.write(f"{name}\n")
    # A wait of a minute shows no more than a wait of a second.
    if re.fullmatch("[0-9]{1,2}", str((case.query or {}).get("wait", ""))):
        case.query["wait"] = min(int(case.query["wait"]), 1)
    if str((case.headers or {}).get("Prefer", "")).startswith("wait="):
        case.headers["Prefer"] = "wait=1"
    # The answer to a dry run names no resource, so no request can follow it.
    is_dry = str((case.query or {}).get("dry_run")).lower() == "true"
    if is_dry and case.meta.phase.name.name == "STATEFUL":
        del case.query["dry_run"]
    # A key names one request: the request again would be another test than the intended one.
    if KEY.fullmatch(str((case.headers or {}).get("Idempotency-Key", ""))):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.check
def value_rules(context, response, case):
    """What follows the schema is refused only for one of the rules above."""
    if response.status_code not in (400, 422) or not case.meta.generation.mode.is_positive:
        return
    operation = case.operation.definition.raw.get("operationId")
    if operation in CONTENT:
        return
    rules = VALUE_RULES.get(operation)
    pointers = [error["pointer"] for error in response.json().get("errors", [])]
    assert rules and pointers, f"a request that follows the schema is refused: {response.text}"
    others = [pointer for pointer in pointers if not re.fullmatch(rules, pointer)]
    assert not others, f"{others} follow the schema and are refused"
