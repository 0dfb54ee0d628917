// Holds back a transfer that cannot finish before a known closing, unless it can be resumed.
internal import Base
internal import Downloads

/// Compares the time until the next known closing with the time that a download needs.
///
/// It applies if bytes and rate are known or learned, and nothing says that the origin sends the
/// rest of a file on request. A download that fits into no known opening begins regardless of
/// closings, because waiting would not help it. Soft rules do not count: at their end a transfer
/// that cannot be resumed is not stopped.
struct ClosingFit {
    /// The time ahead over which openings are searched: windows repeat every week.
    private static let horizon = Duration.seconds(8 * 86_400)
    private static let openingsAtMost = 64

    private let candidate: AdmissionCandidate
    private let transfer: ExpectedTransfer
    private let closers: [PolicyVerdict.Closer]
    private let situation: Situation

    /// Creates the comparison for a candidate; nil if there is no known closing, or the download
    /// can be resumed, or its rate is unknown.
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

    /// Whether the candidate is one download, or stands for many of one size.
    private var isSized: Bool {
        (candidate.priority != nil || candidate.need > 0) && transfer.source != .unknown
    }

    /// The known end of an opening.
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

    /// Calls a closure for the openings from an instant on, until one has no known end.
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

    /// The first instant from `start` on at which the transfer fits into an opening; nil if it fits
    /// into none.
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

    /// The first instant from `start` on at which it fits, or `start` if it fits into no opening,
    /// because it is not held back then.
    func opening(from start: Timestamp) -> Timestamp {
        isSized ? fit(from: start) ?? start : start
    }

    /// The time at which it no longer fits before the closing, if it fits at `start`; nil for
    /// never.
    func ceases(after start: Timestamp) -> Timestamp? {
        guard isSized, let closing = closing(after: start) else { return nil }
        // The first microsecond at which the time left is too short.
        let last = closing.at - transfer.time + .microseconds(1)
        return last > start && fit(from: closing.at) != nil ? last : nil
    }

    /// The blocker of the closing; nil if it does not hold the download back.
    ///
    /// It is only asked while the rules are open.
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

    /// The number of bytes that fit, for a lane whose downloads have different sizes; nil if all
    /// fit.
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
