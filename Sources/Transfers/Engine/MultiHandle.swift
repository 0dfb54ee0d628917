// One libcurl multi handle and its connections.
internal import CCurl
internal import Platform

/// Owner of a `CURLM`; see libcurl-multi(3).
// Safe because it has one owner, which cannot be copied, and libcurl's handles keep to no thread.
@safe struct MultiHandle: ~Copyable, @unchecked Sendable {
    private let raw: UnsafeMutableRawPointer
    /// The sockets and the timer that it waits for.
    let sockets: SocketSet
    private let connections = ConnectionByteCounter()

    /// Initializes libcurl if it is the first handle, and creates the handle.
    ///
    /// - Parameter waker: an eventfd(2) that ends a wait.
    /// - Throws: `TransferError` when libcurl or the kernel has no room.
    init(waker: Int32) throws(TransferError) {
        let started = lull_global_init()
        guard started == CURLE_OK else {
            throw TransferError(description: "curl_global_init: \(started.rawValue)")
        }
        let sockets: SocketSet
        do throws(Errno) {
            sockets = try SocketSet(waker: waker)
        } catch {
            throw TransferError(description: "epoll: \(error.description)")
        }
        guard let raw = unsafe curl_multi_init() else {
            throw TransferError(description: "curl_multi_init: out of memory")
        }
        let cache = TransferLimits.connectionsMax
        let context = unsafe Unmanaged.passUnretained(sockets).toOpaque()
        let results = [
            unsafe lull_multi_set_long(raw, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING)),
            unsafe lull_multi_set_long(raw, CURLMOPT_MAXCONNECTS, cache),
            unsafe lull_multi_set_socket_callback(raw, watchesSocket, context),
            unsafe lull_multi_set_timer_callback(raw, setsTimer, context),
        ]
        precondition(results.allSatisfy { $0 == CURLM_OK }, "this libcurl knows the options")
        unsafe self.raw = unsafe raw
        self.sockets = sockets
    }

    /// Whether the state of all transfers is undefined, so that a new handle is needed.
    var isBroken: Bool { sockets.isBroken }

    /// Starts driving a transfer; curl_multi_add_handle(3).
    ///
    /// - Returns: false when libcurl is out of memory or broken.
    func add(_ easy: EasyHandle) -> Bool {
        easy.sockets = sockets
        easy.connections = connections
        return unsafe !isBroken && curl_multi_add_handle(raw, easy.raw) == CURLM_OK
    }

    /// Stops driving a transfer, whether it is over or not; curl_multi_remove_handle(3).
    func remove(_ easy: EasyHandle) {
        let removed = unsafe curl_multi_remove_handle(raw, easy.raw)
        precondition(removed == CURLM_OK || isBroken, "a handle is removed once, outside callbacks")
        sockets.forget(easy.socket)
        easy.sockets = nil
        easy.connections = nil
    }

    /// Advances the transfers that were ready at the last wait, and those that are due by libcurl's
    /// timer; curl_multi_socket_action(3).
    ///
    /// - Parameters:
    ///   - count: how many events the wait found.
    ///   - now: nanoseconds since boot.
    /// - Returns: how many sockets and timers there were to act upon.
    func act(on count: Int, now: Int64) -> Int {
        var actions = 0
        for place in 0..<count {
            // Read at this point, because an earlier event may have closed this one's connection.
            guard let event = sockets.event(at: place) else { continue }
            act(on: event.socket, event.action)
            actions += 1
        }
        if now >= sockets.timer {
            sockets.clearTimer()
            act(on: CURL_SOCKET_BAD, 0)
            actions += 1
        }
        return actions
    }

    private func act(on socket: curl_socket_t, _ action: Int32) {
        var running: Int32 = 0
        let result = unsafe curl_multi_socket_action(raw, socket, action, &running)
        if result != CURLM_OK { sockets.giveUp() }
    }

    /// The next finished transfer and its result code; curl_multi_info_read(3).
    func nextFinished() -> (EasyHandle, CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(raw, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE,
                let easy = unsafe EasyHandle.owner(of: message.pointee.easy_handle)
            else { continue }
            return (easy, unsafe lull_message_result(message))
        }
        return nil
    }

    deinit {
        // The error cannot be handled: all transfers were removed before.
        _ = unsafe curl_multi_cleanup(raw)
    }
}

/// CURLMOPT_SOCKETFUNCTION(3); a result of -1 ends all transfers.
private func watchesSocket(
    _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ wanted: Int32,
    _ context: UnsafeMutableRawPointer?, _ own: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    let sockets = unsafe Unmanaged<SocketSet>.fromOpaque(context).takeUnretainedValue()
    if wanted != CURL_POLL_REMOVE { unsafe EasyHandle.owner(of: easy)?.socket = socket }
    return sockets.watch(socket, for: wanted) ? 0 : -1
}

/// CURLMOPT_TIMERFUNCTION(3).
private func setsTimer(
    _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    let sockets = unsafe Unmanaged<SocketSet>.fromOpaque(context).takeUnretainedValue()
    sockets.setTimer(milliseconds: milliseconds)
    return 0
}
