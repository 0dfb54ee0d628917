// The request with every default filled in: what the store keeps and the engine obeys.

/// The effective values of a download, fixed when it is accepted.
package struct DownloadSpec: MemberList {
    /// The session's version that it was created under.
    package var sessionVersion: Int64
    /// Whether it waits for the moment that the policy names.
    package var isDiscretionary: Bool
    /// The class that follows from that.
    package var schedulingClass: SchedulingClass { isDiscretionary ? .discretionary : .normal }
    /// Whether it may use a network of which every byte is dear.
    package var allowsExpensive = true
    /// Whether it may use a network that is to be spared.
    package var allowsConstrained = true
    /// Whether it waits where its origin, or the network, is not reached.
    package var waitsForConnectivity = true
    /// What made it discretionary whatever was asked for: `wake`; nil for nothing.
    package var discretionaryForcedBy: String?
    /// Seconds without a byte after which an attempt ends.
    package var requestTimeout: Int64
    /// Seconds from creation, or from a later earliest-begin date, after which it ends.
    package var resourceTimeout: Int64
    /// Its own limit in bytes a second, beside that of its session; nil for none.
    package var maxBytesPerSecond: Int64?
    /// Streams at once for a large file, this many at most; 1 for one.
    package var segments: Int64
    /// Where events go.
    package var webhookURL: String?
    /// The names of the events that go there; nil means the default ones.
    package var webhookEvents: [String]?
    /// Who is asked before it begins at its date; nil for no question.
    package var beginHook: BeginHook?
    /// The statuses that are repeated apart from the others; nil for none.
    package var retryRule: RetryRule?
    /// Whether that is asked before the begin that is next.
    package var asksHook = false
    /// When it was asked last, of those that answered or had their time.
    package var hookAskedAt: Timestamp?
    /// When it has to begin at the latest; nil for any time.
    package var beginDeadline: Timestamp?
    /// When it has to be complete at the latest; nil for any time.
    package var completeBy: Timestamp?
    /// Bytes that the client expects the request to have.
    package var bytesExpectedToSend: Int64?
    /// The client's name for it, unique in its session.
    package var externalID: String?
    /// What it does where its session has a live one that asks for the same bytes.
    package var duplicates = DuplicateRule.independent
    /// Free text, echoed.
    package var taskDescription: String?
    /// Texts by name, echoed.
    package var metadata: JSONObject
    /// Further addresses of the same bytes, asked in this order after the download's `url`.
    package var urls: [String]
    /// What the file's digest must be.
    package var expectedDigest: ExpectedDigest?
    /// The name of the file as its client wants it, made safe.
    package var filename: String?
    /// Where the file goes once it is whole; nil where it only stays with this service.
    package var destination: FileDestination?
    /// What the content has to be like.
    package var rules: ContentRules
    /// Seconds from its end for which the file is kept; nil for what was stored before there was
    /// a retention: the deployment's.
    package var contentRetention: Int64?
    /// The place of the create in its caller's trace, sent with every event.
    package var traceparent: String?
    /// The identifier of the request that created it, for the log.
    package var requestID: String?
    /// Whether it was suspended when it was created, which the event of its creation shows.
    package var isCreatedSuspended = false
    /// Whether its session is ephemeral: queries are never shown, and erased at its end.
    package var isEphemeral = false
    /// Whether the query of its URL was erased, so that no retry can ask for it.
    package var isErased = false
    /// Why it was canceled last, since its last retry; nil where its client asked for just that.
    package var cancelReason: CancelReason?
    /// How it is asked for, as far as everybody may see it.
    package var request: RequestShape

    /// Fills in what the request leaves open: first from the session, then from the deployment.
    package init(
        _ request: DownloadRequest, session: SessionConfiguration, sessionVersion: Int64,
        defaults: DeploymentDefaults
    ) {
        let own = request.overrides
        self.sessionVersion = sessionVersion
        isDiscretionary = own.isDiscretionary ?? session.isDiscretionary ?? false
        allowsExpensive = own.allowsExpensive ?? session.allowsExpensive ?? true
        allowsConstrained = own.allowsConstrained ?? session.allowsConstrained ?? true
        waitsForConnectivity = own.waitsForConnectivity ?? session.waitsForConnectivity ?? true
        requestTimeout = own.requestTimeout ?? session.requestTimeout ?? defaults.requestTimeout
        resourceTimeout =
            own.resourceTimeout ?? session.resourceTimeout ?? defaults.resourceTimeout
        contentRetention = session.retention(
            own.contentRetention ?? session.contentRetention ?? defaults.contentRetention)
        isEphemeral = session.kind == .ephemeral
        maxBytesPerSecond = own.maxBytesPerSecond
        segments = own.segments ?? session.segments ?? defaults.segments
        webhookURL = own.webhookURL ?? session.webhookURL
        webhookEvents = own.webhookEvents ?? session.webhookEvents
        beginHook = own.beginHook ?? session.beginHook
        retryRule = own.retryRule ?? session.retryRule
        asksHook = beginHook != nil && request.earliestBeginDate != nil
        beginDeadline = request.beginDeadline
        completeBy = request.completeBy
        bytesExpectedToSend = request.bytesExpectedToSend
        externalID = request.externalID
        duplicates = request.duplicates
        taskDescription = request.taskDescription
        metadata = request.metadata
        urls = request.urls
        expectedDigest = request.expectedDigest
        filename = request.filename
        destination = request.destination
        rules = own.rules.filled(from: session.rules)
        isCreatedSuspended = request.isSuspended
        self.request = request.members.shape
        self.request.usesSession = session.shape != nil
    }

    /// It was created while its session's client was in the background.
    package mutating func forceDiscretionary() {
        isDiscretionary = true
        discretionaryForcedBy = "wake"
    }

    /// What is filled when it is read: members that are missing take these values.
    package static let blank = DownloadSpec(blank: .standard)

    private init(blank defaults: DeploymentDefaults) {
        sessionVersion = 1
        isDiscretionary = false
        requestTimeout = defaults.requestTimeout
        resourceTimeout = defaults.resourceTimeout
        segments = 1
        metadata = JSONObject()
        urls = []
        rules = ContentRules()
        request = RequestShape()
    }

    /// The members as they are stored; what most downloads have is left out, in every version of
    /// this program the same.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("session_version", &sessionVersion, usually: 1)
        members.visit("is_discretionary", &isDiscretionary, usually: false)
        members.visit("allows_expensive_network_access", &allowsExpensive, usually: true)
        members.visit("allows_constrained_network_access", &allowsConstrained, usually: true)
        members.visit("waits_for_connectivity", &waitsForConnectivity, usually: true)
        members.visit("discretionary_forced_by", &discretionaryForcedBy)
        members.visit("timeout_interval_for_request", &requestTimeout, usually: 60)
        members.visit("timeout_interval_for_resource", &resourceTimeout, usually: 604_800)
        members.visit("content_retention", &contentRetention)
        members.visit("max_bytes_per_second", &maxBytesPerSecond)
        members.visit("segments", &segments, usually: 1)
        members.visit("webhook_url", &webhookURL)
        members.visit("webhook_events", &webhookEvents)
        members.visit("begin_hook", &beginHook)
        members.visit("retry", &retryRule)
        members.visit("asks_hook", &asksHook, usually: false)
        members.visit("hook_asked_at", &hookAskedAt)
        members.visit("begin_deadline", &beginDeadline)
        members.visit("complete_by", &completeBy)
        members.visit("count_of_bytes_client_expects_to_send", &bytesExpectedToSend)
        members.visit("external_id", &externalID)
        members.visit("on_duplicate_url", &duplicates, usually: .independent)
        members.visit("task_description", &taskDescription)
        members.visit("metadata", &metadata, usually: JSONObject())
        members.visit("urls", &urls, usually: [])
        members.visit("expected_digest", &expectedDigest)
        members.visit("filename", &filename)
        members.visit("destination", &destination)
        rules.visit(&members)
        members.visit("traceparent", &traceparent)
        members.visit("request_id", &requestID)
        members.visit("suspended", &isCreatedSuspended, usually: false)
        members.visit("ephemeral", &isEphemeral, usually: false)
        members.visit("erased", &isErased, usually: false)
        members.visit("cancel_reason", &cancelReason)
        request.visit(&members)
    }

    /// The networks that it may use, and how it waits for them, as `LaneKey` has them.
    package var network: Int16 {
        (allowsExpensive ? LaneKey.expensive : 0) | (allowsConstrained ? LaneKey.constrained : 0)
            | (waitsForConnectivity ? 0 : LaneKey.impatient)
            | (asksHook ? LaneKey.unasked : 0)
            | (urls.isEmpty && request.proxyURL == nil ? 0 : LaneKey.alone)
    }

    /// Whether it waits, with the others of its origin, for the one that tries again.
    package var sharesProbe: Bool { network & LaneKey.apart == 0 }

    /// The events that the receiver gets, as bits; 0 without a receiver.
    package var webhookMask: Int32 {
        guard webhookURL != nil else { return 0 }
        guard let names = webhookEvents else { return EventType.defaultMask }
        guard case .success(let mask) = EventType.mask(names: names) else { return 0 }
        return mask
    }
}
