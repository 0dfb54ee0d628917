// What the endpoints of apps hear, as this process knows it: a hint for when the courier is woken.
internal import Core
internal import Synchronization

/// The events that endpoints hear, by app.
///
/// Deliveries are written by what the tables say; this only spares the courier a look, and tells
/// the worker whether progress is to be written.
package final class EndpointListeners: Sendable {
    private let masks = Mutex<[Int64: Int32]>([:])
    private let defaults = Mutex<[Int64: [String]]>([:])

    init() {}

    func replace(_ new: [Int64: Int32], defaults names: [Int64: [String]]) {
        masks.withLock { $0 = new }
        defaults.withLock { $0 = names }
    }

    /// What an app's `default` says that a `webhook_url` hears where nothing names the events; nil
    /// where it says nothing.
    package func defaultEvents(of app: Int64) -> [String]? { defaults.withLock { $0[app] } }

    /// Whether no endpoint hears anything.
    package var isEmpty: Bool { masks.withLock { $0.isEmpty } }

    /// The events that some endpoint of an app hears, as bits.
    package func mask(of app: Int64) -> Int32 { masks.withLock { $0[app] ?? 0 } }
}
