// One mail in progress: a libcurl easy handle.
internal import Base
internal import CCurl
internal import Downloads

/// The owner of a `CURL` that sends one mail; see libcurl-easy(3).
@safe final class MailHandle {
    private let raw: UnsafeMutableRawPointer
    /// The buffer for libcurl's error messages.
    private let words: UnsafeMutablePointer<CChar>
    private let receivers: HeaderList
    private let bytes: [UInt8]
    /// The number of bytes that libcurl has read.
    private var given = 0

    /// Creates a mail that is ready to send.
    ///
    /// - Returns: nil when libcurl is out of memory.
    init?(_ mail: MailMessage, to server: MailServer, certificateFile: String?) {
        guard lull_global_init() == CURLE_OK, let raw = unsafe curl_easy_init() else { return nil }
        unsafe self.raw = unsafe raw
        unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe words.initialize(to: 0)
        receivers = HeaderList([FieldValue("<\(mail.to.text)>")])
        bytes = mail.bytes
        unsafe set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(words))
        set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        set(CURLOPT_URL, server.url)
        set(CURLOPT_MAIL_FROM, "<\(mail.from.text)>")
        let listed = unsafe lull_set_list(raw, CURLOPT_MAIL_RCPT, receivers.raw)
        precondition(listed == CURLE_OK, "a list is always taken")
        if let user = server.user, let password = server.password {
            set(CURLOPT_USERNAME, user)
            set(CURLOPT_PASSWORD, password)
        }
        let tls = server.needsTLS ? CURLUSESSL_ALL : CURLUSESSL_TRY
        set(CURLOPT_USE_SSL, Int(tls.rawValue))
        if let certificateFile {
            set(CURLOPT_CAINFO, certificateFile)
            // The system's directory of authorities is not trusted beside the file.
            set(CURLOPT_CAPATH, "/nonexistent")
        }
        // An empty text means no proxy, whatever the environment says.
        set(CURLOPT_PROXY, "")
        for (option, value) in [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_UPLOAD, 1), (CURLOPT_NETRC, 0),
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        ] { set(option, value) }
        let sized = unsafe lull_set_offset(
            raw, CURLOPT_INFILESIZE_LARGE, curl_off_t(bytes.count))
        precondition(sized == CURLE_OK, "a size is always taken")
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let read = [
            unsafe lull_set_data_callback(raw, CURLOPT_READFUNCTION, wantedMail),
            unsafe lull_set_pointer(raw, CURLOPT_READDATA, context),
            // Answers to commands are not the content of anything.
            unsafe lull_set_data_callback(raw, CURLOPT_WRITEFUNCTION, droppedAnswer),
        ]
        precondition(read.allSatisfy { $0 == CURLE_OK }, "this libcurl knows the callbacks")
    }

    /// Sends the mail; blocks until its end.
    func perform(timeout: Duration) -> MailResult {
        let milliseconds = Int(clamping: max(1, timeout.wholeMilliseconds))
        set(CURLOPT_TIMEOUT_MS, milliseconds)
        set(CURLOPT_CONNECTTIMEOUT_MS, min(5_000, milliseconds))
        let result = unsafe curl_easy_perform(raw)
        guard result != CURLE_OK else { return .sent }
        var code = 0
        let found = unsafe lull_get_long(raw, CURLINFO_RESPONSE_CODE, &code)
        if found == CURLE_OK, (400...599).contains(code) { return .refused(code) }
        let text = unsafe String(cString: words)
        return .unreached(text.isEmpty ? "libcurl's code \(result.rawValue)" : text)
    }

    /// Copies the next bytes of the message; 0 at its end.
    fileprivate func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, bytes.count - given)
        unsafe room.copyBytes(from: bytes[given..<(given + count)])
        given += count
        return count
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

    deinit {
        unsafe curl_easy_cleanup(raw)
        unsafe words.deallocate()
    }
}

/// The callback of CURLOPT_READFUNCTION(3).
private func wantedMail(
    _ room: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context, let room = unsafe room else { return 0 }
    let handle = unsafe Unmanaged<MailHandle>.fromOpaque(context).takeUnretainedValue()
    return unsafe handle.fill(UnsafeMutableRawBufferPointer(start: room, count: size * count))
}

/// The callback of CURLOPT_WRITEFUNCTION(3).
private func droppedAnswer(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int { size * count }
