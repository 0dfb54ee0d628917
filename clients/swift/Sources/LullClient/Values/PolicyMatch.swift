// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The downloads that a rule or budget is about: all given members have to match; of a list, one
/// value.
public struct PolicyMatch: Codable, Hashable, Sendable {
    /// Discretionary downloads, or those that are not.
    public var isDiscretionary: Bool?
    /// Downloads that may use expensive networks, or those that may not.
    public var allowsExpensiveNetworkAccess: Bool?
    /// Downloads that may use constrained networks, or those that may not.
    public var allowsConstrainedNetworkAccess: Bool?
    /// Scheduling classes.
    public var `class`: JSONValue?
    /// Apps by name.
    public var app: JSONValue?
    /// Sessions by identifier.
    public var session: JSONValue?
    /// Origins by host:port, host, *.domain or *.
    public var origin: JSONValue?
    /// A range of priorities.
    public var priority: PriorityRange?
    /// A range of expected bytes; a download of unknown size is in no range.
    public var expectedBytes: BytesRange?
    /// Values of the metadata by name.
    public var metadata: [String: String]?

    /// Makes one of its members; those that are left out are nil.
    public init(
        isDiscretionary: Bool? = nil,
        allowsExpensiveNetworkAccess: Bool? = nil,
        allowsConstrainedNetworkAccess: Bool? = nil,
        class: JSONValue? = nil,
        app: JSONValue? = nil,
        session: JSONValue? = nil,
        origin: JSONValue? = nil,
        priority: PriorityRange? = nil,
        expectedBytes: BytesRange? = nil,
        metadata: [String: String]? = nil
    ) {
        self.isDiscretionary = isDiscretionary
        self.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        self.class = `class`
        self.app = app
        self.session = session
        self.origin = origin
        self.priority = priority
        self.expectedBytes = expectedBytes
        self.metadata = metadata
    }

    private enum CodingKeys: String, CodingKey {
        case isDiscretionary = "is_discretionary"
        case allowsExpensiveNetworkAccess = "allows_expensive_network_access"
        case allowsConstrainedNetworkAccess = "allows_constrained_network_access"
        case `class`
        case app
        case session
        case origin
        case priority
        case expectedBytes = "expected_bytes"
        case metadata
    }
}
