// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// A session with its configuration.
public struct SessionSummary: Codable, Hashable, Sendable {
    /// Your name for a session, unique among yours.
    public var identifier: String
    /// `active`;
    ///
    /// `suspended`: nothing runs; `invalidating`: it takes no downloads, and is over when those
    /// that it has have ended; `invalidated`.
    public var state: SessionState
    /// Rises with every other configuration.
    public var version: Int
    /// The members of a configuration; those that are not set are null.
    public var configuration: SessionValues
    /// What a download gets that sets nothing itself; the deployment's defaults are filled in.
    public var effective: SessionValues
    /// Of a PATCH that dropped some, the members that were given for another origin.
    public var dropped: [String]?
    /// The members whose secrets go to no origin, because `http_additional_headers_origins` names
    /// none; of `tls` the client certificate.
    public var withheld: [String]
    /// RFC 3339 in UTC with milliseconds.
    public var createdAt: Date
    /// RFC 3339 in UTC with milliseconds.
    public var updatedAt: Date

    /// Makes one of its members; those that are left out are nil.
    public init(
        identifier: String,
        state: SessionState,
        version: Int,
        configuration: SessionValues,
        effective: SessionValues,
        withheld: [String],
        createdAt: Date,
        updatedAt: Date,
        dropped: [String]? = nil
    ) {
        self.identifier = identifier
        self.state = state
        self.version = version
        self.configuration = configuration
        self.effective = effective
        self.dropped = dropped
        self.withheld = withheld
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    private enum CodingKeys: String, CodingKey {
        case identifier
        case state
        case version
        case configuration
        case effective
        case dropped
        case withheld
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}
