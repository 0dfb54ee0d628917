// Sending statements over libpq and reading their answers, without blocking past the deadline.
internal import CPostgres
internal import Glibc
internal import Platform

extension ConnectionHandle {
    /// Runs one or more statements by the simple protocol; see PQsendQuery.
    ///
    /// - Returns: the last answer or the first error; nil if the time was over before.
    func execute(_ sql: String) -> ResultHandle? {
        exchange { unsafe PQsendQuery(pointer, sql) }
    }

    /// Prepares a statement; see PQsendPrepare.
    ///
    /// - Returns: the answer; nil if the time was over before.
    func prepare(name: String, sql: String, types: [UInt32]) -> ResultHandle? {
        exchange { unsafe PQsendPrepare(pointer, name, sql, Int32(types.count), types) }
    }

    /// Runs a prepared statement with binary values and results; see PQsendQueryPrepared.
    ///
    /// - Returns: the answer; nil if the time was over before.
    func execute(prepared name: String, _ parameters: ParameterList) -> ResultHandle? {
        exchange { send(.execute(prepared: name, parameters)) ? 1 : 0 }
    }

    /// Runs a statement once with binary values and results; see PQsendQueryParams.
    ///
    /// - Returns: the answer; nil if the time was over before.
    func execute(_ sql: String, _ parameters: ParameterList) -> ResultHandle? {
        exchange { send(.executeOnce(sql, parameters)) ? 1 : 0 }
    }

    /// A step of a pipeline.
    enum Step {
        /// Prepare a statement; see PQsendPrepare.
        case prepare(name: String, sql: String, types: [UInt32])
        /// Run a prepared statement; see PQsendQueryPrepared.
        case execute(prepared: String, ParameterList)
        /// Run a statement once; see PQsendQueryParams.
        case executeOnce(String, ParameterList)
    }

    /// The end of a pipeline.
    enum PipelineEnd {
        /// Every answer has come.
        case complete
        /// libpq failed; the connection cannot be used any more.
        case broken
        /// The deadline passed; the connection cannot be used any more.
        case late
    }

    /// Sends all steps before it reads the first answer; see chapter 34.5 of the manual.
    ///
    /// - Parameters:
    ///   - steps: one implicit transaction, unless one is open.
    ///   - receive: takes the answer of each step, in order.
    /// - Returns: how it ended.
    func pipeline(
        _ steps: [Step], receive: (Int, consuming ResultHandle) -> Void
    ) -> PipelineEnd {
        let deadline = CallDeadline(milliseconds: timeoutMilliseconds)
        guard unsafe PQenterPipelineMode(pointer) == 1 else { return .broken }
        for step in steps {
            guard send(step) else { return .broken }
        }
        guard unsafe PQpipelineSync(pointer) == 1 else { return .broken }
        guard flush(until: deadline) else { return .late }
        for index in steps.indices {
            guard waitForAnswer(until: deadline) else { return .late }
            let answer = unsafe PQgetResult(pointer)
            guard unsafe answer != nil else { return .broken }
            unsafe receive(index, ResultHandle(owning: answer))
            // Every answer is followed by a null result.
            guard waitForAnswer(until: deadline) else { return .late }
            guard unsafe PQgetResult(pointer) == nil else { return .broken }
        }
        guard waitForAnswer(until: deadline) else { return .late }
        let end = unsafe PQgetResult(pointer)
        defer { unsafe PQclear(end) }
        let isComplete =
            unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC && PQexitPipelineMode(pointer) == 1
        return isComplete ? .complete : .broken
    }

    private func send(_ step: Step) -> Bool {
        switch step {
        case .prepare(let name, let sql, let types):
            return unsafe PQsendPrepare(pointer, name, sql, Int32(types.count), types) == 1
        case .execute(let name, let parameters):
            return unsafe parameters.withPointers { count, values, lengths, formats in
                unsafe PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1)
            } == 1
        case .executeOnce(let sql, let parameters):
            return unsafe parameters.withPointers { count, values, lengths, formats in
                unsafe PQsendQueryParams(
                    pointer, sql, count, parameters.types, values, lengths, formats, 1)
            } == 1
        }
    }

    /// Sends a statement, then reads all its answers.
    ///
    /// - Returns: the last of them or the first error; nil if the time was over before.
    private func exchange(_ send: () -> Int32) -> ResultHandle? {
        let deadline = CallDeadline(milliseconds: timeoutMilliseconds)
        guard send() == 1 else { return unsafe ResultHandle(owning: nil) }
        guard flush(until: deadline) else { return nil }
        var kept: OpaquePointer?
        while true {
            guard waitForAnswer(until: deadline) else {
                unsafe PQclear(kept)
                return nil
            }
            guard let answer = unsafe PQgetResult(pointer) else { break }
            // The message that the server sent before it ended the session is the better reason.
            if let first = unsafe kept, unsafe PQresultStatus(first) == PGRES_FATAL_ERROR {
                unsafe PQclear(answer)
                continue
            }
            unsafe PQclear(kept)
            unsafe kept = answer
            // COPY is not supported, and libpq would report it without end.
            let status = unsafe PQresultStatus(answer)
            guard ![PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(status) else { break }
        }
        return unsafe ResultHandle(owning: kept)
    }

    /// Sends the buffered bytes and reads meanwhile, so that neither side waits for the other.
    ///
    /// - Returns: false if the time was over before. A lost connection counts as sent: what reads
    ///   the answer finds it.
    private func flush(until deadline: CallDeadline) -> Bool {
        while unsafe PQflush(pointer) == 1 {
            guard let ready = wait(for: POLLIN | POLLOUT, until: deadline) else { return false }
            guard ready & Int16(POLLIN) != 0 else { continue }
            guard unsafe PQconsumeInput(pointer) == 1 else { return true }
        }
        return true
    }

    /// Waits until PQgetResult would not block.
    ///
    /// - Returns: false if the time was over before.
    private func waitForAnswer(until deadline: CallDeadline) -> Bool {
        while unsafe PQisBusy(pointer) == 1 {
            guard wait(for: POLLIN, until: deadline) != nil else { return false }
            // PQgetResult reports the lost connection.
            guard unsafe PQconsumeInput(pointer) == 1 else { return true }
        }
        return true
    }

    /// Waits for the socket, until the deadline at most.
    ///
    /// - Returns: what it is ready for, empty after a part of the time; nil at the deadline.
    private func wait(for events: Int32, until deadline: CallDeadline) -> Int16? {
        // OpenSSL may hold a decrypted TLS record while the socket is silent, which libpq 15 does
        // not notice: so input is tried now and then.
        let slice: Int32 = unsafe PQsslInUse(pointer) == 1 ? 10 : 1000
        guard let pause = deadline.milliseconds(atMost: slice) else { return nil }
        var watched = unsafe pollfd(fd: PQsocket(pointer), events: Int16(events), revents: 0)
        _ = unsafe poll(&watched, 1, pause)
        return unsafe PQsslInUse(pointer) == 1 ? watched.revents | Int16(POLLIN) : watched.revents
    }

    /// Returns the `connect_timeout` of one address: that of the URL, if it is within the bound.
    static func connectTimeoutSeconds(in url: String, atMost bound: Int) -> Int {
        guard let options = unsafe PQconninfoParse(url, nil) else { return bound }
        defer { unsafe PQconninfoFree(options) }
        var next = unsafe options
        while let keyword = unsafe next.pointee.keyword {
            if unsafe String(cString: keyword) == "connect_timeout",
                let text = unsafe next.pointee.val,
                let seconds = unsafe Int(String(cString: text)), seconds > 0
            {
                return bound > 0 ? min(bound, seconds) : seconds
            }
            unsafe next += 1
        }
        return bound
    }
}

/// The time by which a call has to be over, by the boot clock: time in which the machine slept
/// counts.
private struct CallDeadline {
    private let end: Int64?

    /// - Parameter milliseconds: from now; 0 for no end.
    init(milliseconds: Int) {
        end =
            milliseconds > 0
            ? SystemClock.bootNanoseconds() + Int64(milliseconds) * 1_000_000 : nil
    }

    /// The time left in milliseconds, for poll(2); nil if none is left.
    func milliseconds(atMost slice: Int32) -> Int32? {
        guard let end else { return slice }
        let left = end - SystemClock.bootNanoseconds()
        return left > 0 ? Int32(clamping: min(Int64(slice), left / 1_000_000 + 1)) : nil
    }
}

extension ParameterList {
    /// Calls a closure with the parameters in the layout of PQexecPrepared.
    @unsafe fileprivate func withPointers<Value>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?,
            UnsafePointer<Int32>?
        ) -> Value
    ) -> Value {
        let lengths = ranges.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: ranges.count)
        // An empty array has no address, and a null pointer would mean NULL.
        let filled = bytes.isEmpty ? [0] : bytes
        return unsafe filled.withUnsafeBytes { buffer -> Value in
            let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = unsafe ranges.map { range -> UnsafePointer<CChar>? in
                guard let range, let base = unsafe base else { return nil }
                return unsafe base + range.lowerBound
            }
            return unsafe body(Int32(ranges.count), values, lengths, formats)
        }
    }
}
