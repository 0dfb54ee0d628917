// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// A `url` or `resume_data` is required.
public struct NewDownload: Codable, Hashable, Sendable {
    /// What to download: an absolute http or https URL without user name and password, to a
    /// destination that the operator allows (`LULL_DOWNLOAD_DESTINATIONS`).
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
    public var urls: [String]?
    /// What `GET /v1/downloads/{id}/resume_data` gave, in place of `url`: its members hold where
    /// this document has none.
    public var resumeData: String?
    /// The session that it belongs to;
    ///
    /// `default` if none is named.
    public var session: String?
    /// The download does not begin before this instant.
    public var earliestBeginDate: Date?
    /// The download should have begun by then: in the future, after `earliest_begin_date`, before
    /// `complete_by`.
    ///
    /// Soft rules of the policy do not count any more when it is near. It is a wish; nothing is
    /// canceled.
    public var beginDeadline: Date?
    /// The content should be complete by then: in the future, after `earliest_begin_date`, not
    /// after the end that `timeout_interval_for_resource` sets.
    ///
    /// Soft rules do not count any more when only the time for the transfer and a margin is left,
    /// and the first deadline of an app is served first; if it cannot be met,
    /// `download.deadline_at_risk` says so. It is a wish; nothing is canceled.
    public var completeBy: Date?
    /// How long you expect the content to be: a hint, by which room is reserved and work is
    /// planned.
    ///
    /// Apple's count of this name includes the headers, this one does not;
    /// `require_expected_length` makes it a demand.
    public var countOfBytesClientExpectsToReceive: Int?
    /// How long you expect the request to be.
    public var countOfBytesClientExpectsToSend: Int?
    /// Whether it waits for the moment that the policy names.
    public var isDiscretionary: Bool?
    /// Whether it may run while the condition `network_cost` is `expensive`; as its session says,
    /// else true.
    ///
    /// One that may not waits under the rule of this name, and stops where it can be gone on with.
    public var allowsExpensiveNetworkAccess: Bool?
    /// The same for the condition `network_constrained`.
    public var allowsConstrainedNetworkAccess: Bool?
    /// Whether it waits, at no cost, while its origin or the network is not reached: no route, no
    /// name server, or no answer to a connection; as its session says, else true.
    ///
    /// An unknown host, a refused connection and a failed TLS handshake count always.
    public var waitsForConnectivity: Bool?
    /// Among downloads that may run, the higher go first.
    public var priority: Double?
    /// Your name for the download, which no other one of the session has until this one is deleted,
    /// or gives it to one that `replaces` it.
    public var externalID: String?
    /// The `external_id` of the live download of the session that is canceled when this one is
    /// stored; without one nothing is canceled.
    public var replaces: String?
    /// What it does where its session has a live download that asks for the same bytes.
    ///
    /// `join` waits for that one's transfer and gets its content; both have to be created with
    /// `join`, may begin at the same instant, and have equal addresses, methods, headers, bodies,
    /// credentials, proxies, TLS material, `on_source_change`, network rules, deadlines,
    /// `is_discretionary`, and digests that are no SHA-256. Each judges the content by its own
    /// demands (`max_bytes`, `require_verified_length`, `require_expected_length`, a SHA-256 in
    /// `expected_digest`): one whose demand is not met goes on by itself. It goes neither with
    /// `destination`, the session's included, nor with `resume_data`.
    public var onDuplicateURL: OnDuplicateURL?
    /// A text of yours that is returned; at most 4096 bytes of UTF-8, without U+0000.
    public var taskDescription: String?
    /// Texts by name, given back; without U+0000.
    public var metadata: [String: String]?
    /// The digest that the content must have, as `sha256sum` prints it, after `sha256:`; also
    /// `sha512:`, `sha1:`, `md5:`, and the checksums `crc32c:`, `crc32:` and `crc64nvme:`, which
    /// find accidents and are no proof for `urls`.
    ///
    /// A `sha256-BASE64` of Subresource Integrity, a line of `sha256sum` or its digits alone are
    /// taken, too; shown is the first form. Digests of the origin (`Repr-Digest`, `Digest`,
    /// `Content-MD5`, `X-Checksum-Sha256`, `-Sha1` and `-Md5`, `x-goog-hash`, `x-amz-checksum-*`)
    /// are always compared.
    public var expectedDigest: String?
    /// A download of this app with the same `url`: the content is fetched only if it is another
    /// one.
    ///
    /// The origin is asked with the ETag and the Last-Modified of that download; a 304, or content
    /// with the same SHA-256, is `succeeded` with that file, which is shared and not stored twice.
    /// Where that download has no content now, or other content than `expected_digest` names, it is
    /// fetched in any case. Needs GET; goes with neither `resume_data`, `on_duplicate_url` `join`,
    /// nor the next two members.
    public var ifChangedFrom: String?
    /// Entity tags of a version that you have, as `If-None-Match` has them.
    ///
    /// After a 304 it is `succeeded` without content. Does not go together with `expected_digest`,
    /// for nothing would prove it.
    public var ifNoneMatch: String?
    /// The date of a version that you have, as `Last-Modified` has it; like `if_none_match`.
    public var ifModifiedSince: String?
    /// The name of the file; before the one that the origin offers.
    ///
    /// Of a path the last part counts, control characters and leading dots go, and what is left is
    /// shown.
    public var filename: String?
    /// The place of the file: a folder or a store of the operator, or a receiver.
    ///
    /// Null means none of them, in spite of the `destination` of the session.
    public var destination: Change<DestinationOrReceiver>?
    /// Whether content fails (`length_unverified`) whose end cannot be verified: by
    /// `Content-Length`, chunks, `Content-Range`, or a digest of yours or the origin's.
    ///
    /// The default is `false`: then `content.length_verified` has the result. A matching digest
    /// verifies the length too; the expected number of bytes does not.
    public var requireVerifiedLength: Bool?
    /// Whether content fails (`expected_length_mismatch`) that has not exactly
    /// `count_of_bytes_client_expects_to_receive` bytes, announced or counted.
    ///
    /// The default is `false`: then the number is a hint, and `content.expected_length_matched` has
    /// the result. Without the number there is no check.
    public var requireExpectedLength: Bool?
    /// What happens to received bytes when the origin has another version:
    ///
    /// `restart` (the default) fetches it from the beginning, `ask` keeps them and sets
    /// `attention_required`, code `source_changed` (`resume` starts over, another `url` may
    /// continue them), `fail` ends the download.
    public var onSourceChange: OnSourceChange?
    /// The most bytes that the content may have.
    ///
    /// Announced or counted, one more is `attention_required` with `data_length_exceeds_maximum`;
    /// the bytes are kept, and continued after a higher value and `resume`.
    public var maxBytes: Int?
    /// The fewest bytes that the content may have.
    ///
    /// Announced or counted, one less fails with `content_too_short`; the attempt's `excerpt` has
    /// its beginning. With `urls` the next one is asked.
    public var minBytes: Int?
    /// The types that the content may have:
    ///
    /// `text/csv`, `image/*` or `*/*`, without parameters. Content of another one fails with
    /// `content_type_not_accepted`, before it is written; the attempt's `excerpt` has its
    /// beginning. An answer without `Content-Type` is `application/octet-stream`. With `urls` the
    /// next one is asked.
    public var acceptContentTypes: [String]?
    /// `webhook_url` of the API.
    public var webhookURL: String?
    /// `webhook_events` of the API.
    public var webhookEvents: [EventName]?
    /// `begin_hook` of the API.
    public var beginHook: BeginHook?
    /// `retry` of the API.
    public var retry: RetryRule?
    /// Whether it waits for `resume` before anything else.
    public var suspended: Bool?
    /// Seconds without a byte after which an attempt ends; overrides the session.
    public var timeoutIntervalForRequest: Int?
    /// Seconds from creation, or from a later `earliest_begin_date`, after which the download ends;
    /// overrides the session.
    public var timeoutIntervalForResource: Int?
    /// Seconds from its success for which the content of a download is kept, and from its failure
    /// for which its bytes are; a download's overrides its session's, and the default is
    /// `LULL_CONTENT_RETENTION`.
    ///
    /// `download.content_expiring` is sent a day before the end, or a tenth of the time, whichever
    /// is less; `download.content_expired` when the content is removed.
    public var contentRetention: Int?
    /// The method.
    ///
    /// Only a GET is resumed. A POST that may have reached the origin is sent again automatically
    /// only after 408, 425, 429 or 503, or if it has a header `Idempotency-Key`; otherwise the
    /// download fails, with `request_outcome_unknown` if the process ended before the answer. A PUT
    /// is sent again like a GET. A redirect with 303 makes any of them a GET, 301 and 302 a POST;
    /// 307 and 308 keep method and body and are followed only within the origin.
    public var method: Method?
    /// `headers` of the API.
    public var headers: [String: String]?
    /// What a POST or PUT sends, as UTF-8; at most 1 MiB.
    ///
    /// It goes with `Content-Type` only if `headers` has it.
    public var body: String?
    /// The body as base64 (RFC 4648 section 4), for binary data; at most 1 MiB decoded.
    public var bodyBase64: String?
    /// `authorization` of the API.
    public var authorization: Authorization?
    /// `proxy` of the API.
    public var proxy: Proxy?
    /// Streams at once for a large file; the default is `LULL_SEGMENTS`.
    ///
    /// Further streams are only begun if the origin answered with a strong ETag, a length and
    /// ranges, 64 MiB are still to come, no rate holds for the download, and there is room under
    /// the limits of origin and session, against which each stream counts. Every stream sends
    /// `If-Range`; after any answer but that part of the same file the first stream continues
    /// alone.
    public var segments: Int?
    /// Bytes a second for this download; the limits of its session and of the policy hold as well.
    public var maxBytesPerSecond: Int?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String? = nil,
        urls: [String]? = nil,
        resumeData: String? = nil,
        session: String? = nil,
        earliestBeginDate: Date? = nil,
        beginDeadline: Date? = nil,
        completeBy: Date? = nil,
        countOfBytesClientExpectsToReceive: Int? = nil,
        countOfBytesClientExpectsToSend: Int? = nil,
        isDiscretionary: Bool? = nil,
        allowsExpensiveNetworkAccess: Bool? = nil,
        allowsConstrainedNetworkAccess: Bool? = nil,
        waitsForConnectivity: Bool? = nil,
        priority: Double? = nil,
        externalID: String? = nil,
        replaces: String? = nil,
        onDuplicateURL: OnDuplicateURL? = nil,
        taskDescription: String? = nil,
        metadata: [String: String]? = nil,
        expectedDigest: String? = nil,
        ifChangedFrom: String? = nil,
        ifNoneMatch: String? = nil,
        ifModifiedSince: String? = nil,
        filename: String? = nil,
        destination: Change<DestinationOrReceiver>? = nil,
        requireVerifiedLength: Bool? = nil,
        requireExpectedLength: Bool? = nil,
        onSourceChange: OnSourceChange? = nil,
        maxBytes: Int? = nil,
        minBytes: Int? = nil,
        acceptContentTypes: [String]? = nil,
        webhookURL: String? = nil,
        webhookEvents: [EventName]? = nil,
        beginHook: BeginHook? = nil,
        retry: RetryRule? = nil,
        suspended: Bool? = nil,
        timeoutIntervalForRequest: Int? = nil,
        timeoutIntervalForResource: Int? = nil,
        contentRetention: Int? = nil,
        method: Method? = nil,
        headers: [String: String]? = nil,
        body: String? = nil,
        bodyBase64: String? = nil,
        authorization: Authorization? = nil,
        proxy: Proxy? = nil,
        segments: Int? = nil,
        maxBytesPerSecond: Int? = nil
    ) {
        self.url = url
        self.urls = urls
        self.resumeData = resumeData
        self.session = session
        self.earliestBeginDate = earliestBeginDate
        self.beginDeadline = beginDeadline
        self.completeBy = completeBy
        self.countOfBytesClientExpectsToReceive = countOfBytesClientExpectsToReceive
        self.countOfBytesClientExpectsToSend = countOfBytesClientExpectsToSend
        self.isDiscretionary = isDiscretionary
        self.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        self.waitsForConnectivity = waitsForConnectivity
        self.priority = priority
        self.externalID = externalID
        self.replaces = replaces
        self.onDuplicateURL = onDuplicateURL
        self.taskDescription = taskDescription
        self.metadata = metadata
        self.expectedDigest = expectedDigest
        self.ifChangedFrom = ifChangedFrom
        self.ifNoneMatch = ifNoneMatch
        self.ifModifiedSince = ifModifiedSince
        self.filename = filename
        self.destination = destination
        self.requireVerifiedLength = requireVerifiedLength
        self.requireExpectedLength = requireExpectedLength
        self.onSourceChange = onSourceChange
        self.maxBytes = maxBytes
        self.minBytes = minBytes
        self.acceptContentTypes = acceptContentTypes
        self.webhookURL = webhookURL
        self.webhookEvents = webhookEvents
        self.beginHook = beginHook
        self.retry = retry
        self.suspended = suspended
        self.timeoutIntervalForRequest = timeoutIntervalForRequest
        self.timeoutIntervalForResource = timeoutIntervalForResource
        self.contentRetention = contentRetention
        self.method = method
        self.headers = headers
        self.body = body
        self.bodyBase64 = bodyBase64
        self.authorization = authorization
        self.proxy = proxy
        self.segments = segments
        self.maxBytesPerSecond = maxBytesPerSecond
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case urls
        case resumeData = "resume_data"
        case session
        case earliestBeginDate = "earliest_begin_date"
        case beginDeadline = "begin_deadline"
        case completeBy = "complete_by"
        case countOfBytesClientExpectsToReceive = "count_of_bytes_client_expects_to_receive"
        case countOfBytesClientExpectsToSend = "count_of_bytes_client_expects_to_send"
        case isDiscretionary = "is_discretionary"
        case allowsExpensiveNetworkAccess = "allows_expensive_network_access"
        case allowsConstrainedNetworkAccess = "allows_constrained_network_access"
        case waitsForConnectivity = "waits_for_connectivity"
        case priority
        case externalID = "external_id"
        case replaces
        case onDuplicateURL = "on_duplicate_url"
        case taskDescription = "task_description"
        case metadata
        case expectedDigest = "expected_digest"
        case ifChangedFrom = "if_changed_from"
        case ifNoneMatch = "if_none_match"
        case ifModifiedSince = "if_modified_since"
        case filename
        case destination
        case requireVerifiedLength = "require_verified_length"
        case requireExpectedLength = "require_expected_length"
        case onSourceChange = "on_source_change"
        case maxBytes = "max_bytes"
        case minBytes = "min_bytes"
        case acceptContentTypes = "accept_content_types"
        case webhookURL = "webhook_url"
        case webhookEvents = "webhook_events"
        case beginHook = "begin_hook"
        case retry
        case suspended
        case timeoutIntervalForRequest = "timeout_interval_for_request"
        case timeoutIntervalForResource = "timeout_interval_for_resource"
        case contentRetention = "content_retention"
        case method
        case headers
        case body
        case bodyBase64 = "body_base64"
        case authorization
        case proxy
        case segments
        case maxBytesPerSecond = "max_bytes_per_second"
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.url = try members.decodeIfPresent(String.self, forKey: .url)
        self.urls = try members.decodeIfPresent([String].self, forKey: .urls)
        self.resumeData = try members.decodeIfPresent(String.self, forKey: .resumeData)
        self.session = try members.decodeIfPresent(String.self, forKey: .session)
        self.earliestBeginDate = try members.decodeIfPresent(Date.self, forKey: .earliestBeginDate)
        self.beginDeadline = try members.decodeIfPresent(Date.self, forKey: .beginDeadline)
        self.completeBy = try members.decodeIfPresent(Date.self, forKey: .completeBy)
        self.countOfBytesClientExpectsToReceive = try members.decodeIfPresent(Int.self, forKey: .countOfBytesClientExpectsToReceive)
        self.countOfBytesClientExpectsToSend = try members.decodeIfPresent(Int.self, forKey: .countOfBytesClientExpectsToSend)
        self.isDiscretionary = try members.decodeIfPresent(Bool.self, forKey: .isDiscretionary)
        self.allowsExpensiveNetworkAccess = try members.decodeIfPresent(Bool.self, forKey: .allowsExpensiveNetworkAccess)
        self.allowsConstrainedNetworkAccess = try members.decodeIfPresent(Bool.self, forKey: .allowsConstrainedNetworkAccess)
        self.waitsForConnectivity = try members.decodeIfPresent(Bool.self, forKey: .waitsForConnectivity)
        self.priority = try members.decodeIfPresent(Double.self, forKey: .priority)
        self.externalID = try members.decodeIfPresent(String.self, forKey: .externalID)
        self.replaces = try members.decodeIfPresent(String.self, forKey: .replaces)
        self.onDuplicateURL = try members.decodeIfPresent(OnDuplicateURL.self, forKey: .onDuplicateURL)
        self.taskDescription = try members.decodeIfPresent(String.self, forKey: .taskDescription)
        self.metadata = try members.decodeIfPresent([String: String].self, forKey: .metadata)
        self.expectedDigest = try members.decodeIfPresent(String.self, forKey: .expectedDigest)
        self.ifChangedFrom = try members.decodeIfPresent(String.self, forKey: .ifChangedFrom)
        self.ifNoneMatch = try members.decodeIfPresent(String.self, forKey: .ifNoneMatch)
        self.ifModifiedSince = try members.decodeIfPresent(String.self, forKey: .ifModifiedSince)
        self.filename = try members.decodeIfPresent(String.self, forKey: .filename)
        self.destination = try members.change(DestinationOrReceiver.self, at: .destination)
        self.requireVerifiedLength = try members.decodeIfPresent(Bool.self, forKey: .requireVerifiedLength)
        self.requireExpectedLength = try members.decodeIfPresent(Bool.self, forKey: .requireExpectedLength)
        self.onSourceChange = try members.decodeIfPresent(OnSourceChange.self, forKey: .onSourceChange)
        self.maxBytes = try members.decodeIfPresent(Int.self, forKey: .maxBytes)
        self.minBytes = try members.decodeIfPresent(Int.self, forKey: .minBytes)
        self.acceptContentTypes = try members.decodeIfPresent([String].self, forKey: .acceptContentTypes)
        self.webhookURL = try members.decodeIfPresent(String.self, forKey: .webhookURL)
        self.webhookEvents = try members.decodeIfPresent([EventName].self, forKey: .webhookEvents)
        self.beginHook = try members.decodeIfPresent(BeginHook.self, forKey: .beginHook)
        self.retry = try members.decodeIfPresent(RetryRule.self, forKey: .retry)
        self.suspended = try members.decodeIfPresent(Bool.self, forKey: .suspended)
        self.timeoutIntervalForRequest = try members.decodeIfPresent(Int.self, forKey: .timeoutIntervalForRequest)
        self.timeoutIntervalForResource = try members.decodeIfPresent(Int.self, forKey: .timeoutIntervalForResource)
        self.contentRetention = try members.decodeIfPresent(Int.self, forKey: .contentRetention)
        self.method = try members.decodeIfPresent(Method.self, forKey: .method)
        self.headers = try members.decodeIfPresent([String: String].self, forKey: .headers)
        self.body = try members.decodeIfPresent(String.self, forKey: .body)
        self.bodyBase64 = try members.decodeIfPresent(String.self, forKey: .bodyBase64)
        self.authorization = try members.decodeIfPresent(Authorization.self, forKey: .authorization)
        self.proxy = try members.decodeIfPresent(Proxy.self, forKey: .proxy)
        self.segments = try members.decodeIfPresent(Int.self, forKey: .segments)
        self.maxBytesPerSecond = try members.decodeIfPresent(Int.self, forKey: .maxBytesPerSecond)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.url, forKey: .url)
        try members.encodeIfPresent(self.urls, forKey: .urls)
        try members.encodeIfPresent(self.resumeData, forKey: .resumeData)
        try members.encodeIfPresent(self.session, forKey: .session)
        try members.encodeIfPresent(self.earliestBeginDate, forKey: .earliestBeginDate)
        try members.encodeIfPresent(self.beginDeadline, forKey: .beginDeadline)
        try members.encodeIfPresent(self.completeBy, forKey: .completeBy)
        try members.encodeIfPresent(self.countOfBytesClientExpectsToReceive, forKey: .countOfBytesClientExpectsToReceive)
        try members.encodeIfPresent(self.countOfBytesClientExpectsToSend, forKey: .countOfBytesClientExpectsToSend)
        try members.encodeIfPresent(self.isDiscretionary, forKey: .isDiscretionary)
        try members.encodeIfPresent(self.allowsExpensiveNetworkAccess, forKey: .allowsExpensiveNetworkAccess)
        try members.encodeIfPresent(self.allowsConstrainedNetworkAccess, forKey: .allowsConstrainedNetworkAccess)
        try members.encodeIfPresent(self.waitsForConnectivity, forKey: .waitsForConnectivity)
        try members.encodeIfPresent(self.priority, forKey: .priority)
        try members.encodeIfPresent(self.externalID, forKey: .externalID)
        try members.encodeIfPresent(self.replaces, forKey: .replaces)
        try members.encodeIfPresent(self.onDuplicateURL, forKey: .onDuplicateURL)
        try members.encodeIfPresent(self.taskDescription, forKey: .taskDescription)
        try members.encodeIfPresent(self.metadata, forKey: .metadata)
        try members.encodeIfPresent(self.expectedDigest, forKey: .expectedDigest)
        try members.encodeIfPresent(self.ifChangedFrom, forKey: .ifChangedFrom)
        try members.encodeIfPresent(self.ifNoneMatch, forKey: .ifNoneMatch)
        try members.encodeIfPresent(self.ifModifiedSince, forKey: .ifModifiedSince)
        try members.encodeIfPresent(self.filename, forKey: .filename)
        try members.encodeIfPresent(self.destination, forKey: .destination)
        try members.encodeIfPresent(self.requireVerifiedLength, forKey: .requireVerifiedLength)
        try members.encodeIfPresent(self.requireExpectedLength, forKey: .requireExpectedLength)
        try members.encodeIfPresent(self.onSourceChange, forKey: .onSourceChange)
        try members.encodeIfPresent(self.maxBytes, forKey: .maxBytes)
        try members.encodeIfPresent(self.minBytes, forKey: .minBytes)
        try members.encodeIfPresent(self.acceptContentTypes, forKey: .acceptContentTypes)
        try members.encodeIfPresent(self.webhookURL, forKey: .webhookURL)
        try members.encodeIfPresent(self.webhookEvents, forKey: .webhookEvents)
        try members.encodeIfPresent(self.beginHook, forKey: .beginHook)
        try members.encodeIfPresent(self.retry, forKey: .retry)
        try members.encodeIfPresent(self.suspended, forKey: .suspended)
        try members.encodeIfPresent(self.timeoutIntervalForRequest, forKey: .timeoutIntervalForRequest)
        try members.encodeIfPresent(self.timeoutIntervalForResource, forKey: .timeoutIntervalForResource)
        try members.encodeIfPresent(self.contentRetention, forKey: .contentRetention)
        try members.encodeIfPresent(self.method, forKey: .method)
        try members.encodeIfPresent(self.headers, forKey: .headers)
        try members.encodeIfPresent(self.body, forKey: .body)
        try members.encodeIfPresent(self.bodyBase64, forKey: .bodyBase64)
        try members.encodeIfPresent(self.authorization, forKey: .authorization)
        try members.encodeIfPresent(self.proxy, forKey: .proxy)
        try members.encodeIfPresent(self.segments, forKey: .segments)
        try members.encodeIfPresent(self.maxBytesPerSecond, forKey: .maxBytesPerSecond)
    }

    /// What it does where its session has a live download that asks for the same bytes.
    ///
    /// `join` waits for that one's transfer and gets its content; both have to be created with
    /// `join`, may begin at the same instant, and have equal addresses, methods, headers, bodies,
    /// credentials, proxies, TLS material, `on_source_change`, network rules, deadlines,
    /// `is_discretionary`, and digests that are no SHA-256. Each judges the content by its own
    /// demands (`max_bytes`, `require_verified_length`, `require_expected_length`, a SHA-256 in
    /// `expected_digest`): one whose demand is not met goes on by itself. It goes neither with
    /// `destination`, the session's included, nor with `resume_data`.
    public struct OnDuplicateURL: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `independent`.
        public static let independent = OnDuplicateURL(rawValue: "independent")

        /// `join`.
        public static let join = OnDuplicateURL(rawValue: "join")
    }

    /// The method.
    ///
    /// Only a GET is resumed. A POST that may have reached the origin is sent again automatically
    /// only after 408, 425, 429 or 503, or if it has a header `Idempotency-Key`; otherwise the
    /// download fails, with `request_outcome_unknown` if the process ended before the answer. A PUT
    /// is sent again like a GET. A redirect with 303 makes any of them a GET, 301 and 302 a POST;
    /// 307 and 308 keep method and body and are followed only within the origin.
    public struct Method: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `GET`.
        public static let get = Method(rawValue: "GET")

        /// `POST`.
        public static let post = Method(rawValue: "POST")

        /// `PUT`.
        public static let put = Method(rawValue: "PUT")
    }
}
