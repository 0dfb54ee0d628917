// Declares the content of replicas lost that have been away for a long time.
internal import Base
internal import Content
internal import Platform
internal import Scheduling
internal import Store

/// Looks from time to time for data directories without a replica.
struct GoneReplicaCheck: Duty {
    /// The most files of one transaction.
    private static let batch = 100

    let name = "gone replicas"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let limit = worker.settings.goneAfter
        let replicas = worker.downloads.replicas
        var last: Int64 = 0
        while worker.isWorking,
            let (number, instance) = try await replicas.findGone(
                for: limit, after: last, until: worker.clock.endsUntil)
        {
            last = number
            // A place that this replica reads is there, although it is no data directory of a
            // replica.
            if instance == worker.tools.place.identifier { continue }
            try await lose(number, instance, worker)
        }
        try await replicas.forgetGone(limit: 1000, until: worker.clock.endsUntil)
        return .after(min(.seconds(600), max(.seconds(1), limit / 4)))
    }

    /// Lets other replicas fetch the files again that waited for stores in the data directory.
    private func refetch(
        from instance: Identifier, _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        var isMore = true
        while isMore, worker.isWorking {
            let lost = try await Uploads(worker.downloads).lose(
                from: instance, limit: GoneReplicaCheck.batch)
            isMore = lost == GoneReplicaCheck.batch
            guard lost > 0 else { break }
            worker.log.warn(
                "replica is gone: uploads need their clients again",
                [
                    ("instance", .string(instance.hexadecimal)), ("uploads", .integer(Int64(lost))),
                ])
        }
        isMore = true
        while isMore, worker.isWorking {
            let count = try await worker.downloads.refetchReceived(
                from: instance, limit: GoneReplicaCheck.batch)
            isMore = count == GoneReplicaCheck.batch
            guard count > 0 else { return }
            worker.handle(.hinted)
            worker.log.warn(
                "replica is gone: files that waited for stores are fetched again",
                [
                    ("instance", .string(instance.hexadecimal)),
                    ("downloads", .integer(Int64(count))),
                ])
        }
    }

    private func lose(
        _ number: Int64, _ instance: Identifier, _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        try await refetch(from: instance, worker)
        var (after, files, refetched): (Identifier?, Int64, Int64) = (nil, 0, 0)
        while worker.isWorking,
            let loss = try await worker.downloads.contents.markLost(
                of: instance, after: after, limit: GoneReplicaCheck.batch)
        {
            for _ in 0..<loss.count { worker.gauge.countLost() }
            files += Int64(loss.count)
            refetched += Int64(loss.refetched)
            if loss.emitsEvent { worker.delivered() }
            if loss.refetched > 0 { worker.handle(.hinted) }
            guard let end = loss.last else {
                worker.log.error(
                    "replica is gone: its content is lost",
                    [
                        ("replica", .integer(number)),
                        ("instance", .string(instance.hexadecimal)),
                        ("files", .integer(files)), ("refetched", .integer(refetched)),
                    ])
                return
            }
            after = end
        }
    }
}
