// A download as the API shows it.
package import Base

/// A snapshot of a download: the request, the progress and the result.
package struct Download: Sendable {
    /// The identifier of the download.
    package var id: Identifier
    /// Its session's identifier.
    package var session: String
    /// The state of the download.
    package var state: DownloadState
    /// The URL as asked.
    package var url: String
    /// The index in `addresses` of the one in use, or used next; nil where it is no longer known.
    package var mirror: Int? = 0
    /// The priority, 0.0 to 1.0.
    package var priority: Double
    /// The earliest begin: no attempt begins before this instant.
    package var earliestBeginDate: Timestamp?
    /// The number of bytes that the client expects.
    package var bytesExpectedByClient: Int64?
    /// The other values in force; copies of a download share them until one is changed.
    ///
    /// Hot loops in other modules read values as `shared.value`, because an accessor that yields
    /// allocates its frame at each of their reads.
    package var spec: DownloadSpec {
        _read { yield shared.value }
        _modify {
            var spec = shared.value
            yield &spec
            shared = Shared(spec)
        }
    }
    /// The values, in an object that copies of the download share.
    package private(set) var shared: Shared<DownloadSpec>
    /// Bytes of the body that were received.
    package var bytesReceived: Int64
    /// Bytes of the file that were sent to its receiver in the current or last try.
    package var bytesSent: Int64 = 0
    /// The data directory with the whole file while that waits to be sent, or is being sent; nil
    /// before and after.
    package var holder: String?
    /// The length that the origin announced, in bytes.
    package var bytesTotal: Int64?
    /// The speed in bytes a second, smoothed; nil unless the download runs and was measured.
    package var bytesPerSecond: Int64?
    /// The time at which the speed was measured.
    package var measuredAt: Timestamp?
    /// The time since which its deadline is at risk; nil without a risk, and in events.
    package var atRiskSince: Timestamp?
    /// The time since which an upload is in its present state; nil at its create, and for a
    /// download.
    package var receivingSince: Timestamp?
    /// The download whose transfer it waits for; nil if it has joined none.
    package var joinedTo: Identifier?
    /// The number of the current or last attempt.
    package var attempt: Int
    /// The time at which the next attempt may begin, if one failed.
    package var nextAttemptAt: Timestamp?
    /// The result so far.
    ///
    /// Copies of a download share it until it is changed, so code that changes several members
    /// changes a copy and sets it once.
    package var result: DownloadResult {
        get { outcome.value }
        set { outcome = Shared(newValue) }
    }
    /// The result, in an object that copies of the download share.
    package private(set) var outcome = Download.noResult
    private static let noResult = Shared(DownloadResult.blank)
    /// The number of its last event; rises with every event of this download.
    package var sequence: Int64
    /// The time at which it was accepted.
    package var createdAt: Timestamp
    /// The time at which its first attempt began.
    package var startedAt: Timestamp?
    /// The time at which it ended.
    package var completedAt: Timestamp?

    /// A download that was just accepted.
    package init(
        id: Identifier, request: DownloadRequest, spec: DownloadSpec, createdAt: Timestamp
    ) {
        self.init(
            id: id, session: request.session,
            state: request.isSuspended ? .suspended : spec.upload == nil ? .waiting : .receiving,
            url: request.url,
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
        shared = Shared(spec)
        self.createdAt = createdAt
        bytesReceived = 0
        bytesTotal = spec.upload?.length
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

    /// Whether the file is here and waits to be sent, or is being sent.
    package var isSending: Bool { holder != nil }

    /// The URLs of the content, in the order in which they are tried.
    package var addresses: [String] { spec.urls.isEmpty ? [url] : [url] + spec.urls }

    /// The number of `addresses`.
    package var addressCount: Int { 1 + spec.urls.count }

    /// The origin of `url`, `scheme://host:port`; nil for a text that is no URL.
    package var sourceOrigin: String? {
        do throws(SourceURLError) {
            return try SourceURL(parsing: url).origin
        } catch {
            return nil
        }
    }

    /// The origin of its next request, `scheme://host:port`: that of its receiver or store while
    /// its file is here to be sent, else that of the address in use; nil for a text that is no URL.
    package var nextOrigin: String? {
        if isSending, let target = spec.sendTarget { return target.origin }
        do throws(SourceURLError) {
            return try SourceURL(parsing: address ?? url).origin
        } catch {
            return nil
        }
    }

    /// One of `addresses`, by its index; nil for an index out of range.
    package func address(at place: Int) -> String? {
        if place == 0 { return url }
        return spec.urls.indices.contains(place - 1) ? spec.urls[place - 1] : nil
    }

    /// The address in use, or used next; after the end, the one used last.
    package var address: String? {
        if let last = result.mirrorURL { return last }
        return mirror.flatMap { address(at: $0) }
    }

    /// The time at which it will be complete at the present speed: nil unless it runs, its length
    /// is known and bytes arrive; at most a year after the measurement.
    package var completesAt: Timestamp? {
        let moved = isSending ? bytesSent : bytesReceived
        guard state == .running, let total = bytesTotal, total >= moved,
            let speed = bytesPerSecond, speed > 0, let measuredAt
        else { return nil }
        let seconds = Double(total - moved) / Double(speed)
        guard seconds <= 31_536_000 else { return nil }
        return measuredAt + .milliseconds(Int64(seconds * 1000))
    }

    /// Notes which of several addresses was used last, because the queue row that knows it is
    /// removed.
    package mutating func keepAddress() {
        guard !spec.urls.isEmpty, let address else { return }
        result.mirrorURL = address
    }

    /// The scheduling class, one of the values by which downloads are grouped into lanes.
    package var schedulingClass: SchedulingClass { shared.value.schedulingClass }
}
