// The cookies of one attempt.
package import Base

/// The cookies that answers of one attempt set; each is sent to its own origin only.
package struct CookieJar: Equatable, Sendable {
    /// The most cookies that are kept; beyond that the oldest is dropped.
    package static let cookiesAtMost = 50

    /// The cookies in the order in which they were first set.
    private var cookies: [Cookie] = []

    /// Creates an empty jar.
    package init() {}

    /// Whether there is no cookie.
    package var isEmpty: Bool { cookies.isEmpty }

    /// Takes a `Set-Cookie`.
    ///
    /// - Parameters:
    ///   - field: the value of the field.
    ///   - url: the URL that answered.
    ///   - now: the clock.
    package mutating func take(_ field: FieldValue, from url: SourceURL, at now: Timestamp) {
        guard let cookie = Cookie(field, from: url, at: now) else { return }
        cookies.removeAll { $0.isOver(at: now) }
        let place = cookies.firstIndex { $0.isReplaced(by: cookie) }
        guard !cookie.isOver(at: now) else {
            if let place { cookies.remove(at: place) }
            return
        }
        if let place {
            cookies[place] = cookie
        } else {
            if cookies.count == CookieJar.cookiesAtMost { cookies.removeFirst() }
            cookies.append(cookie)
        }
    }

    /// The value of the `Cookie` field of a request; nil for none.
    ///
    /// - Parameters:
    ///   - given: what the client gave for this origin; its pairs come first, but for the names
    ///     that the origin has set.
    ///   - url: where the request goes to.
    ///   - now: the clock.
    /// - Returns: the pairs; nil where the origin has set none, so that the client's field holds.
    package func field(
        with given: String?, to url: SourceURL, at now: Timestamp
    ) -> FieldValue? {
        let sent = cookies.filter { $0.goes(to: url, at: now) }
        guard !sent.isEmpty else { return nil }
        let names = Set(sent.map(\.name))
        let separator = UInt8(ascii: ";")
        var pairs = Array((given ?? "").utf8).split(separator: separator)
            .map { Cookie.trimmed($0) }
            .filter { pair in
                let name = Cookie.trimmed(pair.prefix { $0 != UInt8(ascii: "=") })
                return !pair.isEmpty && !names.contains(FieldValue(bytes: name))
            }
            .map { Array($0) }
        // The longer path comes first, then the cookie that was set first (RFC 6265 section 5.4).
        for (_, cookie) in sent.enumerated().sorted(by: {
            ($1.element.path.count, $0.offset) < ($0.element.path.count, $1.offset)
        }) {
            pairs.append(cookie.name.bytes + [UInt8(ascii: "=")] + cookie.value.bytes)
        }
        return FieldValue(bytes: Array(pairs.joined(separator: [separator, 0x20])))
    }
}
