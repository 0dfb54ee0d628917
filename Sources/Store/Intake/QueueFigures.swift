// Sums over the queue and the outbox, for metrics.
package import Core

/// How much there is of everything that waits.
package struct QueueFigures: Equatable, Sendable {
    /// What waits of one class.
    package struct Oldest: Equatable, Sendable {
        /// The class.
        package var schedulingClass: SchedulingClass
        /// Since when the oldest waits, as its lane was counted last.
        package var since: Timestamp
    }

    /// Downloads that have not ended.
    package var live: Int64 = 0
    /// Those that run.
    package var running: Int64 = 0
    /// Those that are suspended.
    package var suspended: Int64 = 0
    /// Those whose client has to act.
    package var attentionRequired: Int64 = 0
    /// Those that wait, as their lanes were counted last.
    package var waitingInLanes: Int64 = 0
    /// When the lanes were counted last; nil if they never were.
    package var lanesCountedAt: Timestamp?
    /// The oldest of each class that has any.
    package var oldest: [Oldest] = []
    /// The apps with the most live downloads, and how many each has.
    package var apps: [(name: String, live: Int64)] = []
    /// Deliveries that wait for a try, counted up to `deliveriesAtMost`.
    package var deliveriesPending: Int64 = 0
    /// Deliveries that are being sent.
    package var deliveriesSending: Int64 = 0
    /// Receivers with something to deliver, by how they answer: answering, untried, silent.
    package var receivers: [Int64] = [0, 0, 0]
    /// Since when the first delivery is due; nil if none is.
    package var deliveryDueSince: Timestamp?
    /// Endpoints that are disabled.
    package var endpointsDisabled: Int64 = 0

    /// The number up to which waiting deliveries are counted.
    package static let deliveriesAtMost: Int64 = 10_000
    /// So many apps are named.
    package static let appsAtMost = 20

    /// Those that wait: what is live in no other state.
    package var waiting: Int64 { max(0, live - running - suspended - attentionRequired) }

    /// Nothing is there.
    package init() {}

    /// Whether both have the same numbers.
    package static func == (left: QueueFigures, right: QueueFigures) -> Bool {
        left.live == right.live && left.running == right.running
            && left.suspended == right.suspended
            && left.attentionRequired == right.attentionRequired
            && left.oldest == right.oldest && left.receivers == right.receivers
    }
}
