// Ends waiting downloads whose deadline has passed; running ones end themselves.
internal import Base
internal import Downloads
internal import Scheduling
internal import Store

/// Runs at the first deadline.
struct DeadlineExpiry: Duty {
    let name = "deadlines"
    let endsByTheClock = true
    let spacing = Duration.milliseconds(100)

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        var count = 0
        let (facts, clock, gauge) = (worker.facts, worker.clock, worker.gauge)
        let blockers: @Sendable (DownloadRecord) -> [Blocker] = { record in
            guard record.download.state == .waiting, var candidate = record.candidate else {
                return []
            }
            var situation = facts.situation(
                at: candidate.present(at: clock.now), isDraining: false, disk: gauge.reading)
            situation.hidesOthers = true
            if situation.needsOriginNames { candidate.originName = record.download.nextOrigin }
            return Admission.blockers(candidate, in: situation)
        }
        repeat {
            count = try await worker.downloads.expire(
                limit: 100, until: worker.clock.endsUntil, blockers: blockers)
            if count > 0 {
                worker.delivered()
                worker.sessionsChanged()
                worker.flightsChanged()
            }
        } while count == 100 && worker.isWorking
        return try await worker.downloads.nextDeadline().map { .until($0) } ?? .untilCalled
    }
}
