// The configuration of a session: defaults for its downloads.

/// The values of a session that this version knows, each nil when absent.
package struct SessionConfiguration: Equatable, Sendable {
    /// What its downloads leave behind, which never changes; nil for `background`.
    package var kind: SessionKind?
    /// Whether its downloads wait for the moment that the policy names.
    package var isDiscretionary: Bool?
    /// Whether its downloads may use a network of which every byte is dear.
    package var allowsExpensive: Bool?
    /// Whether they may use a network that is to be spared.
    package var allowsConstrained: Bool?
    /// Whether they wait where their origin, or the network, is not reached; nil when absent.
    package var waitsForConnectivity: Bool?
    /// Seconds without a byte after which an attempt ends.
    package var requestTimeout: Int64?
    /// Seconds from creation, or from a later earliest-begin date, after which a download ends.
    package var resourceTimeout: Int64?
    /// Seconds from its end for which the file of a download is kept.
    package var contentRetention: Int64?
    /// Bytes a second: of a session for all its downloads together, of a download for itself.
    package var maxBytesPerSecond: Int64?
    /// How many of its downloads may run at once, over all replicas; nil for no limit of its own.
    package var maxRunning: Int64?
    /// How many connections its downloads may have to one origin at once, over all replicas; nil
    /// for no limit of its own.
    package var maxConnectionsPerHost: Int64?
    /// Whether its client is woken; nil for yes.
    package var sendsLaunchEvents: Bool?
    /// Streams at once for a large file; nil when absent.
    package var segments: Int64?
    /// Where events go.
    package var webhookURL: String?
    /// The names of the events that go there.
    package var webhookEvents: [String]?
    /// Who is asked before a download with a date begins; nil when absent.
    package var beginHook: BeginHook?
    /// The statuses that pass by themselves; nil when absent.
    package var retryRule: RetryRule?
    /// Whether content that is lost is fetched again without a request; nil when absent.
    package var refetchesLost: Bool?
    /// What the content of its downloads has to be like.
    package var rules = ContentRules()
    /// The origins that its secrets go to, or `["*"]`; nil for none.
    package var secretOrigins: [String]?
    /// What its downloads are asked for with; nil where it was read from the store.
    package var secrets: SessionSecrets?
    /// The part without secrets; nil where there are none.
    package var shape: SessionShape?

    /// A configuration without values.
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
        if let names = webhookEvents, case .failure(let unknown) = EventType.mask(names: names) {
            let known = EventType.known
            reader.refuse(
                "webhook_events",
                "does not know \"\(unknown.name)\"; known are \(known)")
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

    /// Reads what `json` wrote.
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

    /// Reads what only a session has.
    private mutating func readOwn(_ reader: inout FieldReader) {
        maxRunning = reader.integer("max_running", in: 1...10_000)
        maxConnectionsPerHost = reader.integer(
            "http_maximum_connections_per_host", in: 1...10_000)
        sendsLaunchEvents = reader.bool("sends_launch_events")
        kind = reader.word("kind", of: SessionKind.self)
        secretOrigins = SecretReach.read(SessionConfiguration.originsName, &reader)
    }

    /// The member that says where the secrets of a session go.
    package static let originsName = "http_additional_headers_origins"
    static let shapeName = "request"

    /// Every member that a client may set, without secrets, in the order in which it is shown; nil
    /// where it is not set.
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
            ("begin_hook", beginHook?.tree), ("retry", retryRule?.tree),
            (
                SessionConfiguration.originsName,
                secretOrigins.map { .array($0.map { .string($0) }) }
            ),
        ]
        return members
    }

    /// The document, with the members that are set and without secrets.
    package var json: JSONObject {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        object[SessionConfiguration.shapeName] = shape?.json
        return object
    }
}
