// Gives waiting downloads the facets of the policy in force.
internal import Platform
internal import Scheduling
internal import Store

/// Walks the lanes after a change of the policy, and at intervals: rows that waited for something
/// else meanwhile, or were entered by a replica with the older policy, are found later.
struct FacetDuty: Duty {
    let name = "facets"
    private var isFirst = true

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let settlement = worker.downloads.facetSettlement
        var last: Int64? = 0
        var moved = 0
        while worker.isWorking, let after = last {
            let step = try await settlement.settle(after: after)
            last = step.last
            moved += step.moved
            if step.moved > 0 { worker.handle(.hinted) }
        }
        if moved > 0 {
            worker.log.info(
                "waiting downloads moved to other lanes after a change of the "
                    + "policy", [("count", .integer(Int64(moved)))])
        }
        defer { isFirst = false }
        // Another replica may have entered rows before it knew the policy.
        return .after(isFirst ? worker.settings.healInterval : worker.settings.ageInterval)
    }
}
