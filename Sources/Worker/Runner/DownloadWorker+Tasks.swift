// The tasks of runs: one that has ended its run takes the next, with the memory of its frames.
internal import Core
internal import Platform
internal import Store

/// A run that is to be performed.
struct WaitingRun {
    let attempt: AttemptRun
    let ledger: Ledger
}

extension DownloadWorker {
    /// Performs a run in a task that is idle, or in a new one.
    func perform(_ run: WaitingRun) {
        waitingRuns.append(run)
        if let idle = idleTasks.popLast() {
            idle.resume()
        } else {
            spawnBesideTransfers { worker in while await worker.performNext() {} }
        }
    }

    /// Performs a run that waits, or the next one that comes.
    ///
    /// - Returns: whether the task goes on.
    private func performNext() async -> Bool {
        if waitingRuns.isEmpty {
            // A crowd of slow runs does not keep the memory that fast ones needed.
            guard isWorking, runs.count + idleTasks.count < DownloadWorker.crowd else {
                return false
            }
            await withCheckedContinuation { idleTasks.append($0) }
        }
        // None is left where the worker ended meanwhile.
        guard !waitingRuns.isEmpty else { return false }
        let run = waitingRuns.removeFirst()
        await end(run.attempt, report: await run.attempt.run(), ledger: run.ledger)
        return true
    }

    /// Ends the tasks that wait for a run.
    func endIdleTasks() {
        for idle in idleTasks { idle.resume() }
        idleTasks = []
    }
}
