// The progress of downloads in streams and held pages: it has no place in the journal.
import Base
import Downloads
import HTTPWire
import Postgres
import Scheduling
import Store
import Synchronization
import Testing

@testable import API

@Suite struct ProgressTests {
    private static let accept = [("Accept", "text/event-stream")]

    /// Running downloads, without a worker.
    private struct Runs {
        let world: APIWorld
        let ledger: Ledger
        var claims: [ClaimedDownload] = []

        init(_ world: APIWorld, _ count: Int) async throws {
            self.world = world
            for _ in 0..<count { #expect(await world.create().status == 201) }
            ledger = try await Ledger.register(
                pool: world.pool, instance: Identifier(high: 1, low: 9), node: "test",
                lease: .seconds(600), changes: ChangeHub()
            ).ledger
            let heads = try await ledger.lanes().page.heads
            claims = try await ledger.claim(
                ClaimOrder(heads.map { LaneQuota(head: $0, count: 100) }, total: 100),
                limits: PolicyLimits(running: 100, perOrigin: 100, perSession: 100)
            ).runs
            #expect(claims.count == count)
        }

        /// Every download gets more bytes.
        func goOn(_ bytes: Int64) async throws {
            _ = try await ledger.report(
                claims.map { claim in
                    var download = claim.download
                    download.bytesReceived = bytes
                    return RunProgress(
                        download: download, fence: claim.fence, at: claim.claimedAt, resume: nil,
                        emitsEvent: false)
                })
        }

        mutating func finish() async throws {
            let claim = claims.removeLast()
            let at = claim.claimedAt + .milliseconds(1)
            var run = RunRecord(claim, outcome: .failed, event: .failed, at: at)
            run.download.state = .failed
            run.download.sequence += 1
            run.download.completedAt = at
            #expect(try await ledger.finish([run]).count == 1)
        }
    }

    private func subject(_ event: [String: String]) -> String? {
        do {
            return try JSON.parse(Array((event["data"] ?? "").utf8))["data"]?["id"]?.stringValue
        } catch {
            return nil
        }
    }

    @Test(arguments: ["/v1/events", "/v1/downloads/{id}/events"])
    func progressEventsHaveNoID(path: String) async throws {
        try await APIWorld.with { world in
            var runs = try await Runs(world, 1)
            let id = try #require(runs.claims.first).download.id.text(.download)
            let path = path.split(separator: "{id}").joined(separator: id)
            let reader = StreamReader()
            let reply = await world.send("GET", path, headers: ProgressTests.accept)
            async let reading: Void = reader.read(reply) { $0.contains("download.failed") }
            var bytes: Int64 = 0
            while !reader.seen.contains("download.progress"), bytes < 500 {
                bytes += 1
                try await runs.goOn(bytes)
                try await Task.sleep(for: .milliseconds(10))
            }
            try await runs.finish()
            await reading
            let shown = reader.events.filter { $0["event"] == "download.progress" }
            #expect(!shown.isEmpty)
            for event in shown {
                #expect(event["id"] == nil)
                #expect(subject(event) == id)
            }
            let others = reader.events.filter { $0["event"] != "download.progress" }
            #expect(others.allSatisfy { $0["id"] != nil })
            #expect(reader.events.last?["event"] == "download.failed")
            // A client that resumes at the last id gets each event once.
            for event in others.dropLast() {
                let rest = StreamReader()
                await rest.read(
                    await world.send(
                        "GET", path,
                        headers: ProgressTests.accept + [("Last-Event-ID", event["id"] ?? "")])
                ) { $0.contains("download.failed") }
                let place = try #require(others.firstIndex(of: event))
                #expect(rest.events == Array(others[(place + 1)...]))
            }
        }
    }

    @Test func noProgressAfterTheEndOfADownload() async throws {
        try await APIWorld.with { world in
            var runs = try await Runs(world, 40)
            let reader = StreamReader()
            let reply = await world.send("GET", "/v1/events", headers: ProgressTests.accept)
            let reading = Task { await reader.read(reply) }
            #expect(await reader.sees("id: "))
            var bytes: Int64 = 0
            while !runs.claims.isEmpty {
                for _ in 0..<3 {
                    bytes += 1
                    try await runs.goOn(bytes)
                    try await Task.sleep(for: .milliseconds(15))
                }
                try await runs.finish()
            }
            for _ in 0..<2000 {
                if reader.events.filter({ $0["event"] == "download.failed" }).count == 40 { break }
                try await Task.sleep(for: .milliseconds(10))
            }
            try await Task.sleep(for: .milliseconds(100))
            reading.cancel()
            await reading.value
            var ended: Set<String> = []
            var shown = 0
            for event in reader.events {
                let id = try #require(subject(event))
                if event["event"] == "download.progress" {
                    shown += 1
                    #expect(!ended.contains(id))
                } else if event["event"] == "download.failed" {
                    ended.insert(id)
                }
            }
            #expect(ended.count == 40 && shown > 40)
        }
    }

    @Test func aHeldPageReturnsProgressOnlyIfTypesNamesIt() async throws {
        try await APIWorld.with { world in
            let runs = try await Runs(world, 1)
            let id = try #require(runs.claims.first).download.id.text(.download)
            var place = ""
            for _ in 0..<2000 where place.isEmpty {
                let page = await world.send("GET", "/v1/events?types=download.started")
                place = page.json["data"]?.arrayValue?.last?["cursor"]?.stringValue ?? ""
                try await Task.sleep(for: .milliseconds(10))
            }
            let path = "/v1/events?after=\(place)"
            let done = Mutex(false)
            async let named = world.send(
                "GET", path + "&wait=30&types=download.progress,download.failed")
            async let unnamed = world.send("GET", path + "&wait=2")
            let moving = Task {
                var bytes: Int64 = 0
                while !done.withLock({ $0 }) {
                    bytes += 1
                    try await runs.goOn(bytes)
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            let shown = await named
            let empty = await unnamed
            done.withLock { $0 = true }
            try await moving.value
            let first = try #require(shown.json["data"]?.arrayValue?.first)
            #expect(first["type"] == "download.progress")
            #expect(first["id"] == .null)
            #expect(first["cursor"]?.stringValue == place)
            #expect(first["data"]?["id"]?.stringValue == id)
            #expect(empty.json["data"]?.arrayValue == [])
        }
    }

    @Test func noProgressForOtherTypes() async throws {
        try await APIWorld.with { world in
            var runs = try await Runs(world, 1)
            let reader = StreamReader()
            let reply = await world.send(
                "GET", "/v1/events?types=download.failed", headers: ProgressTests.accept)
            async let reading: Void = reader.read(reply) { $0.contains("download.failed") }
            for bytes in 1...20 {
                try await runs.goOn(Int64(bytes))
                try await Task.sleep(for: .milliseconds(10))
            }
            try await runs.finish()
            await reading
            #expect(reader.events.map { $0["event"] } == ["download.failed"])
        }
    }
}
