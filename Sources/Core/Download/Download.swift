// A download as the API shows it.

/// A snapshot of a download: what was asked, where it stands, what came of it.
package struct Download: Sendable {
    /// Its name.
    package var id: Identifier
    /// Its session's identifier.
    package var session: String
    /// Where it stands.
    package var state: DownloadState
    /// The URL as asked.
    package var url: String
    /// Which of `addresses` is asked now, or next; nil where that is not known any more.
    package var mirror: Int? = 0
    /// 0.0 to 1.0.
    package var priority: Double
    /// Not before this instant.
    package var earliestBeginDate: Timestamp?
    /// Bytes that the client expects.
    package var bytesExpectedByClient: Int64?
    /// The other values in force; copies of a download share them until one is changed.
    ///
    /// Where every file or request reads one from another module, it is read as `shared.spec`: an
    /// accessor that yields allocates its frame there.
    package var spec: DownloadSpec {
        _read { yield shared.spec }
        _modify {
            var spec = shared.spec
            yield &spec
            shared = SharedSpec(spec)
        }
    }
    /// The values that copies share.
    package private(set) var shared: SharedSpec
    /// Bytes of the body that are here.
    package var bytesReceived: Int64
    /// Bytes that the origin announced.
    package var bytesTotal: Int64?
    /// How fast it is, smoothed; nil unless it runs and was measured.
    package var bytesPerSecond: Int64?
    /// When that was measured.
    package var measuredAt: Timestamp?
    /// Since when its deadline is at risk; nil while it is not, and in events.
    package var atRiskSince: Timestamp?
    /// The download whose transfer brings its bytes, while it waits for them.
    package var joinedTo: Identifier?
    /// Number of the current or last attempt.
    package var attempt: Int
    /// When the next attempt may begin, if one failed.
    package var nextAttemptAt: Timestamp?
    /// What came of it; copies of a download share it until it is changed, so several members are
    /// changed in a copy that is set once.
    package var result: DownloadResult {
        get { outcome.result }
        set { outcome = SharedResult(newValue) }
    }
    /// The result that copies share.
    package private(set) var outcome = SharedResult.nothing
    /// Rises with every event of this download.
    package var sequence: Int64
    /// When it was accepted.
    package var createdAt: Timestamp
    /// When its first attempt began.
    package var startedAt: Timestamp?
    /// When it ended.
    package var completedAt: Timestamp?

    /// A download that was just accepted.
    package init(
        id: Identifier, request: DownloadRequest, spec: DownloadSpec, createdAt: Timestamp
    ) {
        self.init(
            id: id, session: request.session,
            state: request.isSuspended ? .suspended : .waiting, url: request.url,
            priority: request.priority, earliestBeginDate: request.earliestBeginDate,
            bytesExpectedByClient: request.bytesExpectedToReceive, spec: spec,
            createdAt: createdAt)
    }

    /// A download as the store holds it.
    package init(
        id: Identifier, session: String, state: DownloadState, url: String, priority: Double,
        earliestBeginDate: Timestamp?, bytesExpectedByClient: Int64?, spec: DownloadSpec,
        createdAt: Timestamp
    ) {
        self.id = id
        self.session = session
        self.state = state
        self.url = url
        self.priority = priority
        self.earliestBeginDate = earliestBeginDate
        self.bytesExpectedByClient = bytesExpectedByClient
        shared = SharedSpec(spec)
        self.createdAt = createdAt
        bytesReceived = 0
        bytesTotal = nil
        bytesPerSecond = nil
        measuredAt = nil
        atRiskSince = nil
        joinedTo = nil
        attempt = 0
        nextAttemptAt = nil
        sequence = 1
        startedAt = nil
        completedAt = nil
    }

    /// Where its bytes may come from, in the order in which they are asked.
    package var addresses: [String] { spec.urls.isEmpty ? [url] : [url] + spec.urls }

    /// How many `addresses` there are.
    package var addressCount: Int { 1 + spec.urls.count }

    /// One of `addresses`, by its place; nil for a place that there is not.
    package func address(at place: Int) -> String? {
        if place == 0 { return url }
        return spec.urls.indices.contains(place - 1) ? spec.urls[place - 1] : nil
    }

    /// The one of `addresses` that is asked now or next, or that was asked last.
    package var address: String? {
        if let last = result.mirrorURL { return last }
        return mirror.flatMap { address(at: $0) }
    }

    /// When it completes at the present speed: nil unless it runs, its length is known and
    /// bytes come; at most a year after the measure.
    package var completesAt: Timestamp? {
        guard state == .running, let total = bytesTotal, total >= bytesReceived,
            let speed = bytesPerSecond, speed > 0, let measuredAt
        else { return nil }
        let seconds = Double(total - bytesReceived) / Double(speed)
        guard seconds <= 31_536_000 else { return nil }
        return measuredAt + .milliseconds(Int64(seconds * 1000))
    }

    /// Notes which of several addresses was asked last, for when the row that knows it is gone.
    package mutating func keepAddress() {
        guard !spec.urls.isEmpty, let address else { return }
        result.mirrorURL = address
    }

    /// The lane that everything with the same chance to run shares.
    package var schedulingClass: SchedulingClass { shared.spec.schedulingClass }
}
