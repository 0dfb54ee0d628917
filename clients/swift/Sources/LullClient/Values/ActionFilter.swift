// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// All given members have to match.
public struct ActionFilter: Codable, Hashable, Sendable {
    /// `session` of the API.
    public var session: String?
    /// `state` of the API.
    public var state: [DownloadState]?
    /// `origin` of the API.
    public var origin: String?
    /// `external_id` of the API.
    public var externalID: String?
    /// `metadata` of the API.
    public var metadata: [String: String]?
    /// `created_after` of the API.
    public var createdAfter: Date?
    /// `created_before` of the API.
    public var createdBefore: Date?
    /// `completed_after` of the API.
    public var completedAfter: Date?
    /// `error_code` of the API.
    public var errorCode: String?
    /// `q` of the API.
    public var q: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        session: String? = nil,
        state: [DownloadState]? = nil,
        origin: String? = nil,
        externalID: String? = nil,
        metadata: [String: String]? = nil,
        createdAfter: Date? = nil,
        createdBefore: Date? = nil,
        completedAfter: Date? = nil,
        errorCode: String? = nil,
        q: String? = nil
    ) {
        self.session = session
        self.state = state
        self.origin = origin
        self.externalID = externalID
        self.metadata = metadata
        self.createdAfter = createdAfter
        self.createdBefore = createdBefore
        self.completedAfter = completedAfter
        self.errorCode = errorCode
        self.q = q
    }

    private enum CodingKeys: String, CodingKey {
        case session
        case state
        case origin
        case externalID = "external_id"
        case metadata
        case createdAfter = "created_after"
        case createdBefore = "created_before"
        case completedAfter = "completed_after"
        case errorCode = "error_code"
        case q
    }
}
