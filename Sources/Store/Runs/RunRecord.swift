package import Base
package import Downloads
internal import Postgres
package import Scheduling

/// The end of an attempt, as it is recorded.
package struct RunRecord: Sendable {
    /// The download after the attempt.
    package var download: Download
    /// The attempt's fence.
    package var fence: Int64
    /// The outcome.
    package var outcome: RunOutcome
    /// The event.
    package var event: EventType
    /// The time at which it ended.
    package var at: Timestamp
    /// The time at which the next attempt may begin.
    package var runAt: Timestamp?
    /// The time until which no request is sent to this origin.
    package var coolOrigin: Timestamp?
    /// The news about its origin; nil for none.
    package var reach: OriginReach?
    /// Attempts without progress, this one included.
    package var attemptsWithoutProgress: Int
    /// Bytes that the attempt received, for budgets; nil if unknown.
    package var received: Int64?
    /// Bytes that the attempt sent, for budgets; nil if unknown.
    package var sent: Int64?
    /// The resume point for a later attempt.
    package var resume: ResumePoint?
    /// The origin of the next mirror; nil without mirrors.
    ///
    /// `scheme://host:port`; its gate was created with the download.
    package var nextOrigin: String?
    /// The lane in which the download waits from now on, where its direction changes; nil for the
    /// lane that it has.
    package var nextLane: NextLane?
    /// The code of the failure for which another mirror is asked at once.
    package var switchCode: String?
    /// The download whose file this one gets, because the content has not changed.
    package var sharedFrom: Identifier?
    /// Its file, if it has one now.
    package var content: KeptContent?
    /// Whether the request may have had its effect, so that it is not sent again.
    package var wasSent = false
    /// The members of the attempt's record beside its times.
    package var detail: AttemptDetail
    /// Whether the download's row can be read, so that data can be rendered from it.
    var isReadable = true
    /// The number of its origin.
    package var originKey: Int64
    /// The number of its session.
    package var sessionKey: Int64
    /// The number of its app.
    package var appKey: Int64

    /// Creates the end of a claimed download with the values that every one has.
    package init(
        _ claimed: ClaimedDownload, outcome: RunOutcome, event: EventType, at: Timestamp
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

    /// The values of another lane, beside the origin.
    package struct NextLane: Sendable {
        /// The flags.
        package let flags: LaneFlags
        /// The facts for rules, with the data directory that sends.
        package let facet: Facet
        /// The number of the facet.
        var number: Int32 = 0

        /// The lane of a download in its present direction.
        package init(of download: Download, in scheme: FacetScheme) {
            let spec = download.shared.value
            flags = download.isSending ? spec.sendingFlags : spec.laneFlags
            facet = scheme.facet(
                expectedBytes: download.bytesExpectedByClient, metadata: spec.metadata,
                holder: download.holder)
        }
    }

    /// The data of its event; nil if it follows from the row.
    var eventData: String? {
        isReadable && DerivedData.isDerivable(event) ? nil : download.eventData()
    }

    /// Takes the members that a client has changed while the download ran, and its event number.
    mutating func take(_ now: Download) {
        download.take(now)
        download.sequence = now.sequence + 1
        guard outcome.waitsAgain,
            let earliest = download.earliestBeginDate, earliest > runAt ?? at
        else { return }
        runAt = earliest
        download.nextAttemptAt = earliest
    }
}
