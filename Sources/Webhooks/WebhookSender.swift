// Claims deliveries from the outbox, signs and sends them, and records the outcomes.
internal import Base
internal import Downloads
package import Platform
package import Store
internal import Synchronization
package import Transfers

/// Sends webhooks at least once; all attempts of one have its id, each a new timestamp.
package actor WebhookSender {
    private let outbox: Outbox
    private let engine: TransferEngine
    private let secrets: SigningSecrets
    let notices: NoticeDelivery
    let settings: WebhookSenderSettings
    nonisolated let log: Log
    /// The counts of this process.
    package nonisolated let tally = DeliveryTally()
    /// Called when the webhook of a wake has an outcome.
    private nonisolated let wakeAnswered = Mutex<@Sendable () -> Void>({})
    /// The handler for answers of begin hooks.
    nonisolated let hookAnswered = Mutex<HookHandler>({ _, _ in .failed })
    private let alarm = Alarm()
    /// The database's clock, by which a delivery's next attempt is due.
    private let clock = DatabaseClock(
        now: Timestamp(microseconds: SystemClock.wallMicroseconds()))
    /// The tries in progress, by receiver.
    private var places: DeliveryPlaces
    /// Claimed deliveries that wait for a place.
    private var ready = ReadyDeliveries()
    /// Whether some of the waiting deliveries are to be given back to the store.
    private var givesBack = false
    /// Receivers that get no more webhooks, by tries that ended since the last claim was sent.
    private var refusing: Set<Int64> = []
    /// Claimed deliveries without a recorded outcome: waiting, being sent, or finished.
    private var held: Set<Int64> = []
    /// The time at which claimed deliveries were last compared with those of the store, by the boot
    /// clock in nanoseconds; 0 to compare at once.
    private var comparedAt: Int64 = 0
    private var finished: [DeliveryRecord] = []
    /// The time at which the next failed delivery is due again, by the boot clock in nanoseconds.
    private var dueAt = Int64.max
    /// The time at which the store was last asked for that time, by the boot clock; 0 to ask at
    /// once.
    private var askedAt: Int64 = 0
    /// The time at which the last look was sent, by the boot clock in nanoseconds.
    private var lookedAt: Int64 = 0
    private var hasFailed = false
    /// The number of claims in a row that brought nothing although deliveries were due.
    private var emptyClaims = 0
    private var isStopping = false
    private var random = SystemRandomNumberGenerator()

    /// The least lifetime of deliveries for a receiver that does not answer: a day.
    private static let shortestLifetime = Duration.seconds(86_400)
    /// The time within which an answer counts as quick.
    private static let quick = Duration.milliseconds(50)
    /// The number of outcomes that are recorded together while tries are in progress that need
    /// nothing of the store; below, the longest wait for that number.
    private static let recordedTogether = 64
    private static let recordPause = Duration.milliseconds(5)

    /// Creates a webhook sender; `run()` begins its work.
    package init(
        outbox: Outbox, engine: TransferEngine, secrets: SigningSecrets,
        notices: NoticeDelivery = NoticeDelivery(), settings: WebhookSenderSettings, log: Log
    ) {
        self.outbox = outbox
        self.engine = engine
        self.secrets = secrets
        self.notices = notices
        self.settings = settings
        self.log = log
        places = DeliveryPlaces(total: settings.total, each: settings.each)
    }

    /// Wakes the loop: the outbox may have a new row.
    package nonisolated func hint() { alarm.ring() }

    /// Sets the closure that is called when the webhook of a wake has an outcome.
    package nonisolated func onWakeAnswered(_ body: @escaping @Sendable () -> Void) {
        wakeAnswered.withLock { $0 = body }
    }

    /// Ends `run()` once the attempts in progress have ended.
    package func stop() {
        isStopping = true
        for receiver in ready.receivers { giveBack(receiver) }
        alarm.ring()
    }

    /// Runs until `stop()`.
    package func run() async {
        while !(isStopping && places.inUse == 0 && finished.isEmpty) {
            await release()
            await record()
            let began = isStopping ? 0 : await begin()
            if ready.count > 0, finished.count < WebhookSender.recordedTogether {
                await alarm.wait(upTo: WebhookSender.recordPause)
            } else if finished.isEmpty, began == 0 || places.inUse >= settings.total {
                await alarm.wait(upTo: await pause())
            }
        }
        await release()
    }

    /// The time to sleep without a due delivery and without a hint.
    private func pause() async -> Duration {
        guard !hasFailed else { return settings.pollInterval }
        // Another transaction holds the rows for a moment.
        guard emptyClaims == 0 else {
            return min(.milliseconds(10) * (1 << min(emptyClaims, 7)), settings.pollInterval)
        }
        let longest =
            outbox.isShared
            ? min(settings.pollInterval, settings.lonelyPollInterval) : settings.lonelyPollInterval
        let now = SystemClock.bootNanoseconds()
        if !isStopping, askedAt == 0 || .nanoseconds(now - askedAt) >= longest || dueAt <= now {
            do throws(StoreError) {
                let next = try await outbox.nextDue(
                    sinceLook: .nanoseconds(SystemClock.bootNanoseconds() - lookedAt))
                dueAt = next.map { WebhookSender.bootClock(after: $0) } ?? .max
                askedAt = now
            } catch {
                log.warn(
                    "due webhooks could not be read from the database",
                    [("error", .string(error.description))])
                return settings.pollInterval
            }
        }
        guard dueAt < .max else { return longest }
        return max(
            .milliseconds(1), min(longest, .nanoseconds(dueAt - SystemClock.bootNanoseconds())))
    }

    private static func bootClock(after duration: Duration) -> Int64 {
        SystemClock.bootNanoseconds() + duration.wholeMicroseconds * 1000
    }

    private func begin() async -> Int {
        guard places.inUse < settings.total else { return 0 }
        do throws(StoreError) {
            hasFailed = false
            try await compare()
            lookedAt = SystemClock.bootNanoseconds()
            let due = try await outbox.due(full: places.full, limit: settings.total)
            clock.set(now: due.now)
            let grants = places.grants(for: due.list)
            guard !grants.isEmpty else {
                emptyClaims = 0
                return 0
            }
            refusing = []
            let claim = try await outbox.claim(grants)
            emptyClaims = claim.isEmpty ? emptyClaims + 1 : 0
            let standings = Dictionary(
                due.list.map { ($0.number, $0.standing) }, uniquingKeysWith: { first, _ in first })
            held.formUnion(claim.due.map(\.number) + claim.unreadable.map(\.number))
            var granted = Dictionary(
                grants.map { ($0.receiver, $0.count) }, uniquingKeysWith: { first, _ in first })
            for delivery in claim.due {
                let receiver = delivery.receiver
                let standing = standings[receiver] ?? .untried
                let isHeard = !isStopping && !refusing.contains(receiver)
                if granted[receiver, default: 0] > 0
                    || isHeard && places.hasPlace(for: receiver, standing)
                {
                    granted[receiver, default: 0] -= 1
                    places.take(receiver, standing)
                    start(delivery, standing)
                } else if isHeard, places.wait(for: receiver) {
                    ready.append(delivery)
                } else {
                    held.remove(delivery.number)
                    givesBack = true
                }
            }
            for delivery in claim.unreadable { giveUp(delivery) }
            if claim.ended > 0 {
                tally.count(.abandoned, claim.ended)
                log.info(
                    "webhooks abandoned, because their URL answered 410 Gone or their endpoint no "
                        + "longer receives them",
                    [("count", .integer(Int64(claim.ended)))])
            }
            return claim.due.count + claim.ended
        } catch {
            log.warn(
                "due webhooks could not be read from the database",
                [("error", .string(error.description))])
            // The answer may have been lost after the commit, so deliveries are compared.
            comparedAt = 0
            hasFailed = true
            return 0
        }
    }

    /// Releases deliveries that the store has as sent by this process and that are not: the answer
    /// of a claim was lost.
    ///
    /// No claim is in progress meanwhile, because one loop does both.
    private func compare() async throws(StoreError) {
        let now = SystemClock.bootNanoseconds()
        let age = Duration.nanoseconds(now - comparedAt)
        guard comparedAt == 0 || age >= settings.compareInterval else { return }
        try await outbox.endpoints.refreshListeners()
        let count = try await outbox.releaseUnknown(known: held.sorted())
        comparedAt = now
        guard count > 0 else { return }
        log.warn(
            "webhooks released that were claimed here but never sent",
            [("count", .integer(Int64(count)))])
    }

    /// Removes the waiting deliveries of a receiver, to be given back.
    private func giveBack(_ receiver: Int64) {
        refusing.insert(receiver)
        places.clearWaiting(for: receiver)
        let list = ready.removeAll(of: receiver)
        held.subtract(list.map(\.number))
        if !list.isEmpty { givesBack = true }
    }

    /// Gives claimed deliveries back to the store that will not be tried; no claim is in progress
    /// meanwhile.
    private func release() async {
        guard givesBack else { return }
        givesBack = false
        do throws(StoreError) {
            _ = try await outbox.releaseUnknown(known: held.sorted())
        } catch {
            givesBack = true
            log.warn(
                "claimed webhooks could not be given back", [("error", .string(error.description))])
        }
    }

    /// Ends a delivery whose event cannot be read, because every claim would return it.
    private func giveUp(_ delivery: UnreadableDelivery) {
        log.error(
            "stored webhook cannot be read, so it is given up",
            [
                ("delivery_id", .string(delivery.id.text(.delivery))),
                ("subject", .string(delivery.subject.text)),
                ("error", .string(delivery.reason)),
            ])
        finished.append(
            DeliveryRecord(
                number: delivery.number, receiver: delivery.receiver, fence: delivery.fence,
                nextAt: nil, isDelivered: false, status: nil,
                error: "the stored event cannot be read"))
    }

    private func start(_ delivery: DueDelivery, _ standing: ReceiverStanding) {
        Task { await self.attempt(delivery, standing) }
    }

    private func attempt(_ delivery: DueDelivery, _ standing: ReceiverStanding) async {
        let began = SystemClock.bootNanoseconds()
        let beganAt = clock.now
        let question =
            delivery.endpoint == nil
            ? HookQuestion(delivery.message, to: delivery.url, app: delivery.app) : nil
        var sent: (outcome: DeliveryOutcome, answer: [UInt8])
        let isSilent: Bool?
        if let question, await isClosed(question, delivery) {
            sent = (
                .giveUp(status: nil, error: "the download does not wait for an answer any more"),
                []
            )
            isSilent = nil
        } else {
            sent = await send(delivery, question)
            isSilent = sent.outcome.isSilent
            if let question { sent.outcome = await settle(question, sent.outcome, sent.answer) }
        }
        let milliseconds = (SystemClock.bootNanoseconds() - began) / 1_000_000
        var record = judge(sent.outcome, delivery, after: milliseconds, now: clock.now)
        record.isSilent = isSilent
        record.isWake = delivery.type == .sessionWake
        record.wasAnswering = standing == .answering
        record.milliseconds = milliseconds
        if !record.isDelivered || delivery.attempt > 1 {
            record.kept = DeliveryTry(
                at: beganAt, milliseconds: milliseconds, status: record.status,
                error: record.error,
                // The answer of a begin hook has the members of its download's request.
                body: record.isDelivered || question != nil
                    ? nil : DeliveryTry.excerpt(sent.answer))
        }
        finished.append(record)
        passPlace(of: delivery.receiver, after: record)
        if ready.count == 0 || places.isLow(delivery.receiver)
            || finished.count >= WebhookSender.recordedTogether
        {
            alarm.ring()
        }
    }

    /// Passes the place of an ended try to the next delivery of its receiver, or frees it.
    private func passPlace(of receiver: Int64, after record: DeliveryRecord) {
        let isQuick =
            record.isSilent == false
            && .milliseconds(record.milliseconds ?? 0) <= WebhookSender.quick
        // Deliveries for a receiver that gets no more webhooks are judged anew by the store.
        if record.isSilent != false || record.isGone { giveBack(receiver) }
        guard let next = ready.next(of: receiver) else {
            return places.release(
                receiver, record.isSilent.map { $0 ? .silent : .answering }, isQuick: isQuick)
        }
        places.pass(receiver, isQuick: isQuick)
        start(next, .answering)
    }

    private func send(
        _ delivery: DueDelivery, _ question: HookQuestion?
    ) async -> (outcome: DeliveryOutcome, answer: [UInt8]) {
        if delivery.format == .email { return (await mail(delivery), []) }
        let url: SourceURL
        do throws(SourceURLError) {
            url = try SourceURL(parsing: delivery.url)
        } catch {
            return (.giveUp(status: nil, error: "the webhook's URL cannot be used: \(error)"), [])
        }
        let now = Timestamp(microseconds: SystemClock.wallMicroseconds())
        let content: (headers: [(name: String, value: String)], body: [UInt8])
        if let notice = notices.request(of: delivery) {
            content = (notice.headers, notice.body)
        } else {
            do throws(StoreError) {
                guard let signer = try await secrets.signer(for: delivery, in: outbox.endpoints)
                else {
                    return (
                        .postponed(
                            error: "no encryption key of this replica opens the secret: see "
                                + "LULL_ENCRYPTION_KEY_FILE"), []
                    )
                }
                content = signer.content(of: delivery.message, attemptedAt: now.seconds)
            } catch {
                return (.postponed(error: "the new secret could not be stored: \(error)"), [])
            }
        }
        guard let own = secrets.request(to: delivery) else {
            return (
                .postponed(
                    error: "no encryption key of this replica opens the endpoint's headers: see "
                        + "LULL_ENCRYPTION_KEY_FILE"), []
            )
        }
        var request = TransferRequest(url: url)
        request.method = .post
        request.headers =
            own.sent(to: url).headers.map { (name: $0.name, value: $0.value) } + content.headers
        request.body = content.body
        let timeout = question.map { Duration.seconds($0.hook.timeout) } ?? settings.timeout
        request.connectTimeout = min(.seconds(5), timeout)
        request.idleTimeout = timeout
        request.totalTimeout = timeout
        request.maximumBodyBytes = Int64(BeginAnswer.bytesAtMost)
        request.followsRedirects = 0
        let kept = question == nil ? 4096 : BeginAnswer.bytesAtMost
        let result = await engine.run(request, id: TransferID(), into: .buffer(limit: kept))
        // A webhook is answered by the status; a hook by the body, which has failed here.
        if question != nil, case .failed(let failure) = result.outcome, result.head != nil {
            return (
                .retry(
                    status: result.head?.status, retryAfter: nil,
                    error: "the answer did not arrive completely: \(failure.description)"), []
            )
        }
        // The answer of a hook is passed on unchanged, and not stored.
        guard question == nil else { return (DeliveryOutcome(result, now: now), result.buffer) }
        // If a receiver repeats secrets of a request, readers of its deliveries do not see them.
        return (
            DeliveryOutcome(result, now: now), own.mask.masked(result.buffer, upTo: kept) ?? []
        )
    }

    private func judge(
        _ outcome: DeliveryOutcome, _ delivery: DueDelivery, after milliseconds: Int64,
        now: Timestamp
    ) -> DeliveryRecord {
        var record = DeliveryRecord(
            number: delivery.number, receiver: delivery.receiver, fence: delivery.fence,
            nextAt: nil, isDelivered: false, status: nil, error: nil)
        var wait: Duration?
        switch outcome {
        case .delivered(let status):
            record.isDelivered = true
            record.status = status
            tally.count(.succeeded)
            if delivery.format.isForPeople {
                tally.countNotice(delivery.format, counting: delivery.counted)
            }
            if log.writes(.debug) {
                log.debug("webhook delivered", fields(delivery, milliseconds, status))
            }
            return record
        case .giveUp(let status, let error): (record.status, record.error) = (status, error)
        case .gone:
            (record.status, record.error) = (410, "the receiver answered 410 Gone")
            record.isGone = true
        case .postponed(let error):
            record.error = error
            wait = .zero
        case .retry(let status, let retryAfter, let error):
            (record.status, record.error) = (status, error)
            wait = retryAfter ?? .zero
        }
        if let wait {
            record.nextAt = settings.schedule.next(
                afterAttempt: delivery.attempt - delivery.redeliveredAfter, of: delivery.type,
                retryAfter: wait, now: now, using: &random)
        }
        tally.count(record.nextAt == nil ? .exhausted : .retried)
        log.warn(
            record.nextAt == nil ? "webhook given up" : "webhook attempt failed",
            fields(delivery, milliseconds, record.status) + [
                ("error", .string(record.error ?? "")),
                ("next_attempt_at", .string(record.nextAt?.rfc3339 ?? "never")),
            ])
        return record
    }

    private func record() async {
        while !finished.isEmpty {
            let batch = finished
            finished = []
            guard let failure = await write(batch) else { continue }
            // Kept for the next turn; until the outcome is written the receiver may get the webhook
            // again.
            finished = batch.filter { held.contains($0.number) } + finished
            log.warn(
                "results of webhooks could not be recorded yet",
                [("error", .string(failure.description))])
            await alarm.wait(upTo: .seconds(1))
            if isStopping { finished = [] }
        }
    }

    /// Records outcomes; a value that the store refuses affects its own delivery only.
    ///
    /// - Returns: why some are not written yet.
    private func write(_ batch: [DeliveryRecord]) async -> StoreError? {
        do throws(StoreError) {
            let effects = try await outbox.record(
                batch, lifetime: max(settings.schedule.lifetime, WebhookSender.shortestLifetime),
                rule: settings.disabling)
            note(effects)
            held.subtract(batch.map(\.number))
            if batch.contains(where: \.isWake) { wakeAnswered.withLock { $0 }() }
            for case let next? in batch.map(\.nextAt) {
                dueAt = min(dueAt, WebhookSender.bootClock(after: next - clock.now))
            }
            return nil
        } catch {
            guard error.code == .refused else { return error }
            guard batch.count == 1 else {
                let middle = batch.count / 2
                let first = await write(Array(batch[..<middle]))
                let second = await write(Array(batch[middle...]))
                return first ?? second
            }
            log.error(
                "the database refused the result of a webhook",
                [("error", .string(error.description))])
            var plain = batch[0]
            guard plain.error != nil || plain.status != nil || plain.kept != nil else {
                // The next comparison releases it.
                held.remove(plain.number)
                return nil
            }
            (plain.status, plain.error, plain.kept) = (nil, nil, nil)
            return await write([plain])
        }
    }
}
