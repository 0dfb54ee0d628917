// What tells one lane from another: downloads with the same key wait in one lane.
package import Base

/// All values of a download that rules, limits and budgets may look at.
///
/// The store numbers the keys; their members are defined here only.
package struct LaneKey: Hashable, Sendable {
    /// Flag: the download may use expensive networks.
    package static let expensive: Int16 = 1
    /// Flag: it may use constrained networks.
    package static let constrained: Int16 = 2
    /// Flag: it does not wait for connectivity, so an attempt without connection counts.
    package static let impatient: Int16 = 4
    /// Flag: it has further addresses or a proxy, so it probes its origin for itself.
    package static let alone: Int16 = 8
    /// Flag: its begin hook has to be asked before it begins.
    package static let unasked: Int16 = 16
    /// Flag: its begin hook was asked and has not answered; it is due when that counts as no
    /// answer.
    package static let asked: Int16 = 32
    /// Both flags of begin hooks: with one of them no download of the lane begins.
    package static let hooked: Int16 = unasked | asked
    /// Both flags of downloads that an unreachable origin does not hold back.
    package static let apart: Int16 = impatient | alone
    /// Both flags of networks.
    package static let anyNetwork: Int16 = expensive | constrained

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
    package var network = LaneKey.anyNetwork
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
        let spec = download.shared.spec
        network = spec.network
        facet = facets.facet(
            expectedBytes: download.bytesExpectedByClient, metadata: spec.metadata)
        dueBucket = spec.completeBy.map { DueBucket.start(of: $0, at: now) }
        beginBucket = spec.beginDeadline.map { DueBucket.start(of: $0, at: now) }
    }
}
