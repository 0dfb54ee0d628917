// One libcurl multi handle and its connections.
internal import CCurl

/// Owner of a `CURLM`; see libcurl-multi(3).
// Safe because the pointer never changes, and the only call from other threads is
// curl_multi_wakeup(3), which is made for that.
@safe struct MultiHandle: ~Copyable, @unchecked Sendable {
    private let raw: UnsafeMutableRawPointer

    /// Starts libcurl when it is the first handle, and creates the handle.
    init() throws(TransferError) {
        let started = lull_global_init()
        guard started == CURLE_OK else {
            throw TransferError(description: "curl_global_init: \(started.rawValue)")
        }
        guard let raw = unsafe curl_multi_init() else {
            throw TransferError(description: "curl_multi_init: out of memory")
        }
        unsafe self.raw = unsafe raw
        let cache = TransferLimits.connectionsMax
        for (option, value) in [
            (CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING)), (CURLMOPT_MAXCONNECTS, cache),
        ] {
            let set = unsafe lull_multi_set_long(raw, option, value)
            precondition(set == CURLM_OK, "this libcurl knows the option")
        }
    }

    /// Starts driving a transfer; curl_multi_add_handle(3).
    ///
    /// - Returns: false when libcurl is out of memory.
    func add(_ easy: EasyHandle) -> Bool {
        unsafe curl_multi_add_handle(raw, easy.raw) == CURLM_OK
    }

    /// Stops driving a transfer, whether it is over or not; curl_multi_remove_handle(3).
    func remove(_ easy: EasyHandle) {
        let removed = unsafe curl_multi_remove_handle(raw, easy.raw)
        precondition(removed == CURLM_OK, "a handle is removed once, outside callbacks")
    }

    /// Moves every transfer on; curl_multi_perform(3).
    ///
    /// - Returns: false when the state of all transfers is undefined.
    func perform() -> Bool {
        var running: Int32 = 0
        return unsafe curl_multi_perform(raw, &running) == CURLM_OK
    }

    /// The next finished transfer and how libcurl judges it; curl_multi_info_read(3).
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

    /// Sleeps until a socket is ready, a timer of libcurl is due or ``wakeUp()``;
    /// curl_multi_poll(3).
    ///
    /// - Parameter milliseconds: the longest sleep, not negative.
    /// - Returns: false when polling failed.
    func poll(milliseconds: Int32) -> Bool {
        unsafe curl_multi_poll(raw, nil, 0, milliseconds, nil) == CURLM_OK
    }

    /// Ends the current or the next sleep, from any thread; curl_multi_wakeup(3).
    func wakeUp() {
        let woken = unsafe curl_multi_wakeup(raw)
        precondition(woken == CURLM_OK, "the handle lives as long as the loop")
    }

    deinit {
        // Nothing is left to do with an error: every transfer was removed before.
        _ = unsafe curl_multi_cleanup(raw)
    }
}
