// The worker in the role of a run's owner.
internal import Base
internal import Downloads
internal import Platform
internal import Store
internal import Synchronization

/// Passes the calls of an attempt to its worker, with the fence of its run.
final class RunOwner: AttemptOwner {
    private let worker: DownloadWorker
    private let ledger: Ledger
    private let id: Identifier
    private let fence: Int64
    private let originKey: Int64
    /// Whether an answer would count as a probe that reached its origin; once for each run.
    private let isUncountedProbe: Atomic<Bool>

    init(_ claim: ClaimedDownload, worker: DownloadWorker, ledger: Ledger) {
        id = claim.download.id
        fence = claim.fence
        originKey = claim.originKey
        isUncountedProbe = Atomic(claim.isProbe)
        self.worker = worker
        self.ledger = ledger
    }

    func saveResumePoint(_ point: ResumePoint?) async -> Bool {
        await worker.saveResumePoint(point, id, fence, ledger)
    }

    func insistOnResumePoint(_ point: ResumePoint) async -> Bool {
        await worker.insist { () throws(StoreError) in
            try await self.ledger.saveResumePoint(point, for: self.id, fence: self.fence)
        }
    }

    func reached() {
        if isUncountedProbe.exchange(false, ordering: .relaxed) {
            worker.tally.countProbe("reached")
        }
        let (worker, ledger, originKey) = (worker, ledger, originKey)
        worker.tools.tasks.start { await worker.reached(originKey, ledger) }
    }

    func widen(by extra: Int) async -> Int { await worker.widen(id, fence, by: extra, ledger) }

    func isShareable(_ id: Identifier) async -> Bool {
        do throws(StoreError) {
            return try await worker.downloads.flights.isShareable(id)
        } catch {
            return true
        }
    }

    func holds(_ point: ResumePoint, _ source: Identifier) async -> Bool {
        await worker.insist { () throws(StoreError) in
            let found = try await self.worker.downloads.flights.sourcePoint(of: source)
            return found?.covers(point) ?? false
        }
    }

    /// The result of the mark has to be known, because a mark without a request ends the download.
    func markSent() async -> Bool {
        await worker.insist { () throws(StoreError) in
            try await self.ledger.markSent(self.id, fence: self.fence)
        }
    }
}
