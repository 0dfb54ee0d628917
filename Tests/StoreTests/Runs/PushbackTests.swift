// An origin's pushback to one app holds that app's downloads; pushback to three apps holds all.
import Base
import Downloads
import Postgres
import Scheduling
import Testing

@testable import Store

@Suite struct PushbackTests {
    private static let apps: [Int64] = [1, 2, 3, 4]

    /// Apps with a session each, whose numbers are those of the apps.
    private func make(_ lab: StoreLab) async throws {
        _ = try await lab.pool.query(
            "INSERT INTO apps (name) SELECT 'a' || n FROM generate_series(2, 4) n")
        _ = try await lab.pool.query(
            """
            INSERT INTO sessions (app_no, identifier, configuration)
            SELECT app_no, 'default', '{}' FROM apps WHERE app_no > 1 ORDER BY app_no
            """)
    }

    private func session(_ app: Int64, _ lab: StoreLab) async throws -> Int64 {
        try await lab.number("SELECT session_no FROM sessions WHERE app_no = $1", [app])
    }

    /// Two downloads of each app, of which one ends with a told time for the apps given.
    private func push(
        _ lab: StoreLab, _ ledger: Ledger, _ apps: [Int64: Duration]
    ) async throws -> [Int64: Timestamp] {
        var told: [Int64: Timestamp] = [:]
        let now = try await lab.now()
        for app in apps.keys.sorted() {
            try await lab.submit(session: try await session(app, lab), app: app)
        }
        let claims = try await lab.claim(ledger)
        for claim in claims {
            var run = lab.end(claim, .failed)
            if let time = apps[claim.app] {
                run.coolOrigin = now + time
                told[claim.app] = now + time
            }
            #expect(try await ledger.finish([run]).count == 1)
        }
        return told
    }

    /// The time until which each app's next download is held, by every reader of it; all agree.
    private func held(_ lab: StoreLab, _ ledger: Ledger) async throws -> [Int64: Timestamp] {
        var held: [Int64: Timestamp] = [:]
        var ids: [Int64: Identifier] = [:]
        for app in Self.apps {
            ids[app] = try await lab.submit(session: try await session(app, lab), app: app)[0]
        }
        let heads = try await lab.heads(ledger)
        var cursor = LaneCursor.start
        (cursor.readsChangesOnly, cursor.again) = (true, heads.map(\.lane))
        let again = try await ledger.lanes(from: cursor).page.heads
        let forecast = try await lab.downloads.forecastReads.queue().lanes
        for app in Self.apps {
            let head = try #require(heads.first { $0.app == app })
            let until = head.origin.notBefore
            held[app] = until
            #expect(again.first { $0.app == app }?.origin.notBefore == until)
            let lane = try #require(forecast.first { $0.flow.app == app })
            #expect(lane.candidate.origin.notBefore == until)
            let id = try #require(ids[app])
            let record = try #require(try await lab.downloads.find(id, app: app))
            #expect(record.candidate?.origin.notBefore == until)
            let cooling = try await ledger.pushbacks([StoreLab.origin], app: app)
            #expect(cooling[StoreLab.origin] == until)
        }
        let claims = try await lab.claim(ledger)
        let begun = Set(claims.map(\.app))
        #expect(begun == Set(Self.apps.filter { held[$0] == nil }))
        for claim in claims {
            let limits = StoreLab.limits.of(
                origin: claim.origin, session: claim.download.session, app: claim.appName)
            let wider = try await ledger.widen(
                by: 1, claim.download.id, fence: claim.fence, limits: limits)
            #expect(wider == 1, "it is held by none of its gates")
            _ = try await ledger.finish([lab.end(claim, .failed)])
        }
        // Held downloads are not left to the next look.
        for app in Self.apps {
            guard let id = ids[app] else { continue }
            _ = try await lab.downloads.perform(.cancel, on: id, app: app)
        }
        return held
    }

    @Test(arguments: [[1: 600], [1: 600, 2: 5], [2: 60, 3: 7200]])
    func oneOrTwoAppsAreHeldAlone(times: [Int64: Int]) async throws {
        try await StoreLab.with { lab in
            try await make(lab)
            let ledger = try await lab.register()
            let told = try await push(lab, ledger, times.mapValues { .seconds($0) })
            #expect(told.count == times.count)
            #expect(try await held(lab, ledger) == told)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    /// An origin that holds three apps holds all apps, until the earliest of the three told times
    /// is over.
    @Test func ofThreeAppsWithinAMinuteAllAreHeld() async throws {
        try await StoreLab.with { lab in
            try await make(lab)
            let ledger = try await lab.register()
            // The ends come in several statements, as from several replicas.
            var told = try await push(lab, ledger, [1: .seconds(600)])
            told.merge(try await push(lab, ledger, [2: .seconds(7200)])) { $1 }
            #expect(try await held(lab, ledger) == told)
            told.merge(try await push(lab, ledger, [3: .seconds(300)])) { $1 }
            told[4] = told[3]
            #expect(try await held(lab, ledger) == told)
        }
    }

    @Test func ofThreeAppsInLongerThanAMinuteNoOtherIsHeld() async throws {
        try await StoreLab.with { lab in
            try await make(lab)
            let ledger = try await lab.register()
            var told = try await push(lab, ledger, [1: .seconds(600), 2: .seconds(600)])
            _ = try await lab.pool.query(
                "UPDATE pushbacks SET pushed_at = pushed_at - interval '61 s' WHERE app_no = 1")
            told.merge(try await push(lab, ledger, [3: .seconds(600)])) { $1 }
            #expect(try await held(lab, ledger) == told)
        }
    }

    @Test func pushbacksThatAreOverAreRemovedAndOthersStay() async throws {
        try await StoreLab.with { lab in
            try await make(lab)
            let ledger = try await lab.register()
            _ = try await push(lab, ledger, [1: .seconds(600), 2: .seconds(600), 3: .seconds(600)])
            let history = History(pool: lab.pool)
            #expect(try await history.forgetPushbacks(limit: 9) == 0)
            _ = try await lab.pool.query(
                """
                UPDATE pushbacks SET until = now() - interval '2 min',
                    pushed_at = now() - interval '2 min' WHERE app_no < 3
                """)
            #expect(try await history.forgetPushbacks(limit: 1) == 1)
            #expect(try await history.forgetPushbacks(limit: 9) == 1)
            #expect(try await lab.number("SELECT count(*) FROM pushbacks") == 1)
        }
    }
}
