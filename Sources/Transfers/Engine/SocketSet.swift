// libcurl's sockets in an epoll set of our own: a turn costs the ready ones, not the open ones.
internal import CCurl
internal import Platform

/// The sockets and the timer of one multi handle; engine's thread only.
///
/// Level-triggered, as libcurl needs it, except for the waker; see epoll(7).
final class SocketSet {
    /// The time at which libcurl wants to be called without a ready socket; nanoseconds since boot.
    private(set) var timer = Int64.max
    /// Whether the set is no longer reliable.
    private(set) var isBroken = false

    /// The epoll set.
    let epoll: EpollSet

    /// The most events of one wait: few, so that the bytes of one turn are little compared with all
    /// memory.
    private static let capacity = 32
    private static let waker = UInt64.max
    /// By descriptor, the number of times that watching it began or ended; odd while it is watched.
    private var turns: [UInt32] = []
    /// By descriptor, the events for which libcurl waits.
    private var masks: [UInt32] = []
    /// The sockets of paused transfers for which libcurl still waits.
    private var held: Set<Int32> = []
    /// Held sockets that were ready, and that the kernel does not watch until the pause ends.
    private var leftOut: Set<Int32> = []

    /// Creates a set with the waker only.
    ///
    /// - Parameter waker: an eventfd(2) that is written and never read.
    /// - Throws: `Errno` when the kernel has no room.
    init(waker: Int32) throws(Errno) {
        epoll = try EpollSet(capacity: SocketSet.capacity)
        try epoll.add(waker, events: EpollSet.signal, token: SocketSet.waker)
    }

    /// Waits until a descriptor is ready.
    ///
    /// - Parameter milliseconds: how long at most; 0 for not at all.
    /// - Returns: how many events there are, the waker's included.
    func wait(milliseconds: Int32) -> Int {
        do throws(Errno) {
            return try epoll.wait(milliseconds: milliseconds)
        } catch {
            isBroken = true
            return 0
        }
    }

    /// The event at one of the indices that ``wait(milliseconds:)`` filled.
    ///
    /// - Returns: nil for the waker, and for a socket that was given up since: its number may be
    ///   another one's by now.
    func event(at place: Int) -> (socket: Int32, action: Int32)? {
        let (events, token) = epoll.event(at: place)
        guard token != SocketSet.waker else { return nil }
        let socket = Int(token & 0xffff_ffff)
        guard turns[socket] == UInt32(token >> 32), !leavesOut(Int32(socket)) else { return nil }
        var action: Int32 = 0
        // The end of a stream has to be read, too.
        if events & (EpollSet.readable | EpollSet.hungUp) != 0 { action |= CURL_CSELECT_IN }
        if events & EpollSet.writable != 0 { action |= CURL_CSELECT_OUT }
        if events & EpollSet.failed != 0 { action |= CURL_CSELECT_ERR }
        return (Int32(socket), action)
    }

    /// Notes the events for which libcurl waits at a socket; see CURLMOPT_SOCKETFUNCTION(3).
    ///
    /// - Returns: false if that cannot be done.
    func watch(_ socket: Int32, for wanted: Int32) -> Bool {
        guard socket >= 0 else { return false }
        while turns.count <= Int(socket) {
            turns.append(0)
            masks.append(0)
        }
        let isWatched = turns[Int(socket)] & 1 != 0
        guard wanted != CURL_POLL_REMOVE else {
            forget(socket)
            guard isWatched else { return true }
            turns[Int(socket)] &+= 1
            do throws(Errno) {
                try epoll.remove(socket)
            } catch {
                // A socket that was closed before is no longer in the set.
                return error == .noEntry || error == .badDescriptor
            }
            return true
        }
        var mask: UInt32 = 0
        if wanted & CURL_POLL_IN != 0 { mask |= EpollSet.readable }
        if wanted & CURL_POLL_OUT != 0 { mask |= EpollSet.writable }
        masks[Int(socket)] = mask
        if !isWatched { turns[Int(socket)] &+= 1 }
        guard !leftOut.contains(socket) else { return true }
        do throws(Errno) {
            try isWatched ? change(socket, mask) : add(socket, mask)
            return true
        } catch {
            isBroken = true
            return false
        }
    }

    // MARK: - Pauses

    /// Stops reporting that a socket is ready, until ``release(_:)``, because its transfer was
    /// paused.
    ///
    /// libcurl 8.5 waits for the sockets of paused transfers, reads without bound, and drops the
    /// bytes when the connection ends; other versions stop waiting for the socket, and then this
    /// does nothing.
    func hold(_ socket: Int32) { held.insert(socket) }

    /// Reports a socket again, because its transfer continues.
    func release(_ socket: Int32) {
        held.remove(socket)
        guard leftOut.remove(socket) != nil else { return }
        do throws(Errno) {
            try add(socket, masks[Int(socket)])
        } catch {
            isBroken = true
        }
    }

    /// Forgets a socket, because its transfer is over or libcurl stopped waiting for it.
    func forget(_ socket: Int32) {
        guard !held.isEmpty else { return }
        held.remove(socket)
        leftOut.remove(socket)
    }

    /// Whether a ready socket is to be ignored; it would be ready at each turn.
    private func leavesOut(_ socket: Int32) -> Bool {
        guard !held.isEmpty, held.contains(socket) else { return false }
        do throws(Errno) {
            try epoll.remove(socket)
            leftOut.insert(socket)
        } catch {
            isBroken = true
        }
        return true
    }

    // MARK: - The timer

    /// Notes when libcurl wants to be called; see CURLMOPT_TIMERFUNCTION(3).
    ///
    /// - Parameter milliseconds: from now; negative for never.
    func setTimer(milliseconds: Int) {
        timer =
            milliseconds < 0
            ? .max : SystemClock.bootNanoseconds() + Int64(milliseconds) * 1_000_000
    }

    /// Clears the timer after it has fired; libcurl sets it anew.
    func clearTimer() { timer = .max }

    /// Notes that the state of libcurl's transfers is undefined.
    func giveUp() { isBroken = true }

    /// Closing a descriptor removes it from the set, and libcurl may open its number anew before it
    /// reports the old one's end: then the number is known here and not to the kernel, or the other
    /// way round.
    private func add(_ socket: Int32, _ mask: UInt32) throws(Errno) {
        do throws(Errno) {
            try epoll.add(socket, events: mask, token: token(socket))
        } catch {
            guard error == .exists else { throw error }
            try epoll.change(socket, events: mask, token: token(socket))
        }
    }

    private func change(_ socket: Int32, _ mask: UInt32) throws(Errno) {
        do throws(Errno) {
            try epoll.change(socket, events: mask, token: token(socket))
        } catch {
            guard error == .noEntry else { throw error }
            turns[Int(socket)] &+= 2
            try epoll.add(socket, events: mask, token: token(socket))
        }
    }

    private func token(_ socket: Int32) -> UInt64 {
        UInt64(turns[Int(socket)]) << 32 | UInt64(UInt32(bitPattern: socket))
    }
}
