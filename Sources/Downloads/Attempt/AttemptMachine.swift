// One attempt of one download as a value: its state so far and the next action.
internal import Base

/// Decides everything about one attempt; performs nothing.
///
/// The shell does one ``AttemptAction`` after the other and reports each by the event named there.
/// While a question is under way it also reports the heads of answers, further streams, orders and
/// checkpoints, from any thread, one at a time. Clock readings are parameters.
package struct AttemptMachine: Sendable {
    /// The step that the machine waits for.
    enum Phase: Sendable {
        case begun
        case preparing
        /// Takes over the file of an earlier attempt: to continue its bytes, or only to write it
        /// anew.
        case adopting(ResumePoint, isUsed: Bool)
        case moving
        case marking
        case asking
        case gathering(TransferEnd)
        case restarting(TransferEnd, isPart: Bool)
        case keeping(DeferredReport)
        case completing(isLengthVerified: Bool, isDescribed: Bool)
        case comparing(VerifiedBody)
        case discarding(AttemptOutcome<VerifiedBody>)
        case retreating
        case over
    }

    /// The report that follows once the bytes in the file are durable.
    enum DeferredReport: Sendable {
        case failure(DownloadFailure)
        case status(ResponseFacts, told: ToldWait?, now: Timestamp)
        case order(RunOrder)
    }

    /// The decision about the answer to the current question.
    enum HeadDecision: Sendable {
        case nothing
        case whole
        /// A part: the bytes that the answer announces, and whether they reach the end of the file.
        case part(Range<Int64>, reachesEnd: Bool)
        case alreadyWhole
        /// A 304, and the reason why it proves nothing; nil if it does.
        case notModified(doubt: String?)
        case error
        case barred(DiscardReason)
        case plainRange
        case rejected(DownloadFailure)
        case ambiguous(String)
    }

    /// The terms of the attempt; they do not change.
    package let terms: AttemptTerms
    /// The order that stops the attempt; nil while there is none.
    package private(set) var order: RunOrder?
    /// Counts of bytes of earlier attempts that were continued and discarded.
    package internal(set) var tally = ResumeTally()
    /// The length of the whole file in bytes; nil while it is unknown.
    package internal(set) var total: Int64?
    /// Rises whenever bytes in the file become void; see ``checkpointed(durable:version:)``.
    package internal(set) var version = 0
    /// Knowledge about the mirrors; nil with one address.
    package internal(set) var mirrors: MirrorBook?
    /// Whether a request that must not be sent twice may have reached the origin.
    package internal(set) var wasSent = false
    /// The upload in parts that the row names; it stays until the store has said that it is gone.
    package var upload: StoredUpload?
    /// The upload at a receiver that speaks tus, which the row names.
    package var tus: TusUpload?
    /// Whether this attempt has brought more of the file to its store or receiver than those before
    /// it.
    package var hasSentMore = false
    /// The known version of the content; nil to fetch the content in any case.
    package var condition: ChangeCondition?
    /// Whether a client limits the speed of this download.
    package var isLimited = false

    var phase = Phase.begun
    var plan = ResumePlan.whole
    var headDecision = HeadDecision.nothing
    /// The claims about the bytes that this attempt took; nil before it took any answer.
    var claims: RepresentationClaims?
    var partDigests: [PartDigest] = []
    /// Bytes in the file when the next question is asked.
    var bytesHere: Int64 = 0
    /// Bytes in the file behind which an answer did not allow to continue, and why; thrown away
    /// when the whole content comes.
    var barred: (point: ResumePoint, reason: String)?
    /// Whether the row may name bytes that are in the file.
    var rowNamesBytes: Bool
    /// Whether one answer brought the whole content.
    var wasWhole = true
    /// Whether the address was asked again for a fresh place behind its redirect.
    var askedAgain = false
    var isRepeatable = true
    /// Whether several streams were allowed.
    var isSegmented = false
    /// The number of times that complete content did not have the announced digest.
    var mismatches: Int64
    /// Questions that may be asked before a part is taken.
    ///
    /// Five are enough: the first, one for the gaps of several streams, one without If-Range, one
    /// for the whole content, one for a fresh redirect. No answer leads further, but a 304 that
    /// proves nothing, to which the question without validators is not counted.
    var asksLeft = AttemptMachine.asksAtMost
    var partsLeft = AttemptMachine.partsAtMost

    /// The most questions in a row without a byte between them.
    static let asksAtMost = 5
    /// The most parts that one attempt takes from an origin that sends less than was asked for.
    package static let partsAtMost = 4096

    /// An attempt that has not begun.
    package init(_ terms: AttemptTerms) {
        self.terms = terms
        mirrors = terms.mirrors
        condition = terms.condition
        upload = terms.resume?.upload
        tus = terms.resume?.received?.tus
        rowNamesBytes = terms.resume?.offset ?? 0 > 0
        mismatches = terms.resume?.mismatches ?? 0
        tally.restarts = terms.resume?.restarts ?? 0
    }

    /// Whether its outcome was reported.
    package var isOver: Bool { if case .over = phase { true } else { false } }

    // MARK: - Orders and checkpoints

    /// An order to stop came; the first counts, but a cancel by the client comes before ours.
    package mutating func ordered(_ order: RunOrder) {
        if self.order == nil || order == .cancel { self.order = order }
    }

    /// The row no longer names bytes in the file.
    package mutating func rowForgotten() { rowNamesBytes = false }

    /// The resume point that replaces one whose bytes are void: it remembers earlier mismatches,
    /// discarded bytes and mirrors; nil where there is nothing to remember.
    package var memory: ResumePoint? {
        guard mismatches > 0 || furthest > 0 || mirrors != nil || upload != nil else { return nil }
        return noBytes
    }

    /// A resume point that remembers everything but bytes.
    var noBytes: ResumePoint {
        var point = ResumePoint(
            mismatches: mismatches, fence: terms.fence, instance: terms.instance)
        (point.mirrors, point.furthest, point.restarts) = (mirrors, furthest, tally.restarts)
        point.upload = upload
        return point
    }

    /// The most bytes that any attempt before this one left.
    var furthest: Int64 { terms.resume.map { max($0.offset, $0.furthest) } ?? 0 }

    /// A checkpoint has ended.
    ///
    /// - Parameters:
    ///   - durable: the bytes of the file that are synced.
    ///   - version: ``version`` from before it began.
    /// - Returns: where a later attempt may go on; nil where nothing would prove that the bytes
    ///   fit, or where they became void meanwhile.
    package func checkpointed(durable: Int64, version: Int) -> ResumePoint? {
        version == self.version ? resumePoint(durable: durable) : nil
    }

    /// Whether a later attempt could continue if this one is stopped after this many bytes.
    package func canContinue(after bytes: Int64) -> Bool { resumePoint(durable: bytes) != nil }

    /// The point at which a later attempt may continue; nil where nothing would prove that the
    /// bytes fit together.
    func resumePoint(durable: Int64) -> ResumePoint? {
        // Only a GET is continued: the answer to a POST is a different one each time.
        guard durable > 0, terms.method == .get else { return nil }
        guard let claims else {
            // No body came: the earlier resume point still holds.
            guard var point = terms.resume, point.offset == durable, point.void == nil else {
                return nil
            }
            point.fence = terms.fence
            (point.mirrors, point.upload) = (mirrors, upload)
            return point
        }
        var point = ResumePoint(
            offset: durable, fence: terms.fence, instance: terms.instance, claims: claims,
            restarts: tally.restarts)
        (point.mismatches, point.mirrors) = (mismatches, mirrors)
        point.upload = upload
        point.furthest = furthest > durable ? furthest : 0
        return point.ifRange != nil || terms.expectedDigest.provesContent ? point : nil
    }

    /// The resume point of a file that is proved to be whole and has only to be published.
    ///
    /// - Parameters:
    ///   - length: of the file.
    ///   - sha256: of the file.
    ///   - isVerified: whether anything but the end of the connection proved it.
    /// - Returns: the point at its end.
    package func wholePoint(length: Int64, sha256: String, isVerified: Bool) -> ResumePoint {
        var point =
            resumePoint(durable: length)
            ?? ResumePoint(
                offset: length, fence: terms.fence, instance: terms.instance,
                claims: claims ?? RepresentationClaims(), restarts: tally.restarts)
        (point.total, point.whole, point.mirrors) = (length, isVerified, mirrors)
        (point.sha256, point.received) = (sha256, terms.resume?.received)
        point.received?.tus = tus
        point.upload = upload
        return point
    }

    /// The bytes that are here are void.
    mutating func forgetBytes(_ reason: String, bytes: Int64? = nil) {
        tally.discarded += bytes ?? bytesHere
        tally.reason = reason
        tally.isRestarted = true
        tally.restarts += 1
        tally.resumedFrom = 0
        bytesHere = 0
        barred = nil
        version += 1
    }

    /// The reason for bytes that are gone after a crash.
    package static let lostWithAttempt =
        "the attempt before this one was lost, with the bytes that it had received after its last "
        + "checkpoint"

    /// Ends the attempt.
    mutating func report(_ outcome: AttemptOutcome<VerifiedBody>) -> AttemptAction {
        phase = .over
        return .report(outcome)
    }
}
