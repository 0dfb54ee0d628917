// Clients that the first lane accepted on behalf of another lane.
internal import Platform
internal import Synchronization

/// An accepted client that no lane serves yet.
struct Arrival: Sendable {
    /// The client's socket; owned by whoever takes the arrival.
    let descriptor: Int32
    let peer: String
    /// The address under which the client is counted; nil for a Unix socket.
    let client: ClientAddress?
}

/// A list for any thread to add to and one lane to take from; it closes the sockets that no lane
/// took.
final class Arrivals: Sendable {
    private let list = Mutex<[Arrival]>([])

    deinit {
        for arrival in list.withLock({ $0 }) { _ = FileDescriptor(owning: arrival.descriptor) }
    }

    func add(_ arrival: Arrival) { list.withLock { $0.append(arrival) } }

    /// Takes all arrivals, oldest first.
    func take() -> [Arrival] {
        list.withLock { list in
            defer { list = [] }
            return list
        }
    }
}
