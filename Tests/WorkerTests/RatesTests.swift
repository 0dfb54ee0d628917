// Rates over a real queue: set by policy, session and download, changed while bytes come.
import Base
import Downloads
import Platform
import Scheduling
import Store
import Support
import Testing
import Transfers
import Trees

@testable import Worker

@Suite struct RatesTests {
    private static func policy(_ bandwidth: String) throws -> Policy {
        try Policy.parse(
            ["bandwidth": .string(bandwidth)],
            defaults: PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
        ) { _ in true }.get()
    }

    private static func script(_ bytes: [UInt8]) -> OriginServer.Script {
        { request in
            request.rangeStart.map { Answer.part(bytes, from: $0) } ?? Answer.whole(bytes)
        }
    }

    @Test func rateZeroPausesThenReleasesThenResumes() async throws {
        let bytes = content(8_000_000)
        try await Replica.with(Self.script(bytes)) { replica, origin in
            replica.worker.replacePolicy(try Self.policy("3MiB"), .utc)
            let id = try await replica.submit(
                origin.url(), ["timeout_interval_for_request": 1])
            let isMoving = try await eventually {
                try await replica.find(id).download.bytesReceived > 500_000
            }
            #expect(isMoving)
            replica.worker.replacePolicy(try Self.policy("paused"), .utc)
            let isHeld = try await eventually {
                await replica.lab.engine.rateFigures.waiting == 1
            }
            #expect(isHeld)
            // The silence is caused by Lull's limit: after the request's patience the download
            // waits at a durable point.
            let waiting = try await replica.reached(.waiting, id)
            #expect(waiting.download.bytesReceived > 0)
            #expect(waiting.download.bytesReceived < Int64(bytes.count))
            let late = try await replica.submit(origin.url("/late"))
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await replica.find(late).download.state == .waiting)
            replica.worker.replacePolicy(try Self.policy("off"), .utc)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            #expect(record.download.result["resume"]?["outcome"] == "continued")
            _ = try await replica.reached(.succeeded, late)
        }
    }

    @Test func downloadLimitChangesWhileRunning() async throws {
        let bytes = content(4_000_000)
        try await Replica.with(Self.script(bytes)) { replica, origin in
            let id = try await replica.submit(origin.url(), ["max_bytes_per_second": 1000])
            let isHeld = try await eventually {
                await replica.lab.engine.rateFigures.waiting == 1
            }
            #expect(isHeld)
            replica.worker.limitDownload(id, to: nil)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            #expect(record.download.attempt == 1)
        }
    }

    /// The values that another replica's API wrote are found at the next look at the census.
    @Test func limitsChangedByAnotherReplicaApply() async throws {
        let bytes = content(4_000_000)
        try await Replica.with(Self.script(bytes)) { replica, origin in
            let sessions = Sessions(pool: replica.pool)
            var slow = SessionConfiguration()
            slow.maxBytesPerSecond = 1000
            _ = try await sessions.put(app: 1, identifier: "default", configuration: slow)
            // Until the next look the old limits hold: a download that ends before it says nothing.
            var id = try await replica.submit(origin.url())
            let isHeld = try await eventually {
                if try await replica.find(id).download.state == .succeeded {
                    id = try await replica.submit(origin.url())
                }
                return await replica.lab.engine.rateFigures.waiting == 1
            }
            #expect(isHeld)
            _ = try await sessions.put(
                app: 1, identifier: "default", configuration: SessionConfiguration())
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
        }
    }

    /// The policy is only stored, as another replica's API stores it; both replicas find it by its
    /// version.
    @Test func replicasShareTheDeploymentLimit() async throws {
        let rate: Int64 = 1_000_000
        let bytes = content(6_000_000)
        let two: (inout WorkerSettings) -> Void = { $0.slots = 2 }
        try await Replica.with(change: two, Self.script(bytes)) { replica, origin in
            try await replica.besides(change: two) { other in
                let both = [replica.lab.engine.gauges, other.lab.engine.gauges]
                let policies = Policies(pool: replica.pool)
                _ = try await policies.replace(
                    document: ["bandwidth": .string("\(rate)")],
                    where: { version, _ in version == 0 })
                #expect(try await eventually { both.allSatisfy { $0.limitOfAll != nil } })
                let ids = try await (0..<4).asyncMap {
                    try await replica.submit(origin.url("/\($0)"))
                }
                other.worker.hint()
                let isDivided = try await eventually {
                    both.allSatisfy { $0.running == 2 && $0.limitOfAll == rate / 2 }
                }
                #expect(isDivided, "\(both.map { ($0.running, $0.limitOfAll) })")
                let began = SystemClock.bootNanoseconds()
                let before = both.reduce(0) { $0 + $1.receivedBytes }
                let isMoving = try await eventually {
                    both.reduce(0) { $0 + $1.receivedBytes } > before + rate / 2
                }
                #expect(isMoving)
                let came = both.reduce(0) { $0 + $1.receivedBytes } - before
                let seconds = Double(SystemClock.bootNanoseconds() - began) / 1_000_000_000
                // A slow machine gets less; it never gets more.
                #expect(Double(came) <= seconds * Double(rate) + 100_000 + 8 * 16_384)
                _ = try await policies.replace(
                    document: ["bandwidth": "off"], where: { version, _ in version == 1 })
                #expect(try await eventually { both.allSatisfy { $0.limitOfAll == nil } })
                for id in ids { _ = try await replica.reached(.succeeded, id) }
                // The counts are written after the commits.
                let areCounted = try await eventually {
                    let ended = replica.worker.tally.ended(.succeeded)
                    return ended + other.worker.tally.ended(.succeeded) == 4
                }
                #expect(areCounted)
                #expect(both.reduce(0) { $0 + $1.receivedBytes } == 4 * Int64(bytes.count))
            }
        }
    }

    @Test func sessionLimitChangesWhileRunning() async throws {
        let bytes = content(4_000_000)
        try await Replica.with(Self.script(bytes)) { replica, origin in
            replica.worker.replacePolicy(
                try Policy.parse(
                    ["bandwidth": ["per_session": ["default": "1k"], "per_origin": "off"]],
                    defaults: PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
                ) { _ in true }.get(), .utc)
            let ids = try await (0..<3).asyncMap { try await replica.submit(origin.url("/\($0)")) }
            let areHeld = try await eventually {
                await replica.lab.engine.rateFigures.waiting == 3
            }
            #expect(areHeld)
            replica.worker.replacePolicy(try Self.policy("off"), .utc)
            for id in ids { _ = try await replica.reached(.succeeded, id) }
        }
    }
}
