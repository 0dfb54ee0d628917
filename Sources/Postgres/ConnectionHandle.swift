// One owner for one PGconn. All calls block; the owner sees to it that one happens at a time.
internal import CPostgres
internal import Glibc

/// A connection of libpq that is closed with its owner; see PQfinish.
@safe struct ConnectionHandle: ~Copyable {
    private let pointer: OpaquePointer

    /// Connects; see PQconnectdbParams.
    ///
    /// - Throws: `connectionFailed`.
    init(url: String, options: ConnectionOptions) throws(PostgresError) {
        // What stands before `dbname` can be changed by the URL; what stands after it cannot.
        let parameters: [(String, String)] = [
            ("connect_timeout", String(options.connectTimeoutSeconds)),
            ("fallback_application_name", options.applicationName),
            ("gssencmode", "disable"),
            ("keepalives", "1"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "4"), ("tcp_user_timeout", "30000"),
            ("dbname", url),
            ("client_encoding", "UTF8"),
        ]
        var keywords = unsafe parameters.map { unsafe strdup($0.0) }
        var values = unsafe parameters.map { unsafe strdup($0.1) }
        defer {
            unsafe (keywords + values).forEach { unsafe free($0) }
        }
        unsafe keywords.append(nil)
        unsafe values.append(nil)
        let constantKeywords = unsafe keywords.map { unsafe UnsafePointer($0) }
        let constantValues = unsafe values.map { unsafe UnsafePointer($0) }
        guard let opened = unsafe PQconnectdbParams(constantKeywords, constantValues, 1) else {
            throw PostgresError(.connectionFailed, "out of memory")
        }
        guard unsafe PQstatus(opened) == CONNECTION_OK else {
            let message = unsafe Self.message(of: opened)
            unsafe PQfinish(opened)
            throw PostgresError(.connectionFailed, message)
        }
        // Without a receiver libpq writes warnings to standard error.
        unsafe _ = PQsetNoticeReceiver(opened, { _, _ in }, nil)
        unsafe pointer = opened
    }

    deinit { unsafe PQfinish(pointer) }

    /// Whether the connection is lost; see PQstatus.
    var isBroken: Bool { unsafe PQstatus(pointer) != CONNECTION_OK }

    /// Whether no transaction is open; see PQtransactionStatus.
    var isIdle: Bool { unsafe PQtransactionStatus(pointer) == PQTRANS_IDLE }

    /// The server's process that serves this connection; see PQbackendPID.
    var backendPID: Int32 { unsafe PQbackendPID(pointer) }

    /// The numeric address and the port of the server, nil over a Unix socket; see PQhostaddr.
    var peer: (address: String, port: Int)? {
        guard let address = unsafe PQhostaddr(pointer), let port = unsafe PQport(pointer),
            unsafe address.pointee != 0, let number = unsafe Int(String(cString: port))
        else { return nil }
        return (unsafe String(cString: address), number)
    }

    /// The latest message of libpq, in one line; see PQerrorMessage.
    var message: String { unsafe Self.message(of: pointer) }

    /// Whether nothing speaks against sending: the server has not said good-bye.
    func isAlive() -> Bool {
        var watched = unsafe pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
        // A good-bye comes as a message and an end of file, so that a few turns see both.
        for _ in 0..<8 {
            guard !isBroken else { return false }
            watched.revents = 0
            guard unsafe poll(&watched, 1, 0) > 0 else { return true }
            guard unsafe PQconsumeInput(pointer) == 1 else { return false }
            _ = unsafe PQisBusy(pointer)  // Lets libpq read the notices; there is no statement.
            while let unheard = unsafe PQnotifies(pointer) { unsafe PQfreemem(unheard) }
        }
        return !isBroken
    }

    /// Waits for notifications; see PQnotifies.
    ///
    /// - Parameter milliseconds: how long at most.
    /// - Returns: those that came, none if the time is over.
    /// - Throws: `connectionLost`.
    func notifications(within milliseconds: Int32) throws(PostgresError) -> [ListenerEvent] {
        var events: [ListenerEvent] = []
        var watched = unsafe pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
        // Notifications that came with LISTEN's answer are here already.
        collectNotifications(into: &events)
        guard events.isEmpty else { return events }
        _ = unsafe poll(&watched, 1, milliseconds)
        guard !isBroken, unsafe PQconsumeInput(pointer) == 1 else {
            throw PostgresError(.connectionLost, message)
        }
        collectNotifications(into: &events)
        return events
    }

    /// Runs one or more statements by the simple protocol; see PQexec.
    func execute(_ sql: String) -> ResultHandle {
        unsafe ResultHandle(owning: PQexec(pointer, sql))
    }

    /// Prepares a statement; see PQprepare.
    func prepare(name: String, sql: String, types: [UInt32]) -> ResultHandle {
        unsafe ResultHandle(owning: PQprepare(pointer, name, sql, Int32(types.count), types))
    }

    /// Runs a prepared statement with binary values and results; see PQexecPrepared.
    func execute(prepared name: String, _ parameters: ParameterList) -> ResultHandle {
        let result = unsafe parameters.withPointers { count, values, lengths, formats in
            unsafe PQexecPrepared(pointer, name, count, values, lengths, formats, 1)
        }
        return unsafe ResultHandle(owning: result)
    }

    /// Runs a statement once with binary values and results; see PQexecParams.
    func execute(_ sql: String, _ parameters: ParameterList) -> ResultHandle {
        let result = unsafe parameters.withPointers { count, values, lengths, formats in
            unsafe PQexecParams(
                pointer, sql, count, parameters.types, values, lengths, formats, 1)
        }
        return unsafe ResultHandle(owning: result)
    }

    /// One step of a pipeline.
    enum Step {
        /// Prepare a statement; see PQsendPrepare.
        case prepare(name: String, sql: String, types: [UInt32])
        /// Run a prepared statement; see PQsendQueryPrepared.
        case execute(prepared: String, ParameterList)
        /// Run a statement once; see PQsendQueryParams.
        case executeOnce(String, ParameterList)
    }

    /// Sends all steps before it reads the first answer; see chapter 34.5 of the manual.
    ///
    /// - Parameters:
    ///   - steps: one implicit transaction, unless one is open.
    ///   - receive: takes the answer of each step, in order.
    /// - Returns: false when libpq could not go on; the connection is of no more use then.
    func pipeline(_ steps: [Step], receive: (Int, consuming ResultHandle) -> Void) -> Bool {
        guard unsafe PQenterPipelineMode(pointer) == 1 else { return false }
        for step in steps {
            guard send(step) else { return false }
        }
        guard unsafe PQpipelineSync(pointer) == 1 else { return false }
        for index in steps.indices {
            let answer = unsafe PQgetResult(pointer)
            guard unsafe answer != nil else { return false }
            unsafe receive(index, ResultHandle(owning: answer))
            // Each answer is followed by an end.
            guard unsafe PQgetResult(pointer) == nil else { return false }
        }
        let end = unsafe PQgetResult(pointer)
        defer { unsafe PQclear(end) }
        return unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC
            && PQexitPipelineMode(pointer) == 1
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

    private func collectNotifications(into events: inout [ListenerEvent]) {
        while let heard = unsafe PQnotifies(pointer) {
            unsafe events.append(
                .notified(
                    channel: String(cString: heard.pointee.relname),
                    payload: String(cString: heard.pointee.extra)))
            unsafe PQfreemem(heard)
        }
    }

    private static func message(of connection: OpaquePointer) -> String {
        guard let text = unsafe PQerrorMessage(connection) else { return "no message" }
        let lines = unsafe String(cString: text).split(separator: "\n").map {
            $0.drop { $0 == "\t" }
        }
        return lines.isEmpty ? "the connection is closed" : lines.joined(separator: "; ")
    }
}

extension ParameterList {
    /// Lends the layout that libpq wants.
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
