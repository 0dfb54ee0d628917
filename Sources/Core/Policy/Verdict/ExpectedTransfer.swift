// What a download still has to fetch, and how long that takes, as far as it is known.

/// Bytes and time that a waiting download is expected to need.
///
/// The bytes are those that the origin announced or the client expects; where neither is known,
/// those of other files of its session and origin. The rate is a low quantile of what its origin
/// gave, and no more than what the run has had so far; while all transfers are slow it is less.
package struct ExpectedTransfer: Equatable, Sendable {
    /// Who says how many bytes there are.
    package enum Source: String, Sendable {
        /// The client, on create.
        case client
        /// The origin, in the answer to an earlier attempt.
        case announced
        /// Other files of the session and the origin.
        case learned
        /// Nobody.
        case unknown
    }

    /// Who says how many bytes there are.
    package let source: Source
    /// The sizes that were learned, where those count.
    package let size: LearnedEstimate?
    /// The rates that were learned.
    package let rate: LearnedEstimate?
    /// Bytes that are still to come: as they were given, else a high quantile; 0 if unknown.
    package let bytes: Int64
    /// Whether it can be gone on with after a stop; nil where nothing says so.
    package let isResumable: Bool?
    /// How long that takes at a low rate, with the attempts that are usual.
    package let time: Duration
    /// Bytes a second that are counted on: a low rate, less what is fetched in vain.
    private let pace: Double
    /// The share of what was left that an attempt brings.
    private let progress: Double

    /// Reads what is known.
    package init(_ candidate: AdmissionCandidate, in situation: Situation) {
        let learned = situation.learned
        let now = situation.now
        let origin = candidate.originKey ?? -1
        rate = learned.rate(origin: origin, at: now)
        isResumable =
            candidate.isResumable ? true : learned.isResumable(origin: origin, at: now)
        var size: LearnedEstimate?
        if candidate.need > 0 || candidate.isAnnounced {
            source = candidate.isAnnounced ? .announced : .client
            bytes = candidate.need
        } else {
            size = learned.size(session: candidate.sessionKey ?? -1, origin: origin, at: now)
            source = size == nil ? .unknown : .learned
            let part = ExpectedTransfer.sizePart(isDated: candidate.deadline.complete != nil)
            bytes = size.map { ExpectedTransfer.left($0.quantile(part), candidate.received) } ?? 0
        }
        self.size = size
        let usual = rate.map { situation.countedRate($0) }
        let low = [usual, candidate.speed].compactMap(\.self).min()
        progress = max(0.1, learned.progress(origin: origin, at: now))
        let counted = low.map { max(1, ExpectedTransfer.whole($0)) } ?? TransferNeed.assumedRate
        pace = Double(counted) * progress
        time = TransferNeed.time(
            bytes: ExpectedTransfer.whole(Double(bytes) / progress), rate: counted)
    }

    /// How long it takes at a rate that its origin seldom exceeds; nil where none was learned.
    var shortestTime: Duration? {
        guard source != .unknown, let rate else { return nil }
        return TransferNeed.time(
            bytes: ExpectedTransfer.whole(Double(bytes) / progress),
            rate: max(1, ExpectedTransfer.whole(rate.quantile(0.8))))
    }

    /// The most bytes that come within a time, as `time` counts.
    func most(within time: Duration) -> Int64 {
        let seconds = Double((time - TransferNeed.setup).wholeMicroseconds) / 1e6
        return ExpectedTransfer.whole(max(0, seconds) * pace)
    }

    /// The quantile of learned sizes that is counted on.
    ///
    /// Sizes have a long tail, and one that is known only from its begin on is known too late for a
    /// deadline.
    static func sizePart(isDated: Bool) -> Double { isDated ? 0.95 : 0.8 }

    /// What is left of a size that is only a quantile: something always is.
    private static func left(_ size: Double, _ received: Int64) -> Int64 {
        max(1, whole(size) - received)
    }

    private static func whole(_ value: Double) -> Int64 { Int64(min(max(0, value), 9e18)) }

    /// Writes the members `size` and `rate` of an explanation.
    ///
    /// - Parameters:
    ///   - writer: takes the members.
    ///   - hidesOthers: whether what was learned of all apps' downloads is told to one digit, and
    ///     not of how many.
    package func write(to writer: inout JSONWriter, hidesOthers: Bool) {
        func shown(_ value: Int64, _ estimate: LearnedEstimate?) -> Int64 {
            hidesOthers && estimate?.key.isOwn == false ? OneDigit.of(value) : value
        }
        writer.key("size")
        writer.beginObject()
        writer.member("source", source.rawValue)
        writer.member("bytes_left", source == .unknown ? nil : shown(bytes, size))
        write(size, parts: [("p50", 0.5), ("p80", 0.8)], hidesOthers, to: &writer)
        writer.endObject()
        writer.key("rate")
        writer.beginObject()
        write(rate, parts: [("p20", 0.2), ("p50", 0.5)], hidesOthers, to: &writer)
        writer.member("seconds_needed", shown(time.wholeMilliseconds / 1000, rate ?? size))
        writer.member("is_resumable", isResumable)
        writer.endObject()
    }

    private func write(
        _ estimate: LearnedEstimate?, parts: [(name: String, part: Double)], _ hidesOthers: Bool,
        to writer: inout JSONWriter
    ) {
        writer.key("learned")
        guard let estimate else { return writer.writeNull() }
        let isHidden = hidesOthers && !estimate.key.isOwn
        writer.beginObject()
        for (name, part) in parts {
            writer.key(any: name)
            let value = ExpectedTransfer.whole(estimate.quantile(part))
            writer.write(isHidden ? OneDigit.of(value) : value)
        }
        writer.member("of", estimate.key.word)
        writer.member("samples", isHidden ? nil : ExpectedTransfer.whole(estimate.weight))
        writer.endObject()
    }
}
