// Renews the lease, and receives orders, the list of replicas and the policy's version.
internal import Base
internal import Platform
internal import Scheduling
internal import Store

/// The only statement that an idle replica sends regularly.
struct Heartbeat: Duty {
    let name = "heartbeat"
    private var isFirst = true

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        // `run()` has just sent one.
        let isRenewed = isFirst ? worker.lease.left > .zero : await worker.renewLease()
        isFirst = false
        return .after(isRenewed ? worker.settings.heartbeatInterval : .milliseconds(500))
    }
}

extension DownloadWorker {
    /// Sends one heartbeat; registers again if the store answers that the lease had ended.
    ///
    /// - Returns: whether the lease holds from now on.
    func renewLease() async -> Bool {
        // The lease counts from before the request, because the answer may come late.
        let sentAt = SystemClock.bootNanoseconds()
        do throws(StoreError) {
            let beat = try await ledger.heartbeat(
                lease: settings.lease, readings: facts.readings(at: clock.now))
            takeRenewal(at: sentAt)
            await take(clock: beat.now)
            take(beat)
            return true
        } catch {
            log.warn("heartbeat failed", [("error", .string(error.description))])
            guard error.code == .leaseLost else { return false }
            handle(.leaseLost)
            return await registerAgain()
        }
    }

    /// Corrects the clock; a jump is logged and noted for later processes.
    private func take(clock now: Timestamp) async {
        let was = clock.now
        let hasJumped = clock.set(now: now)
        let isSteady = clock.steadyNow != nil
        if hasJumped {
            log.error(
                "the database's clock has jumped: correct it; retentions and time limits are "
                    + "paused until it is steady",
                [("before", .string(was.rfc3339)), ("now", .string(now.rfc3339))])
        } else if isSteady, !wasClockSteady {
            log.info(
                "the database's clock is steady again: retentions and time limits are in force "
                    + "again")
        }
        wasClockSteady = isSteady
        let age = clockNotedAt.map { Duration.nanoseconds(SystemClock.bootNanoseconds() - $0) }
        guard hasJumped || isClockNoteDue || age.map({ $0 >= .seconds(60) }) ?? true else { return }
        isClockNoteDue = true
        do throws(StoreError) {
            try await downloads.replicas.note(clock.record)
            clockNotedAt = SystemClock.bootNanoseconds()
            isClockNoteDue = false
        } catch {
            log.warn(
                "time of the database's clock could not be recorded",
                [("error", .string(error.description))])
        }
    }

    private func take(_ beat: HeartbeatAnswer) {
        if (peers.count > 0) != (beat.peers.count > 0) { bells[FactsWatch.self].ring() }
        peers = beat.peers
        if let expiry = peers.firstExpiry {
            bells[ExpiredLeaseRelease.self].ring(ifAsleepAt: expiry)
        }
        // Without other replicas this process knows everything that becomes due.
        conductor.pollInterval =
            peers.count > 0 ? settings.pollInterval : settings.lonelyPollInterval
        peersSeen(peers.count)
        if OrderWatch.polls(self) { bells[OrderWatch.self].ring() }
        if beat.policyVersion != policyVersion {
            policyVersion = beat.policyVersion
            bells[PolicyWatch.self].ring()
        }
        for (id, order) in beat.orders { handle(.ordered(id, order)) }
    }

    private func takeRenewal(at instant: Int64) {
        let wasOver = lease.isOver
        lease.renew(at: instant)
        leaseGauge.set(renewedAt: lease.renewedAt)
        guard wasOver, !lease.isOver else { return }
        log.warn("lease renewed after it had expired", [("replica", .integer(ledger.replica))])
        handle(.hinted)
    }

    private func registerAgain() async -> Bool {
        let sentAt = SystemClock.bootNanoseconds()
        do throws(StoreError) {
            let (fresh, now) = try await register()
            ledger = fresh
            takeRenewal(at: sentAt)
            await take(clock: now)
            log.warn(
                "replica registered again, because its lease was lost",
                [("replica", .integer(fresh.replica))])
            delivered()
            handle(.hinted)
            return true
        } catch {
            log.warn("replica could not register again", [("error", .string(error.description))])
            return false
        }
    }
}
