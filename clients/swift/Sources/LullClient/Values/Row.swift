// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// The short form of a download, or of an upload.
public struct Row: Codable, Hashable, Sendable {
    /// `id` of the API.
    public var id: String
    /// `session` of the API.
    public var session: String
    /// The file's name: the client's, else that of the answer, else one from the path or the URL.
    public var name: String
    /// The origin of the next request, `scheme://host:port`; null for an upload to a folder.
    public var origin: String?
    /// `succeeded`, `failed` and `canceled` are final;
    ///
    /// `suspended`, `waiting`, `running`, `canceling` and `attention_required` are not. Only an
    /// upload is `receiving`: its client still brings the bytes.
    public var state: DownloadState
    /// `count_of_bytes_received` of the API.
    public var countOfBytesReceived: Int?
    /// Of a download.
    public var countOfBytesExpectedToReceive: Int?
    /// Of an upload.
    public var length: Int?
    /// Of an upload.
    public var countOfBytesSent: Int?
    /// `bytes_per_second` of the API.
    public var bytesPerSecond: Int?
    /// `completes_at` of the API.
    public var completesAt: Date?
    /// The first reason why it waits.
    public var blocker: RowBlocker?
    /// `error_code` of the API.
    public var errorCode: String?
    /// `created_at` of the API.
    public var createdAt: Date?
    /// `completed_at` of the API.
    public var completedAt: Date?
    /// `sequence` of the API.
    public var sequence: Int?

    /// Makes one of its members; those that are left out are nil.
    public init(
        id: String,
        session: String,
        name: String,
        state: DownloadState,
        origin: String? = nil,
        countOfBytesReceived: Int? = nil,
        countOfBytesExpectedToReceive: Int? = nil,
        length: Int? = nil,
        countOfBytesSent: Int? = nil,
        bytesPerSecond: Int? = nil,
        completesAt: Date? = nil,
        blocker: RowBlocker? = nil,
        errorCode: String? = nil,
        createdAt: Date? = nil,
        completedAt: Date? = nil,
        sequence: Int? = nil
    ) {
        self.id = id
        self.session = session
        self.name = name
        self.origin = origin
        self.state = state
        self.countOfBytesReceived = countOfBytesReceived
        self.countOfBytesExpectedToReceive = countOfBytesExpectedToReceive
        self.length = length
        self.countOfBytesSent = countOfBytesSent
        self.bytesPerSecond = bytesPerSecond
        self.completesAt = completesAt
        self.blocker = blocker
        self.errorCode = errorCode
        self.createdAt = createdAt
        self.completedAt = completedAt
        self.sequence = sequence
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case session
        case name
        case origin
        case state
        case countOfBytesReceived = "count_of_bytes_received"
        case countOfBytesExpectedToReceive = "count_of_bytes_expected_to_receive"
        case length
        case countOfBytesSent = "count_of_bytes_sent"
        case bytesPerSecond = "bytes_per_second"
        case completesAt = "completes_at"
        case blocker
        case errorCode = "error_code"
        case createdAt = "created_at"
        case completedAt = "completed_at"
        case sequence
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.id, forKey: .id)
        try members.encode(self.session, forKey: .session)
        try members.encode(self.name, forKey: .name)
        try members.encode(self.origin, forKey: .origin)
        try members.encode(self.state, forKey: .state)
        try members.encode(self.countOfBytesReceived, forKey: .countOfBytesReceived)
        try members.encodeIfPresent(self.countOfBytesExpectedToReceive, forKey: .countOfBytesExpectedToReceive)
        try members.encodeIfPresent(self.length, forKey: .length)
        try members.encodeIfPresent(self.countOfBytesSent, forKey: .countOfBytesSent)
        try members.encode(self.bytesPerSecond, forKey: .bytesPerSecond)
        try members.encode(self.completesAt, forKey: .completesAt)
        try members.encode(self.blocker, forKey: .blocker)
        try members.encode(self.errorCode, forKey: .errorCode)
        try members.encode(self.createdAt, forKey: .createdAt)
        try members.encode(self.completedAt, forKey: .completedAt)
        try members.encode(self.sequence, forKey: .sequence)
    }
}
