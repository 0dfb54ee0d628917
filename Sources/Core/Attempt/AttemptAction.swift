// What an attempt's machine asks of the shell around it, and what the shell reports back.

/// The next thing to do; the shell does it and calls the event that is named with it.
package indirect enum AttemptAction: Equatable, Sendable {
    /// Read what the request is sent with; then `prepared(_:)`.
    case prepare
    /// Take over the part file of an earlier attempt, cut to a length; then `adopted(_:)`.
    case adopt(fence: Int64, length: Int64)
    /// Write the resume point into the row, at once; then `moved()`.
    case move(ResumePoint)
    /// Mark the row: a request goes out that must not be sent twice; then `marked(_:)`.
    case markSent
    /// Send the request; its head goes to `headArrived(_:now:)`, its end to `ended(_:now:)`.
    case ask(AttemptQuestion)
    /// Wait for all other streams of the file; then `gathered(_:now:)`.
    case gather
    /// Let the next answer go behind the first byte that is missing; then `restarted(at:now:)`.
    case restart
    /// Make durable what is here; then `kept(durable:)`.
    case keep
    /// End the file and digest it, with these digests beside SHA-256; then `completed(_:)`.
    case complete(Set<DigestAlgorithm>)
    /// Read parts of the file back and compare them; then `compared(_:)`.
    case compare([PartDigest])
    /// Remove the file; then `discarded()`.
    case discard
    /// Give up what a full disk cost; then `retreated(durable:)`.
    case retreat
    /// The attempt is over; nothing follows.
    case report(AttemptOutcome)
}

/// One question to the origin.
package struct AttemptQuestion: Equatable, Sendable {
    /// The first byte that is asked for; nil for everything.
    package var start: Int64?
    /// The validator beside it; nil to send `Range` alone.
    package var ifRange: String?

    /// The question that a plan leads to.
    init(_ plan: ResumePlan) {
        guard case .from(let point) = plan else { return }
        start = point.offset
        ifRange = point.usesPlainRange ? nil : point.ifRange
    }
}

/// How an attempt ended, before its verdict.
package indirect enum AttemptOutcome: Equatable, Sendable {
    /// The bytes are in the file and verified; not yet published.
    case complete(VerifiedBody)
    /// It did not work.
    case failed(DownloadFailure, kept: ResumePoint?, retryAfter: Duration?)
    /// The disk had no room for it.
    case outOfRoom(kept: ResumePoint?)
    /// It was stopped by an order.
    case stopped(RunOrder, kept: ResumePoint?)
}

/// What was proved of a whole body.
package struct VerifiedBody: Equatable, Sendable {
    /// Its bytes.
    package var length: Int64
    /// Whether anything but the end of the connection proves that length.
    package var isLengthVerified: Bool
    /// Whether the head of the last answer describes the content; that of a 416 does not.
    package var isDescribed: Bool

    /// Names all of it.
    package init(length: Int64, isLengthVerified: Bool, isDescribed: Bool) {
        self.length = length
        self.isLengthVerified = isLengthVerified
        self.isDescribed = isDescribed
    }
}

/// What comes of the preparations.
package enum AttemptStart: Sendable {
    /// The request is there.
    case ready(isRepeatable: Bool)
    /// The address is no URL that can be asked.
    case badAddress(DownloadFailure)
    /// What the request is sent with cannot be read; the bytes stay under their old name.
    case unreadable(DownloadFailure)
}

/// What becomes of an answer's body, decided before its first byte.
package enum HeadVerdict: Equatable, Sendable {
    /// It is content and goes into the file.
    case take(BodyPlace)
    /// It is the text of an error: its beginning goes into the attempt's record.
    case excerpt
    /// It is left: the transfer ends.
    case refuse
}

/// Where the body of an answer goes.
package struct BodyPlace: Equatable, Sendable {
    /// The place of its first byte in the file.
    package var start: Int64
    /// The place behind the last byte that is announced; more are refused.
    package var end = Int64.max
    /// The length of the whole, to take room on the disk; nil where it is unknown.
    package var whole: Int64?
    /// Digests that are made while the bytes are written.
    package var digests: Set<DigestAlgorithm> = []
    /// Whether the body waits until the row names no bytes of another version; then
    /// `rowForgotten()`.
    package var forgetsRow = false
    /// Whether other streams and their plan are void.
    package var isFresh: Bool { start == 0 && end == .max }
    /// The plan of several streams that may be made of it; nil for none.
    package var segments: SegmentOffer?
}

/// A file that several streams may fetch.
package struct SegmentOffer: Equatable, Sendable {
    /// What each of them says in `If-Range`.
    package let etag: String
    /// Bytes of the whole.
    package let total: Int64
    /// The most streams, at least 2.
    package let streams: Int

    /// Names all of it.
    package init(etag: String, total: Int64, streams: Int) {
        self.etag = etag
        self.total = total
        self.streams = streams
    }
}

/// What follows the head of a further stream.
package enum PieceVerdict: Equatable, Sendable {
    /// The piece of the same file; it announces these bytes.
    case take(Range<Int64>)
    /// A status that is no content: further streams are asked no more.
    case refused
    /// Perhaps another file: what further streams brought is void.
    case other
}

/// What the end of a further stream means for the others.
package enum PieceEnd: Equatable, Sendable {
    /// It may fetch the next piece.
    case goOn
    /// No further stream is asked.
    case stop
    /// No further stream is asked, and what they brought beyond the first gap is void.
    case discardBeyondPrefix
}

/// Why a file cannot be written.
package enum WriteTrouble: Error, Equatable, Sendable {
    /// The disk or a quota is full.
    case noRoom
    /// The disk failed.
    case failed
}

/// The state of the bytes when a transfer is over.
package struct BodyEnd: Equatable, Sendable {
    /// The answer brought more bytes than it announced.
    package var isOverEnd = false
    /// The content goes on beyond the bound.
    package var isOverBound = false
    /// Why the file cannot be written.
    package var trouble: WriteTrouble?
    /// Whether other streams are under way or were to begin.
    package var hasStreams = false
    /// Whether the file was cut for several streams.
    package var isCut = false
    /// Whether all streams together brought every byte.
    package var isComplete = false

    /// One stream, and no trouble.
    package init() {}
}

/// How a transfer ended.
package struct TransferEnd: Equatable, Sendable {
    /// The kinds of ends.
    package enum Outcome: Equatable, Sendable {
        /// The answer is complete.
        case completed(isLengthVerified: Bool)
        /// It is missing or incomplete.
        case failed(DownloadFailure)
        /// The head has a Content-Range that is doubled, unreadable, or contradicts its length.
        case oddRange(DownloadFailure)
        /// It was cancelled here.
        case cancelled
        /// The body was refused here.
        case refused
    }

    /// How.
    package var outcome: Outcome
    /// Its head and trailers; nil if no head came.
    package var facts: ResponseFacts?
    /// Bytes of the body that were taken.
    package var bytes: Int64
    /// Redirects before the answer.
    package var redirects = 0
    /// Whether the request may have reached the origin.
    package var wasSent = true
    /// `Retry-After` as sent.
    package var retryAfter: String?
    /// The state of the bytes.
    package var body = BodyEnd()

    /// The end of one transfer.
    package init(_ outcome: Outcome, facts: ResponseFacts?, bytes: Int64) {
        self.outcome = outcome
        self.facts = facts
        self.bytes = bytes
    }
}

/// A file to which nothing is added any more.
package struct WholeFile: Equatable, Sendable {
    /// Its bytes.
    package var length: Int64
    /// Its digests in hexadecimal digits, SHA-256 among them.
    package var digests: [DigestAlgorithm: String]

    /// Names both.
    package init(length: Int64, digests: [DigestAlgorithm: String]) {
        self.length = length
        self.digests = digests
    }
}
