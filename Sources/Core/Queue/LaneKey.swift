// What tells one lane from another: downloads with the same key wait in one lane.

/// A lane by all that rules, limits and budgets may look at.
///
/// The store numbers keys; what a key is made of stands here alone.
package struct LaneKey: Hashable, Sendable {
    /// A download may use expensive networks.
    package static let expensive: Int16 = 1
    /// It may use constrained ones.
    package static let constrained: Int16 = 2
    /// It does not wait for connectivity: what does not reach its origin costs an attempt.
    package static let impatient: Int16 = 4
    /// It tries by itself whether its origin is reached: it has further addresses or a proxy.
    package static let alone: Int16 = 8
    /// Its begin hook is to be asked where another download would begin.
    package static let unasked: Int16 = 16
    /// Its begin hook was asked and has not answered; it is due when that counts as no answer.
    package static let asked: Int16 = 32
    /// Either of both: nothing of its lane begins.
    package static let hooked: Int16 = unasked | asked
    /// Either of both: an origin that is not reached does not hold it back.
    package static let apart: Int16 = impatient | alone
    /// It may use all.
    package static let anyNetwork: Int16 = expensive | constrained

    /// The app's number.
    package var app: Int64
    /// The session's number.
    package var session: Int64
    /// The origin's number.
    package var origin: Int64
    /// What is served first.
    package var schedulingClass: SchedulingClass
    /// The priority's step, 0 the most urgent.
    package var rank: Int16
    /// The networks that it may use and how it waits for them, as bits.
    package var network = LaneKey.anyNetwork
    /// What it shares with others for rules over single downloads.
    package var facet: Facet
    /// The bucket of its `complete_by`; nil for none.
    package var dueBucket: Timestamp?
    /// The bucket of its `begin_deadline`; nil for none.
    package var beginBucket: Timestamp?

    /// The lane in which a download waits.
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
        let spec = download.shared.spec
        network = spec.network
        facet = facets.facet(
            expectedBytes: download.bytesExpectedByClient, metadata: spec.metadata)
        dueBucket = spec.completeBy.map { DueBucket.start(of: $0, at: now) }
        beginBucket = spec.beginDeadline.map { DueBucket.start(of: $0, at: now) }
    }
}
