// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `Readiness` of the API.
public struct Readiness: Codable, Hashable, Sendable {
    /// `is_ready` of the API.
    public var isReady: Bool
    /// `checks` of the API.
    public var checks: [ReadinessChecks]

    /// Makes one of its members; those that are left out are nil.
    public init(
        isReady: Bool,
        checks: [ReadinessChecks]
    ) {
        self.isReady = isReady
        self.checks = checks
    }

    private enum CodingKeys: String, CodingKey {
        case isReady = "is_ready"
        case checks
    }

    /// `ReadinessChecks` of the API.
    public struct ReadinessChecks: Codable, Hashable, Sendable {
        /// `name` of the API.
        public var name: String
        /// `is_ok` of the API.
        public var isOk: Bool
        /// `detail` of the API.
        public var detail: String

        /// Makes one of its members; those that are left out are nil.
        public init(
            name: String,
            isOk: Bool,
            detail: String
        ) {
            self.name = name
            self.isOk = isOk
            self.detail = detail
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case isOk = "is_ok"
            case detail
        }
    }
}
