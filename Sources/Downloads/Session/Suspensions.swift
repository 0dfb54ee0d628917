package import Base

/// The spans in which a session was suspended, in order.
package struct Suspensions: Equatable, Sendable {
    private var spans: [Range<Timestamp>] = []

    /// Creates a value without spans.
    package init() {}

    /// Creates the spans from the instants of changes.
    ///
    /// - Parameters:
    ///   - changes: when it was suspended, resumed, suspended again and so on, in order.
    ///   - now: the end of a span that is not over.
    package init(changes: [Timestamp], until now: Timestamp) {
        for place in stride(from: 0, to: changes.count, by: 2) {
            let end = place + 1 < changes.count ? changes[place + 1] : now
            if changes[place] < end { spans.append(changes[place]..<end) }
        }
    }

    /// Calls a closure with the pieces of a span, in order, and whether the session was suspended
    /// in each.
    package func forEachPiece(
        of span: Range<Timestamp>, _ body: (_ piece: Range<Timestamp>, _ isSuspended: Bool) -> Void
    ) {
        var at = span.lowerBound
        for suspension in spans {
            let part = suspension.clamped(to: at..<span.upperBound)
            guard !part.isEmpty else { continue }
            if at < part.lowerBound { body(at..<part.lowerBound, false) }
            body(part, true)
            at = part.upperBound
        }
        if at < span.upperBound { body(at..<span.upperBound, false) }
    }
}
