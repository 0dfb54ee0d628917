// Downloads that do not fit before a closing stay, by their own size, unless they can be continued;
// and lanes differ by the networks that their downloads may use.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct ClosingClaimTests {
    private static func submit(_ lab: StoreLab, bytes: Int64?) async throws -> Identifier {
        var members = JSONObject()
        members["count_of_bytes_client_expects_to_receive"] = bytes.map { .integer($0) }
        return try await lab.submit(1, members)[0]
    }

    private static func claim(
        _ lab: StoreLab, _ ledger: Ledger, _ room: ClosingRoom?
    ) async throws -> Set<Identifier> {
        let quotas = try await lab.heads(ledger).map { head in
            var quota = LaneQuota(head: head, count: 100)
            quota.room = room
            return quota
        }
        let answer = try await ledger.claim(ClaimOrder(quotas, total: 100), limits: StoreLab.limits)
        return Set(answer.runs.map(\.download.id))
    }

    private static func room(
        most: Int64, longest: Int64, unsized: Int64? = nil
    ) -> ClosingRoom {
        ClosingRoom(closesAt: .epoch, longest: longest, unsized: unsized, most: most)
    }

    @Test func aClaimTakesWhatFitsOrFitsNowhere() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            // All are in one lane: 100 bytes fit, 1000 would fit later, 10,000 never.
            let small = try await Self.submit(lab, bytes: 100)
            let middle = try await Self.submit(lab, bytes: 1000)
            let large = try await Self.submit(lab, bytes: 10_000)
            let unknown = try await Self.submit(lab, bytes: nil)
            let edge = try await Self.submit(lab, bytes: 500)
            let known = Self.room(most: 500, longest: 2000, unsized: 501)
            #expect(try await Self.claim(lab, ledger, known) == [small, large, edge])
            let nothing = Self.room(most: 0, longest: 2000)
            #expect(try await Self.claim(lab, ledger, nothing) == [unknown])
            #expect(try await Self.claim(lab, ledger, nil) == [middle])
        }
    }

    /// Bytes that are here with a validator can be continued; void bytes cannot.
    @Test func whatIsResumableIsTakenUntilTheClosing() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            var ids: [Identifier] = []
            for point in [
                #"{"offset": 10, "fence": 1, "instance": "i", "etag": "\"a\""}"#,
                #"{"offset": 10, "fence": 1, "instance": "i", "void": "gone"}"#,
                #"{"offset": 0, "fence": 1, "instance": "i"}"#,
                #"{"offset": "10"}"#, #"{"sent": true}"#,
            ] {
                let id = try await Self.submit(lab, bytes: 1000)
                _ = try await lab.pool.query(
                    "UPDATE queue SET resume = $2::jsonb WHERE id = $1", [UUIDValue(id), point])
                ids.append(id)
            }
            for (place, id) in ids.enumerated() {
                let candidate = try #require(try await lab.find(id)?.candidate)
                #expect(candidate.isResumable == (place == 0))
            }
            let room = Self.room(most: 100, longest: 5000)
            #expect(try await Self.claim(lab, ledger, room) == [ids[0]])
        }
    }

    @Test func lanesDifferByTheNetworksThatTheirDownloadsMayUse() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let free = try await lab.submit(2)
            let bound = try await lab.submit(2, ["allows_expensive_network_access": false])
            let heads = try await lab.heads(ledger)
            #expect(Set(heads.map(\.laneFlags)) == [.constrained, .anyNetwork] && heads.count == 2)
            for (ids, flags) in [(free, .anyNetwork), (bound, .constrained)]
                as [([Identifier], LaneFlags)]
            {
                let record = try #require(try await lab.find(ids[0]))
                #expect(record.candidate?.laneFlags == flags)
                #expect(record.download.spec.laneFlags == flags)
            }
            let reads = ForecastReads(pool: lab.pool)
            let lanes = try await reads.queue().lanes
            #expect(Set(lanes.map(\.candidate.laneFlags)) == [.constrained, .anyNetwork])
        }
    }
}
