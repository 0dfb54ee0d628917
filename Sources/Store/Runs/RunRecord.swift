package import Core
internal import Postgres

/// How an attempt ended, for the record.
package struct RunRecord: Sendable {
    /// What becomes of the download.
    package enum Outcome: Sendable {
        /// The file is published.
        case succeeded
        /// It is over.
        case failed
        /// It waits for another attempt.
        case retry
        /// The client canceled it.
        case canceled
        /// The client suspended it.
        case suspended
        /// The client has to act.
        case attentionRequired
        /// It waits for a slot: more urgent work got its own.
        case yielded
        /// It waits until its origin is reached, which costs no attempt.
        case unreachable

        /// The same as the store records it.
        package var recorded: RunOutcome {
            switch self {
            case .succeeded: .succeeded
            case .failed: .failed
            case .retry: .retry
            case .canceled: .canceled
            case .suspended: .suspended
            case .attentionRequired: .attentionRequired
            case .yielded: .yielded
            case .unreachable: .unreachable
            }
        }
    }

    /// The download as it is after this.
    package var download: Download
    /// The attempt's fence.
    package var fence: Int64
    /// What becomes of it.
    package var outcome: Outcome
    /// The event.
    package var event: EventType
    /// When.
    package var at: Timestamp
    /// When the next attempt may begin.
    package var runAt: Timestamp?
    /// No request goes to this origin before.
    package var coolOrigin: Timestamp?
    /// What it tells of its origin; nil for nothing.
    package var reach: OriginReach?
    /// Attempts without progress, this one included.
    package var attemptsWithoutProgress: Int
    /// Bytes that the attempt received and sent, for budgets; nil where that is not known.
    package var received: Int64?
    /// See `received`.
    package var sent: Int64?
    /// Where a later attempt may go on.
    package var resume: ResumePoint?
    /// The origin of the mirror that is next, nil without mirrors.
    ///
    /// `scheme://host:port`; its gate was made when the download came in.
    package var nextOrigin: String?
    /// The code of the failure for which another mirror is asked at once.
    package var switchCode: String?
    /// Its file, if it has one now.
    package var content: KeptContent?
    /// Whether the request may have done its work, so that it is not sent again.
    package var wasSent = false
    /// What the attempt's record keeps beside its times.
    package var detail: AttemptDetail
    /// Whether the download's row can be read, so that its end follows from it.
    var isReadable = true
    /// The keys of the gates that it held.
    package var originKey: Int64
    /// The session's key.
    package var sessionKey: Int64
    /// The app's key.
    package var appKey: Int64

    /// What every end of a claimed download has.
    package init(
        _ claimed: ClaimedDownload, outcome: Outcome, event: EventType, at: Timestamp
    ) {
        download = claimed.download
        fence = claimed.fence
        self.outcome = outcome
        self.event = event
        self.at = at
        attemptsWithoutProgress = claimed.attemptsWithoutProgress
        resume = nil
        content = nil
        detail = AttemptDetail()
        originKey = claimed.originKey
        sessionKey = claimed.sessionKey
        appKey = claimed.app
    }

    /// The same of a claim that is handed on.
    package init(
        _ claimed: ClaimedDownload.Box, outcome: Outcome, event: EventType, at: Timestamp
    ) {
        self.init(claimed.claim, outcome: outcome, event: event, at: at)
    }

    /// The data of its event; nil where it follows from the row.
    var eventData: String? {
        isReadable && DerivedData.isDerivable(event) ? nil : download.eventData()
    }

    /// Takes over what a client has changed while the download ran, and its number.
    mutating func take(_ now: Download) {
        download.take(now)
        download.sequence = now.sequence + 1
        guard [.retry, .yielded, .unreachable].contains(outcome),
            let earliest = download.earliestBeginDate, earliest > runAt ?? at
        else { return }
        runAt = earliest
        download.nextAttemptAt = earliest
    }
}

extension RunRecord {
    /// A record that is handed on; an object, as a record is large.
    package final class Box: Sendable {
        /// How the attempt ended.
        package let record: RunRecord

        /// Keeps a record.
        package init(_ record: RunRecord) { self.record = record }
    }
}
