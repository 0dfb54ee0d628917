// A lane's instant is never later than that of a row that waits in it, whatever made the row wait.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct LaneBoundTests {
    /// A change that makes a row wait, or moves its instant or its lane.
    enum Change: CaseIterable, Sendable {
        case create, createLater, batch, resume, resumeMany, retryEnded, retryNow
        case answerQuestion, endWithRetry, endAtMirror, endSuspendedInVain, leaseLost, answerLost
        case leave, registerAgain, earlierDate, otherPriority, otherClass, otherOrigin, expire
    }

    private static let other = "https://other.example:443"

    @Test(arguments: Change.allCases)
    func eachChangeLowersTheLane(_ change: Change) async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let undo = try await prepare(change, lab, ledger)
            // All lanes sleep, and removable lanes are removed.
            try await sleep(lab)
            #expect(try await lab.wrongLanes() == [])
            try await undo()
            #expect(try await lab.wrongLanes() == [], "\(change)")
            let waiting = try await lab.number("SELECT count(*) FROM queue WHERE state = 0")
            #expect(waiting == (change == .expire ? 0 : change == .batch ? 3 : 1))
        }
    }

    private func sleep(_ lab: StoreLab) async throws {
        _ = try await lab.pool.query(
            "SELECT lull_settle_lanes((SELECT array_agg(lane_no) FROM lanes))")
        _ = try await lab.pool.query(
            "SELECT lull_forget_lanes(0, 1000, clock_timestamp() + interval '1 h')")
    }

    /// Brings a download into the state in which the change may be made.
    private func prepare(
        _ change: Change, _ lab: StoreLab, _ ledger: Ledger
    ) async throws -> () async throws -> Void {
        let later = try await lab.now() + .seconds(3600)
        switch change {
        case .create: return { try await lab.submit() }
        case .createLater:
            return { try await lab.submit(1, ["earliest_begin_date": .string(later.rfc3339)]) }
        case .batch:
            let drafts = try (0..<3).map { try lab.draft(origin: "https://b\($0 % 2).example:443") }
            return { _ = try await Intake(pool: lab.pool).submit(batch: drafts, idempotency: nil) }
        case .resume, .resumeMany:
            let id = try await lab.submit(1, ["suspended": true])[0]
            return {
                if change == .resume {
                    _ = try await lab.downloads.perform(.resume, on: id, app: 1)
                } else {
                    _ = try await lab.downloads.perform(.resume, on: [id], app: 1)
                }
            }
        case .retryEnded:
            let id = try await lab.submit()[0]
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            return { _ = try await lab.downloads.perform(.retry, on: id, app: 1) }
        case .retryNow:
            let id = try await backingOff(lab, ledger)
            return { _ = try await lab.downloads.perform(.retry, on: id, app: 1) }
        case .expire:
            _ = try await backingOff(lab, ledger)
            _ = try await lab.pool.query("UPDATE queue SET deadline = clock_timestamp()")
            return { _ = try await lab.downloads.expire(limit: 10) }
        case .earlierDate, .otherPriority, .otherClass, .otherOrigin:
            let id = try await lab.submit(1, ["earliest_begin_date": .string(later.rfc3339)])[0]
            return { try await patch(change, id, lab) }
        default:
            let id = try await lab.submit()[0]
            return try await prepareRun(change, id, lab, ledger)
        }
    }

    private func prepareRun(
        _ change: Change, _ id: Identifier, _ lab: StoreLab, _ ledger: Ledger
    ) async throws -> () async throws -> Void {
        _ = try await Downloads.ensureOther(lab, Self.other)
        let claim = try #require(await lab.claim(ledger).first)
        if change == .answerQuestion {
            _ = try await ledger.finish([lab.end(claim, .attentionRequired)])
            return { _ = try await lab.downloads.perform(.resume, on: id, app: 1) }
        }
        return {
            switch change {
            case .endWithRetry: _ = try await ledger.finish([lab.end(claim, .retryScheduled)])
            case .endAtMirror:
                var run = lab.end(claim, .retryScheduled)
                run.nextOrigin = Self.other
                _ = try await ledger.finish([run])
            case .endSuspendedInVain: _ = try await ledger.finish([lab.end(claim, .suspended)])
            case .answerLost:
                _ = try await ledger.releaseUnknownRuns(known: [], claimedBefore: lab.now())
            case .leave: try await ledger.unregister()
            default:
                _ = try await lab.pool.query("UPDATE replicas SET expires_at = '-infinity'")
                if change == .leaseLost {
                    while try await ledger.reap() > 0 {}
                } else {
                    let instance = try await lab.pool.query("SELECT instance FROM replicas")[0]
                        .get(0, as: UUIDValue.self)
                    _ = try await lab.register(instance: instance.identifier)
                }
            }
        }
    }

    /// A download that waits for its next attempt.
    private func backingOff(_ lab: StoreLab, _ ledger: Ledger) async throws -> Identifier {
        let id = try await lab.submit()[0]
        let claim = try #require(await lab.claim(ledger).first)
        var run = lab.end(claim, .retryScheduled)
        run.runAt = try await lab.now() + .seconds(900)
        run.download.nextAttemptAt = run.runAt
        _ = try await ledger.finish([run])
        return id
    }

    private func patch(_ change: Change, _ id: Identifier, _ lab: StoreLab) async throws {
        let old = try #require(await lab.find(id)).download
        var new = old
        switch change {
        case .earlierDate: new.earliestBeginDate = try await lab.now() + .seconds(60)
        case .otherPriority: new.priority = 1
        case .otherClass: new.spec.isDiscretionary = true
        default: new.url = Self.other + "/file"
        }
        let outcome = try await lab.downloads.change(
            old, to: new, origins: change == .otherOrigin ? [Self.other] : nil, app: 1)
        guard case .done = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }
}

extension Downloads {
    /// A gate for an origin, as the create of a download with a mirror there would make it.
    fileprivate static func ensureOther(_ lab: StoreLab, _ origin: String) async throws -> Int {
        try await lab.pool.query("SELECT lull_origins($1, $2)", [[origin], [Int64(1)]]).count
    }
}
