// The request with every default filled in: the values that the store keeps and the engine follows.
package import Base

/// The effective values of a download, fixed when it is accepted.
package struct DownloadSpec: MemberList {
    /// The version of the session at the download's creation.
    package var sessionVersion: Int64
    /// Whether it is discretionary: begun at a time that the policy prefers.
    package var isDiscretionary: Bool
    /// The scheduling class: discretionary or normal.
    package var schedulingClass: SchedulingClass { isDiscretionary ? .discretionary : .normal }
    /// Whether it may use an expensive network, one that costs money for each byte.
    package var allowsExpensive = true
    /// Whether it may use a constrained network, one whose traffic is to be kept low.
    package var allowsConstrained = true
    /// Whether it waits while its origin, or the network, is not reached.
    package var waitsForConnectivity = true
    /// The reason why it is discretionary although the client did not ask for that: `wake`; nil for
    /// no reason.
    package var discretionaryForcedBy: String?
    /// Seconds without a byte after which an attempt ends.
    package var requestTimeout: Int64
    /// Seconds from creation, or from a later earliest-begin date, after which the download fails.
    package var resourceTimeout: Int64
    /// Its own limit in bytes a second, beside that of its session; nil for none.
    package var maxBytesPerSecond: Int64?
    /// The most streams at once for a large file; 1 for a single stream.
    package var segments: Int64
    /// The URL to which its webhooks are sent.
    package var webhookURL: String?
    /// The names of the events that are sent there; nil for the default events.
    package var webhookEvents: [String]?
    /// The hook that is asked before it begins at its date; nil for none.
    package var beginHook: BeginHook?
    /// The client's rule for statuses to repeat; nil for none.
    package var retryRule: RetryRule?
    /// Whether the begin hook is asked before the next begin.
    package var asksHook = false
    /// The time at which the begin hook was asked, for the last question that was answered or timed
    /// out.
    package var hookAskedAt: Timestamp?
    /// The latest instant for the begin; nil for any time.
    package var beginDeadline: Timestamp?
    /// The latest instant for the completion; nil for any time.
    package var completeBy: Timestamp?
    /// The length of the request that the client expects, in bytes.
    package var bytesExpectedToSend: Int64?
    /// The client's name for it, unique in its session.
    package var externalID: String?
    /// The source whose look it is, by its identifier; nil for none.
    package var source: String?
    /// The rule for a download whose session has a live one for the same bytes.
    package var duplicates = DuplicateRule.independent
    /// Free text, echoed.
    package var taskDescription: String?
    /// Texts by name, echoed.
    package var metadata: JSONObject
    /// Further addresses of the content, tried in this order after the download's `url`.
    package var urls: [String]
    /// The digest that the file must have.
    package var expectedDigest: ExpectedDigest?
    /// The known version of the content; nil where the download is fetched in any case.
    package var condition: ChangeCondition?
    /// The name of the file as its client wants it, made safe.
    package var filename: String?
    /// The folder or store, and the path, for the finished file; nil where it stays in the data
    /// directory.
    package var destination: FileDestination?
    /// The receiver that the finished file is sent to; nil for none.
    package var relay: Relay?
    /// The members of an upload; nil for a download.
    package var upload: Upload?
    /// The client's demands on the content.
    package var rules: ContentRules
    /// Seconds from the download's end for which the file is kept; nil for the deployment's
    /// retention, in rows without the member.
    package var contentRetention: Int64?
    /// The span of the create in its caller's trace, sent with every event.
    package var traceparent: String?
    /// The identifier of the request that created it, for the log.
    package var requestID: String?
    /// Whether it was created suspended, which the event of its creation shows.
    package var isCreatedSuspended = false
    /// Whether its session is ephemeral: queries of addresses are never shown, and erased at its
    /// end.
    package var isEphemeral = false
    /// Whether the query of its URL was erased, so that no retry can ask for it.
    package var isErased = false
    /// The reason why it was canceled last, since its last retry; nil where its client canceled it
    /// directly.
    package var cancelReason: CancelReason?
    /// The method, headers and credentials of the request, as far as they are no secret.
    package var request: RequestShape

    /// Completes the request: open values come from the session, then from the deployment.
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
        condition = request.onlyIfChanged.ownCondition
        filename = request.filename
        destination = request.destination
        relay = request.relay ?? session.relay(for: request)
        rules = own.rules.filled(from: session.rules)
        isCreatedSuspended = request.isSuspended
        self.request = request.members.shape
        self.request.usesSession = session.shape != nil
        if let upload = request.upload { becomeUpload(upload) }
    }

    /// Makes it that of an upload, for which nothing is fetched.
    private mutating func becomeUpload(_ members: Upload) {
        upload = members
        (beginHook, asksHook) = (nil, false)
        relay?.keepsContent = false
        duplicates = .independent
        condition = nil
        segments = 1
        rules = ContentRules()
        request.usesSession = false
    }

    /// Makes it discretionary, because it was created while its session's client was in the
    /// background.
    package mutating func forceDiscretionary() {
        isDiscretionary = true
        discretionaryForcedBy = "wake"
    }

    /// The blank value that reading fills in: missing members have these values.
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

    /// The members as they are stored; a member with its usual value is left out, which every
    /// version of this program has to treat alike.
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
        members.visit("source", &source, .leftOut)
        members.visit("on_duplicate_url", &duplicates, usually: .independent)
        members.visit("task_description", &taskDescription)
        members.visit("metadata", &metadata, usually: JSONObject())
        members.visit("urls", &urls, usually: [])
        members.visit("expected_digest", &expectedDigest)
        members.visit("condition", &condition)
        members.visit("filename", &filename)
        members.visit("destination", &destination)
        members.visit("relay", &relay)
        members.visit("upload", &upload)
        rules.visit(&members)
        members.visit("traceparent", &traceparent)
        members.visit("request_id", &requestID)
        members.visit("suspended", &isCreatedSuspended, usually: false)
        members.visit("ephemeral", &isEphemeral, usually: false)
        members.visit("erased", &isErased, usually: false)
        members.visit("cancel_reason", &cancelReason)
        request.visit(&members)
    }

    /// The flags while it waits for its bytes: the networks that it may use, how it waits for them,
    /// and whether its begin hook is asked.
    ///
    /// An upload waits for its client.
    package var laneFlags: LaneFlags {
        var flags = networkFlags
        guard upload == nil else { return flags.union(.stages) }
        if asksHook { flags.insert(.unasked) }
        if !urls.isEmpty || request.proxyURL != nil { flags.insert(.alone) }
        if isSentOn { flags.insert(.relays) }
        return flags
    }

    /// The flags while its file waits to be sent; the receiver's hook is asked before each try.
    package var sendingFlags: LaneFlags {
        var flags = networkFlags.union(.sends)
        if relay?.hook != nil { flags.insert(.unasked) }
        return flags
    }

    /// The other side to which the finished file is sent; nil where it is kept or placed here.
    package var sendTarget: SendTarget? {
        if let relay { return .receiver(relay) }
        guard let destination, destination.store != nil else { return nil }
        return .store(destination)
    }

    /// The destination, if it is a folder.
    package var folder: FileDestination? { destination?.store == nil ? destination : nil }

    /// Whether the finished file is sent on by an attempt of its own.
    package var isSentOn: Bool { relay != nil || destination?.store != nil }

    private var networkFlags: LaneFlags {
        var flags: LaneFlags = []
        if allowsExpensive { flags.insert(.expensive) }
        if allowsConstrained { flags.insert(.constrained) }
        if !waitsForConnectivity { flags.insert(.impatient) }
        return flags
    }

    /// Whether it waits, with others of its origin, for one that probes the origin.
    package var sharesProbe: Bool { !laneFlags.contains(oneOf: .apart) }

    /// The events that the receiver of its webhooks gets; none without a receiver.
    package var webhookSet: EventSet {
        guard webhookURL != nil else { return .none }
        guard let names = webhookEvents else { return .usual }
        guard case .success(let set) = EventSet.named(names) else { return .none }
        return set
    }
}
