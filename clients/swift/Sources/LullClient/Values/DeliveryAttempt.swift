// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `DeliveryAttempt` of the API.
public struct DeliveryAttempt: Codable, Hashable, Sendable {
    /// RFC 3339 in UTC with milliseconds.
    public var at: Date
    /// `milliseconds` of the API.
    public var milliseconds: Int?
    /// Null without an answer.
    public var httpStatus: Int?
    /// `error` of the API.
    public var error: String?
    /// The first 1024 bytes of what a try that failed was answered.
    public var responseBody: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        at: Date,
        milliseconds: Int? = nil,
        httpStatus: Int? = nil,
        error: String? = nil,
        responseBody: String? = nil
    ) {
        self.at = at
        self.milliseconds = milliseconds
        self.httpStatus = httpStatus
        self.error = error
        self.responseBody = responseBody
    }

    private enum CodingKeys: String, CodingKey {
        case at
        case milliseconds
        case httpStatus = "http_status"
        case error
        case responseBody = "response_body"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.at, forKey: .at)
        try members.encode(self.milliseconds, forKey: .milliseconds)
        try members.encode(self.httpStatus, forKey: .httpStatus)
        try members.encode(self.error, forKey: .error)
        try members.encode(self.responseBody, forKey: .responseBody)
    }
}
