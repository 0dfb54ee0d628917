// The request with every default filled in: what the store keeps and the engine obeys.

/// The effective values of a download, fixed when it is accepted.
package struct DownloadSpec: Equatable, Sendable {
    /// The session's version that it was created under.
    package var sessionVersion: Int64
    /// Whether it waits for the moment that the policy names.
    package var isDiscretionary: Bool
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
    /// Bytes that the client expects the request to have.
    package var bytesExpectedToSend: Int64?
    /// Free text, echoed.
    package var taskDescription: String?
    /// Texts by name, echoed.
    package var metadata: JSONObject
    /// Further addresses of the same bytes, asked in this order after the download's `url`.
    package var urls: [String]
    /// What the file's digest must be.
    package var expectedDigest: ExpectedDigest?
    /// What the content has to be like.
    package var rules: ContentRules
    /// Seconds from its end for which the file is kept; nil for what was stored before there was
    /// a retention: the deployment's.
    package var contentRetention: Int64?
    /// The place of the create in its caller's trace, told with every event.
    package var traceparent: String?
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
        requestTimeout = own.requestTimeout ?? session.requestTimeout ?? defaults.requestTimeout
        resourceTimeout =
            own.resourceTimeout ?? session.resourceTimeout ?? defaults.resourceTimeout
        contentRetention =
            own.contentRetention ?? session.contentRetention ?? defaults.contentRetention
        maxBytesPerSecond = own.maxBytesPerSecond
        segments = own.segments ?? session.segments ?? defaults.segments
        webhookURL = own.webhookURL ?? session.webhookURL
        webhookEvents = own.webhookEvents ?? session.webhookEvents
        bytesExpectedToSend = request.bytesExpectedToSend
        taskDescription = request.taskDescription
        metadata = request.metadata
        urls = request.urls
        expectedDigest = request.expectedDigest
        rules = own.rules.filled(from: session.rules)
        self.request = request.members.shape
        self.request.usesSession = session.shape != nil
    }

    /// Reads what `json` wrote; members that are missing take the deployment's defaults.
    package init(stored object: JSONObject) {
        var reader = FieldReader(object)
        sessionVersion = reader.integer("session_version", in: 0...Int64.max) ?? 1
        let values = SessionConfiguration(reading: &reader)
        isDiscretionary = values.isDiscretionary ?? false
        // As stored: a deployment's default may lie beyond what a client may ask for.
        requestTimeout =
            object["timeout_interval_for_request"]?.integerValue
            ?? DeploymentDefaults.standard.requestTimeout
        resourceTimeout =
            object["timeout_interval_for_resource"]?.integerValue
            ?? DeploymentDefaults.standard.resourceTimeout
        contentRetention = object["content_retention"]?.integerValue
        maxBytesPerSecond = values.maxBytesPerSecond
        segments = values.segments ?? 1
        webhookURL = values.webhookURL
        webhookEvents = values.webhookEvents
        rules = values.rules
        bytesExpectedToSend = reader.integer(
            "count_of_bytes_client_expects_to_send", in: 0...Int64.max)
        taskDescription = reader.string("task_description", maximumLength: Int.max)
        metadata = reader.value("metadata")?.objectValue ?? JSONObject()
        traceparent = reader.string("traceparent", maximumLength: 64)
        request = RequestShape(stored: object)
        urls = object["urls"]?.arrayValue?.compactMap(\.stringValue) ?? []
        expectedDigest = nil
        if let text = reader.string("expected_digest", maximumLength: 256) {
            do throws(DigestError) {
                expectedDigest = try ExpectedDigest(text)
            } catch {
                preconditionFailure("the store holds only digests that were accepted")
            }
        }
    }

    /// What the store keeps; null members are left out.
    package var json: JSONObject {
        var object = JSONObject()
        object["session_version"] = .integer(sessionVersion)
        object["is_discretionary"] = .bool(isDiscretionary)
        object["timeout_interval_for_request"] = .integer(requestTimeout)
        object["timeout_interval_for_resource"] = .integer(resourceTimeout)
        object["content_retention"] = contentRetention.map { .integer($0) }
        object["max_bytes_per_second"] = maxBytesPerSecond.map { .integer($0) }
        object["segments"] = segments > 1 ? .integer(segments) : nil
        object["webhook_url"] = webhookURL.map { .string($0) }
        object["webhook_events"] = webhookEvents.map { .array($0.map { .string($0) }) }
        object["count_of_bytes_client_expects_to_send"] = bytesExpectedToSend.map { .integer($0) }
        object["task_description"] = taskDescription.map { .string($0) }
        object["metadata"] = metadata.members.isEmpty ? nil : .object(metadata)
        object["urls"] = urls.isEmpty ? nil : .array(urls.map { .string($0) })
        object["expected_digest"] = expectedDigest.map { .string($0.text) }
        rules.write(to: &object)
        object["traceparent"] = traceparent.map { .string($0) }
        request.store(in: &object)
        return object
    }

    /// The events that the receiver gets, as bits; 0 without a receiver.
    package var hookMask: Int32 {
        guard webhookURL != nil else { return 0 }
        guard let names = webhookEvents else { return EventType.defaultMask }
        guard case .success(let mask) = EventType.mask(names: names) else { return 0 }
        return mask
    }
}

/// What the deployment says where nobody else does.
package struct DeploymentDefaults: Equatable, Sendable {
    /// Seconds without a byte.
    package var requestTimeout: Int64
    /// Seconds from creation, or from a later earliest-begin date.
    package var resourceTimeout: Int64
    /// Seconds from the end of a download for which its file is kept.
    package var contentRetention: Int64
    /// Streams at once for a large file.
    package var segments: Int64

    /// Sets all of it.
    package init(
        requestTimeout: Int64, resourceTimeout: Int64, contentRetention: Int64 = 604_800,
        segments: Int64 = 1
    ) {
        self.contentRetention = contentRetention
        self.segments = segments
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
    }

    /// Apple's: a minute, seven days.
    package static let standard = DeploymentDefaults(
        requestTimeout: 60, resourceTimeout: 604_800)
}
