// LISTEN on a connection of its own: a hint that saves waiting, never the only way to learn.
internal import Glibc
package import Platform

/// Hears notifications of some channels and connects again when the server went away.
///
/// It needs a session of its own: LISTEN has no effect through PgBouncer in transaction mode.
package actor NotificationListener {
    /// The lane that waiting blocks.
    nonisolated private let lane = QueueExecutor(label: "postgres.listener")
    private let url: String
    private let channels: [String]
    private let options: ConnectionOptions
    private let log: Log

    /// How long one wait lasts, which is how late a cancellation is seen.
    private static let turnMilliseconds: Int32 = 250

    /// Stores; `run` acts.
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
        var failures: Int64 = 0
        while !Task.isCancelled {
            do throws(PostgresError) {
                let handle = try connect()
                failures = 0
                await receive(.listening)
                while !Task.isCancelled {
                    for event in try handle.notifications(within: Self.turnMilliseconds) {
                        await receive(event)
                    }
                }
            } catch {
                log.warn("database listener failed", [("error", .string("\(error)"))])
                failures = min(failures + 1, 6)
                // A canceled sleep ends the loop.
                do { try await Task.sleep(for: .milliseconds(50 << failures)) } catch { return }
            }
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
