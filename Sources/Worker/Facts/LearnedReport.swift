// Writes what was measured of the world, and reads what all replicas have measured.
internal import Core
internal import Platform
internal import Store

/// Called with the first value after a rest, it writes once in a while; with other replicas it
/// reads as often, so that all know the same.
struct LearnedReport: Duty {
    let name = "learned"
    let spacing: Duration
    private var cursor = Learning.Cursor()
    private var facts = LearnedFacts()

    init(spacing: Duration) { self.spacing = spacing }

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        await worker.writeLearned()
        let learning = worker.downloads.learning
        var isLast = false
        var isChanged = false
        while !isLast, worker.isWorking {
            let page = try await learning.changes(since: &cursor)
            isLast = page.isLast
            isChanged = isChanged || !page.entries.isEmpty
            facts.take(page.entries, at: worker.clock.now)
        }
        if isChanged {
            facts.pace = worker.facts.learned.pace
            worker.takeLearned(facts)
        }
        return worker.peers.count > 0 ? .after(worker.settings.learnInterval) : .untilCalled
    }
}

/// Removes what was learned of keys that have not been seen for long; looks every few minutes.
struct LearnedAge: Duty {
    let name = "learned age"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        while worker.isWorking, try await worker.downloads.learning.forget() == 1000 {}
        return .after(worker.settings.ageInterval)
    }
}

extension DownloadWorker {
    /// Takes what an attempt says of its origin and session.
    func learn(_ samples: [LearnedSample]) {
        guard !samples.isEmpty else { return }
        learnedGauge.count(samples.count)
        if learnedBook.isEmpty { bells[LearnedReport.self].ring() }
        for sample in samples { learnedBook.add(sample) }
    }

    /// Writes what was measured; where that fails it is dropped, as it may be written, and counting
    /// values twice would be worse than losing them.
    func writeLearned() async {
        let changes = learnedBook.take()
        guard !changes.isEmpty else { return }
        do throws(StoreError) {
            try await downloads.learning.add(
                changes, grows: learnedGauge.keys < Learned.keysAtMost)
        } catch {
            log.warn(
                "measurements dropped",
                [
                    ("keys", .integer(Int64(changes.count))),
                    ("error", .string(error.description)),
                ])
        }
    }

    /// Hands what was learned to what decides and explains.
    func takeLearned(_ learned: LearnedFacts) {
        learnedGauge.set(keys: learned.count)
        facts.take(learned)
        handle(.learned(learned))
    }
}
