// The key of a lane: downloads with equal keys wait in one lane.
package import Base
package import Downloads

/// All values of a download that rules, limits and budgets may look at.
///
/// The store numbers the keys; their members are defined here only.
package struct LaneKey: Hashable, Sendable {
    /// The app's number.
    package var app: Int64
    /// The session's number.
    package var session: Int64
    /// The origin's number.
    package var origin: Int64
    /// The scheduling class.
    package var schedulingClass: SchedulingClass
    /// The priority as a step, 0 for the most urgent one.
    package var rank: Int16
    /// The flags: networks that it may use, how it waits for them, and the state of its begin hook.
    package var laneFlags = LaneFlags.anyNetwork
    /// The facts that it shares with others for rules over single downloads.
    package var facet: Facet
    /// The bucket of its `complete_by`; nil for none.
    package var dueBucket: Timestamp?
    /// The bucket of its `begin_deadline`; nil for none.
    package var beginBucket: Timestamp?

    /// Creates the key of the lane in which a download waits.
    ///
    /// - Parameters:
    ///   - download: the download as it is.
    ///   - app: its app's number.
    ///   - session: its session's number.
    ///   - origin: the number of the origin that it asks next.
    ///   - facets: what the policy's rules ask of single downloads.
    ///   - now: when it enters the lane.
    package init(
        of download: Download, app: Int64, session: Int64, origin: Int64, facets: FacetScheme,
        at now: Timestamp
    ) {
        self.app = app
        self.session = session
        self.origin = origin
        schedulingClass = download.schedulingClass
        rank = LaneHead.rank(priority: download.priority)
        let spec = download.shared.value
        laneFlags = download.isSending ? spec.sendingFlags : spec.laneFlags
        facet = facets.facet(
            expectedBytes: download.bytesExpectedByClient, metadata: spec.metadata,
            holder: download.holder)
        dueBucket = spec.completeBy.map { DueBucket.start(of: $0, at: now) }
        beginBucket = spec.beginDeadline.map { DueBucket.start(of: $0, at: now) }
    }
}
