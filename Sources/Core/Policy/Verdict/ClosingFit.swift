// What cannot finish before a known closing does not begin, unless it can be gone on with.

/// How the time until the next known closing compares with what a download needs.
///
/// It counts where bytes and rate are known or learned, and where nothing says that the origin
/// sends the rest of a file. What fits into no opening that is known begins as if nothing closed:
/// waiting would not help it. Soft rules do not count: nothing is cut at their end, as what cannot
/// be gone on with then runs to its own.
struct ClosingFit {
    /// How far openings are looked for: windows repeat by the week.
    private static let horizon = Duration.seconds(8 * 86_400)
    private static let openingsAtMost = 64

    private let candidate: AdmissionCandidate
    private let transfer: ExpectedTransfer
    private let closers: [PolicyVerdict.Closer]
    private let situation: Situation

    /// The comparison for a candidate; nil where nothing that is known closes, or the download can
    /// be gone on with, or its rate is not known.
    init?(
        _ candidate: AdmissionCandidate, _ verdict: PolicyVerdict?, in situation: Situation
    ) {
        guard let verdict,
            ClosingFit.mayMatter(candidate, in: situation)
        else { return nil }
        closers = verdict.closers
        guard !closers.isEmpty else { return nil }
        transfer = ExpectedTransfer(candidate, in: situation)
        guard transfer.rate != nil else { return nil }
        self.candidate = candidate
        self.situation = situation
    }

    /// Whether closings may matter to a candidate, whatever the rules are.
    static func mayMatter(_ candidate: AdmissionCandidate, in situation: Situation) -> Bool {
        let origin = candidate.originKey ?? -1
        return !candidate.isResumable
            && situation.learned.isResumable(origin: origin, at: situation.now) != true
    }

    /// What is looked at is one download, or many of the same size.
    private var isSized: Bool {
        (candidate.priority != nil || candidate.need > 0) && transfer.source != .unknown
    }

    /// The end of an opening, as far as one is known.
    private struct Closing {
        let at: Timestamp
        let closer: PolicyVerdict.Closer
    }

    private func closing(after instant: Timestamp) -> Closing? {
        var first: Closing?
        for closer in closers {
            guard let at = situation.knownClosing(of: closer.requirement, after: instant),
                first.map({ at < $0.at }) ?? true
            else { continue }
            first = Closing(at: at, closer: closer)
        }
        return first
    }

    /// The openings from an instant on, until one has no known end.
    ///
    /// - Parameters:
    ///   - start: the instant.
    ///   - body: takes the begin and the length, nil for one without an end; answers whether to go
    ///     on.
    private func openings(
        from start: Timestamp, _ body: (Timestamp, Duration?) -> Bool
    ) {
        var instant = start
        for _ in 0..<ClosingFit.openingsAtMost {
            let opening = KnownOpening.first(
                from: instant,
                of: closers.map { closer in
                    { situation.opening(of: closer.requirement, from: $0) }
                })
            guard let opening, opening - start <= ClosingFit.horizon else { return }
            let closing = closing(after: opening)?.at
            guard body(opening, closing.map { $0 - opening }), let closing else { return }
            instant = closing
        }
    }

    /// The first instant from one on at which it fits; nil where it fits into no opening.
    private func fit(from start: Timestamp) -> Timestamp? {
        var found: Timestamp?
        openings(from: start) { opening, length in
            if length.map({ transfer.bytes <= transfer.most(within: $0) }) ?? true {
                found = opening
            }
            return found == nil
        }
        return found
    }

    /// The same for the search of an instant at which everything is open: what fits nowhere is not
    /// held.
    func opening(from start: Timestamp) -> Timestamp {
        isSized ? fit(from: start) ?? start : start
    }

    /// When it ceases to fit, if it fits at an instant; nil for never.
    func ceases(after start: Timestamp) -> Timestamp? {
        guard isSized, let closing = closing(after: start) else { return nil }
        // The first microsecond at which less is left than it takes.
        let last = closing.at - transfer.time + .microseconds(1)
        return last > start && fit(from: closing.at) != nil ? last : nil
    }

    /// Why it waits; nil if it does not for this.
    ///
    /// The rules have to be open.
    var blocker: Blocker? {
        let now = situation.now
        guard isSized, let closing = closing(after: now),
            transfer.bytes > transfer.most(within: closing.at - now),
            let until = fit(from: closing.at)
        else { return nil }
        let closer = closing.closer
        return Blocker(
            .closingWindow,
            PolicySentence.closing(closer.requirement, closing.at, needing: transfer.time),
            since: max(candidate.createdAt, min(now, closing.at - transfer.time)), until: until,
            rule: closer.rule)
    }

    /// How much fits for the downloads of a lane, of which each has a size of its own; nil where
    /// all do.
    var room: ClosingRoom? {
        guard let closing = closing(after: situation.now) else { return nil }
        var longest: Int64? = 0
        openings(from: closing.at) { _, length in
            longest = length.flatMap { length in
                longest.map { max($0, transfer.most(within: length)) }
            }
            return longest != nil
        }
        return ClosingRoom(
            closesAt: closing.at, longest: longest ?? .max,
            unsized: transfer.source == .unknown ? nil : transfer.bytes,
            most: transfer.most(within: closing.at - situation.now))
    }
}
