// The missing bytes of a download and the time that they take, as far as known.
package import Base
internal import Downloads

/// The bytes and the time that a waiting download is expected to need.
///
/// The bytes are those that the origin announced or the client expects; without both, an estimate
/// from other files of its session and origin. The rate is a low quantile of its origin's rates,
/// and at most the rate of the run so far; while all transfers are slow it is reduced.
package struct ExpectedTransfer: Equatable, Sendable {
    /// The source of the number of bytes.
    package enum Source: String, Sendable {
        /// The client, on create.
        case client
        /// The origin, in the answer to an earlier attempt.
        case announced
        /// Other files of the session and the origin.
        case learned
        /// The number is unknown.
        case unknown
    }

    /// The source of the number of bytes.
    package let source: Source
    /// The learned sizes, if the number of bytes comes from them.
    package let size: LearnedEstimate?
    /// The learned rates.
    package let rate: LearnedEstimate?
    /// Missing bytes: from a given size, or from a high quantile of learned ones; 0 if unknown.
    package let bytes: Int64
    /// Whether it can be resumed after a stop; nil if unknown.
    package let isResumable: Bool?
    /// The time that these bytes take at a low rate, with the usual number of attempts.
    package let time: Duration
    /// Assumed bytes a second: a low rate, less the share of bytes that are fetched in vain.
    private let pace: Double
    /// The share of the missing bytes that an attempt transfers.
    private let progress: Double
    /// The number of times that the bytes are moved: twice if they are sent on, where the receiver
    /// is assumed to be as fast as the origin.
    private let moves: Double

    /// Computes the expectation for a candidate.
    package init(_ candidate: AdmissionCandidate, in situation: Situation) {
        let learned = situation.learned
        let now = situation.now
        let origin = candidate.originKey ?? -1
        rate = learned.rate(origin: origin, at: now)
        isResumable =
            candidate.isResumable ? true : learned.isResumable(origin: origin, at: now)
        var size: LearnedEstimate?
        moves = candidate.laneFlags.contains(.relays) ? 2 : 1
        if candidate.laneFlags.contains(.sends) {
            source = .announced
            bytes = max(candidate.sends, candidate.need)
        } else if candidate.need > 0 || candidate.isAnnounced {
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
            bytes: ExpectedTransfer.whole(Double(bytes) * moves / progress), rate: counted)
    }

    /// The time at a rate that its origin seldom exceeds; nil if no rate was learned.
    var shortestTime: Duration? {
        guard source != .unknown, let rate else { return nil }
        return TransferNeed.time(
            bytes: ExpectedTransfer.whole(Double(bytes) * moves / progress),
            rate: max(1, ExpectedTransfer.whole(rate.quantile(0.8))))
    }

    /// The most bytes that are transferred within a time, consistent with `time`.
    func most(within time: Duration) -> Int64 {
        let seconds = Double((time - TransferNeed.setup).wholeMicroseconds) / 1e6
        return ExpectedTransfer.whole(max(0, seconds) * pace / moves)
    }

    /// The quantile of learned sizes that is assumed.
    ///
    /// It is high for a download with a deadline: sizes have a long tail, and a size that is known
    /// only after the begin is known too late.
    static func sizePart(isDated: Bool) -> Double { isDated ? 0.95 : 0.8 }

    /// The missing bytes by an estimated size; at least one, because the estimate may be too small.
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
