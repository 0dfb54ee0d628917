// The descriptors that one thread waits for.
internal import CPlatform
internal import Glibc

/// An epoll set, level-triggered except for descriptors watched with ``signal``; see epoll(7).
package final class EpollSet {
    /// Bytes can be read, or there is a connection to accept.
    package static let readable: UInt32 = EPOLLIN.rawValue
    /// Bytes can be written.
    package static let writable: UInt32 = EPOLLOUT.rawValue
    /// The connection is closed both ways; always reported.
    package static let hungUp: UInt32 = EPOLLHUP.rawValue
    /// The connection is broken; always reported.
    package static let failed: UInt32 = EPOLLERR.rawValue
    /// Reports each write to an eventfd(2) once.
    package static let signal: UInt32 = EPOLLIN.rawValue | EPOLLET.rawValue

    private let descriptors: FileDescriptor
    private var events: [UInt32]
    private var tokens: [UInt64]

    /// Creates an empty set.
    ///
    /// - Parameter capacity: how many events a wait brings at most, 1 to 256.
    /// - Throws: `Errno` when the kernel has no room.
    package init(capacity: Int) throws(Errno) {
        precondition((1...256).contains(capacity), "a wait brings up to 256 events")
        descriptors = FileDescriptor(owning: try retryingInterrupts { lull_epoll_create() })
        events = [UInt32](repeating: 0, count: capacity)
        tokens = [UInt64](repeating: 0, count: capacity)
    }

    /// The set's own descriptor.
    package var descriptor: Int32 { descriptors.rawValue }

    /// Watches another descriptor until it is closed or removed.
    package func add(_ descriptor: Int32, events: UInt32, token: UInt64) throws(Errno) {
        try retryingInterrupts {
            lull_epoll_add(descriptors.rawValue, descriptor, events, token)
        }
    }

    /// Changes the events for which a descriptor is watched.
    package func change(_ descriptor: Int32, events: UInt32, token: UInt64) throws(Errno) {
        try retryingInterrupts {
            lull_epoll_modify(descriptors.rawValue, descriptor, events, token)
        }
    }

    /// Stops watching a descriptor that is still open.
    package func remove(_ descriptor: Int32) throws(Errno) {
        try retryingInterrupts { lull_epoll_remove(descriptors.rawValue, descriptor) }
    }

    /// Waits until a descriptor is ready.
    ///
    /// - Parameter milliseconds: how long at most; 0 for not at all.
    /// - Returns: how many events there are; 0 also after a signal of the system.
    /// - Throws: `Errno` when the set cannot be relied on.
    package func wait(milliseconds: Int32) throws(Errno) -> Int {
        let count = unsafe lull_epoll_wait(
            descriptors.rawValue, &events, &tokens, Int32(events.count), milliseconds)
        if count < 0, Errno.current != .interrupted { throw Errno.current }
        return max(0, Int(count))
    }

    /// One of the events that the last ``wait(milliseconds:)`` found.
    package func event(at place: Int) -> (events: UInt32, token: UInt64) {
        (events[place], tokens[place])
    }
}
