// The subscriptions of endpoints as this process knows them: hints for waking the webhook sender.
package import Downloads
internal import Synchronization

/// The events that endpoints receive, by app.
///
/// Deliveries are written by the tables; this only spares the webhook sender a look, and tells the
/// worker whether progress has to be written.
package final class EndpointListeners: Sendable {
    private let masks = Mutex<[Int64: Int64]>([:])
    private let defaults = Mutex<[Int64: [String]]>([:])

    init() {}

    func replace(_ new: [Int64: Int64], defaults names: [Int64: [String]]) {
        masks.withLock { $0 = new }
        defaults.withLock { $0 = names }
    }

    /// The events that an app's `default` names for a `webhook_url` without a list of its own; nil
    /// if it names none.
    package func defaultEvents(of app: Int64) -> [String]? { defaults.withLock { $0[app] } }

    /// Whether no endpoint receives events.
    package var isEmpty: Bool { masks.withLock { $0.isEmpty } }

    /// The events that at least one endpoint of an app receives.
    package func events(of app: Int64) -> EventSet {
        EventSet(bits: masks.withLock { $0[app] ?? 0 })
    }
}
