// One request in progress: a libcurl easy handle.
internal import Base
internal import CCurl
internal import Glibc

/// The owner of a `CURL`; see libcurl-easy(3).
@safe final class Exchange {
    /// A function that takes bytes of the body of a 2xx; false ends the exchange.
    @safe struct Sink {
        let take: (Reply, UnsafeRawBufferPointer) -> Bool
    }

    /// The most bytes of a body that is kept in memory.
    private static let bodyAtMost = 64 << 20
    /// The silence in seconds after which a connection counts as lost; the service sends something
    /// every fifteen seconds.
    private static let silenceSeconds = 90

    /// The most bytes of a file that are sent without a word of the service.
    private static let unaskedAtMost: Int64 = 1 << 20

    /// The handle, for the multi handle only.
    let raw: UnsafeMutableRawPointer
    /// The part of the answer that has arrived.
    private(set) var reply = Reply()
    /// The result code of libcurl; nil before the end.
    var result: CURLcode?
    /// Whether the sink refused bytes.
    private(set) var isRefused = false
    private let words: UnsafeMutablePointer<CChar>
    private var lines: UnsafeMutablePointer<curl_slist>?
    private let sink: Sink?
    private let file: FileRange?
    /// The bytes of the file that libcurl has read.
    private(set) var given: Int64 = 0

    /// Creates a request that is ready to send.
    ///
    /// - Throws: `ClientFailure` when there is no memory.
    init(
        _ request: Request, to settings: ClientSettings, sink: Sink?
    ) throws(ClientFailure) {
        guard let raw = unsafe curl_easy_init() else {
            throw ClientFailure("there is no memory for a request")
        }
        unsafe self.raw = unsafe raw
        unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe words.initialize(to: 0)
        self.sink = sink
        file = request.file
        configure(settings, request)
        addHeaders(request, key: settings.key)
        installCallbacks()
    }

    /// Whether the answer has arrived as a whole.
    var isComplete: Bool { result == CURLE_OK }

    /// libcurl's message; empty for none.
    var errorText: String { unsafe String(cString: words) }

    private func configure(_ settings: ClientSettings, _ request: Request) {
        unsafe set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(words))
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_URL, settings.server.base + request.target)
        // An empty text means no proxy, whatever http_proxy and all_proxy say: they are meant for
        // other servers, and the proxy's operator could read the key.
        set(CURLOPT_PROXY, "")
        if let socket = settings.server.socket { set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        for (option, value) in [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_HTTP09_ALLOWED, 0),
            // CURL_NETRC_IGNORED is an enumeration in older headers and a number in newer ones.
            (CURLOPT_NETRC, 0), (CURLOPT_CONNECTTIMEOUT, 10),
            (CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, Exchange.silenceSeconds),
            (CURLOPT_TCP_KEEPALIVE, 1), (CURLOPT_BUFFERSIZE, 262_144), (CURLOPT_PATH_AS_IS, 1),
        ] { set(option, value) }
        if let timeout = request.timeout {
            set(CURLOPT_TIMEOUT_MS, Int(max(1, timeout.wholeMilliseconds)))
        }
        switch (request.method, request.file) {
        case ("GET", _): return
        case ("HEAD", _): set(CURLOPT_NOBODY, 1)
        case (_, let file?):
            set(CURLOPT_UPLOAD, 1)
            let sized = unsafe lull_set_offset(
                raw, CURLOPT_INFILESIZE_LARGE, curl_off_t(file.length))
            precondition(sized == CURLE_OK, "a size is always taken")
            set(CURLOPT_CUSTOMREQUEST, request.method)
        default:
            setBody(request.body?.serialized() ?? [])
            set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    private func addHeaders(_ request: Request, key: String?) {
        var fields = request.headers.map { "\($0.name): \($0.value)" }
        // A refusal comes before the bytes of a large file.
        let isLarge = (request.file?.length ?? 0) > Exchange.unaskedAtMost
        fields += ["User-Agent: lull-client", isLarge ? "Expect: 100-continue" : "Expect:"]
        if let key { fields.append("Authorization: Bearer \(key)") }
        if request.method != "GET", request.method != "HEAD", request.file == nil {
            let patch = request.method == "PATCH" ? "merge-patch+json" : "json"
            // A field without a value removes libcurl's own field.
            fields.append(
                request.body == nil ? "Content-Type:" : "Content-Type: application/\(patch)")
        }
        for field in fields {
            let longer = unsafe curl_slist_append(lines, field)
            precondition(unsafe longer != nil, "out of memory")
            unsafe lines = unsafe longer
        }
        let listed = unsafe lull_set_list(raw, CURLOPT_HTTPHEADER, lines)
        precondition(listed == CURLE_OK, "a list is always taken")
    }

    private func installCallbacks() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let results = [
            unsafe lull_set_data_callback(raw, CURLOPT_WRITEFUNCTION, tookBody),
            unsafe lull_set_pointer(raw, CURLOPT_WRITEDATA, context),
            unsafe lull_set_data_callback(raw, CURLOPT_HEADERFUNCTION, tookHeader),
            unsafe lull_set_pointer(raw, CURLOPT_HEADERDATA, context),
            unsafe lull_set_data_callback(raw, CURLOPT_READFUNCTION, wantedBody),
            unsafe lull_set_pointer(raw, CURLOPT_READDATA, context),
            unsafe lull_set_seek(raw, soughtBody),
            unsafe lull_set_pointer(raw, CURLOPT_SEEKDATA, context),
        ]
        precondition(results.allSatisfy { $0 == CURLE_OK }, "this libcurl knows the callbacks")
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

    private func set(_ option: CURLoption, _ value: Int) {
        let set = unsafe lull_set_long(raw, option, value)
        precondition(set == CURLE_OK, "this libcurl knows the option")
    }

    private func set(_ option: CURLoption, _ value: String) {
        let set = unsafe value.withCString { unsafe lull_set_text(raw, option, $0) }
        precondition(set == CURLE_OK, "this libcurl knows the option and has memory for it")
    }

    private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
        let set = unsafe lull_set_pointer(raw, option, value)
        precondition(set == CURLE_OK, "this libcurl knows the option")
    }

    /// Takes a line of the head; after the head of an interim answer another head follows.
    fileprivate func take(headerLine bytes: UnsafeRawBufferPointer) {
        var line = unsafe String(decoding: bytes, as: UTF8.self)
        while line.hasSuffix("\r\n") || line.hasSuffix("\n") || line.hasSuffix("\r") {
            line.removeLast()
        }
        if line.hasPrefix("HTTP/") {
            let words = line.split(separator: " ")
            reply = Reply(status: words.count > 1 ? Int(words[1]) ?? 0 : 0)
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            reply.headers.append((line[..<colon].lowercased(), String(value)))
        }
    }

    /// Takes bytes of the body; returns false to end the exchange.
    fileprivate func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        if let sink, (200..<300).contains(reply.status) {
            isRefused = unsafe !sink.take(reply, bytes)
            return !isRefused
        }
        guard reply.body.count + bytes.count <= Exchange.bodyAtMost else { return false }
        unsafe reply.body.append(contentsOf: bytes)
        return true
    }

    /// Reads the next bytes of the file; nil if that fails.
    fileprivate func fill(_ room: UnsafeMutableRawBufferPointer) -> Int? {
        guard let file else { return 0 }
        guard let count = unsafe file.read(into: room, from: given) else { return nil }
        given += Int64(count)
        return count
    }

    /// Makes a byte of the file the next one, because the body is sent once more.
    fileprivate func seek(to place: Int64) { given = place }

    deinit {
        unsafe curl_easy_cleanup(raw)
        unsafe curl_slist_free_all(lines)
        unsafe words.deallocate()
    }
}

/// The callback of CURLOPT_WRITEFUNCTION(3).
private func tookBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe exchange.take(body: part) ? size * count : 0
}

/// The callback of CURLOPT_HEADERFUNCTION(3).
private func tookHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    unsafe exchange.take(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

/// The callback of CURLOPT_READFUNCTION(3).
private func wantedBody(
    _ room: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context, let room = unsafe room else { return 0 }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    let part = unsafe UnsafeMutableRawBufferPointer(start: room, count: size * count)
    return unsafe exchange.fill(part) ?? Int(CURL_READFUNC_ABORT)
}

/// The callback of CURLOPT_SEEKFUNCTION(3).
private func soughtBody(
    _ context: UnsafeMutableRawPointer?, _ place: curl_off_t, _ origin: Int32
) -> Int32 {
    guard let context = unsafe context, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
    unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().seek(to: Int64(place))
    return CURL_SEEKFUNC_OK
}
