// Ended downloads are removed when their history is over; live ones, and those with webhooks or
// content to keep, stay.
import Base
import Downloads
import Postgres
import Store
import Support
import Testing

@Suite struct RetainedHistoryTests {
    private static let hook: JSONObject = ["webhook_url": "https://hooks.example/a"]

    /// A download that ended with an attempt and a delivery.
    private func ended(
        _ lab: StoreLab, isDelivered: Bool = true, members: JSONObject = hook
    ) async throws -> Identifier {
        let (ledger, claim) = try await lab.running(members)
        _ = try await ledger.finish([lab.end(claim, .failed)])
        if isDelivered {
            let outbox = lab.outbox(ledger)
            let due = try await outbox.claim(each: 9, total: 9).due
            try await outbox.record(due.map { $0.ended(isDelivered: true) })
        }
        return claim.download.id
    }

    /// Removes everything that may be removed at this instant.
    private func forget(
        _ lab: StoreLab, olderThan age: Duration = .zero, events: Bool = true, limit: Int = 2
    ) async throws -> Int {
        let history = History(pool: lab.pool)
        if events { _ = try await lab.pool.query("DELETE FROM events") }
        var removed = 0
        var last: Identifier?
        repeat {
            let step = try await history.forgetDownloads(
                after: last, olderThan: age, limit: limit)
            removed += step.removed
            last = step.last
        } while last != nil
        return removed
    }

    @Test func endedDownloadGoesWithAllThatIsItsOwn() async throws {
        try await StoreLab.with { lab in
            var ids: [Identifier] = []
            for _ in 0..<5 { ids.append(try await ended(lab)) }
            #expect(try await forget(lab, olderThan: .seconds(3600), events: false) == 0)
            #expect(try await forget(lab, events: false) == 0, "the journal shows them")
            #expect(try await forget(lab) == 5)
            for table in ["downloads", "attempts", "deliveries"] {
                #expect(try await lab.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
            }
            #expect(try await lab.find(ids[0]) == nil)
        }
    }

    @Test func liveAndHeldAndUnsentDownloadsStay() async throws {
        try await StoreLab.with { lab in
            let waiting = try await lab.submit(1)[0]
            _ = try await lab.downloads.perform(.suspend, on: waiting, app: 1)
            let unsent = try await ended(lab, isDelivered: false)
            let held = try await ended(lab, members: [:])
            let released = try await ended(lab, members: [:])
            let other = try await ended(lab)
            for (id, phase) in [(held, 0), (released, 2)] {
                _ = try await lab.pool.query(
                    """
                    INSERT INTO contents (id, instance, fence, length, expires_at, due_at, phase)
                    VALUES ($1, $1, 1, 1, 'infinity', 'infinity', $2)
                    """, [UUIDValue(id), Int16(phase)])
            }
            _ = try await lab.pool.query(
                "UPDATE deliveries SET state = 0 WHERE download_id = $1", [UUIDValue(unsent)])
            #expect(try await forget(lab) == 2)
            #expect(try await lab.find(released) == nil)
            #expect(try await lab.find(other) == nil)
            for id in [waiting, unsent, held] { #expect(try await lab.find(id) != nil) }
            // A download that was retried is live.
            let running = try await lab.register()
            _ = try await lab.downloads.perform(.retry, on: held, app: 1)
            _ = try await lab.pool.query("DELETE FROM contents")
            #expect(try await forget(lab) == 0)
            #expect(try await lab.claim(running).count == 1)
        }
    }

    @Test func deliveriesOfLivingDownloadsGoByTheirOwnAge() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit(
                1,
                ["webhook_url": "https://hooks.example/a", "webhook_events": ["download.*"]])[0]
            for action in [DownloadAction.suspend, .resume, .suspend] {
                _ = try await lab.downloads.perform(action, on: id, app: 1)
            }
            let outbox = lab.outbox(try await lab.register())
            let due = try await outbox.claim(each: 9, total: 9).due
            #expect(due.count == 4)
            try await outbox.record(due.dropLast().map { $0.ended(isDelivered: true) })
            let history = History(pool: lab.pool)
            let step = try await history.forgetDeliveries(
                after: nil, olderThan: .zero, limit: 2)
            #expect(step.removed == 2 && step.last == due[1].number)
            let rest = try await history.forgetDeliveries(
                after: step.last, olderThan: .zero, limit: 9)
            #expect(rest.removed == 1)
            #expect(try await lab.number("SELECT count(*) FROM deliveries") == 1)
            #expect(try await lab.find(id) != nil)
        }
    }

    @Test func versionsOfSessionsGoWhenNoDownloadIsOfThem() async throws {
        try await StoreLab.with { lab in
            // Two versions that were replaced long ago, and the present one.
            try await lab.pool.script(
                """
                UPDATE session_versions SET created_at = created_at - interval '90 days';
                INSERT INTO session_versions (session_no, version, configuration, created_at)
                    VALUES (1, 2, '{}', clock_timestamp() - interval '80 days'),
                        (1, 3, '{}', clock_timestamp());
                INSERT INTO session_secrets (session_no, version, sealed)
                    VALUES (1, 1, 'x'), (1, 2, 'x'), (1, 3, 'x');
                """)
            let history = History(pool: lab.pool)
            func forget() async throws -> Int {
                try await history.forgetSessionVersions(
                    after: nil, olderThan: .seconds(30 * 86_400), limit: 9
                ).removed
            }
            // A download of the first version, as old as that version.
            let id = try await lab.submit(1)[0]
            let old = try await lab.now() - .seconds(85 * 86_400)
            _ = try await lab.pool.query(
                "UPDATE download_requests SET id = $2 WHERE id = $1",
                [
                    UUIDValue(id),
                    UUIDValue(
                        Identifier(
                            high: UInt64(old.microseconds / 1000) << 16 | 0x7000, low: 1 << 63)),
                ])
            #expect(try await forget() == 0)
            _ = try await lab.pool.query("DELETE FROM download_requests")
            #expect(try await forget() == 1)
            let left = try await lab.pool.query("SELECT version FROM session_secrets ORDER BY 1")
                .map { try $0.get(0, as: Int32.self) }
            #expect(left == [2, 3], "the second was replaced today")
        }
    }

    @Test func sessionsThatAreOverGoWithTheirLastDownload() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let history = History(pool: lab.pool)
            func forget(olderThan age: Duration = .zero) async throws -> Int {
                try await history.forgetSessions(after: nil, olderThan: age, limit: 9).removed
            }
            let used = try await world.put("used")
            for name in ["empty", "live"] { try await world.put(name) }
            let id = try await lab.submit(1, session: used)[0]
            try await world.end()
            try await world.look()
            for name in ["used", "empty"] {
                _ = try await world.sessions.end(app: 1, identifier: name, .empty)
            }
            #expect(try await forget(olderThan: .seconds(3600)) == 0)
            #expect(try await forget() == 1, "one has a download")
            // Rows that still name the other session: its downloads, its lanes, a wake that has not
            // finished.
            _ = try await lab.pool.query(
                "DELETE FROM download_requests WHERE id = $1", [UUIDValue(id)])
            #expect(try await forget() == 0)
            try await lab.pool.script(
                "DELETE FROM lanes; DELETE FROM lane_keys; UPDATE wakes SET finish_at = now()")
            #expect(try await forget() == 0)
            try await lab.pool.script("UPDATE wakes SET finish_at = NULL")
            #expect(try await forget() == 1)
            let left = try await world.sessions.list(app: 1).map(\.identifier)
            #expect(left == ["default", "live"])
            for table in ["sessions", "session_versions"] {
                #expect(try await lab.number("SELECT count(*) FROM \(table)") == 2, "\(table)")
            }
            for table in ["wakes", "session_wakes"] {
                #expect(
                    try await lab.number(
                        "SELECT count(*) FROM \(table) WHERE session_no = $1", [used]) == 0)
            }
            #expect(
                try await lab.number(
                    "SELECT count(*) FROM gates WHERE kind = lull_gate('session') AND key = $1",
                    [used]) == 0)
        }
    }

    /// A waiting webhook shows its event, so that event stays.
    @Test func eventOfAnUnsentWebhookStays() async throws {
        try await StoreLab.with { lab in
            _ = try await lab.submit(
                3,
                ["webhook_url": "https://hooks.example/a", "webhook_events": ["download.created"]])
            let outbox = lab.outbox(try await lab.register())
            let due = try await outbox.claim(each: 9, total: 9).due
            try await outbox.record([due[1].ended(isDelivered: true)])
            let journal = lab.downloads.journal
            let isRemoved = try await eventually {
                try await journal.forget(app: 1, olderThan: .zero, after: nil, limit: 9).removed > 0
            }
            #expect(isRemoved)
            #expect(try await lab.number("SELECT count(*) FROM events") == 2)
        }
    }
}
