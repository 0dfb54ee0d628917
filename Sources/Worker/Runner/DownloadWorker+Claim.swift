// Asks the store for lanes and claims downloads.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store

extension DownloadWorker {
    /// The time before it is due at which a lane is read; all lanes are read more often than that.
    private static let ahead = Duration.seconds(900)

    func look(from cursor: LaneCursor) async {
        do throws(StoreError) {
            if isClaimUncertain, !isLeaseOver {
                // While the conductor looks no claim is under way. The clock here may be behind; a
                // next claim cannot come within the negative age.
                try await releaseUnknownRuns(claimedBefore: .milliseconds(-50))
                isClaimUncertain = false
            }
            let (page, now) = try await ledger.lanes(
                from: cursor, wanted: Int.max, ahead: DownloadWorker.ahead)
            clock.setUnlessJumped(now: now)
            try await learnBudgets(of: page)
            facts.note(page, at: clock.now)
            handle(.lanesLoaded(page))
        } catch {
            log.warn(
                "lanes of waiting downloads could not be read",
                [("error", .string(error.description))])
            handle(.storeFailed)
        }
    }

    func claim(_ order: ClaimOrder) async {
        isClaiming = true
        defer {
            isClaiming = false
            noteEnd()
        }
        claimedAt = SystemClock.bootNanoseconds()
        if runs.isEmpty { bells[LeaseWatch.self].ring() }
        // While nothing ran the last reading may have become old.
        if isDiskReadingOld { await readDisk() }
        guard !isLeaseOver else { return handle(.storeFailed) }
        let room = conductor.disk?.room
        var order = order
        var asked: [Int64: Timestamp] = [:]
        // The volume was read after the decision; without room a download of unknown size would fit
        // as well.
        if let disk = conductor.disk, disk.isFull {
            asked = order.instants
            order = disk.trouble == nil ? order.ofFilesToSend : ClaimOrder([], total: 0)
            for quota in order.quotas { asked[quota.head.lane] = nil }
            guard !order.quotas.isEmpty else { return handle(.claimed([], due: asked)) }
        }
        do throws(StoreError) {
            let hooked = order.hooked
            if !hooked.isEmpty {
                asked.merge(try await askHooks(hooked)) { $1 }
                order = order.withoutHooked
                guard !order.quotas.isEmpty else { return handle(.claimed([], due: asked)) }
            }
            let answer = try await ledger.claim(
                order, limits: conductor.policy.limits, room: room)
            takeBudgets(answer.budgets)
            let names = order.appNames
            var claimed = answer.runs
            for place in claimed.indices {
                claimed[place].appName = names[claimed[place].lane] ?? ""
            }
            noteTimeBlocked(in: &claimed, answer.suspensions)
            if conductor.network.isDoubtful {
                for place in claimed.indices { claimed[place].announcesReach = true }
            }
            // From here on the claims are known, so that they are not released as unknown.
            for place in claimed.indices {
                claims[claimed[place].download.id] = Shared(claimed[place])
            }
            if !answer.unreadable.isEmpty { await fail(answer.unreadable) }
            await learnSessions(of: claimed)
            if claimed.contains(where: { $0.heardEvents.contains(.started) }) {
                delivered()
            }
            let hadRestingLanes = conductor.hasRestingLanes
            handle(
                .claimed(claimed.map(\.run), due: answer.due.merging(asked) { $1 }))
            // A lane that gave nothing may wait for room that can be made.
            if !hadRestingLanes, conductor.hasRestingLanes { bells[DiskWatch.self].ring() }
        } catch {
            log.warn("downloads could not be claimed", [("error", .string(error.description))])
            isClaimUncertain = true
            handle(.storeFailed)
        }
    }

    /// Computes the parts of the claimed downloads' waits.
    private func noteTimeBlocked(
        in claimed: inout [ClaimedDownload], _ suspensions: [Int64: Suspensions]
    ) {
        guard !claimed.isEmpty else { return }
        facts.noteConditions(at: clock.now)
        let history = facts.history
        // By index, because an iteration over claims copies each of them.
        for place in claimed.indices {
            guard let since = claimed[place].waitedSince else { continue }
            var candidate = claimed[place].candidate
            let due = candidate.runAt
            candidate.attempt = claimed[place].download.attempt - 1
            if let runAt = claimed[place].runAt { candidate.runAt = runAt }
            claimed[place].timeBlocked = BlockedTime(
                of: candidate, from: since, to: claimed[place].claimedAt,
                asked: claimed[place].download.shared.value.hookAskedAt, due: due, in: history,
                suspensions: suspensions[claimed[place].sessionKey] ?? Suspensions())
        }
    }

    /// Whether claims are forbidden by the lease, whose clock no duty watches while nothing runs.
    var isLeaseOver: Bool { lease.isOver || lease.left <= .zero }

    /// Fails downloads whose rows cannot be read, because every claim would return them.
    private func fail(_ unreadable: [UnreadableRun]) async {
        for run in unreadable {
            log.error(
                "stored download cannot be read, so it fails",
                [
                    ("download_id", .string(run.finished.download.id.text)),
                    ("error", .string(run.reason)),
                ])
            tally.count(run.finished.outcome)
        }
        do throws(StoreError) {
            _ = try await ledger.finish(unreadable.map(\.finished))
            delivered()
        } catch {
            log.warn(
                "outcomes of attempts could not be recorded",
                [("error", .string(error.description))])
            // Runs whose outcome was refused are left until the lease ends; released at once, every
            // claim would return them.
            if error.code != .refused { isClaimUncertain = true }
        }
    }

    /// Releases runs that the database has for this replica and this process does not know: the
    /// answer of a claim was lost, or the run was given up.
    ///
    /// - Parameter age: of the claims at least; zero or less only while none is under way.
    /// - Throws: what the store answered.
    func releaseUnknownRuns(claimedBefore age: Duration) async throws(StoreError) {
        let known = runs.filter { !$0.value.isGivenUp }.map(\.key) + Array(claims.keys)
        let count = try await ledger.releaseUnknownRuns(
            known: known, claimedBefore: clock.now - age)
        guard count > 0 else { return }
        log.warn(
            "downloads released that were claimed here but do not run",
            [("count", .integer(Int64(count)))])
        delivered()
        handle(.hinted)
    }
}

// Asks begin hooks in place of claims.
extension DownloadWorker {
    /// After this time lanes whose hooks were asked are looked at again: a quick answer makes room
    /// for further questions.
    private static let askingPause = Duration.milliseconds(200)

    /// Asks the begin hooks of lanes; the downloads hold no slot meanwhile.
    ///
    /// - Returns: when each lane is to be asked again; those that have none are left out.
    func askHooks(_ quotas: [LaneQuota]) async throws(StoreError) -> [Int64: Timestamp] {
        let found = try await ledger.beginHooks(of: downloads).ask(quotas)
        if !found.asked.isEmpty { delivered() }
        var canceled = 0
        for question in found.cancels {
            let isCanceled = try await downloads.beginHooks.cancel(
                question.id, app: question.app, question: question.sequence)
            if isCanceled { canceled += 1 }
        }
        if canceled > 0 {
            delivered()
            sessionsChanged()
        }
        if found.settled.count + canceled > 0 {
            log.warn(
                "begin hooks did not answer in time",
                [
                    ("count", .integer(Int64(found.settled.count))),
                    ("canceled", .integer(Int64(canceled))),
                ])
            // These downloads may begin now.
            hint()
        }
        let next = clock.now + DownloadWorker.askingPause
        return found.due.mapValues { max($0, next) }
    }
}
