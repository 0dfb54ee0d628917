// The single owner of a PGconn.
//
// All calls block, each until its deadline at most; the owner makes one call at a time.
internal import CPostgres
internal import Glibc

/// A connection of libpq that is closed with its owner; see PQfinish.
@safe struct ConnectionHandle: ~Copyable {
    let pointer: OpaquePointer
    /// The longest time for a call, in milliseconds; 0 for no bound.
    let timeoutMilliseconds: Int

    /// Opens a connection; see PQconnectdbParams.
    ///
    /// The time of one attempt is bounded for each address; resolving a name takes as long as the
    /// system's resolver does.
    ///
    /// - Throws: `connectionFailed`; its message quotes nothing of a URL that libpq cannot read.
    init(url: String, options: ConnectionOptions) throws(PostgresError) {
        if let complaint = ConnectionOptions.complaint(about: url) {
            throw PostgresError(.connectionFailed, "its address " + complaint)
        }
        let hosts = ServerHost.list(in: url)
        do throws(PostgresError) {
            self = try ConnectionHandle(url: url, host: nil, options: options)
            return
        } catch {
            guard hosts.count > 1 else { throw error }
        }
        // libpq tries the next host only if the first one refused the connection or was silent; a
        // proxy accepts it and then closes it.
        var last = PostgresError(.connectionFailed, "no host")
        for host in hosts {
            do throws(PostgresError) {
                self = try ConnectionHandle(url: url, host: host, options: options)
                return
            } catch {
                last = error
            }
        }
        throw last
    }

    private init(
        url: String, host: ServerHost?, options: ConnectionOptions
    ) throws(PostgresError) {
        // The URL overrides the parameters before `dbname`, but not the ones after it.
        let connectTimeout = ConnectionHandle.connectTimeoutSeconds(
            in: url, atMost: options.connectTimeoutSeconds)
        let parameters: [(String, String)] =
            [
                ("fallback_application_name", options.applicationName),
                ("gssencmode", "disable"),
                ("keepalives", "1"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
                ("keepalives_count", "4"), ("tcp_user_timeout", "30000"),
                // Of several hosts the writable one is meant: after a fail-over that is another
                // host.
                ("target_session_attrs", "read-write"),
                ("dbname", url),
                ("client_encoding", "UTF8"), ("connect_timeout", String(connectTimeout)),
            ] + (host?.parameters ?? [])
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
        // Without a notice receiver libpq writes warnings to standard error.
        unsafe _ = PQsetNoticeReceiver(opened, { _, _ in }, nil)
        // From here on sending only fills a buffer, and closing waits for no answer.
        guard unsafe PQsetnonblocking(opened, 1) == 0 else {
            let message = unsafe Self.message(of: opened)
            unsafe PQfinish(opened)
            throw PostgresError(.connectionFailed, message)
        }
        unsafe pointer = opened
        timeoutMilliseconds = options.callTimeoutMilliseconds
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

    /// Whether the server still serves the session.
    func isAlive() -> Bool {
        var watched = unsafe pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
        // The end of a session comes as a message and an end of file, which take a few reads.
        for _ in 0..<8 {
            guard !isBroken else { return false }
            watched.revents = 0
            guard unsafe poll(&watched, 1, 0) > 0 else { return true }
            guard unsafe PQconsumeInput(pointer) == 1 else { return false }
            _ = unsafe PQisBusy(pointer)  // Lets libpq read the notices; no statement runs.
            while let unheard = unsafe PQnotifies(pointer) { unsafe PQfreemem(unheard) }
        }
        return !isBroken
    }

    /// Waits for notifications; see PQnotifies.
    ///
    /// - Parameters:
    ///   - milliseconds: how long at most.
    ///   - waker: a descriptor that ends the wait when it can be read.
    /// - Returns: those that came, none if the time is over.
    /// - Throws: `connectionLost`.
    func notifications(
        within milliseconds: Int32, unless waker: Int32
    ) throws(PostgresError) -> [ListenerEvent] {
        var events: [ListenerEvent] = []
        var watched = unsafe [
            pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0),
            pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
        ]
        // Notifications that came with the answer to LISTEN are here already.
        collectNotifications(into: &events)
        guard events.isEmpty else { return events }
        _ = unsafe poll(&watched, 2, milliseconds)
        guard !isBroken, unsafe PQconsumeInput(pointer) == 1 else {
            throw PostgresError(.connectionLost, message)
        }
        collectNotifications(into: &events)
        return events
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
        guard let text = unsafe PQerrorMessage(connection) else {
            return "PostgreSQL gave no message"
        }
        let lines = unsafe String(cString: text).split(separator: "\n").map {
            $0.drop { $0 == "\t" }
        }
        return lines.isEmpty ? "the connection is closed" : lines.joined(separator: "; ")
    }
}
