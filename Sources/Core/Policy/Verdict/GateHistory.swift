// When all places of apps, sessions and origins were taken, as this replica saw it.

/// The spans of the last days in which they had no place left; bounded.
struct GateHistory: Equatable, Sendable {
    private static let thingsAtMost = 1024
    private static let spansAtMost = 256
    /// A place that is taken again so soon went from one download to the next.
    private static let gap = Duration.seconds(2)

    private struct Spans: Equatable {
        /// Those that are over, in order.
        var past: [Range<Timestamp>] = []
        /// Since when no place is left.
        var since: Timestamp?
    }

    private var things: [GateChange.Thing: Spans] = [:]

    mutating func note(_ change: GateChange, at now: Timestamp) {
        guard change.isFull else { return end(change.thing, at: now) }
        if things[change.thing] == nil, things.count >= GateHistory.thingsAtMost {
            forget(at: now)
            guard things.count < GateHistory.thingsAtMost else { return }
        }
        var spans = things[change.thing] ?? Spans()
        guard spans.since == nil else { return }
        spans.since = now
        if let last = spans.past.last, now - last.upperBound <= GateHistory.gap {
            spans.since = last.lowerBound
            spans.past.removeLast()
        }
        things[change.thing] = spans
    }

    private mutating func end(_ thing: GateChange.Thing, at now: Timestamp) {
        guard var spans = things[thing], let since = spans.since else { return }
        spans.since = nil
        if since < now {
            if spans.past.count >= GateHistory.spansAtMost { spans.past.removeFirst() }
            spans.past.append(since..<now)
        }
        things[thing] = spans
    }

    private mutating func forget(at now: Timestamp) {
        let oldest = now - FactsHistory.memory
        things = things.filter {
            $0.value.since != nil || $0.value.past.last.map { $0.upperBound > oldest } ?? false
        }
    }

    /// How many things are known, and how many spans.
    var size: (things: Int, spans: Int) {
        (
            things.count,
            things.values.reduce(0) { $0 + $1.past.count + ($1.since == nil ? 0 : 1) }
        )
    }

    /// The parts of a span in which something had no place left, in order.
    private func spans(of thing: GateChange.Thing, in span: Range<Timestamp>) -> [Range<Timestamp>]
    {
        guard let spans = things[thing] else { return [] }
        var found = spans.past.map { $0.clamped(to: span) }.filter { !$0.isEmpty }
        if let since = spans.since, since < span.upperBound {
            found.append(max(since, span.lowerBound)..<span.upperBound)
        }
        return found
    }

    /// How long a candidate had no place at each of its limits; an instant counts for the first of
    /// them.
    func times(
        of candidate: AdmissionCandidate, in span: Range<Timestamp>
    ) -> [(code: BlockerCode, time: Duration)] {
        // What most histories have.
        guard !things.isEmpty else { return [] }
        var times: [(code: BlockerCode, time: Duration)] = []
        var left: [Range<Timestamp>]?
        GateHistory.forEachLimit(of: candidate) { code, thing in
            var time = Duration.zero
            for full in spans(of: thing, in: span) {
                left = (left ?? [span]).flatMap { piece -> [Range<Timestamp>] in
                    let both = piece.clamped(to: full)
                    guard !both.isEmpty else { return [piece] }
                    time += both.upperBound - both.lowerBound
                    return [
                        piece.lowerBound..<both.lowerBound, both.upperBound..<piece.upperBound,
                    ].filter { !$0.isEmpty }
                }
            }
            if time > .zero { times.append((code, time)) }
        }
        return times
    }

    /// In the order in which they count.
    private static func forEachLimit(
        of candidate: AdmissionCandidate,
        _ body: (_ code: BlockerCode, _ thing: GateChange.Thing) -> Void
    ) {
        if !candidate.app.isEmpty { body(.appLimit, .app(candidate.app)) }
        guard let session = candidate.sessionKey else { return }
        body(.sessionLimit, .session(session))
        guard let origin = candidate.originKey else { return }
        body(.originLimit, .origin(origin))
        body(.connectionLimit, .connections(session: session, origin: origin))
    }
}
