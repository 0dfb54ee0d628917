// Several downloads of one URL: one transfer, and a file of its own for each.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing

@testable import Content
@testable import Worker

@Suite struct FlightTests {
    private static let flight = WorkerLab.identifier()

    /// Stores a download that shares the transfer of all others in this test.
    private func submit(
        _ replica: Replica, _ url: String, _ members: JSONObject = JSONObject()
    ) async throws -> Identifier {
        var members = members
        members["on_duplicate_url"] = "join"
        var new = try replica.draft(url, members)
        new.flight = Self.flight
        _ = try await replica.intake.submit(new)
        replica.worker.hint()
        return new.download.id
    }

    @Test func oneTransferBringsTheContentOfAll() async throws {
        let gate = OriginGate()
        let bytes = content(200_000)
        try await Replica.with(
            change: { $0.retentionInterval = .milliseconds(50) },
            { _ in
                let steps = Answer.whole(bytes, cutAfter: 50_000)
                return Array(steps.dropLast()) + [
                    .wait(gate), .sendBytes(Array(bytes.dropFirst(50_000))),
                ]
            }
        ) { replica, origin in
            defer { gate.open() }
            var ids = [try await submit(replica, origin.url())]
            _ = try await replica.reached(.running, ids[0])
            for retention in [3600, 1, 3600] as [Int64] {
                ids.append(
                    try await submit(
                        replica, origin.url(), ["content_retention": .integer(retention)]))
            }
            #expect(try await replica.find(ids[3]).download.joinedTo == ids[0])
            gate.open()
            for id in ids { _ = try await replica.reached(.succeeded, id) }
            #expect(origin.requests.count == 1)
            // The second download's content expires by itself, and the client gives up the first
            // one's.
            #expect(
                try await eventually {
                    try await replica.find(ids[2]).download.result.content?.state == .expired
                })
            guard case .done = try await replica.downloads.contents.release(ids[0], app: 1) else {
                Issue.record("not released")
                return
            }
            #expect(
                try await eventually {
                    await replica.worker.bells[ContentRetention.self].ring()
                    return try replica.lab.files().count == 2
                })
            for id in [ids[1], ids[3]] {
                let record = try await replica.find(id)
                #expect(try replica.file(record) == bytes)
                #expect(record.download.result.joinedTo == ids[0])
                let digest = record.download.result.content?.sha256
                #expect(digest == sha256(bytes))
            }
            #expect(replica.worker.tally.sharedCount == 3)
        }
    }

    /// A download, and its end if its content has 5,000 bytes of unproven length.
    struct Demand: Sendable, CustomTestStringConvertible {
        var members: JSONObject
        var state = DownloadState.succeeded
        var code: FailureCode?

        var testDescription: String { JSON.object(members).text }

        static let bytes = content(5000)
        /// Each demand, met and not met.
        static let all: [Demand] = [
            Demand(members: [:]), Demand(members: ["max_bytes": 5000]),
            Demand(members: [
                "min_bytes": 5000, "accept_content_types": ["application/octet-stream"],
            ]),
            Demand(
                members: ["min_bytes": 5001], state: .failed, code: .contentTooShort),
            Demand(
                members: ["accept_content_types": ["image/*"]], state: .failed,
                code: .contentTypeNotAccepted),
            Demand(
                members: ["max_bytes": 4999], state: .attentionRequired,
                code: .dataLengthExceedsMaximum),
            Demand(members: [
                "count_of_bytes_client_expects_to_receive": 5000, "require_expected_length": true,
            ]),
            Demand(
                members: [
                    "count_of_bytes_client_expects_to_receive": 7, "require_expected_length": true,
                ], state: .failed, code: .expectedLengthMismatch),
            Demand(members: ["count_of_bytes_client_expects_to_receive": 7]),
            Demand(members: ["expected_digest": .string("sha256:" + sha256(bytes))]),
            Demand(
                members: [
                    "expected_digest": .string("sha256:" + String(repeating: "0", count: 64))
                ], state: .failed, code: .digestMismatch),
            Demand(
                members: ["require_verified_length": true], state: .failed,
                code: .lengthUnverified),
        ]
    }

    /// Every leader with a follower of every kind: each ends as if it were alone.
    @Test(arguments: Demand.all)
    func eachIsJudgedByItsOwnDemands(_ leading: Demand) async throws {
        let gate = OriginGate()
        try await Replica.with(
            change: { $0.retries.maximumAttempts = 1 },
            { _ in
                [
                    .send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), .wait(gate),
                    .sendBytes(Demand.bytes), .close,
                ]
            }
        ) { replica, origin in
            defer { gate.open() }
            let first = try await submit(replica, origin.url(), leading.members)
            #expect(try await eventually { !origin.requests.isEmpty })
            var followers: [(id: Identifier, demand: Demand)] = []
            for demand in Demand.all {
                followers.append((try await submit(replica, origin.url(), demand.members), demand))
            }
            gate.open()
            for (id, own) in [(id: first, demand: leading)] + followers {
                var demand = own
                // The leader's digest proves the length for all that join it.
                if id != first, leading.state == .succeeded, own.code == .lengthUnverified,
                    leading.members["expected_digest"] != nil
                {
                    (demand.state, demand.code) = (.succeeded, nil)
                }
                let record = try await replica.reached(demand.state, id)
                let result = record.download.result
                #expect(
                    result.error?.code == demand.code, "\(demand) behind \(leading): \(id)")
                guard demand.state == .succeeded else { continue }
                #expect(try replica.file(record) == Demand.bytes)
                if leading.state == .succeeded, id != first {
                    #expect(result.joinedTo == first, "\(demand) behind \(leading)")
                }
                let expected = record.download.bytesExpectedByClient
                #expect(result.content?.isExpectedLength == expected.map { $0 == 5000 })
            }
        }
    }

    @Test func theNextGoesOnWithTheBytesOfOneThatIsCanceled() async throws {
        let gate = OriginGate()
        let bytes = content(2_000_000)
        try await Replica.with({ request in
            if let start = request.rangeStart { return Answer.part(bytes, from: start) }
            let steps = Answer.whole(bytes, cutAfter: 900_000)
            return Array(steps.dropLast()) + [.wait(gate), .close]
        }) { replica, origin in
            defer { gate.open() }
            let first = try await submit(replica, origin.url())
            let isHalf = try await eventually {
                try await replica.find(first).download.bytesReceived == 900_000
            }
            #expect(isHalf)
            var next: [Identifier] = []
            for _ in 0..<2 { next.append(try await submit(replica, origin.url())) }
            // Identifiers of tests are random; the follower with the least one takes the lead.
            let (second, third) = (try #require(next.min()), try #require(next.max()))
            _ = try await replica.perform(.cancel, first)
            _ = try await replica.reached(.canceled, first)
            for id in [second, third] {
                let record = try await replica.reached(.succeeded, id)
                #expect(try replica.file(record) == bytes)
            }
            #expect(try await replica.find(third).download.result.joinedTo == second)
            #expect(origin.requests.map(\.rangeStart) == [nil, 900_000])
            #expect(try await replica.attempts(second).count == 1)
            #expect(try await replica.attempts(third).isEmpty)
            // The bytes of the first download are of no use any more.
            _ = try await replica.pool.query("UPDATE flight_ends SET due_at = now()")
            let isSwept = try await eventually {
                await replica.worker.bells[FlightWatch.self].ring()
                await replica.worker.bells[FileSweep.self].ring()
                return try replica.lab.files().count == 2
            }
            #expect(isSwept)
        }
    }

    @Test func eachFailsByItsOwnAttempts() async throws {
        let gate = OriginGate()
        try await Replica.with({ _ in
            [.wait(gate)] + Answer.status("404 Not Found")
        }) { replica, origin in
            let first = try await submit(replica, origin.url())
            _ = try await replica.reached(.running, first)
            let second = try await submit(replica, origin.url())
            gate.open()
            for id in [first, second] {
                let record = try await replica.reached(.failed, id)
                #expect(record.download.attempt == 1)
                #expect(record.download.result.error?.httpStatus == 404)
            }
            #expect(origin.requests.count == 2)
        }
    }

    /// The process is killed at each step between the end of the first download and that of the
    /// last: nothing is lost, and nothing is fetched again.
    @Test(arguments: 0...3)
    func whatAKilledProcessLeftIsDoneByTheNext(_ step: Int) async throws {
        let bytes = content(70_000)
        try await Replica.with({ _ in Answer.whole(bytes) }, isRunning: false) { replica, origin in
            let ids = try await [0, 1, 2].asyncMap { _ in try await submit(replica, origin.url()) }
            let instance = replica.lab.store.instance
            try await succeed(replica, ids[0], bytes, instance)
            let flights = replica.downloads.flights
            guard case .share(let file)? = try await flights.due(instance: instance, limit: 1).first
            else {
                Issue.record("nothing is to be shared")
                return
            }
            let followers = try await flights.followers(of: file)
            let names = followers.map { ContentName(download: $0.id, fence: $0.fence) }
            // The files that were made by then: none, one, all, or all with one row written.
            try replica.lab.store.share(
                ContentName(download: file.leader, fence: file.fence),
                as: Array(names.prefix([0, 1, 2, 2][step])), length: file.length)
            if step == 3 {
                _ = try await flights.finish(
                    Array(followers.prefix(1)), file, at: replica.lab.clock.now, retention: 60)
            }
            Task { await replica.worker.run() }
            for id in ids {
                let record = try await replica.reached(.succeeded, id)
                #expect(try replica.file(record) == bytes)
            }
            #expect(origin.requests.isEmpty)
            #expect(try replica.lab.files().count == 3)
        }
    }

    /// The end of a download as its worker records it.
    private func succeed(
        _ replica: Replica, _ id: Identifier, _ bytes: [UInt8], _ instance: Identifier
    ) async throws {
        let lane = try await replica.number(
            "SELECT lane_no FROM queue WHERE id = '\(id.hexadecimal)'")
        let head = try #require(
            await replica.ledger.lanes(
                from: .start, wanted: 8
            ).page.heads.first { $0.lane == lane })
        let claim = try #require(
            await replica.ledger.claim(
                ClaimOrder([LaneQuota(head: head, count: 8)], total: 8),
                limits: PolicyLimits(running: 8, perOrigin: 8)
            ).runs.first)
        #expect(claim.download.id == id)
        let part = try replica.lab.store.create(ContentName(download: id, fence: claim.fence))
        try part.write(bytes, at: 0)
        let length = Int64(bytes.count)
        _ = try replica.lab.store.publish([CompletedPart(part: part, length: length)])[0].get()
        var run = RunRecord(claim, outcome: .succeeded, event: .succeeded, at: claim.claimedAt)
        run.download.state = .succeeded
        run.download.sequence += 1
        run.download.completedAt = claim.claimedAt
        run.download.bytesReceived = length
        run.content = KeptContent(
            instance: instance, length: length, at: run.at, retention: 3600)
        run.download.result.content = DownloadContent(
            length: length, sha256: sha256(bytes), isLengthVerified: true,
            expiresAt: run.content?.expiresAt)
        #expect(try await replica.ledger.finish([run]) == [id])
    }
}
