// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// Versions of a policy document, the newest first.
public struct PolicyVersions: Codable, Hashable, Sendable {
    /// `data` of the API.
    public var data: [PolicyVersionsData]

    /// Makes one of its members; those that are left out are nil.
    public init(
        data: [PolicyVersionsData]
    ) {
        self.data = data
    }

    private enum CodingKeys: String, CodingKey {
        case data
    }

    /// `PolicyVersionsData` of the API.
    public struct PolicyVersionsData: Codable, Hashable, Sendable {
        /// `version` of the API.
        public var version: Int
        /// RFC 3339 in UTC with milliseconds.
        public var updatedAt: Date
        /// The document; null for a deletion.
        public var document: PolicyOrAppPolicy?

        /// Makes one of its members; those that are left out are nil.
        public init(
            version: Int,
            updatedAt: Date,
            document: PolicyOrAppPolicy? = nil
        ) {
            self.version = version
            self.updatedAt = updatedAt
            self.document = document
        }

        private enum CodingKeys: String, CodingKey {
            case version
            case updatedAt = "updated_at"
            case document
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.version, forKey: .version)
            try members.encode(self.updatedAt, forKey: .updatedAt)
            try members.encode(self.document, forKey: .document)
        }
    }
}
