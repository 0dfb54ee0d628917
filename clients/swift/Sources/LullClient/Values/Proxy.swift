// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// An HTTP proxy for this download; only where the operator set `LULL_PROXY_DESTINATIONS`, which
/// judges the proxy's address.
///
/// The target's name is looked up and judged here too, so one that only the proxy can resolve
/// fails.
public enum Proxy: Codable, Hashable, Sendable {
    /// A value of the type `None`.
    case none(None)
    /// A value of the type `ProxyURL`.
    case url(ProxyURL)

    /// Reads the first of the shapes whose required members are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        if members.hasAll(["mode"]), members.text("mode", isOneOf: ["none"]) {
            self = .none(try None(from: decoder))
            return
        }
        self = .url(try ProxyURL(from: decoder))
    }

    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .none(let value): try value.encode(to: encoder)
        case .url(let value): try value.encode(to: encoder)
        }
    }

    /// `None` of the API.
    public struct None: Codable, Hashable, Sendable {
        /// `mode` of the API.
        public var mode: String

        /// Makes one of its members; those that are left out are nil.
        public init(
            mode: String
        ) {
            self.mode = mode
        }

        private enum CodingKeys: String, CodingKey {
            case mode
        }
    }

    /// `ProxyURL` of the API.
    public struct ProxyURL: Codable, Hashable, Sendable {
        /// `url` of the API.
        public var url: String
        /// `username` of the API.
        public var username: String?
        /// `password` of the API.
        public var password: String?

        /// Makes one of its members; those that are left out are nil.
        public init(
            url: String,
            username: String? = nil,
            password: String? = nil
        ) {
            self.url = url
            self.username = username
            self.password = password
        }

        private enum CodingKeys: String, CodingKey {
            case url
            case username
            case password
        }
    }
}
