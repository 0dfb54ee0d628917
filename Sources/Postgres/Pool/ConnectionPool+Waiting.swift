// Handing out connections, and waiting for them.
internal import Platform

extension ConnectionPool {
    /// The result of a wait.
    enum Grant: Sendable {
        /// An idle connection.
        case connection(PostgresConnection)
        /// There is room to open a new connection.
        case room
        /// There will be no connection, for this reason.
        case refused(PostgresError)
    }

    /// A task that waits for a connection.
    struct Waiter {
        let deadline: Int64
        let continuation: CheckedContinuation<Grant, Never>

        func resume(_ grant: Grant) { continuation.resume(returning: grant) }
    }

    /// Takes an idle connection, opens one, or waits for one.
    ///
    /// Opening a connection is independent of its caller's wait, and may take longer.
    func acquire() async throws(PostgresError) -> PostgresConnection {
        let deadline = SystemClock.bootNanoseconds() + limits.waitMilliseconds * 1_000_000
        while true {
            guard !isClosed else { throw Self.closed }
            if let connection = idle.take() { return connection }
            let opens = count < size
            if opens {
                guard try await isTimeToOpen(until: deadline) else { continue }
                count += 1
                opening.start(on: self) { await $0.open() }
            }
            switch try await wait(until: deadline, isServed: opens) {
            case .connection(let connection): return connection
            case .room: continue
            case .refused(let error): throw error
            }
        }
    }

    /// Gives a connection to the first waiter, or puts it back.
    func release(_ connection: PostgresConnection) {
        guard !isClosed else {
            count -= 1
            return  // The last reference to the connection goes away here, and with it the session.
        }
        guard waiters.isEmpty else {
            waiters.removeFirst().resume(.connection(connection))
            return
        }
        let isTaken = idle.put(connection)
        precondition(isTaken, "an open pool without waiters keeps what is idle")
    }

    /// Removes a connection, so that the first waiter can open another.
    func discard(_ connection: PostgresConnection) async {
        await connection.close()
        log.info("database connection closed")
        makeRoom()
    }

    private func makeRoom() {
        count -= 1
        wakeOne()
    }

    /// Resumes the first waiter to open a connection, so that one task always serves the others.
    private func wakeOne() {
        if !waiters.isEmpty { waiters.removeFirst().resume(.room) }
    }

    /// Closes idle connections.
    func discardIdle() async {
        for connection in idle.takeAll() {
            await connection.close()
            makeRoom()
        }
    }

    /// Waits until enough time has passed since the last failed attempt to connect.
    ///
    /// - Returns: false when the caller should look around again.
    private func isTimeToOpen(until deadline: Int64) async throws(PostgresError) -> Bool {
        guard SystemClock.bootNanoseconds() < retryAt else { return true }
        try await pause(until: min(retryAt, deadline))
        if SystemClock.bootNanoseconds() >= deadline, let lastError {
            wakeOne()
            throw lastError
        }
        return false
    }

    /// Opens a connection for the first waiter.
    private func open() async {
        let connection = PostgresConnection(url: url, options: options)
        do throws(PostgresError) {
            try await connection.open()
        } catch {
            noteFailure(error)
            makeRoom()
            return
        }
        failures = 0
        lastError = nil
        retryAt = 0
        release(connection)
    }

    private func noteFailure(_ error: PostgresError) {
        lastError = error
        let now = SystemClock.bootNanoseconds()
        // Attempts that failed side by side count as one.
        guard now >= retryAt else { return }
        failures += 1
        let doubled = limits.backoffMilliseconds << Int64(min(failures - 1, 16))
        let ceiling = min(doubled, limits.backoffMaxMilliseconds)
        var random = SystemRandomNumberGenerator()
        let pause = Int64.random(in: (ceiling / 2)...max(ceiling, 1), using: &random)
        retryAt = now + pause * 1_000_000
        log.warn("database connection could not be opened", [("error", .string("\(error)"))])
    }

    private func pause(until moment: Int64) async throws(PostgresError) {
        guard pausing < limits.waitersMax else {
            wakeOne()
            throw Self.full
        }
        pausing += 1
        let span = max(moment - SystemClock.bootNanoseconds(), 1_000_000)
        do { try await Task.sleep(for: .nanoseconds(span)) } catch {
            // A canceled task does not wait for a server.
            pausing -= 1
            wakeOne()
            throw lastError ?? Self.late
        }
        pausing -= 1
    }

    /// Waits in line for a connection.
    ///
    /// - Parameters:
    ///   - deadline: the end of the wait, in nanoseconds of the boot clock.
    ///   - isServed: whether a connection is being opened for this one.
    /// - Returns: what was granted.
    /// - Throws: that too many wait already.
    private func wait(
        until deadline: Int64, isServed: Bool
    ) async throws(PostgresError) -> Grant {
        guard isServed || waiters.count < limits.waitersMax else {
            gauge.countRefusal()
            throw Self.full
        }
        let began = SystemClock.bootNanoseconds()
        let grant = await withCheckedContinuation { continuation in
            waiters.append(Waiter(deadline: deadline, continuation: continuation))
            if expiry == nil { expiry = Task { await expireWaiters() } }
            // A connection may have come back before this task was in the list of waiters.
            if let connection = idle.take() { release(connection) }
        }
        gauge.countWait(nanoseconds: SystemClock.bootNanoseconds() - began)
        if case .refused = grant { gauge.countRefusal() }
        return grant
    }

    /// Refuses waiters whose deadline has passed, until none is left.
    private func expireWaiters() async {
        while let first = waiters.map(\.deadline).min() {
            let span = first - SystemClock.bootNanoseconds()
            if span > 0 {
                do { try await Task.sleep(for: .nanoseconds(span)) } catch { break }
            }
            let now = SystemClock.bootNanoseconds()
            let late = waiters.filter { $0.deadline <= now }
            waiters.removeAll { $0.deadline <= now }
            for waiter in late { waiter.resume(.refused(lastError ?? Self.late)) }
        }
        expiry = nil
    }

    private static let late = PostgresError(
        .poolTimeout, "no database connection was free in time")
    private static let full = PostgresError(
        .poolFull, "too many tasks wait for a database connection")
}
