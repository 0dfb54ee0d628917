// The progress of running downloads for listeners: nothing of it is stored.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct ProgressFeedTests {
    /// A listener in another process than the one that runs the downloads.
    private struct Ear {
        let journal: Journal
        let scope: JournalQuery.Scope
        let listener: ProgressListener

        init(_ lab: StoreLab, _ scope: JournalQuery.Scope = .app(1, session: nil)) {
            let changes = ChangeHub(progressInterval: .milliseconds(5))
            journal = Downloads(pool: lab.pool, changes: changes).journal
            self.scope = scope
            listener = journal.listen(in: scope)
        }

        /// Waits as an event stream does, and takes the notes that came.
        func hear() async throws -> [ProgressNote]? {
            try await journal.wait(
                past: journal.mark, in: scope, listener: listener, soon: true,
                upTo: .milliseconds(300))
            return listener.take()?.notes
        }

        /// Listens until there are notes.
        func hearSomething(_ body: () async throws -> Void) async throws -> [ProgressNote] {
            for _ in 0..<100 {
                try await body()
                if let notes = try await hear(), !notes.isEmpty { return notes }
            }
            return []
        }
    }

    private func report(_ ledger: Ledger, _ claims: [ClaimedDownload], _ bytes: Int64) async throws
    {
        _ = try await ledger.report(
            claims.map { claim in
                var download = claim.download
                download.bytesReceived = bytes
                download.bytesTotal = 1_000_000
                download.bytesPerSecond = 1000
                return RunProgress(
                    download: download, fence: claim.fence, at: claim.claimedAt, resume: nil,
                    emitsEvent: false)
            })
    }

    @Test func progressReachesOtherProcessesWithoutWrites() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let before = try await lab.number("SELECT count(*) FROM events")
            let ear = Ear(lab)
            var bytes: Int64 = 0
            let notes = try await ear.hearSomething {
                bytes += 1
                try await report(ledger, [claim], bytes)
            }
            #expect(notes.map(\.download) == [claim.download.id])
            let event = try JSON.parse(try #require(notes.first).body)
            #expect(event["type"] == "download.progress")
            let data = try #require(event["data"])
            #expect(data["count_of_bytes_received"]?.integerValue ?? 0 > 0)
            #expect(data["bytes_per_second"] == 1000)
            #expect(data["completes_at"]?.stringValue != nil)
            #expect(data["state"] == "running")
            #expect(data["sequence"] == .integer(claim.download.sequence))
            #expect(try await lab.number("SELECT count(*) FROM events") == before)
            #expect(try await lab.number("SELECT count(*) FROM deliveries") == 0)
        }
    }

    @Test func stalledAndEndedDownloadsSendNoProgress() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(3)
            let ledger = try await lab.register()
            let claims = try await lab.claim(ledger).sorted { $0.download.id < $1.download.id }
            let ear = Ear(lab)
            var bytes: Int64 = 0
            var heard: Set<Identifier> = []
            for _ in 0..<20 {
                bytes += 1
                try await report(ledger, [claims[0]], bytes)
                for note in try await ear.hear() ?? [] { heard.insert(note.download) }
            }
            #expect(heard == [claims[0].download.id])
            #expect(ids.count == 3)
            _ = try await ledger.finish(claims.map { lab.end($0, .failed) })
            // A note that was under way at the end may still come once.
            _ = try await ear.hear()
            for _ in 0..<5 { #expect(try await ear.hear() ?? [] == []) }
        }
    }

    @Test func listenersGetTheirOwnDownloads() async throws {
        try await StoreLab.with { lab in
            let session = try await lab.pool.query(
                """
                INSERT INTO sessions (app_no, identifier) VALUES (1, 'night') RETURNING session_no
                """)[0].get(0, as: Int64.self)
            try await lab.submit(2)
            try await lab.submit(2, session: session)
            let ledger = try await lab.register()
            let claims = try await lab.claim(ledger)
            #expect(claims.count == 4)
            let one = claims[1].download.id
            let changes = ChangeHub(progressInterval: .milliseconds(5))
            let journal = Downloads(pool: lab.pool, changes: changes).journal
            let scopes: [JournalQuery.Scope] = [
                .app(1, session: nil), .app(1, session: "night"), .app(2, session: nil),
                .download(one),
            ]
            let ears = scopes.map { ($0, journal.listen(in: $0)) }
            var heard: [JournalQuery.Scope: Set<Identifier>] = [:]
            for turn in 1...20 {
                try await report(ledger, claims, Int64(turn))
                for (scope, listener) in ears {
                    try await journal.wait(
                        past: journal.mark, in: scope, listener: listener, soon: true,
                        upTo: .milliseconds(20))
                    heard[scope, default: []].formUnion(
                        (listener.take()?.notes ?? []).map(\.download))
                }
            }
            let night = claims.filter { $0.sessionKey == session }.map(\.download.id)
            #expect(heard[scopes[0]] == Set(claims.map(\.download.id)))
            #expect(heard[scopes[1]] == Set(night))
            #expect(heard[scopes[2]] == [])
            #expect(heard[scopes[3]] == [one])
        }
    }

    @Test func manyListenersAreServedInTurn() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(230)
            let ledger = try await lab.register()
            let claims = try await lab.claim(ledger)
            #expect(claims.count == 230)
            let ear = Ear(lab)
            var heard: Set<Identifier> = []
            var most = 0
            for turn in 1...100 where heard.count < 230 {
                try await report(ledger, claims, Int64(turn))
                let notes = try await ear.hear() ?? []
                most = max(most, notes.count)
                heard.formUnion(notes.map(\.download))
            }
            #expect(heard.count == 230)
            #expect(most == 100)
        }
    }

    @Test func withoutListenersNothingIsQueried() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let changes = ChangeHub(progressInterval: .zero)
            let journal = Downloads(pool: lab.pool, changes: changes).journal
            var listener: ProgressListener? = journal.listen(in: .app(1, session: nil))
            #expect(listener != nil)
            listener = nil
            for turn in 1...3 {
                try await report(ledger, [claim], Int64(turn))
                try await journal.wait(
                    past: journal.mark, in: .app(1, session: nil), soon: true,
                    upTo: .milliseconds(20))
            }
            // A new listener gets no earlier notes.
            #expect(journal.listen(in: .app(1, session: nil)).take() == nil)
        }
    }
}
