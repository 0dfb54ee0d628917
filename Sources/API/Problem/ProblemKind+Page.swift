// The pages behind the `type` of a problem: its meaning and what to change.

extension ProblemKind {
    /// The page that explains this kind.
    var page: String {
        """
        <!doctype html>
        <html lang="en"><meta charset="utf-8">
        <title>\(title) - Lull</title>
        <h1>\(title)</h1>
        <p><code>\(rawValue)</code>, status \(status)</p>
        <p>\(remedy)</p>
        <p><a href="/openapi.yaml">The API</a></p>
        </html>

        """
    }

    private var remedy: String {
        switch self {
        case .malformedRequest, .requestTimeout, .expectationFailed, .notImplemented,
            .versionNotSupported, .contentTooLarge, .uriTooLong, .headerFieldsTooLarge:
            transportRemedy
        case .malformedJSON, .unsupportedMediaType, .validationFailed, .batchRejected,
            .unsupportedURLScheme, .destinationNotAllowed, .proxyNotAllowed:
            bodyRemedy
        case .invalidIdempotencyKey, .idempotencyKeyInProgress, .idempotencyKeyReused:
            keyRemedy
        default: stateRemedy
        }
    }

    private var keyRemedy: String {
        switch self {
        case .idempotencyKeyInProgress:
            "The first request with this key has no answer yet. Send it again after the seconds in "
                + "<code>Retry-After</code>; it gets the answer of the first."
        case .idempotencyKeyReused:
            "A key belongs to one request: method, path, query and body. Keys are kept for 24 "
                + "hours; take a new one, for example a random UUID, for each new request."
        default:
            "Send <code>Idempotency-Key</code> once, with 1 to 255 visible ASCII characters; "
                + "<code>\"a\"</code> and <code>a</code> are the same key."
        }
    }

    private var transportRemedy: String {
        switch self {
        case .requestTimeout: "Send the whole request without long pauses."
        case .expectationFailed:
            "The only expectation that can be met is <code>Expect: 100-continue</code>."
        case .notImplemented:
            "The method or the transfer coding is not implemented. Use the methods of the "
                + "API, and chunked as the only transfer coding."
        case .versionNotSupported: "Use HTTP/1.1 or HTTP/1.0."
        case .contentTooLarge: "Send a smaller body; 4 MiB are read."
        case .uriTooLong: "Shorten the path and the query of the request."
        case .headerFieldsTooLarge: "Send fewer or shorter header fields."
        default:
            "The request breaks a rule of HTTP/1.1 (RFC 9112), or its path or query is not "
                + "percent-encoded UTF-8. Nothing is repaired: the <code>detail</code> says which "
                + "rule it was."
        }
    }

    private var bodyRemedy: String {
        switch self {
        case .malformedJSON:
            "The body is not a JSON text (RFC 8259). <code>line</code> and <code>column</code> "
                + "are the place of the error. The limits are 4 MiB, 200,000 "
                + "values, 64 levels, 1,000 members in one object, 8 MiB of memory for all values."
        case .unsupportedMediaType:
            "Send the body without <code>Content-Encoding</code>, and with one of the "
                + "types in <code>Accept</code>, <code>Accept-Post</code> or "
                + "<code>Accept-Patch</code> of the answer. <code>curl -d</code> declares a form; "
                + "<code>curl --json</code> (7.82 or later) declares JSON."
        case .batchRejected:
            "A batch is created whole or not at all. Each of <code>errors</code> names a download "
                + "by its place, from 0, in <code>pointer</code> and says what to change."
        case .unsupportedURLScheme:
            "Downloads come from <code>http://</code> and <code>https://</code> URLs."
        case .destinationNotAllowed:
            "The operator of this service decides where it may connect, by the setting that "
                + "<code>setting</code> names: a comma-separated list of <code>public</code>, "
                + "<code>private</code>, <code>loopback</code>, address ranges and host names."
        case .proxyNotAllowed:
            "A download goes through a proxy only where the operator of this service set "
                + "<code>LULL_PROXY_DESTINATIONS</code>. Leave <code>proxy</code> out."
        default:
            "Each of <code>errors</code> names a place and says what to change. A "
                + "<code>pointer</code> like <code>#/url</code> is a JSON Pointer into the body, "
                + "one like <code>?limit</code> names a query parameter. Members and parameters "
                + "that are not known are refused, so that misspelt names are noticed."
        }
    }

    private var stateRemedy: String {
        switch self {
        case .unauthorized:
            "Every path below <code>/v1/</code> needs <code>Authorization: Bearer</code> and a key "
                + "that <code>lull keys create</code> made and nobody revoked."
        case .forbidden:
            "A service without keys answers only requests that name the loopback interface in "
                + "<code>Host</code> and do not come from a page of another site."
        case .insufficientScope:
            "A key opens what its scopes say. <code>detail</code> names the one that is missing; "
                + "<code>lull keys create --scope</code> makes a key that has it."
        case .notAcceptable:
            "Answers are <code>application/json</code>; ask for it in <code>Accept</code>, or send "
                + "no such field."
        case .quotaExceeded:
            "<code>violated-policies</code> names the limit: <code>requests</code> a second, or "
                + "downloads <code>queued</code> at once. Try again after the seconds in "
                + "<code>Retry-After</code>; the operator sets both with "
                + "<code>lull keys limit</code>."
        case .notFound:
            "There is no such resource, or it was deleted. <code>detail</code> says what was "
                + "looked for; the paths are in the API's description."
        case .methodNotAllowed: "<code>Allow</code> lists the methods of this resource."
        case .invalidStateTransition:
            "<code>state</code> is where the download stands, <code>allowed</code> what can be "
                + "asked of it now."
        case .secretsErased:
            "Header values, bodies and credentials are erased when a download ends. Send the "
                + "members that <code>errors</code> names again, in the body of "
                + "<code>POST /v1/downloads/{id}/retry</code>; null goes without one."
        case .externalIDInUse:
            "A session has each <code>external_id</code> once, and <code>download</code> has it "
                + "with another URL or digest. Take another one, change that download with "
                + "<code>PATCH</code>, or delete it after its end."
        case .noResumeData:
            "There is resume data while a download by GET has not ended, has received bytes, and a "
                + "validator of the origin or <code>expected_digest</code> can prove that others "
                + "belong to them."
        case .contentNotReady:
            "Content is there once <code>state</code> is <code>succeeded</code>. Wait for it with "
                + "<code>?wait=60</code> on the download, or by a webhook."
        case .contentExpired:
            "The file was removed: it was kept for <code>content_retention</code>, or released. "
                + "Create the download again."
        case .contentChanged:
            "Somebody has written to the file in the folder of <code>destination</code>, and it "
                + "was the only copy. Put the bytes back, or <code>POST</code> to "
                + "<code>/retry</code> of the download. The operator may have copies placed: "
                + "<code>name=/folder;copy</code> in <code>LULL_DESTINATIONS</code>."
        case .contentLost:
            "The file is missing or damaged in the data directory, which its operator should know. "
                + "Create the download again."
        case .endpointConflict:
            "<code>detail</code> says what stands against it: the endpoint is disabled, is "
                + "<code>default</code>, or is one more than an app may have."
        case .deliveryErased:
            "A download was deleted, and with it what its webhooks sent. Later deliveries of other "
                + "downloads are not concerned."
        case .sessionNotEmpty:
            "Wait until its downloads have ended, cancel them, or send the DELETE with "
                + "<code>?mode=finish</code> or <code>?mode=cancel</code>."
        case .sessionInvalidated:
            "The session was ended. When it is over, <code>PUT /v1/sessions/{identifier}</code> "
                + "makes a new one of the same name."
        case .sessionConflict: "<code>detail</code> says what stands against it."
        case .wakeExpired:
            "The wake was completed before, or sent as often as a wake is and never completed. "
                + "What it announced is in <code>GET /v1/events</code>; the next one has another "
                + "token."
        case .preconditionFailed:
            "The resource changed since you read it. Read it again and send its new "
                + "<code>ETag</code> in <code>If-Match</code>."
        case .rangeNotSatisfiable:
            "<code>Content-Range</code> gives the length of the whole content."
        case .databaseUnavailable, .overloaded:
            "Try again after the seconds in <code>Retry-After</code>."
        case .contentUnavailable:
            "The file is not found, or cannot be read, at the moment; its volume may be away. It "
                + "does not count as lost. Try again after the seconds in <code>Retry-After</code>."
        case .notReady: "<code>checks</code> says which part is missing, and why."
        default:
            "The log has the cause under the same <code>request_id</code>. Please report it."
        }
    }
}
