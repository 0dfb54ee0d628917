// Rules over bytes and metadata hold for exactly the downloads that they name.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct FacetLaneTests {
    private static let mirror = "https://cd.mirror.example:443"

    private static func policy(_ text: String) throws -> Policy {
        try Policy.parse(
            JSON.parse(Array(text.utf8)), defaults: StoreLab.limits, isZone: { _ in true }
        ).get()
    }

    /// The policy of the documentation, with a window that is closed at present.
    private static func politeMirror(_ lab: StoreLab) async throws -> Policy {
        let hour = (try await lab.now().seconds / 3600 + 6) % 24
        let window = "\(hour < 10 ? "0" : "")\(hour):00-\(hour < 10 ? "0" : "")\(hour):30"
        return try policy(
            """
            {"windows": {"night": ["\(window)"]},
             "rules": [{"name": "isos", "match": {"origin": "*.mirror.example",
                        "expected_bytes": {"min": "1GB"}}, "require": ["window night"]}]}
            """)
    }

    private static func submit(
        _ lab: StoreLab, _ book: FacetBook, bytes: Int64?, metadata: JSONObject = JSONObject()
    ) async throws -> Identifier {
        var members: JSONObject = ["metadata": .object(metadata)]
        members["count_of_bytes_client_expects_to_receive"] = bytes.map { .integer($0) }
        let new = try lab.draft(members, origin: mirror)
        _ = try await Intake(pool: lab.pool, facets: book).submit(new)
        return new.download.id
    }

    /// The downloads that a replica claims under a policy.
    private static func begun(
        _ lab: StoreLab, _ ledger: Ledger, _ policy: Policy
    ) async throws -> Set<Identifier> {
        var conductor = Conductor(
            policy: policy, zone: .fixed(offset: 0), slots: 16, pollInterval: .seconds(1))
        let now = try await lab.now()
        var begun: Set<Identifier> = []
        var actions = conductor.handle(.ticked, at: now)
        for _ in 0..<20 {
            guard let action = actions.first else { break }
            switch action {
            case .look(let cursor):
                let page = try await ledger.lanes(from: cursor).page
                actions = conductor.handle(.lanesLoaded(page), at: now)
            case .claim(let order):
                let answer = try await ledger.claim(order, limits: policy.limits)
                begun.formUnion(answer.runs.map(\.download.id))
                actions = conductor.handle(
                    .claimed(answer.runs.map(\.run), due: answer.due), at: now)
                actions.removeAll { if case .start = $0 { true } else { false } }
            default: return begun
            }
        }
        return begun
    }

    @Test func politeMirrorHoldsLargeFilesAndLetsSmallOnesRun() async throws {
        try await StoreLab.with { lab in
            let policy = try await Self.politeMirror(lab)
            let book = FacetBook()
            book.take(policy.facets)
            var small: Set<Identifier> = []
            for bytes in [nil, 0, 5_000_000, 999_999_999] as [Int64?] {
                small.insert(try await Self.submit(lab, book, bytes: bytes))
            }
            for bytes in [1_000_000_000, 8_000_000_000] as [Int64] {
                _ = try await Self.submit(lab, book, bytes: bytes)
            }
            let ledger = try await lab.register()
            #expect(try await Self.begun(lab, ledger, policy) == small)
        }
    }

    /// Before the walk every waiting download obeys the new rule; after it only those that the rule
    /// names.
    @Test func aNewPolicySettlesWhatWaits() async throws {
        try await StoreLab.with { lab in
            let policy = try await Self.politeMirror(lab)
            let book = FacetBook()
            let small = try await Self.submit(lab, book, bytes: 5)
            _ = try await Self.submit(lab, book, bytes: 2_000_000_000)
            let ledger = try await lab.register()
            book.take(policy.facets)
            #expect(try await Self.begun(lab, ledger, policy) == [])
            #expect(try await Self.settle(lab, book) == 2)
            #expect(try await Self.settle(lab, book) == 0)
            #expect(try await lab.wrongLanes() == [])
            #expect(try await Self.begun(lab, ledger, policy) == [small])
            // Another edge: the waiting download falls into another band.
            let other = try Self.policy(
                """
                {"windows": {"night": ["Mon 00:00-00:01"]}, "rules": [{"name": "r",
                  "match": {"expected_bytes": {"min": "3GB"}}, "require": ["window night"]}]}
                """)
            book.take(other.facets)
            #expect(try await Self.settle(lab, book) == 1)
            #expect(try await Self.begun(lab, ledger, other).count == 1)
        }
    }

    @Test func manyRowsAreSettledInBatches() async throws {
        try await StoreLab.with { lab in
            let policy = try Self.policy(
                """
                {"windows": {"w": ["Mon 00:00-00:01"]}, "rules": [{"name": "r",
                  "match": {"metadata": {"kind": "iso*"}}, "require": ["window w"]}]}
                """)
            let plain = Intake(pool: lab.pool)
            let drafts = try (0..<1200).map { number in
                try lab.draft(
                    ["metadata": ["kind": .string(number % 3 == 0 ? "iso" : "log")]],
                    origin: "https://o\(number % 2).example:443")
            }
            _ = try await plain.submit(batch: drafts, idempotency: nil)
            let book = FacetBook()
            book.take(policy.facets)
            #expect(try await Self.settle(lab, book) == 1200)
            #expect(try await lab.wrongLanes() == [])
            let waiting = try await lab.pool.query(
                """
                SELECT v.vector, count(*) FROM queue q JOIN facets v ON v.facet_no = q.facet
                GROUP BY 1 ORDER BY 2
                """
            ).map { try $0.get(1, as: Int64.self) }
            #expect(waiting == [400, 800])
            // A policy without such rules brings all downloads back into one lane.
            book.take(.none)
            #expect(try await Self.settle(lab, book) == 1200)
            #expect(try await lab.number("SELECT count(DISTINCT lane_no) FROM queue") == 2)
        }
    }

    /// A change of the metadata moves a download at once.
    @Test func changedMetadataHasAnotherFacet() async throws {
        try await StoreLab.with { lab in
            let policy = try Self.policy(
                """
                {"windows": {"w": ["Mon 00:00-00:01"]}, "rules": [{"name": "r",
                  "match": {"metadata": {"kind": "iso"}}, "require": ["window w"]}]}
                """)
            let book = FacetBook()
            book.take(policy.facets)
            let id = try await Self.submit(lab, book, bytes: nil, metadata: ["kind": "iso"])
            let ledger = try await lab.register()
            #expect(try await Self.begun(lab, ledger, policy) == [])
            let downloads = Downloads(pool: lab.pool, changes: lab.changes, facets: book)
            let old = try #require(try await downloads.find(id, app: 1)).download
            var new = old
            new.spec.metadata = ["kind": "log"]
            _ = try await downloads.change(old, to: new, origins: nil, app: 1)
            #expect(try await Self.begun(lab, ledger, policy) == [id])
        }
    }

    private static func settle(_ lab: StoreLab, _ book: FacetBook) async throws -> Int {
        let settlement = Downloads(
            pool: lab.pool, changes: lab.changes, facets: book
        ).facetSettlement
        var moved = 0
        var last: Int64? = 0
        while let after = last {
            let step = try await settlement.settle(after: after)
            moved += step.moved
            last = step.last
        }
        return moved
    }
}
