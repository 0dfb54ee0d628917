// Writes measurements, and reads those of all replicas.
internal import Platform
internal import Scheduling
internal import Store

/// The first value after a rest calls it, then it writes at intervals; with other replicas it also
/// reads at these intervals, so that all have equal values.
struct LearnedReport: Duty {
    let name = "learned"
    let spacing: Duration
    private var cursor = Learning.Cursor()
    private var facts = LearnedFacts()

    init(spacing: Duration) { self.spacing = spacing }

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
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

extension DownloadWorker {
    /// Takes measurements of an attempt.
    func learn(_ samples: [LearnedSample]) {
        guard !samples.isEmpty else { return }
        learnedGauge.count(samples.count)
        if learnedBuffer.isEmpty { bells[LearnedReport.self].ring() }
        for sample in samples { learnedBuffer.add(sample) }
    }

    /// Writes the measurements.
    ///
    /// If that fails they are dropped: they may have been written, and counting them twice would be
    /// worse than losing them.
    func writeLearned() async {
        let changes = learnedBuffer.take()
        guard !changes.isEmpty else { return }
        do throws(StoreError) {
            try await downloads.learning.add(
                changes, grows: learnedGauge.keys < Learned.keysAtMost)
        } catch {
            log.warn(
                "measurements could not be stored and were dropped",
                [
                    ("keys", .integer(Int64(changes.count))),
                    ("error", .string(error.description)),
                ])
        }
    }

    /// Passes learned values to the conductor and to the facts of the API.
    func takeLearned(_ learned: LearnedFacts) {
        learnedGauge.set(keys: learned.count)
        facts.take(learned)
        handle(.learned(learned))
    }
}
