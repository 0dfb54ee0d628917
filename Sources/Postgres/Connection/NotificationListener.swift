// LISTEN on a connection of its own: notifications only save waiting, the data is also polled.
internal import Glibc
package import Platform

/// Receives the notifications of some channels and reconnects when the connection is lost.
///
/// It needs a session of its own: LISTEN has no effect through PgBouncer in transaction mode.
package actor NotificationListener {
    /// The lane that is blocked while the listener waits.
    nonisolated private let lane = QueueExecutor(label: "postgres.listener")
    private let url: String
    private let channels: [String]
    private let options: ConnectionOptions
    private let log: Log

    /// Ends a wait from another thread.
    nonisolated private let waker = ListenerWaker()

    /// The longest silence after which the link is tested, in milliseconds.
    private static let probeMilliseconds: Int32 = 10_000

    /// Creates a listener; `run` connects and listens.
    ///
    /// - Parameters:
    ///   - url: a URL or a keyword/value string of libpq that leads to the server itself.
    ///   - channels: names of channels.
    ///   - options: how the session behaves.
    ///   - log: the log for lost connections.
    package init(
        url: String, channels: [String], options: ConnectionOptions = ConnectionOptions(),
        log: Log = .silent
    ) {
        self.url = url
        self.channels = channels
        self.options = options
        self.log = log
    }

    /// The lane as the executor of this actor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    /// Listens until the task is canceled.
    ///
    /// - Parameter receive: called for each event, in order, on the listener's lane.
    package func run(_ receive: @Sendable (ListenerEvent) async -> Void) async {
        await withTaskCancellationHandler {
            await listen(receive)
        } onCancel: {
            waker.ring()
        }
    }

    private func listen(_ receive: @Sendable (ListenerEvent) async -> Void) async {
        var failures: Int64 = 0
        while !Task.isCancelled {
            do throws(PostgresError) {
                let handle = try connect()
                failures = 0
                await receive(.listening)
                while !Task.isCancelled {
                    let events = try handle.notifications(
                        within: Self.probeMilliseconds, unless: waker.descriptor)
                    for event in events { await receive(event) }
                    // A dead link looks like one without notifications, so it is tested.
                    if events.isEmpty, !Task.isCancelled { try probe(handle) }
                }
            } catch {
                await receive(.interrupted)
                log.warn(
                    "listening for database notifications failed", [("error", .string("\(error)"))])
                failures = min(failures + 1, 6)
                // A canceled task throws in its sleep, which ends the loop.
                do { try await Task.sleep(for: .milliseconds(50 << failures)) } catch { return }
            }
        }
    }

    private func probe(_ handle: borrowing ConnectionHandle) throws(PostgresError) {
        guard let answer = handle.execute("SELECT 1"), answer.isSuccess else {
            throw PostgresError(
                .connectionLost, "the database does not answer on the connection for notifications")
        }
    }

    private func connect() throws(PostgresError) -> ConnectionHandle {
        let handle = try ConnectionHandle(url: url, options: options)
        for channel in channels {
            let name = channel.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"")
            guard let result = handle.execute("LISTEN \"\(name)\"") else {
                throw PostgresError(.connectionFailed, "LISTEN was not answered in time")
            }
            guard result.isSuccess else {
                throw PostgresError(
                    .connectionFailed, result.message ?? handle.message, sqlState: result.sqlState)
            }
        }
        return handle
    }
}

/// A pipe that interrupts the listener's wait.
private final class ListenerWaker: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() {
        var ends = [Int32](repeating: -1, count: 2)
        // Without a pipe a cancellation is noticed at the next probe; poll(2) ignores -1.
        if unsafe pipe(&ends) == 0 {
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        for end in [reading, writing] where end >= 0 { _ = close(end) }
    }

    /// The descriptor that becomes readable once the wait is to end.
    var descriptor: Int32 { reading }

    /// Ends this wait and all later ones.
    func ring() {
        let byte: [UInt8] = [0]
        _ = unsafe write(writing, byte, 1)
    }
}
