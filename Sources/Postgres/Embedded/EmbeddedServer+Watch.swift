// Restarting a server that ended by itself, within the limits of a schedule.
internal import Glibc
internal import Platform
internal import Synchronization

extension EmbeddedServer {
    /// Starts the server again whenever it is lost, until the task is cancelled.
    ///
    /// Call it after `start()`, and not while `stop()` is called.
    ///
    /// - Parameter schedule: how long to wait after a failure, and when to give up.
    /// - Returns: the last failure when it gave up; nil when the task was cancelled.
    package func keepRunning(
        _ schedule: RestartSchedule = RestartSchedule()
    ) async -> PostgresError? {
        var schedule = schedule
        while let server = running {
            while isAlive(server.processID, data: server.data), !Task.isCancelled {
                await ProcessEnd.wait(for: server.processID)
            }
            let lost = PostgresError(.serverFailed, "the database server ended unexpectedly")
            if let failure = await startAgain(after: lost, &schedule) { return failure }
            guard !Task.isCancelled else { return nil }
        }
        return nil
    }

    /// Tries until the server runs, the task is cancelled, or the schedule gives up.
    private func startAgain(
        after failure: PostgresError, _ schedule: inout RestartSchedule
    ) async -> PostgresError? {
        var failure = failure
        while !Task.isCancelled {
            guard case .wait(let pause) = schedule.failed(at: SystemClock.bootNanoseconds()) else {
                let minutes = schedule.window / 60_000_000_000
                return PostgresError(
                    .serverFailed,
                    "the private PostgreSQL failed \(schedule.failuresMax) times in \(minutes) "
                        + "minutes; the last time: \(failure.message)",
                    detail: failure.detail)
            }
            log.warn(
                "private PostgreSQL ended unexpectedly and is started again",
                [
                    ("error", .string(failure.message)),
                    ("wait_ms", .integer(pause / 1_000_000)),
                ])
            // A cancelled task throws in its sleep, which ends the loop.
            do { try await Task.sleep(for: .nanoseconds(pause)) } catch { return nil }
            do throws(PostgresError) {
                _ = try await start()
                let count = restartCount.add(1, ordering: .relaxed).newValue
                log.info("private PostgreSQL started again", [("restarts", .integer(Int64(count)))])
                return nil
            } catch {
                failure = error
            }
        }
        return nil
    }
}
