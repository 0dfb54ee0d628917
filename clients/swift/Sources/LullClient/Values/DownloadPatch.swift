// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `DownloadPatch` of the API.
public struct DownloadPatch: Codable, Hashable, Sendable {
    /// Received bytes are continued if the new URL's answer proves that they match: the same strong
    /// ETag, your digest, or the date if the URL differs at most in its query.
    public var url: String?
    /// Further addresses of the same bytes, by the same rules as `url`, each once.
    ///
    /// They need `expected_digest`, which alone proves that the bytes are the same, and the method
    /// GET.
    ///
    /// `url` is tried first, then these in their order, each once in a round. After a failure that
    /// another mirror need not share (look-up, connection, TLS, silence, a lost connection, a
    /// status, a changed source, a wrong length or digest, a destination that is not allowed) the
    /// next one is tried at once, at the same place in the queue; `Retry-After` pauses the app's
    /// downloads of the origin that sent it. Received bytes are continued by every mirror, by
    /// `If-Range` where its own validator is known, else by `Range` alone. After a round there is
    /// the usual wait, and the next round begins with the mirror that is most likely to succeed; if
    /// none can succeed later, the download becomes `attention_required` or fails.
    /// `LULL_MAX_ATTEMPTS` counts rounds without a received byte.
    ///
    /// A mirror whose whole file has another digest is not used again. Bytes of several that do not
    /// match are fetched again, from one; 8 MiB and more are discarded for a mirror of another
    /// length only when it has sent that length twice. `headers` (the session's too),
    /// `authorization` and the client certificate go only to mirrors at the origin (scheme, host,
    /// port) of `url`; the `proxy` and the session's authority count for all.
    public var urls: Change<[String]>?
    /// `priority` of the API.
    public var priority: Change<Double>?
    /// `earliest_begin_date` of the API.
    public var earliestBeginDate: Change<Date>?
    /// `begin_deadline` of the API.
    public var beginDeadline: Change<Date>?
    /// `complete_by` of the API.
    public var completeBy: Change<Date>?
    /// `is_discretionary` of the API.
    public var isDiscretionary: Change<Bool>?
    /// `max_bytes_per_second` of the API.
    public var maxBytesPerSecond: Change<Int>?
    /// As in a new download.
    public var expectedDigest: Change<String>?
    /// The name of the file; before the one that the origin offers.
    ///
    /// Of a path the last part counts, control characters and leading dots go, and what is left is
    /// shown.
    public var filename: Change<String>?
    /// Merged with the destination as it is; one that names the other kind, a `url` for a folder or
    /// a `name` for a receiver, begins anew.
    ///
    /// Null takes it away, also in spite of the session. `headers` and `authorization` of a
    /// receiver that moves to another origin are dropped unless they are given anew.
    public var destination: Change<DestinationPatch>?
    /// `webhook_url` of the API.
    public var webhookURL: Change<String>?
    /// `webhook_events` of the API.
    public var webhookEvents: Change<[EventName]>?
    /// Merged with the hook as it is.
    ///
    /// Another hook, or another date, is another question; a date is needed. `headers` and
    /// `authorization` of a hook that moves to another origin are dropped unless they are given
    /// anew.
    public var beginHook: Change<BeginHookPatch>?
    /// `retry` of the API.
    public var retry: Change<RetryRule>?
    /// `timeout_interval_for_request` of the API.
    public var timeoutIntervalForRequest: Change<Int>?
    /// `timeout_interval_for_resource` of the API.
    public var timeoutIntervalForResource: Change<Int>?
    /// Seconds from its success for which the content of a download is kept, and from its failure
    /// for which its bytes are; a download's overrides its session's, and the default is
    /// `LULL_CONTENT_RETENTION`.
    ///
    /// `download.content_expiring` is sent a day before the end, or a tenth of the time, whichever
    /// is less; `download.content_expired` when the content is removed.
    public var contentRetention: Change<Int>?
    /// Streams at once for a large file; the default is `LULL_SEGMENTS`.
    ///
    /// Further streams are only begun if the origin answered with a strong ETag, a length and
    /// ranges, 64 MiB are still to come, no rate holds for the download, and there is room under
    /// the limits of origin and session, against which each stream counts. Every stream sends
    /// `If-Range`; after any answer but that part of the same file the first stream continues
    /// alone.
    public var segments: Change<Int>?
    /// `task_description` of the API.
    public var taskDescription: Change<String>?
    /// Whether content fails (`length_unverified`) whose end cannot be verified: by
    /// `Content-Length`, chunks, `Content-Range`, or a digest of yours or the origin's.
    ///
    /// The default is `false`: then `content.length_verified` has the result. A matching digest
    /// verifies the length too; the expected number of bytes does not.
    public var requireVerifiedLength: Change<Bool>?
    /// Whether content fails (`expected_length_mismatch`) that has not exactly
    /// `count_of_bytes_client_expects_to_receive` bytes, announced or counted.
    ///
    /// The default is `false`: then the number is a hint, and `content.expected_length_matched` has
    /// the result. Without the number there is no check.
    public var requireExpectedLength: Change<Bool>?
    /// What happens to received bytes when the origin has another version:
    ///
    /// `restart` (the default) fetches it from the beginning, `ask` keeps them and sets
    /// `attention_required`, code `source_changed` (`resume` starts over, another `url` may
    /// continue them), `fail` ends the download.
    public var onSourceChange: Change<OnSourceChange>?
    /// The most bytes that the content may have.
    ///
    /// Announced or counted, one more is `attention_required` with `data_length_exceeds_maximum`;
    /// the bytes are kept, and continued after a higher value and `resume`.
    public var maxBytes: Change<Int>?
    /// The fewest bytes that the content may have.
    ///
    /// Announced or counted, one less fails with `content_too_short`; the attempt's `excerpt` has
    /// its beginning. With `urls` the next one is asked.
    public var minBytes: Change<Int>?
    /// The types that the content may have:
    ///
    /// `text/csv`, `image/*` or `*/*`, without parameters. Content of another one fails with
    /// `content_type_not_accepted`, before it is written; the attempt's `excerpt` has its
    /// beginning. An answer without `Content-Type` is `application/octet-stream`. With `urls` the
    /// next one is asked.
    public var acceptContentTypes: Change<[String]>?
    /// `metadata` of the API.
    public var metadata: Change<[String: String?]>?
    /// Merged by name in any case; null takes one away.
    public var headers: Change<[String: String?]>?
    /// `body` of the API.
    public var body: Change<String>?
    /// `body_base64` of the API.
    public var bodyBase64: Change<String>?
    /// `authorization` of the API.
    public var authorization: Change<Authorization>?
    /// `proxy` of the API.
    public var proxy: Change<Proxy>?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String? = nil,
        urls: Change<[String]>? = nil,
        priority: Change<Double>? = nil,
        earliestBeginDate: Change<Date>? = nil,
        beginDeadline: Change<Date>? = nil,
        completeBy: Change<Date>? = nil,
        isDiscretionary: Change<Bool>? = nil,
        maxBytesPerSecond: Change<Int>? = nil,
        expectedDigest: Change<String>? = nil,
        filename: Change<String>? = nil,
        destination: Change<DestinationPatch>? = nil,
        webhookURL: Change<String>? = nil,
        webhookEvents: Change<[EventName]>? = nil,
        beginHook: Change<BeginHookPatch>? = nil,
        retry: Change<RetryRule>? = nil,
        timeoutIntervalForRequest: Change<Int>? = nil,
        timeoutIntervalForResource: Change<Int>? = nil,
        contentRetention: Change<Int>? = nil,
        segments: Change<Int>? = nil,
        taskDescription: Change<String>? = nil,
        requireVerifiedLength: Change<Bool>? = nil,
        requireExpectedLength: Change<Bool>? = nil,
        onSourceChange: Change<OnSourceChange>? = nil,
        maxBytes: Change<Int>? = nil,
        minBytes: Change<Int>? = nil,
        acceptContentTypes: Change<[String]>? = nil,
        metadata: Change<[String: String?]>? = nil,
        headers: Change<[String: String?]>? = nil,
        body: Change<String>? = nil,
        bodyBase64: Change<String>? = nil,
        authorization: Change<Authorization>? = nil,
        proxy: Change<Proxy>? = nil
    ) {
        self.url = url
        self.urls = urls
        self.priority = priority
        self.earliestBeginDate = earliestBeginDate
        self.beginDeadline = beginDeadline
        self.completeBy = completeBy
        self.isDiscretionary = isDiscretionary
        self.maxBytesPerSecond = maxBytesPerSecond
        self.expectedDigest = expectedDigest
        self.filename = filename
        self.destination = destination
        self.webhookURL = webhookURL
        self.webhookEvents = webhookEvents
        self.beginHook = beginHook
        self.retry = retry
        self.timeoutIntervalForRequest = timeoutIntervalForRequest
        self.timeoutIntervalForResource = timeoutIntervalForResource
        self.contentRetention = contentRetention
        self.segments = segments
        self.taskDescription = taskDescription
        self.requireVerifiedLength = requireVerifiedLength
        self.requireExpectedLength = requireExpectedLength
        self.onSourceChange = onSourceChange
        self.maxBytes = maxBytes
        self.minBytes = minBytes
        self.acceptContentTypes = acceptContentTypes
        self.metadata = metadata
        self.headers = headers
        self.body = body
        self.bodyBase64 = bodyBase64
        self.authorization = authorization
        self.proxy = proxy
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case urls
        case priority
        case earliestBeginDate = "earliest_begin_date"
        case beginDeadline = "begin_deadline"
        case completeBy = "complete_by"
        case isDiscretionary = "is_discretionary"
        case maxBytesPerSecond = "max_bytes_per_second"
        case expectedDigest = "expected_digest"
        case filename
        case destination
        case webhookURL = "webhook_url"
        case webhookEvents = "webhook_events"
        case beginHook = "begin_hook"
        case retry
        case timeoutIntervalForRequest = "timeout_interval_for_request"
        case timeoutIntervalForResource = "timeout_interval_for_resource"
        case contentRetention = "content_retention"
        case segments
        case taskDescription = "task_description"
        case requireVerifiedLength = "require_verified_length"
        case requireExpectedLength = "require_expected_length"
        case onSourceChange = "on_source_change"
        case maxBytes = "max_bytes"
        case minBytes = "min_bytes"
        case acceptContentTypes = "accept_content_types"
        case metadata
        case headers
        case body
        case bodyBase64 = "body_base64"
        case authorization
        case proxy
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.url = try members.decodeIfPresent(String.self, forKey: .url)
        self.urls = try members.change([String].self, at: .urls)
        self.priority = try members.change(Double.self, at: .priority)
        self.earliestBeginDate = try members.change(Date.self, at: .earliestBeginDate)
        self.beginDeadline = try members.change(Date.self, at: .beginDeadline)
        self.completeBy = try members.change(Date.self, at: .completeBy)
        self.isDiscretionary = try members.change(Bool.self, at: .isDiscretionary)
        self.maxBytesPerSecond = try members.change(Int.self, at: .maxBytesPerSecond)
        self.expectedDigest = try members.change(String.self, at: .expectedDigest)
        self.filename = try members.change(String.self, at: .filename)
        self.destination = try members.change(DestinationPatch.self, at: .destination)
        self.webhookURL = try members.change(String.self, at: .webhookURL)
        self.webhookEvents = try members.change([EventName].self, at: .webhookEvents)
        self.beginHook = try members.change(BeginHookPatch.self, at: .beginHook)
        self.retry = try members.change(RetryRule.self, at: .retry)
        self.timeoutIntervalForRequest = try members.change(Int.self, at: .timeoutIntervalForRequest)
        self.timeoutIntervalForResource = try members.change(Int.self, at: .timeoutIntervalForResource)
        self.contentRetention = try members.change(Int.self, at: .contentRetention)
        self.segments = try members.change(Int.self, at: .segments)
        self.taskDescription = try members.change(String.self, at: .taskDescription)
        self.requireVerifiedLength = try members.change(Bool.self, at: .requireVerifiedLength)
        self.requireExpectedLength = try members.change(Bool.self, at: .requireExpectedLength)
        self.onSourceChange = try members.change(OnSourceChange.self, at: .onSourceChange)
        self.maxBytes = try members.change(Int.self, at: .maxBytes)
        self.minBytes = try members.change(Int.self, at: .minBytes)
        self.acceptContentTypes = try members.change([String].self, at: .acceptContentTypes)
        self.metadata = try members.change([String: String?].self, at: .metadata)
        self.headers = try members.change([String: String?].self, at: .headers)
        self.body = try members.change(String.self, at: .body)
        self.bodyBase64 = try members.change(String.self, at: .bodyBase64)
        self.authorization = try members.change(Authorization.self, at: .authorization)
        self.proxy = try members.change(Proxy.self, at: .proxy)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.url, forKey: .url)
        try members.encodeIfPresent(self.urls, forKey: .urls)
        try members.encodeIfPresent(self.priority, forKey: .priority)
        try members.encodeIfPresent(self.earliestBeginDate, forKey: .earliestBeginDate)
        try members.encodeIfPresent(self.beginDeadline, forKey: .beginDeadline)
        try members.encodeIfPresent(self.completeBy, forKey: .completeBy)
        try members.encodeIfPresent(self.isDiscretionary, forKey: .isDiscretionary)
        try members.encodeIfPresent(self.maxBytesPerSecond, forKey: .maxBytesPerSecond)
        try members.encodeIfPresent(self.expectedDigest, forKey: .expectedDigest)
        try members.encodeIfPresent(self.filename, forKey: .filename)
        try members.encodeIfPresent(self.destination, forKey: .destination)
        try members.encodeIfPresent(self.webhookURL, forKey: .webhookURL)
        try members.encodeIfPresent(self.webhookEvents, forKey: .webhookEvents)
        try members.encodeIfPresent(self.beginHook, forKey: .beginHook)
        try members.encodeIfPresent(self.retry, forKey: .retry)
        try members.encodeIfPresent(self.timeoutIntervalForRequest, forKey: .timeoutIntervalForRequest)
        try members.encodeIfPresent(self.timeoutIntervalForResource, forKey: .timeoutIntervalForResource)
        try members.encodeIfPresent(self.contentRetention, forKey: .contentRetention)
        try members.encodeIfPresent(self.segments, forKey: .segments)
        try members.encodeIfPresent(self.taskDescription, forKey: .taskDescription)
        try members.encodeIfPresent(self.requireVerifiedLength, forKey: .requireVerifiedLength)
        try members.encodeIfPresent(self.requireExpectedLength, forKey: .requireExpectedLength)
        try members.encodeIfPresent(self.onSourceChange, forKey: .onSourceChange)
        try members.encodeIfPresent(self.maxBytes, forKey: .maxBytes)
        try members.encodeIfPresent(self.minBytes, forKey: .minBytes)
        try members.encodeIfPresent(self.acceptContentTypes, forKey: .acceptContentTypes)
        try members.encodeIfPresent(self.metadata, forKey: .metadata)
        try members.encodeIfPresent(self.headers, forKey: .headers)
        try members.encodeIfPresent(self.body, forKey: .body)
        try members.encodeIfPresent(self.bodyBase64, forKey: .bodyBase64)
        try members.encodeIfPresent(self.authorization, forKey: .authorization)
        try members.encodeIfPresent(self.proxy, forKey: .proxy)
    }
}
