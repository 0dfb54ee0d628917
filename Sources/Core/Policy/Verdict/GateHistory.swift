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

    /// Calls a body with the parts of a span in which something had no place left, in order.
    private func forEachSpan(
        of thing: GateChange.Thing, in span: Range<Timestamp>, _ body: (Range<Timestamp>) -> Void
    ) {
        guard let spans = things[thing] else { return }
        // The last ones count: a span of interest ends now, or just before.
        var first = spans.past.endIndex
        while first > 0, spans.past[first - 1].upperBound > span.lowerBound { first -= 1 }
        for past in spans.past[first...] where past.lowerBound < span.upperBound {
            body(past.clamped(to: span))
        }
        if let since = spans.since, since < span.upperBound {
            body(max(since, span.lowerBound)..<span.upperBound)
        }
    }

    /// Calls a body with how long a candidate had no place at each of its limits, where it had none
    /// at some time; an instant counts for the first of them.
    func forEachTime(
        of candidate: AdmissionCandidate, in span: Range<Timestamp>,
        _ body: (_ code: BlockerCode, _ time: Duration) -> Void
    ) {
        // What most histories have.
        guard !things.isEmpty else { return }
        var left: [Range<Timestamp>] = []
        var isWhole = true
        GateHistory.forEachLimit(of: candidate) { code, thing in
            var time = Duration.zero
            forEachSpan(of: thing, in: span) { full in
                if isWhole { left.append(span) }
                isWhole = false
                time += GateHistory.take(full, from: &left)
            }
            if time > .zero { body(code, time) }
        }
    }

    /// Takes a span from pieces, which stay in order.
    ///
    /// - Returns: how much of it they had.
    private static func take(
        _ full: Range<Timestamp>, from pieces: inout [Range<Timestamp>]
    ) -> Duration {
        var time = Duration.zero
        var place = 0
        while place < pieces.count, pieces[place].lowerBound < full.upperBound {
            let piece = pieces[place]
            let both = piece.clamped(to: full)
            guard !both.isEmpty else {
                place += 1
                continue
            }
            time += both.upperBound - both.lowerBound
            let before = piece.lowerBound..<both.lowerBound
            let behind = both.upperBound..<piece.upperBound
            switch (before.isEmpty, behind.isEmpty) {
            case (true, true): pieces.remove(at: place)
            case (true, false): pieces[place] = behind
            case (false, true): pieces[place] = before
            case (false, false):
                pieces[place] = before
                pieces.insert(behind, at: place + 1)
            }
        }
        return time
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
