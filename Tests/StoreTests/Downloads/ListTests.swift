// How much a page of a list reads.
import Core
import Postgres
import Testing

@testable import Store

@Suite struct ListTests {
    @Test(arguments: [DownloadOrder.newestFirst, .oldestFirst])
    func liveListIsReadInIndexOrder(_ order: DownloadOrder) async throws {
        try await StoreLab.with { lab in
            try await lab.submit(60)
            var filter = DownloadFilter()
            filter.states = [.waiting, .running]
            let plan = try await ListTests.plan(lab, filter, DownloadFilter.listLive(order))
            #expect(
                plan.contains { $0.contains("queue_pkey") && $0.contains("rows=3 ") }, "\(plan)")
            #expect(!plan.contains { $0.contains("Sort") || $0.contains("Seq Scan") }, "\(plan)")
        }
    }

    @Test(arguments: [DownloadOrder.newestFirst, .oldestFirst])
    func unfilteredListIsReadInIndexOrder(_ order: DownloadOrder) async throws {
        try await StoreLab.with { lab in
            try await lab.submit(60)
            let plan = try await ListTests.plan(
                lab, DownloadFilter(), DownloadFilter.listAll(order))
            #expect(
                plan.contains { $0.contains("app_no_id") && $0.contains("rows=3 ") }, "\(plan)")
            #expect(!plan.contains { $0.contains("Sort") || $0.contains("Seq Scan") }, "\(plan)")
        }
    }

    /// What the server did for a page of three.
    private static func plan(
        _ lab: StoreLab, _ filter: DownloadFilter, _ statement: String
    ) async throws -> [String] {
        let parameters: [any ColumnValue] =
            filter.parameters(app: 1) + [nil as UUIDValue?, Int64(3)]
        let rows = try await lab.pool.query(batch: [
            DownloadFilter.inOrder,
            Statement(
                "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + statement, parameters,
                isPrepared: false),
        ])[1]
        var lines: [String] = []
        for row in rows { lines.append(try row.get(0)) }
        return lines
    }
}
