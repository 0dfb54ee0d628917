// A libcurl easy handle, created for one hop.
internal import Base
internal import CCurl
internal import CPlatform

/// Owner of a `CURL`, touched only on the engine's thread; see libcurl-easy(3).
///
/// Never reused: libcurl 7.88 keeps a pointer to the last header of the previous transfer, which is
/// freed, and follows it when an answer begins with a folded line. Connections belong to the multi
/// handle and outlive it.
@safe final class EasyHandle {
    /// The handle, for the multi handle only.
    let raw: UnsafeMutableRawPointer
    /// The guard for addresses of sockets.
    let egress: EgressGuard
    /// The guard for addresses of proxies; nil for no proxies.
    let proxyEgress: EgressGuard?
    /// The transfer of the callbacks; nil before and after it.
    var transfer: Transfer?
    /// The set that watches its connection; nil before and after the transfer.
    var sockets: SocketSet?
    /// The counter of the kept connections; nil before and after the transfer.
    var connections: ConnectionByteCounter?
    /// The connection of the request; nil before it is chosen.
    var ends: ConnectionByteCounter.Ends?
    /// Bytes of the answer so far, with its head.
    var received: UInt64 = 0
    /// Whether unexpected bytes came before on the connection that was chosen for the request.
    var isStale = false
    /// The connection's socket, the last one for which libcurl waited; -1 for none.
    var socket: Int32 = -1

    /// The buffer for libcurl's error messages; see CURLOPT_ERRORBUFFER(3).
    private let words: UnsafeMutablePointer<CChar>
    /// The bytes of the connection, as the kernel counts them: acknowledged ones since it was
    /// opened, and those that are not; nil without a connection.
    var sentBytes: (acknowledged: UInt64, outstanding: Int)? {
        let descriptor = ends.flatMap { connections?.socket(of: $0) } ?? socket
        var (acknowledged, outstanding): (UInt64, Int32) = (0, 0)
        guard descriptor >= 0,
            unsafe lull_sent_bytes(descriptor, &acknowledged, &outstanding) == 1
        else { return nil }
        return (acknowledged, Int(outstanding))
    }

    /// The bytes of the request's body that libcurl has written.
    var uploadedBytes: Int64 { number(CURLINFO_SIZE_UPLOAD_T) }

    private var headers: HeaderList?
    private var pins: HeaderList?

    /// Creates a handle with the options that all transfers share.
    ///
    /// - Returns: nil when libcurl is out of memory.
    init?(
        _ configuration: TransferEngine.Configuration, egress: EgressGuard,
        proxyEgress: EgressGuard?
    ) {
        guard let raw = unsafe curl_easy_init() else { return nil }
        unsafe self.raw = unsafe raw
        unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe words.initialize(to: 0)
        self.egress = egress
        self.proxyEgress = proxyEgress
        configure(configuration)
        installCallbacks()
    }

    /// The handle of a `CURL` pointer, by CURLINFO_PRIVATE(3).
    static func owner(of raw: UnsafeMutableRawPointer?) -> EasyHandle? {
        var pointer: UnsafeMutableRawPointer?
        guard let raw = unsafe raw,
            unsafe lull_get_pointer(raw, CURLINFO_PRIVATE, &pointer) == CURLE_OK,
            let pointer = unsafe pointer
        else { return nil }
        return unsafe Unmanaged<EasyHandle>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func configure(_ configuration: TransferEngine.Configuration) {
        unsafe set(CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque())
        unsafe set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(words))
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_USERAGENT, configuration.userAgent)
        set(CURLOPT_EXPECT_100_TIMEOUT_MS, configuration.consentMilliseconds)
        if let file = configuration.certificateFile {
            set(CURLOPT_CAINFO, file)
            trustNothingElse()
        }
        for (option, value) in Self.constants { set(option, value) }
        // Without this, any end of the connection would be an end of the body (RFC 9112 section
        // 9.8).
        let isStrict = unsafe lull_report_missing_close_notify(raw)
        precondition(isStrict == CURLE_OK, "this libcurl uses OpenSSL")
    }

    /// The options that are numbers.
    ///
    /// HTTP/1.1 only: this libcurl's HTTP/2 burns a core under rate limits. QUICK_EXIT: removing a
    /// handle never waits for a resolver thread. Nothing is decoded, followed or remembered by
    /// libcurl; see ``ChunkedBody``.
    private static let constants: [(CURLoption, Int)] =
        [
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_QUICK_EXIT, 1),
            (CURLOPT_FOLLOWLOCATION, 0),
            (CURLOPT_HTTP09_ALLOWED, 0),
            (CURLOPT_HTTP_TRANSFER_DECODING, 0),
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            (CURLOPT_PATH_AS_IS, 1),
            // CURL_NETRC_IGNORED, an enumeration in older headers and a number in newer ones.
            (CURLOPT_NETRC, 0),
            (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            (CURLOPT_TCP_KEEPALIVE, 1),
            (CURLOPT_TCP_NODELAY, 1),
            (CURLOPT_MAXAGE_CONN, 60),
            (CURLOPT_MAXLIFETIME_CONN, 300),
            (CURLOPT_FAILONERROR, 0),
            // With TLS requests are copied through this buffer, which is kept.
            (CURLOPT_UPLOAD_BUFFERSIZE, 16_384),
        ]

    /// Sets the options of this hop.
    ///
    /// - Parameters:
    ///   - hop: where to and how.
    ///   - headers: the lines, kept as long as the handle.
    ///   - pins: `host:port:addresses` entries for libcurl's name cache, or nil.
    func prepare(_ hop: Hop, headers: HeaderList, pins: HeaderList?) {
        set(CURLOPT_URL, hop.url.description)
        setMethod(hop)
        set(CURLOPT_BUFFERSIZE, hop.bufferBytes)
        set(CURLOPT_CONNECTTIMEOUT_MS, hop.connectMilliseconds)
        let listed = unsafe lull_set_list(raw, CURLOPT_HTTPHEADER, headers.raw)
        precondition(listed == CURLE_OK, "a list is always taken")
        // Each expired pin would make libcurl walk its whole name cache, which has literal
        // addresses, too. A pin is read right after it is made, and with an age of less than two
        // seconds it is always valid.
        set(CURLOPT_DNS_CACHE_TIMEOUT, pins == nil ? 0 : 2)
        if let pins {
            let pinned = unsafe lull_set_list(raw, CURLOPT_RESOLVE, pins.raw)
            precondition(pinned == CURLE_OK, "a list is always taken")
        }
        self.headers = headers
        self.pins = pins
    }

    /// Unpauses the transfer; may call the callbacks before it returns.
    ///
    /// - Returns: what the callbacks led to; curl_easy_pause(3).
    func unpause() -> CURLcode {
        sockets?.release(socket)
        return unsafe curl_easy_pause(raw, CURLPAUSE_CONT)
    }

    /// The measurements of libcurl: see `CURLINFO_*_TIME_T`.
    var measurements: (timings: TransferTimings, connections: Int, address: String) {
        var timings = TransferTimings()
        timings.connect = number(CURLINFO_CONNECT_TIME_T)
        timings.tls = number(CURLINFO_APPCONNECT_TIME_T)
        timings.firstByte = number(CURLINFO_STARTTRANSFER_TIME_T)
        var connections = 0
        _ = unsafe lull_get_long(raw, CURLINFO_NUM_CONNECTS, &connections)  // 0 on failure.
        var address: UnsafePointer<CChar>?
        let found = unsafe lull_get_text(raw, CURLINFO_PRIMARY_IP, &address)
        guard found == CURLE_OK, let address = unsafe address else {
            return (timings, connections, "")
        }
        return (timings, connections, unsafe String(cString: address))
    }

    private func number(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return unsafe lull_get_offset(raw, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    private func setMethod(_ hop: Hop) {
        switch (hop.method, hop.source) {
        case (.get, _): set(CURLOPT_HTTPGET, 1)
        case (.head, _):
            set(CURLOPT_HTTPGET, 1)
            set(CURLOPT_NOBODY, 1)
        case (.delete, _):
            set(CURLOPT_HTTPGET, 1)
            set(CURLOPT_CUSTOMREQUEST, "DELETE")
        case (_, let source?): setSource(source, hop.method)
        case (.post, _): setBody(hop.body ?? [])
        case (.put, _), (.patch, _):
            setBody(hop.body ?? [])
            set(CURLOPT_CUSTOMREQUEST, hop.method.rawValue)
        }
    }

    /// Sets a body that the callbacks read.
    private func setSource(_ source: TransferSource, _ method: TransferRequest.Method) {
        set(CURLOPT_UPLOAD, 1)
        if method != .put { set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
        let sized = unsafe lull_set_offset(
            raw, CURLOPT_INFILESIZE_LARGE, curl_off_t(source.length))
        precondition(sized == CURLE_OK, "a size is always taken")
        installSourceCallbacks()
        let room = min(max(source.length, 16_384), TransferLimits.sourceBytesMax)
        set(CURLOPT_UPLOAD_BUFFERSIZE, Int(room))
        // Only a message of libcurl tells at once that sending has failed.
        set(CURLOPT_VERBOSE, 1)
    }

    private func setBody(_ body: [UInt8]) {
        set(CURLOPT_POST, 1)
        let sized = unsafe lull_set_offset(
            raw, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        precondition(sized == CURLE_OK, "a size is always taken")
        // Without a pointer libcurl would read the body from standard input.
        let source = body.isEmpty ? [0] : body
        let copied = unsafe source.withUnsafeBytes { bytes in
            let base = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            return unsafe lull_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, base)
        }
        precondition(copied == CURLE_OK, "out of memory")
    }

    /// Excludes the system's directory of authorities, which would be trusted beside the given
    /// ones.
    func trustNothingElse() { set(CURLOPT_CAPATH, "/nonexistent") }

    func set(_ option: CURLoption, _ value: Int) {
        let set = unsafe lull_set_long(raw, option, value)
        precondition(set == CURLE_OK, "this libcurl knows the option")
    }

    func set(_ option: CURLoption, _ value: String) {
        let set = unsafe value.withCString { unsafe lull_set_text(raw, option, $0) }
        precondition(set == CURLE_OK, "this libcurl knows the option and has memory for it")
    }

    private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
        let set = unsafe lull_set_pointer(raw, option, value)
        precondition(set == CURLE_OK, "this libcurl knows the option")
    }

    /// libcurl's message about the transfer; empty for none.
    var errorText: String { unsafe String(cString: words) }

    deinit {
        unsafe curl_easy_cleanup(raw)
        unsafe words.deallocate()
    }
}
