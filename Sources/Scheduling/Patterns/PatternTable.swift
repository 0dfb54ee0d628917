/// Values by patterns of names; the narrowest matching pattern gives the value.
package struct PatternTable<Value: Equatable & Sendable>: Equatable, Sendable {
    private enum Pattern: Equatable, Sendable {
        case name(Glob)
        case origin(OriginPattern)
    }

    private struct Entry: Equatable, Sendable {
        let pattern: Pattern
        let value: Value
    }

    private var entries: [Entry] = []

    /// Creates an empty table.
    init() {}

    /// Creates a table of names with `*`.
    init(names: [(String, Value)]) {
        entries = names.map { Entry(pattern: .name(Glob($0.0)), value: $0.1) }
    }

    /// Creates a table of hosts.
    init(origins: [(String, Value)]) {
        entries = origins.map { Entry(pattern: .origin(OriginPattern($0.0)), value: $0.1) }
    }

    /// Whether the table is empty.
    package var isEmpty: Bool { entries.isEmpty }

    /// All values.
    var values: [Value] { entries.map(\.value) }

    /// The value of a name; an exact one before the longest pattern.
    package func value(of name: String) -> Value? {
        best { pattern in
            guard case .name(let glob) = pattern, glob.matches(name) else { return nil }
            return glob.isExact ? Int.max : glob.length
        }
    }

    /// The value of an origin; see `OriginPattern`.
    package func value(host: String, port: Int) -> Value? {
        best { pattern in
            guard case .origin(let origin) = pattern else { return nil }
            return origin.narrowness(host: host, port: port)
        }
    }

    /// The value of an origin as `SourceURL.origin` spells it.
    package func value(ofOrigin origin: String) -> Value? {
        guard !entries.isEmpty, let (host, port) = OriginPattern.authority(of: origin) else {
            return nil
        }
        return value(host: host, port: port)
    }

    private func best(_ narrowness: (Pattern) -> Int?) -> Value? {
        var best: (Int, Value)?
        for entry in entries {
            guard let found = narrowness(entry.pattern), best.map({ found > $0.0 }) ?? true else {
                continue
            }
            best = (found, entry.value)
        }
        return best?.1
    }
}
