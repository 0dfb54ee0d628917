// The times at which all places of apps, sessions and origins were taken, as seen by this replica.
internal import Base
internal import Downloads

/// The spans of the last days in which gates were full; bounded.
struct GateHistory: Equatable, Sendable {
    private static let subjectsAtMost = 1024
    private static let spansAtMost = 256
    /// A place that is taken again within this time passed from one download to the next, so the
    /// gate counts as full throughout.
    private static let gap = Duration.seconds(2)

    private struct Spans: Equatable {
        /// The ended spans, in order.
        var past: [Range<Timestamp>] = []
        /// The time at which the current span began; nil if there is a free place.
        var since: Timestamp?
    }

    private var subjects: [GateChange.Subject: Spans] = [:]

    mutating func note(_ change: GateChange, at now: Timestamp) {
        guard change.isFull else { return end(change.subject, at: now) }
        if subjects[change.subject] == nil, subjects.count >= GateHistory.subjectsAtMost {
            forget(at: now)
            guard subjects.count < GateHistory.subjectsAtMost else { return }
        }
        var spans = subjects[change.subject] ?? Spans()
        guard spans.since == nil else { return }
        spans.since = now
        if let last = spans.past.last, now - last.upperBound <= GateHistory.gap {
            spans.since = last.lowerBound
            spans.past.removeLast()
        }
        subjects[change.subject] = spans
    }

    private mutating func end(_ subject: GateChange.Subject, at now: Timestamp) {
        guard var spans = subjects[subject], let since = spans.since else { return }
        spans.since = nil
        if since < now {
            if spans.past.count >= GateHistory.spansAtMost { spans.past.removeFirst() }
            spans.past.append(since..<now)
        }
        subjects[subject] = spans
    }

    private mutating func forget(at now: Timestamp) {
        let oldest = now - FactsHistory.memory
        subjects = subjects.filter {
            $0.value.since != nil || $0.value.past.last.map { $0.upperBound > oldest } ?? false
        }
    }

    /// The number of subjects, and of spans.
    var size: (subjects: Int, spans: Int) {
        (
            subjects.count,
            subjects.values.reduce(0) { $0 + $1.past.count + ($1.since == nil ? 0 : 1) }
        )
    }

    /// Calls a closure with the parts of a span in which a subject was full, in order.
    private func forEachSpan(
        of subject: GateChange.Subject, in span: Range<Timestamp>,
        _ body: (Range<Timestamp>) -> Void
    ) {
        guard let spans = subjects[subject] else { return }
        // Searched from the end, because the span in question has just ended.
        var first = spans.past.endIndex
        while first > 0, spans.past[first - 1].upperBound > span.lowerBound { first -= 1 }
        for past in spans.past[first...] where past.lowerBound < span.upperBound {
            body(past.clamped(to: span))
        }
        if let since = spans.since, since < span.upperBound {
            body(max(since, span.lowerBound)..<span.upperBound)
        }
    }

    /// Calls a closure for each limit at which a candidate found no place, with the time; an
    /// instant counts for the first such limit only.
    func forEachTime(
        of candidate: AdmissionCandidate, in span: Range<Timestamp>,
        _ body: (_ code: BlockerCode, _ time: Duration) -> Void
    ) {
        // Most histories are empty.
        guard !subjects.isEmpty else { return }
        var left: [Range<Timestamp>] = []
        var isWhole = true
        GateHistory.forEachLimit(of: candidate) { code, subject in
            var time = Duration.zero
            forEachSpan(of: subject, in: span) { full in
                if isWhole { left.append(span) }
                isWhole = false
                time += GateHistory.take(full, from: &left)
            }
            if time > .zero { body(code, time) }
        }
    }

    /// Removes a span from pieces, which stay in order.
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

    /// Calls a closure for the limits of a candidate, in the order in which they count.
    private static func forEachLimit(
        of candidate: AdmissionCandidate,
        _ body: (_ code: BlockerCode, _ subject: GateChange.Subject) -> Void
    ) {
        if !candidate.app.isEmpty { body(.appLimit, .app(candidate.app)) }
        guard let session = candidate.sessionKey else { return }
        body(.sessionLimit, .session(session))
        guard let origin = candidate.originKey else { return }
        body(.originLimit, .origin(origin))
        body(.connectionLimit, .connections(session: session, origin: origin))
    }
}
