// Clients that the first lane has accepted for another one.
internal import Platform
internal import Synchronization

/// An accepted client without a lane.
struct Arrival: Sendable {
    /// Its socket; whoever takes the arrival owns it.
    let descriptor: Int32
    let peer: String
    /// The address that it is counted under; nil for a Unix socket.
    let client: ClientAddress?
}

/// A list with one reader, for any thread; the sockets of those that no lane takes are closed.
final class Arrivals: Sendable {
    private let list = Mutex<[Arrival]>([])

    deinit {
        for arrival in list.withLock({ $0 }) { _ = FileDescriptor(owning: arrival.descriptor) }
    }

    func add(_ arrival: Arrival) { list.withLock { $0.append(arrival) } }

    /// Takes all, in the order in which they came.
    func take() -> [Arrival] {
        list.withLock { list in
            defer { list = [] }
            return list
        }
    }
}
