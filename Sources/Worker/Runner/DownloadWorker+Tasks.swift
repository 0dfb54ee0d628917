// Runs in reused tasks: a task that has ended its run takes the next one, with its memory.
internal import Platform
internal import Store

/// A run that waits for a task.
struct WaitingRun {
    let attempt: AttemptRun
    let ledger: Ledger
}

extension DownloadWorker {
    /// Performs a run in an idle task, or in a new one.
    func perform(_ run: WaitingRun) {
        waitingRuns.append(run)
        if let idle = idleTasks.popLast() {
            idle.resume()
        } else {
            spawnBesideTransfers { worker in while await worker.performNext() {} }
        }
    }

    /// Performs a waiting run, or the next one that comes.
    ///
    /// - Returns: whether the task goes on.
    private func performNext() async -> Bool {
        if waitingRuns.isEmpty {
            // With very many slow runs the memory of fast ones is not kept.
            guard isWorking, runs.count + idleTasks.count < DownloadWorker.crowd else {
                return false
            }
            await withCheckedContinuation { idle in
                // A run may have come, or the worker have ended, before this closure runs.
                guard waitingRuns.isEmpty, isWorking else { return idle.resume() }
                idleTasks.append(idle)
            }
        }
        // There is none if the worker has ended meanwhile.
        guard !waitingRuns.isEmpty else { return false }
        let run = waitingRuns.removeFirst()
        await end(run.attempt, report: await run.attempt.run(), ledger: run.ledger)
        return true
    }

    /// Ends the idle tasks.
    func endIdleTasks() {
        for idle in idleTasks { idle.resume() }
        idleTasks = []
    }
}
