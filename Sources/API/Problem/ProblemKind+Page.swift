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
                + "hours. Use a new key, for example a random UUID, for each new request."
        default:
            "Send <code>Idempotency-Key</code> once, with 1 to 255 visible ASCII characters; "
                + "<code>\"a\"</code> and <code>a</code> are the same key."
        }
    }

    private var transportRemedy: String {
        switch self {
        case .requestTimeout: "Send the whole request without long pauses."
        case .expectationFailed:
            "Send <code>Expect: 100-continue</code>, or no such field. Lull meets no other "
                + "expectation."
        case .notImplemented:
            "Lull does not implement the method or the transfer coding. Use the methods of the "
                + "API, and no transfer coding but chunked."
        case .versionNotSupported: "Use HTTP/1.1 or HTTP/1.0."
        case .contentTooLarge: "Send a body of at most 4 MiB."
        case .uriTooLong: "Shorten the path and the query of the request."
        case .headerFieldsTooLarge: "Send fewer or shorter header fields."
        default:
            "The request breaks a rule of HTTP/1.1 (RFC 9112), or its path or query is not "
                + "percent-encoded UTF-8. Lull does not repair requests; <code>detail</code> names "
                + "the rule."
        }
    }

    private var bodyRemedy: String {
        switch self {
        case .malformedJSON:
            "The body is not a JSON text (RFC 8259), or it is larger than the limits: 4 MiB, "
                + "200,000 values, 64 levels, 1,000 members in one object, 8 MiB of memory for all "
                + "values. <code>line</code> and <code>column</code> are the place of the error."
        case .unsupportedMediaType:
            "Send the body without <code>Content-Encoding</code>, and with one of the "
                + "types in <code>Accept</code>, <code>Accept-Post</code> or "
                + "<code>Accept-Patch</code> of the answer. <code>curl -d</code> declares a form; "
                + "<code>curl --json</code> (7.82 or later) declares JSON."
        case .batchRejected:
            "A batch is created whole or not at all. Each of <code>errors</code> says what to "
                + "change; its <code>pointer</code> names the download by its place in the list, "
                + "counted from 0."
        case .unsupportedURLScheme:
            "Give an <code>http://</code> or <code>https://</code> URL."
        case .destinationNotAllowed:
            "The operator of this service decides where it may connect. <code>setting</code> names "
                + "the setting for it, a comma-separated list of <code>public</code>, "
                + "<code>private</code>, <code>loopback</code>, address ranges and host names."
        case .proxyNotAllowed:
            "A download can use a proxy only if the operator of this service has set "
                + "<code>LULL_PROXY_DESTINATIONS</code>. Leave <code>proxy</code> out."
        default:
            "Each of <code>errors</code> names a place and says what to change. A "
                + "<code>pointer</code> like <code>#/url</code> is a JSON Pointer into the body, "
                + "one like <code>?limit</code> names a query parameter. Unknown members and "
                + "parameters are refused, so that misspelt names are noticed."
        }
    }

    private var stateRemedy: String {
        switch self {
        case .unauthorized:
            "Every path below <code>/v1/</code> needs <code>Authorization: Bearer</code> with a "
                + "valid key. The operator makes keys with <code>lull keys create</code>. A call "
                + "of a trigger needs no key, but the signature that it was made with."
        case .forbidden:
            "A service without keys answers only requests whose <code>Host</code> is the loopback "
                + "interface and that do not come from a page of another site."
        case .insufficientScope:
            "A key allows only what its scopes name. <code>detail</code> names the missing scope; "
                + "<code>lull keys create --scope</code> makes a key that has it."
        case .notAcceptable:
            "Answers are <code>application/json</code>. Allow that type in <code>Accept</code>, or "
                + "send no such field."
        case .quotaExceeded:
            "<code>violated_policies</code> names the limit: <code>requests</code> a second, or "
                + "downloads <code>queued</code> at once. Try again after the seconds in "
                + "<code>Retry-After</code>; the operator sets both with "
                + "<code>lull keys limit</code>."
        case .notFound:
            "There is no such resource, or it was deleted. <code>detail</code> names it; the "
                + "description of the API lists the paths."
        case .methodNotAllowed: "<code>Allow</code> lists the methods of this resource."
        case .invalidStateTransition:
            "<code>state</code> is the present state of the download, and <code>allowed</code> "
                + "lists the actions that it allows."
        case .secretsErased:
            "Header values, bodies and credentials are erased when a download ends. Send the "
                + "members that <code>errors</code> names again, in the body of <code>POST "
                + "/v1/downloads/{id}/retry</code>, or null to retry without one."
        case .externalIDInUse:
            "In a session an <code>external_id</code> names one download. <code>download</code> "
                + "has this one already, with another URL or digest. Use another "
                + "<code>external_id</code>, change that download with <code>PATCH</code>, or "
                + "delete it after its end."
        case .noResumeData:
            "A download has resume data if it is a GET that has not ended and has received bytes, "
                + "and if a validator of the origin or <code>expected_digest</code> can prove that "
                + "further bytes belong to them."
        case .contentNotReady:
            "A download has content once its <code>state</code> is <code>succeeded</code>. Wait "
                + "for that with <code>?wait=60</code> on the download, or with a webhook."
        case .linkExpired:
            "A link to content ends at its <code>expires_at</code>, and when the download gets "
                + "other content. <code>POST</code> to "
                + "<code>/v1/downloads/{id}/content/link</code> makes a new one."
        case .contentExpired:
            "The file was removed at the end of <code>content_retention</code>, or because a "
                + "client released it. Create the download again."
        case .contentChanged:
            "Somebody has written to the file in the folder of <code>destination</code>, and it "
                + "was the only copy. Put the bytes back, or <code>POST</code> to "
                + "<code>/retry</code> of the download to fetch it again. If the operator writes "
                + "<code>name=/folder;copy</code> in <code>LULL_DESTINATIONS</code>, the service "
                + "keeps a copy."
        case .contentLost:
            "The file is missing or damaged in the data directory. Tell the operator, and "
                + "<code>POST</code> to <code>/retry</code> of the download to fetch it again."
        case .endpointConflict:
            "<code>detail</code> names the reason: the endpoint is disabled, is "
                + "<code>default</code>, or would be one more than an app may have."
        case .deliveryErased:
            "The data of a webhook is erased when its download is deleted, so this delivery cannot "
                + "be sent again. Deliveries of other downloads can."
        case .sessionNotEmpty:
            "Wait until its downloads have ended, cancel them, or send the DELETE with "
                + "<code>?mode=finish</code> or <code>?mode=cancel</code>."
        case .sessionInvalidated:
            "The session was ended. When its downloads have ended, too, <code>PUT "
                + "/v1/sessions/{identifier}</code> makes a new session of that name."
        case .sessionConflict: "<code>detail</code> names the reason."
        case .sourceConflict:
            "<code>detail</code> names the reason: the source is suspended, has as many triggers "
                + "as it may have, is of the other kind, or would be one more than an app may have."
        case .lastAdminKey:
            "No valid key with the scope <code>admin</code> would be left, and without one only "
                + "<code>lull keys</code> on the machine of the service makes keys. Make another "
                + "one first, or send the request with <code>?last=true</code>."
        case .wakeExpired:
            "The wake was completed already, or it was given up after it had been sent several "
                + "times. <code>GET /v1/events</code> has the events that it announced. The next "
                + "wake has another token."
        case .preconditionFailed:
            "The resource changed since you read it. Read it again and send its new "
                + "<code>ETag</code> in <code>If-Match</code>."
        case .rangeNotSatisfiable:
            "<code>Content-Range</code> gives the length of the whole content."
        case .databaseUnavailable, .overloaded:
            "Try again after the seconds in <code>Retry-After</code>."
        case .contentUnavailable:
            "The file cannot be found or read at the moment; perhaps its volume is not mounted, or "
                + "the replica that has it is not running. It does not count as lost. Try again "
                + "after the seconds in <code>Retry-After</code>."
        case .uploadConflict:
            "<code>HEAD</code> at the same URL says how many bytes are there (Upload-Offset); go "
                + "on at that offset. An upload takes bytes while its state is receiving or "
                + "suspended."
        case .checksumMismatch:
            "None of the bytes of this request were kept. Send them again from the same offset."
        case .digestMismatch:
            "The bytes were removed. Compare the digest with the file, then send the file again "
                + "from its beginning, or change <code>expected_digest</code>."
        case .insufficientStorage:
            "The disk has no room for a file of this length beside its reserve. Try again when "
                + "other uploads and downloads have ended, or ask the operator."
        case .notReady: "<code>checks</code> says which part of the service does not work, and why."
        default:
            "The log has the cause under the same <code>request_id</code>. Please report it."
        }
    }
}
