// The set of descriptors that the server watches.
internal import CPlatform
internal import Glibc
internal import Platform

/// An epoll set, level-triggered but for the waker; see epoll(7).
final class EpollSet {
    /// Bytes can be read, or there is a connection to accept.
    static let readable: UInt32 = EPOLLIN.rawValue
    /// Bytes can be written.
    static let writable: UInt32 = EPOLLOUT.rawValue
    /// The connection is broken or closed both ways; reported without being asked for.
    static let broken: UInt32 = EPOLLERR.rawValue | EPOLLHUP.rawValue

    /// Reports each write to an eventfd(2) once.
    static let signal: UInt32 = EPOLLIN.rawValue | EPOLLET.rawValue

    private static let capacity = 256
    private let descriptors: FileDescriptor
    private(set) var events = [UInt32](repeating: 0, count: capacity)
    private(set) var tokens = [UInt64](repeating: 0, count: capacity)

    /// Makes an empty set.
    init() throws(Errno) {
        descriptors = FileDescriptor(owning: try retryingInterrupts { lull_epoll_create() })
    }

    /// Watches one more descriptor; closing it ends that.
    func add(_ descriptor: Int32, events: UInt32, token: UInt64) throws(Errno) {
        try retryingInterrupts {
            lull_epoll_add(descriptors.rawValue, descriptor, events, token)
        }
    }

    /// Changes what a descriptor is watched for.
    func change(_ descriptor: Int32, events: UInt32, token: UInt64) {
        let result = lull_epoll_modify(descriptors.rawValue, descriptor, events, token)
        precondition(result == 0, "a watched descriptor can be changed")
    }

    /// Fills `events` and `tokens` with what is ready.
    ///
    /// - Parameter milliseconds: how long to wait until something is; 0 for not at all.
    /// - Returns: how many there are.
    func collect(waiting milliseconds: Int32) -> Int {
        let count = unsafe lull_epoll_wait(
            descriptors.rawValue, &events, &tokens, Int32(Self.capacity), milliseconds)
        precondition(count >= 0 || Errno.current == .interrupted, "the set itself is sound")
        return max(0, Int(count))
    }
}
