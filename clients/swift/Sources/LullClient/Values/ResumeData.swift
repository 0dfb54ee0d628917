// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `ResumeData` of the API.
public struct ResumeData: Codable, Hashable, Sendable {
    /// `resume_data` of the API.
    public var resumeData: String
    /// `expires_at` of the API.
    public var expiresAt: Date

    /// Makes one of its members; those that are left out are nil.
    public init(
        resumeData: String,
        expiresAt: Date
    ) {
        self.resumeData = resumeData
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case resumeData = "resume_data"
        case expiresAt = "expires_at"
    }
}
