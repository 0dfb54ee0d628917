// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// An HTTP proxy for this download; only where the operator set `LULL_PROXY_DESTINATIONS`, which
/// judges the proxy's address.
///
/// The target's name is looked up and judged here too, so one that only the proxy can resolve
/// fails.
public enum Proxy: Codable, Hashable, Sendable {
    /// A value of the type `NoProxy`.
    case noProxy(NoProxy)
    /// A value of the type `HTTPProxy`.
    case hTTPProxy(HTTPProxy)

    /// Reads the first of the shapes whose required members are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        if members.hasAll(["mode"]), members.text("mode", isOneOf: ["none"]) {
            self = .noProxy(try NoProxy(from: decoder))
            return
        }
        self = .hTTPProxy(try HTTPProxy(from: decoder))
    }

    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .noProxy(let value): try value.encode(to: encoder)
        case .hTTPProxy(let value): try value.encode(to: encoder)
        }
    }
}
