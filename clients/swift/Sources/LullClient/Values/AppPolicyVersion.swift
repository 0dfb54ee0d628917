// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `AppPolicyVersion` of the API.
public struct AppPolicyVersion: Codable, Hashable, Sendable {
    /// `app` of the API.
    public var app: String
    /// `version` of the API.
    public var version: Int
    /// `updated_at` of the API.
    public var updatedAt: Date?
    /// What an app adds to the policy: rules over the deployment's windows and conditions and over
    /// windows of its own, lower limits and rates, further budgets.
    ///
    /// `per_app` is the number of the app's downloads.
    public var document: AppPolicy
    /// What there is to say about a policy document that is taken.
    public var findings: [AppPolicyVersionFindings]
    /// What holds for an app's downloads, of the deployment's policy and of its own.
    public var effective: EffectivePolicy

    /// Makes one of its members; those that are left out are nil.
    public init(
        app: String,
        version: Int,
        document: AppPolicy,
        findings: [AppPolicyVersionFindings],
        effective: EffectivePolicy,
        updatedAt: Date? = nil
    ) {
        self.app = app
        self.version = version
        self.updatedAt = updatedAt
        self.document = document
        self.findings = findings
        self.effective = effective
    }

    private enum CodingKeys: String, CodingKey {
        case app
        case version
        case updatedAt = "updated_at"
        case document
        case findings
        case effective
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.app, forKey: .app)
        try members.encode(self.version, forKey: .version)
        try members.encode(self.updatedAt, forKey: .updatedAt)
        try members.encode(self.document, forKey: .document)
        try members.encode(self.findings, forKey: .findings)
        try members.encode(self.effective, forKey: .effective)
    }

    /// `AppPolicyVersionFindings` of the API.
    public struct AppPolicyVersionFindings: Codable, Hashable, Sendable {
        /// `pointer` of the API.
        public var pointer: String
        /// `no_effect`: this part of it changes nothing.
        public var level: Level
        /// `detail` of the API.
        public var detail: String
        /// `did_you_mean` of the API.
        public var didYouMean: String?

        /// Makes one of its members; those that are left out are nil.
        public init(
            pointer: String,
            level: Level,
            detail: String,
            didYouMean: String? = nil
        ) {
            self.pointer = pointer
            self.level = level
            self.detail = detail
            self.didYouMean = didYouMean
        }

        private enum CodingKeys: String, CodingKey {
            case pointer
            case level
            case detail
            case didYouMean = "did_you_mean"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.pointer, forKey: .pointer)
            try members.encode(self.level, forKey: .level)
            try members.encode(self.detail, forKey: .detail)
            try members.encode(self.didYouMean, forKey: .didYouMean)
        }

        /// `no_effect`: this part of it changes nothing.
        public struct Level: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `warning`.
            public static let warning = Level(rawValue: "warning")

            /// `no_effect`.
            public static let noEffect = Level(rawValue: "no_effect")
        }
    }
}
