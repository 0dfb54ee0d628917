// libcurl's callbacks: each uses one transfer and returns at once.
internal import Base
internal import CCurl
internal import CPlatform
internal import Downloads
internal import Glibc
internal import Platform

extension EasyHandle {
    /// Installs the callbacks; their context is this handle, which outlives its transfer.
    func installCallbacks() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let results = [
            unsafe lull_set_data_callback(raw, CURLOPT_WRITEFUNCTION, receivedBody),
            unsafe lull_set_pointer(raw, CURLOPT_WRITEDATA, context),
            unsafe lull_set_data_callback(raw, CURLOPT_HEADERFUNCTION, receivedHeader),
            unsafe lull_set_pointer(raw, CURLOPT_HEADERDATA, context),
            unsafe lull_set_opensocket(raw, openSocket),
            unsafe lull_set_pointer(raw, CURLOPT_OPENSOCKETDATA, context),
            unsafe lull_set_prereq(raw, isAboutToSend),
            unsafe lull_set_pointer(raw, CURLOPT_PREREQDATA, context),
            unsafe lull_set_debug(raw, said),
            unsafe lull_set_pointer(raw, CURLOPT_DEBUGDATA, context),
        ]
        precondition(results.allSatisfy { $0 == CURLE_OK }, "this libcurl knows the callbacks")
    }

    /// Installs the callbacks for a body that is read while it is sent.
    func installSourceCallbacks() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let results = [
            unsafe lull_set_data_callback(raw, CURLOPT_READFUNCTION, readsBody),
            unsafe lull_set_pointer(raw, CURLOPT_READDATA, context),
            unsafe lull_set_seek(raw, rewindsBody),
            unsafe lull_set_pointer(raw, CURLOPT_SEEKDATA, context),
        ]
        precondition(results.allSatisfy { $0 == CURLE_OK }, "this libcurl knows the callbacks")
    }

    /// Judges the address that a socket is about to be connected to.
    fileprivate func allows(_ address: IPAddress, port: Int) -> Bool {
        guard let transfer else { return false }
        let proxy = transfer.request.proxy
        let judge = proxy == nil ? egress : proxyEgress ?? egress
        let host = proxy?.url.host ?? transfer.hop.url.host
        let verdict = judge.judge(address, port: port, host: host)
        guard case .denied(let reason) = verdict else { return true }
        transfer.fail(.destinationNotAllowed, detail: reason.rawValue)
        return false
    }

    var isSecure: Bool { transfer?.hop.url.scheme == .https }

    /// Whether the connection that libcurl chose may carry the request.
    fileprivate func mayUse(_ connection: ConnectionByteCounter.Ends) -> Bool {
        ends = connection
        let isClean = connections?.mayCarry(connection, isSecure: isSecure, by: self) ?? true
        let hasUnread = unsafe isSecure && lull_has_unread_tls(raw) != 0
        isStale = !isClean || hasUnread
        return !isStale
    }

    /// Counts the bytes of a piece of the body.
    fileprivate func take(_ bytes: Int) {
        received += UInt64(bytes)
        if transfer?.hasStrayBytes == true { set(CURLOPT_FORBID_REUSE, 1) }
    }

    /// Counts the bytes of a line of the head.
    ///
    /// Behind an answer without a body libcurl drops the rest of a received piece and keeps the
    /// connection. Plain bytes are counted; for encrypted ones there is only a message of libcurl.
    fileprivate func take(head bytes: Int) {
        received += UInt64(bytes)
        if isSecure, transfer?.hasEmptyAnswer == true { set(CURLOPT_VERBOSE, 1) }
    }

    /// Takes a message of libcurl.
    fileprivate func hear(_ text: UnsafeRawBufferPointer) {
        if unsafe text.starts(with: "Excess found".utf8) { set(CURLOPT_FORBID_REUSE, 1) }
        if unsafe saysThatSendingFailed(text) { readRest() }
    }
}

/// CURLOPT_DEBUGFUNCTION(3).
private func said(
    _ raw: UnsafeMutableRawPointer?, _ kind: curl_infotype, _ text: UnsafeMutablePointer<CChar>?,
    _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard kind == CURLINFO_TEXT, let text = unsafe text else { return 0 }
    unsafe handle(context)?.hear(UnsafeRawBufferPointer(start: text, count: count))
    return 0
}

/// The handle behind a callback's context.
private func handle(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
}

/// CURLOPT_WRITEFUNCTION(3).
private func receivedBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let handle = unsafe handle(context)
    switch unsafe handle?.transfer?.receive(bytes) ?? .abort {
    case .taken:
        handle?.take(bytes.count)
        return bytes.count
    case .pause:
        if let handle { handle.sockets?.hold(handle.socket) }
        return Int(CURL_WRITEFUNC_PAUSE)
    case .abort: return Int(CURL_WRITEFUNC_ERROR)
    }
}

/// CURLOPT_HEADERFUNCTION(3): one whole line at a time.
private func receivedHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let handle = unsafe handle(context)
    let isTaken = unsafe handle?.transfer?.receive(header: line) ?? false
    handle?.take(head: line.count)
    return isTaken ? line.count : Int(CURL_WRITEFUNC_ERROR)
}

/// CURLOPT_READFUNCTION(3).
private func readsBody(
    _ room: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let room = unsafe UnsafeMutableRawBufferPointer(start: room, count: size * count)
    switch unsafe handle(context)?.transfer?.supply(room) ?? .abort {
    case .bytes(let count): return count
    case .pause: return Int(CURL_READFUNC_PAUSE)
    case .end: return 0
    case .abort: return Int(CURL_READFUNC_ABORT)
    }
}

/// CURLOPT_SEEKFUNCTION(3): libcurl only seeks to the beginning.
private func rewindsBody(
    _ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32
) -> Int32 {
    guard offset == 0, unsafe handle(context)?.transfer?.rewind() == true else {
        return CURL_SEEKFUNC_FAIL
    }
    return CURL_SEEKFUNC_OK
}

/// CURLOPT_OPENSOCKETFUNCTION(3): the last check of the raw address before the kernel uses it.
private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard purpose == CURLSOCKTYPE_IPCXN, let address = unsafe address,
        unsafe address.pointee.socktype == lull_stream_socket,
        let handle = unsafe handle(context),
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr),
        let target = unsafe SocketAddress.read(
            UnsafeRawPointer(address) + offset, length: address.pointee.addrlen),
        handle.allows(target.address, port: target.port)
    else { return CURL_SOCKET_BAD }
    let kind = unsafe address.pointee.socktype | lull_close_on_exec
    let made = unsafe socket(address.pointee.family, kind, address.pointee.protocol)
    let trouble = Errno.current
    if made < 0, trouble == .tooManyFiles || trouble == .tooManyFilesInSystem {
        // Without this libcurl would report that the host cannot be reached.
        handle.transfer?.fail(.resourceUnavailable, detail: "socket: \(trouble)")
    }
    if made >= 0 {
        handle.connections?.open(made)
        if handle.transfer?.hop.source != nil {
            lull_limit_unsent_bytes(made, TransferLimits.unsentBytesMax)
        }
    }
    return made
}

/// The address that libcurl gives as a text.
private func address(_ text: UnsafePointer<CChar>) -> IPAddress? {
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
    let units = unsafe bytes.assumingMemoryBound(to: UInt8.self)
    return unsafe IPAddress(dottedQuad: units.span) ?? IPAddress(String(cString: text))
}

/// CURLOPT_PREREQFUNCTION(3): also called when a kept connection is used again.
private func isAboutToSend(
    _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?,
    _ local: UnsafeMutablePointer<CChar>?, _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
    guard let handle = unsafe handle(context), let remote = unsafe remote,
        let local = unsafe local,
        let other = unsafe address(remote), let own = unsafe address(local),
        handle.allows(other, port: Int(remotePort)),
        handle.mayUse(
            ConnectionByteCounter.Ends(
                local: own, localPort: Int(localPort), remote: other,
                remotePort: Int(remotePort))),
        handle.transfer?.connected() == true
    else { return CURL_PREREQFUNC_ABORT }
    return CURL_PREREQFUNC_OK
}
