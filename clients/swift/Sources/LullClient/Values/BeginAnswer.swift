// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The answer to `download.will_begin`; an empty body means `continue_loading`.
public struct BeginAnswer: Codable, Hashable, Sendable {
    /// `disposition` of the API.
    public var disposition: Disposition
    /// With `use_new_request`, members that PATCH takes:
    ///
    /// `url`, `headers`, `authorization`, `proxy`, `body`, `body_base64`, `expected_digest`. A new
    /// origin is judged by all rules. It is a request of its own: headers, credentials and a body
    /// that it does not give are not sent, and where the download has a body it is refused without
    /// one. Method and proxy stay.
    public var request: BeginRequest?

    /// Makes one of its members; those that are left out are nil.
    public init(
        disposition: Disposition,
        request: BeginRequest? = nil
    ) {
        self.disposition = disposition
        self.request = request
    }

    private enum CodingKeys: String, CodingKey {
        case disposition
        case request
    }

    /// `Disposition` of the API.
    public struct Disposition: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `continue_loading`.
        public static let continueLoading = Disposition(rawValue: "continue_loading")

        /// `use_new_request`.
        public static let useNewRequest = Disposition(rawValue: "use_new_request")

        /// `cancel`.
        public static let cancel = Disposition(rawValue: "cancel")
    }
}
