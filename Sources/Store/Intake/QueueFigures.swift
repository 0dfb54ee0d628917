// Sums over the queue and the outbox, for metrics.
package import Base
package import Downloads

/// The numbers of waiting and live downloads, and of deliveries.
package struct QueueFigures: Equatable, Sendable {
    /// The longest wait in one class.
    package struct Oldest: Equatable, Sendable {
        /// The class.
        package var schedulingClass: SchedulingClass
        /// The time since which the oldest download waits, by the last count of its lane.
        package var since: Timestamp
    }

    /// Downloads that have not ended.
    package var live: Int64 = 0
    /// Running downloads.
    package var running: Int64 = 0
    /// Suspended downloads.
    package var suspended: Int64 = 0
    /// Downloads that need the client.
    package var attentionRequired: Int64 = 0
    /// Uploads whose bytes their clients still bring, without suspended ones.
    package var receiving: Int64 = 0
    /// Waiting downloads, by the last count of their lanes.
    package var waitingInLanes: Int64 = 0
    /// The time at which lanes were counted last; nil if they never were.
    package var lanesCountedAt: Timestamp?
    /// The longest wait of each class with waiting downloads.
    package var oldest: [Oldest] = []
    /// The apps with the most live downloads, and the numbers of these.
    package var apps: [(name: String, live: Int64)] = []
    /// Deliveries that wait for a try, counted up to `deliveriesAtMost`.
    package var deliveriesPending: Int64 = 0
    /// Deliveries that are being sent.
    package var deliveriesSending: Int64 = 0
    /// Receivers with waiting deliveries, by standing: answering, untried, silent.
    package var receivers: [Int64] = [0, 0, 0]
    /// The time at which the first due delivery became due; nil if none is.
    package var deliveryDueSince: Timestamp?
    /// Endpoints that are disabled.
    package var endpointsDisabled: Int64 = 0

    /// The number up to which waiting deliveries are counted.
    package static let deliveriesAtMost: Int64 = 10_000
    /// The most apps that are named.
    package static let appsAtMost = 20

    /// Waiting downloads: live ones in no other state.
    package var waiting: Int64 {
        max(0, live - running - suspended - attentionRequired - receiving)
    }

    /// Creates sums of zero.
    package init() {}

    /// Whether both have the same numbers.
    package static func == (left: QueueFigures, right: QueueFigures) -> Bool {
        left.live == right.live && left.running == right.running
            && left.suspended == right.suspended
            && left.attentionRequired == right.attentionRequired
            && left.receiving == right.receiving
            && left.oldest == right.oldest && left.receivers == right.receivers
    }
}
