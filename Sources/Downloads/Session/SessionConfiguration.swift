// The configuration of a session: defaults for its downloads.
package import Base

/// The values of a session, each nil if absent.
package struct SessionConfiguration: Equatable, Sendable {
    /// The kind, which decides about traces of its downloads and never changes; nil for
    /// `background`.
    package var kind: SessionKind?
    /// Whether its downloads are discretionary: begun at a time that the policy prefers.
    package var isDiscretionary: Bool?
    /// Whether its downloads may use an expensive network, one that costs money for each byte.
    package var allowsExpensive: Bool?
    /// Whether they may use a constrained network, one whose traffic is to be kept low.
    package var allowsConstrained: Bool?
    /// Whether they wait while their origin, or the network, is not reached; nil if absent.
    package var waitsForConnectivity: Bool?
    /// Seconds without a byte after which an attempt ends.
    package var requestTimeout: Int64?
    /// Seconds from creation, or from a later earliest-begin date, after which a download fails.
    package var resourceTimeout: Int64?
    /// Seconds from its end for which the file of a download is kept.
    package var contentRetention: Int64?
    /// Bytes a second: for a session, of all its downloads together; for a download, of this one.
    package var maxBytesPerSecond: Int64?
    /// The most downloads of the session that run at once, over all replicas; nil for no limit of
    /// its own.
    package var maxRunning: Int64?
    /// The most connections of its downloads to one origin, over all replicas; nil for no limit of
    /// its own.
    package var maxConnectionsPerHost: Int64?
    /// Whether its client is woken; nil means that it is.
    package var sendsLaunchEvents: Bool?
    /// Seconds without a listening client after which its live downloads are canceled; nil for
    /// never.
    package var endsWithClient: Int64?
    /// The most streams at once for a large file; nil if absent.
    package var segments: Int64?
    /// The URL to which webhooks are sent.
    package var webhookURL: String?
    /// The names of the events that are sent there.
    package var webhookEvents: [String]?
    /// The hook that is asked before a download with a date begins; nil if absent.
    package var beginHook: BeginHook?
    /// The receiver to which finished files are sent; nil if absent, and for a download, whose own
    /// is in `DownloadRequest`.
    package var relay: Relay?
    /// The rule for statuses to repeat; nil if absent.
    package var retryRule: RetryRule?
    /// Whether lost content is fetched again without a request; nil if absent.
    package var refetchesLost: Bool?
    /// The demands on the content of its downloads.
    package var rules = ContentRules()
    /// The origins to which its secrets are sent, or `["*"]`; nil for none.
    package var secretOrigins: [String]?
    /// The secrets of its requests; nil if the value was read from the store.
    package var secrets: SessionSecrets?
    /// The visible part of the secrets; nil if there are none.
    package var shape: SessionShape?

    /// Creates a configuration without values.
    package init() {}

    /// Reads the members of a session document or, with `overrides`, those of a download.
    package init(reading reader: inout FieldReader) {
        isDiscretionary = reader.bool("is_discretionary")
        allowsExpensive = reader.bool("allows_expensive_network_access")
        allowsConstrained = reader.bool("allows_constrained_network_access")
        waitsForConnectivity = reader.bool("waits_for_connectivity")
        requestTimeout = reader.integer("timeout_interval_for_request", in: 1...86_400)
        resourceTimeout = reader.integer("timeout_interval_for_resource", in: 1...31_536_000)
        contentRetention = reader.integer("content_retention", in: 1...315_360_000)
        maxBytesPerSecond = reader.integer("max_bytes_per_second", in: 1...(1 << 53))
        segments = reader.integer("segments", in: 1...8)
        webhookURL = reader.string("webhook_url", maximumLength: 8192)
        webhookEvents = reader.strings("webhook_events", maximumCount: 32)
        beginHook = BeginHook(reading: &reader)
        retryRule = RetryRule(reading: &reader)
        rules = ContentRules(reading: &reader)
        if let names = webhookEvents, case .failure(let unknown) = EventSet.named(names) {
            let known = EventType.known
            reader.refuse(
                "webhook_events",
                "names the unknown event \"\(unknown.name)\"; known are \(known)")
        }
        if let url = webhookURL, !url.hasPrefix("https://"), !url.hasPrefix("http://") {
            reader.refuse("webhook_url", "must begin with https:// or http://")
        }
    }

    /// Reads a whole session document.
    ///
    /// - Returns: the configuration, or every finding.
    package static func parse(_ document: JSON) -> Result<SessionConfiguration, FieldErrors> {
        guard case .object(let object) = document else {
            return .failure([FieldError("#", "must be an object")])
        }
        var reader = FieldReader(object)
        var configuration = SessionConfiguration(reading: &reader)
        configuration.refetchesLost = reader.bool("refetch_lost")
        configuration.readOwn(&reader)
        var secrets = SessionSecrets(reading: &reader)
        for name in SessionReceiver.members { _ = reader.value(name) }
        for receiver in SessionReceiver.allCases {
            switch receiver.changed(by: object, old: nil, secrets: nil, to: configuration) {
            case .success(let changed): secrets[receiver] = changed.secrets
            case .failure(let errors): reader.adopt(errors)
            }
        }
        configuration.secrets = secrets.isEmpty ? nil : secrets
        let errors = reader.finish()
        return errors.isEmpty ? .success(configuration) : .failure(errors)
    }

    /// Reads the form that `json` writes.
    ///
    /// - Returns: nil for what this program does not know.
    package static func read(stored object: JSONObject) -> SessionConfiguration? {
        var reader = FieldReader(object)
        var configuration = SessionConfiguration(reading: &reader)
        configuration.refetchesLost = reader.bool("refetch_lost")
        configuration.readOwn(&reader)
        configuration.shape = reader.value(shapeName)?.objectValue.map(SessionShape.init(stored:))
        return reader.finish().isEmpty ? configuration : nil
    }

    /// Reads the members that only a session has.
    private mutating func readOwn(_ reader: inout FieldReader) {
        maxRunning = reader.integer("max_running", in: 1...10_000)
        maxConnectionsPerHost = reader.integer(
            "http_maximum_connections_per_host", in: 1...10_000)
        sendsLaunchEvents = reader.bool("sends_launch_events")
        endsWithClient = reader.duration("ends_with_client", in: 5...86_400)
        kind = reader.word("kind", of: SessionKind.self)
        relay = Relay(ofSession: &reader)
        secretOrigins = SecretReach.read(SessionConfiguration.originsName, &reader)
    }

    /// The member that names the origins of the session's secrets.
    package static let originsName = "http_additional_headers_origins"
    static let shapeName = "request"

    /// All members that a client may set, without secrets, in the order in which they are shown;
    /// nil if not set.
    var members: [(name: String, value: JSON?)] {
        var demands = JSONObject()
        rules.write(to: &demands)
        var members: [(name: String, value: JSON?)] = [
            ("kind", kind.map { .string($0.rawValue) }),
            ("is_discretionary", isDiscretionary.map { .bool($0) }),
            ("allows_expensive_network_access", allowsExpensive.map { .bool($0) }),
            ("allows_constrained_network_access", allowsConstrained.map { .bool($0) }),
            ("waits_for_connectivity", waitsForConnectivity.map { .bool($0) }),
            ("sends_launch_events", sendsLaunchEvents.map { .bool($0) }),
            (
                "ends_with_client",
                endsWithClient.map { .string(DurationText.print(.seconds($0))) }
            ),
            ("timeout_interval_for_request", requestTimeout.map { .integer($0) }),
            ("timeout_interval_for_resource", resourceTimeout.map { .integer($0) }),
        ]
        members += ContentRules.members.map { ($0, demands[$0]) }
        members += [
            ("content_retention", contentRetention.map { .integer($0) }),
            ("refetch_lost", refetchesLost.map { .bool($0) }),
            ("max_bytes_per_second", maxBytesPerSecond.map { .integer($0) }),
            ("max_running", maxRunning.map { .integer($0) }),
            ("http_maximum_connections_per_host", maxConnectionsPerHost.map { .integer($0) }),
            ("segments", segments.map { .integer($0) }),
            ("webhook_url", webhookURL.map { .string($0) }),
            ("webhook_events", webhookEvents.map { .array($0.map { .string($0) }) }),
            ("begin_hook", beginHook?.tree), ("destination", relay?.tree),
            ("retry", retryRule?.tree),
            (
                SessionConfiguration.originsName,
                secretOrigins.map { .array($0.map { .string($0) }) }
            ),
        ]
        return members
    }

    /// The document with the set members, without secrets.
    package var json: JSONObject {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        object[SessionConfiguration.shapeName] = shape?.json
        return object
    }
}
