// All duties of a replica, each in a task of its own, until the worker stops.
internal import Base
internal import Content
internal import Platform
internal import Store

/// Lists the duties and runs them.
enum Upkeep {
    /// All duties; a new one needs a type and a line here, and a table whose rows are only removed
    /// a line in `RowExpiry`.
    static func duties(
        _ parts: DownloadWorker.Parts, _ settings: WorkerSettings, _ wakes: WakeTally
    ) -> [any Duty] {
        let downloads = parts.downloads
        let tables = RowExpiry.tables(
            downloads, parts.ledger, parts.conditions, parts.facts,
            keepsDeliveries: settings.deliveryRetention)
        return [
            Heartbeat(), LeaseWatch(), UnknownRunRelease(), ExpiredLeaseRelease(), PolicyWatch(),
            OrderWatch(), ProgressReport(), RateWatch(), DiskWatch(), FactsWatch(),
            ConditionProbe(), ClosedRuleStop(), CalendarWatch(), BudgetSettlement(),
            RowExpiry(tables, every: settings.ageInterval), DeadlineExpiry(),
            ContentRetention(spacing: settings.retentionInterval),
            LostContentCheck(
                grace: settings.missingGrace, spacing: settings.missingInterval / 10),
            StoreRemoval(contents: downloads.contents, stores: parts.stores),
            UploadSweep(
                downloads.contents, parts.stores, at: parts.content.instance,
                spacing: settings.uploadSweep, age: settings.uploadAge),
            SourcedUploads(), UploadExpiry(uploads: Uploads(downloads), content: parts.content),
            GoneReplicaCheck(), FileSweep(), KeptPartExpiry(), OrphanedSecretErasure(downloads),
            JournalExpiry(
                journal: parts.history.journal, retention: settings.historyRetention,
                interval: settings.ageInterval),
            HistoryExpiry(
                history: parts.history, retention: settings.historyRetention,
                deliveryRetention: settings.deliveryRetention, interval: settings.historyInterval),
            EmptyLaneExpiry(), QueuedCounts(downloads.queue), FacetDuty(),
            LaneCount(), QueueCensus(), DeadlineWatch(),
            SessionWatch(
                wakes: downloads.wakes, settings: settings.wakes, tally: wakes,
                delivered: parts.delivered),
            ClientWatch(), FlightWatch(), SourceWatch(),
            LearnedReport(spacing: settings.learnInterval), LinkWatch(), ForecastScoring(),
        ]
    }

    /// Runs the worker's duties until it stops.
    static func run(_ worker: DownloadWorker) async {
        await withDiscardingTaskGroup { group in
            for duty in worker.duties {
                group.addTask { await carryOut(duty, worker) }
            }
        }
    }

    private static func carryOut(_ duty: any Duty, _ worker: isolated DownloadWorker) async {
        var duty = duty
        let bell = worker.bells[type(of: duty)]
        while worker.isWorking {
            var nextTurn: NextTurn
            do throws(StoreError) {
                let isHeld = duty.endsByTheClock && worker.clock.steadyNow == nil
                nextTurn = isHeld ? .after(.seconds(1)) : try await duty.turn(worker)
            } catch {
                worker.log.warn(
                    "periodic work failed and is tried again",
                    [("duty", .string(duty.name)), ("error", .string(error.description))])
                nextTurn = .after(.seconds(1))
            }
            guard worker.isWorking else { return }
            let now = worker.clock.now
            let pause = length(of: nextTurn, spacing: duty.spacing, worker)
            await bell.sleep(pause, until: now + pause)
            let left = min(duty.spacing, duty.spacing - (worker.clock.now - now))
            if left > .zero, worker.isWorking { await bell.pause(left) }
        }
    }

    private static func length(
        of nextTurn: NextTurn, spacing: Duration, _ worker: isolated DownloadWorker
    ) -> Duration {
        let heal = worker.settings.healInterval
        // Random, so that neither all replicas nor all duties of one run at once.
        let longest = heal * Double.random(in: 0.75...1, using: &worker.random)
        switch nextTurn {
        case .after(let duration): return max(.milliseconds(1), duration)
        case .until(let instant):
            return max(.milliseconds(1), spacing, min(longest, instant - worker.clock.now))
        case .untilCalled: return max(spacing, longest)
        }
    }
}
