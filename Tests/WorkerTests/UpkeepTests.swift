// The duties of a replica sleep until they are called, or until an instant that they know.
import Base
import Downloads
import Platform
import Store
import Support
import Synchronization
import Testing

@testable import Worker

@Suite struct UpkeepTests {
    /// Every interval is a day: a duty that runs is called, or wakes at a known instant.
    private static func never(_ settings: inout WorkerSettings) {
        let day = Duration.seconds(86_400)
        settings.lease = day
        settings.pollInterval = day
        settings.lonelyPollInterval = day
        settings.healInterval = day
        settings.ageInterval = day
        settings.sweepInterval = day
    }

    /// The stop would last a day if it waited for anything that sleeps.
    @Test(.timeLimit(.minutes(15))) func stopEndsEverySleep() async throws {
        try await Replica.with(change: Self.never, { _ in Answer.whole(content(10)) }) {
            replica, origin in
            let id = try await replica.submit(origin.url("/a"))
            _ = try await replica.reached(.succeeded, id)
        }
    }

    @Test(.timeLimit(.minutes(15))) func downloadBeginsAtItsDateWithoutPolls() async throws {
        try await Replica.with(change: Self.never, { _ in Answer.whole(content(10)) }) {
            replica, origin in
            let first = try await replica.submit(origin.url("/first"))
            _ = try await replica.reached(.succeeded, first)
            let date = replica.lab.clock.now + .milliseconds(700)
            let draft = try replica.draft(
                origin.url("/later"), ["earliest_begin_date": .string(date.rfc3339)])
            _ = try await replica.intake.submit(draft)
            replica.worker.expect(date)
            _ = try await replica.reached(.succeeded, draft.download.id)
        }
    }

    @Test(.timeLimit(.minutes(15))) func waitingDownloadEndsAtItsDeadlineWithoutPolls() async throws
    {
        try await Replica.with(
            change: {
                Self.never(&$0)
                // The reserve is larger than any disk, so no download begins.
                $0.minimumFree = 1 << 60
            }, { _ in Answer.whole(content(10)) }
        ) { replica, origin in
            let draft = try replica.draft(
                origin.url("/"), ["timeout_interval_for_resource": 1])
            _ = try await replica.intake.submit(draft)
            replica.worker.expect(replica.lab.clock.now + .seconds(1))
            _ = try await replica.reached(.failed, draft.download.id)
        }
    }

    @Test(.timeLimit(.minutes(15))) func contentEndsAtItsTimeWithoutPolls() async throws {
        try await Replica.with(
            change: {
                Self.never(&$0)
                $0.retentionInterval = .milliseconds(10)
            }, { _ in Answer.whole(content(10)) }
        ) { replica, origin in
            let id = try await replica.submit(origin.url("/"), ["content_retention": 1])
            _ = try await replica.reached(.succeeded, id)
            let isGone = try await eventually { try replica.lab.files().isEmpty }
            #expect(isGone)
        }
    }

    /// The report's resume point may be older than the bytes that the row has to forget.
    @Test func rowForgetsItsBytesOnlyAfterAReportInProgress() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await Replica.with({ _ in [.wait(gate), .close] }) { replica, origin in
            let id = try await replica.submit(origin.url("/"))
            _ = try await replica.reached(.running, id)
            let worker = replica.worker
            let isRunning = try await eventually { await worker.runs[id] != nil }
            #expect(isRunning)
            let early = await worker.forget(id, whileWriting: true)
            let later = await worker.forget(id, whileWriting: false)
            #expect(!early && later)
            gate.open()
        }
    }

    /// Rows are removed until a batch is not full, whatever becomes of the tables before.
    @Test func aTableThatCannotBeReadHoldsBackNoOther() async throws {
        try await Replica.with({ _ in [.close] }) { replica, _ in
            let calls = Mutex(0)
            let tables = [
                RowExpiry.Table(name: "broken") { _ throws(StoreError) in
                    throw StoreError(.unavailable, "the table is locked")
                },
                RowExpiry.Table(name: "whole") { _ throws(StoreError) in
                    calls.withLock {
                        $0 += 1
                        return $0 < 3 ? RowExpiry.batch : 7
                    }
                },
            ]
            for (list, pause) in [(tables, Duration.seconds(1)), ([tables[1]], .seconds(300))] {
                calls.withLock { $0 = 0 }
                let next = try await Self.turn(
                    RowExpiry(list, every: .seconds(300)), replica.worker)
                #expect(calls.withLock { $0 } == 3)
                guard case .after(pause) = next else {
                    Issue.record("\(next) after \(list.map(\.name))")
                    continue
                }
            }
        }
    }

    private static func turn(
        _ duty: some Duty, _ worker: isolated DownloadWorker
    ) async throws -> NextTurn {
        var duty = duty
        return try await duty.turn(worker)
    }

    @Test func everyDutyIsListedOnceAndHasABell() async throws {
        try await Replica.with({ _ in [.close] }) { replica, _ in
            let (duties, bells) = await (replica.worker.duties, replica.worker.bells)
            for duty in duties { bells[type(of: duty)].ring() }
            #expect(Set(duties.map(\.name)).count == duties.count)
        }
    }

    @Test func inboxKeepsTheOrderOfOrders() {
        let inbox = WorkerInbox(bell: Alarm())
        let ids = (0..<3).map { Identifier(high: 0, low: $0) }
        inbox.post(.hinted)
        inbox.post(.ordered(ids[0], .suspend))
        inbox.post(.awaited(Timestamp(seconds: 9)))
        inbox.post(.ordered(ids[1], .cancel))
        inbox.post(.hinted)
        inbox.post(.awaited(Timestamp(seconds: 5)))
        inbox.post(.ordered(ids[0], .cancel))
        let texts = inbox.take().map { message in
            switch message {
            case .ordered(let id, let order): "\(id.hexadecimal.suffix(1)) \(order)"
            case .awaited(let instant): "at \(instant.seconds)"
            case .hinted: "hint"
            default: "?"
            }
        }
        #expect(texts == ["0 suspend", "1 cancel", "0 cancel", "at 5", "hint"])
        #expect(inbox.take().isEmpty)
    }
}

extension DownloadWorker {
    fileprivate func forget(_ id: Identifier, whileWriting isWriting: Bool) async -> Bool {
        guard let fence = runs[id]?.attempt.claim.fence else { return false }
        isWritingProgress = isWriting
        defer { isWritingProgress = false }
        return await saveResumePoint(nil, id, fence, ledger)
    }
}
