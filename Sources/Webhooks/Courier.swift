// Takes deliveries from the outbox, signs them, sends them, and writes what became of them.
package import Core
package import Platform
package import Store
package import Transfers

/// How a courier works.
package struct CourierSettings: Sendable {
    /// The waits between tries.
    package var schedule: DeliverySchedule
    /// The time for one try, connection included.
    package var timeout: Duration
    /// Tries under way at once for one receiver.
    package var each: Int
    /// Tries under way at once in all.
    package var total: Int
    /// How often the outbox is looked at without a hint.
    package var pollInterval: Duration

    /// Names all of it.
    package init(
        schedule: DeliverySchedule = .standard, timeout: Duration = .seconds(15), each: Int = 16,
        total: Int = 64, pollInterval: Duration = .seconds(1)
    ) {
        self.schedule = schedule
        self.timeout = timeout
        self.each = each
        self.total = total
        self.pollInterval = pollInterval
    }
}

/// The sender of webhooks; at least once, each try with the same id and a fresh timestamp.
package actor Courier {
    private let outbox: Outbox
    private let engine: TransferEngine
    private let signer: WebhookSigner
    private let settings: CourierSettings
    private let log: Log
    private let alarm = Alarm()
    /// When a delivery is due again is the database's to say, so it is reckoned by its clock.
    private let clock = DatabaseClock(
        now: Timestamp(microseconds: SystemClock.wallMicroseconds()))
    private var inFlight = 0
    private var finished: [DeliveryRecord] = []
    private var isStopping = false
    private var random = SystemRandomNumberGenerator()

    /// Stores; `run()` begins.
    package init(
        outbox: Outbox, engine: TransferEngine, signer: WebhookSigner, settings: CourierSettings,
        log: Log
    ) {
        self.outbox = outbox
        self.engine = engine
        self.signer = signer
        self.settings = settings
        self.log = log
    }

    /// Says that the outbox may hold something new.
    package nonisolated func hint() { alarm.ring() }

    /// Ends `run()` when what is under way has ended.
    package func stop() {
        isStopping = true
        alarm.ring()
    }

    /// Works until stopped.
    package func run() async {
        while !(isStopping && inFlight == 0 && finished.isEmpty) {
            await record()
            let began = isStopping ? 0 : await begin()
            if finished.isEmpty, began == 0 || inFlight >= settings.total {
                await alarm.wait(upTo: settings.pollInterval)
            }
        }
    }

    private func begin() async -> Int {
        guard inFlight < settings.total else { return 0 }
        do throws(StoreError) {
            let (due, now) = try await outbox.claim(
                each: settings.each, total: settings.total - inFlight)
            if !due.isEmpty { clock.set(now: now) }
            for delivery in due {
                inFlight += 1
                Task { await self.attempt(delivery) }
            }
            return due.count
        } catch {
            log.warn("outbox not read", [("error", .string(error.description))])
            return 0
        }
    }

    private func attempt(_ delivery: DueDelivery) async {
        let outcome = await send(delivery)
        inFlight -= 1
        finished.append(judge(outcome, delivery, now: clock.now))
        alarm.ring()
    }

    private func send(_ delivery: DueDelivery) async -> DeliveryOutcome {
        let url: SourceURL
        do throws(SourceURLError) {
            url = try SourceURL(parsing: delivery.url)
        } catch {
            return .giveUp(status: nil, error: "the webhook's URL cannot be used: \(error)")
        }
        let now = Timestamp(microseconds: SystemClock.wallMicroseconds())
        let signature = signer.signature(of: delivery.message, attemptedAt: now.seconds)
        var request = TransferRequest(url: url)
        request.method = .post
        request.headers = delivery.message.headers(
            attemptedAt: now.seconds, signature: signature)
        request.body = delivery.message.body
        request.connectTimeout = min(.seconds(5), settings.timeout)
        request.idleTimeout = settings.timeout
        request.totalTimeout = settings.timeout
        request.maximumBodyBytes = 65_536
        request.followsRedirects = 0
        let result = await engine.run(request, id: TransferID(), into: .buffer(limit: 4096))
        return DeliveryOutcome(result, now: now)
    }

    private func judge(
        _ outcome: DeliveryOutcome, _ delivery: DueDelivery, now: Timestamp
    ) -> DeliveryRecord {
        var record = DeliveryRecord(
            number: delivery.number, fence: delivery.fence, nextAt: nil, isDelivered: false,
            status: nil, error: nil)
        var fields: [(String, LogValue)] = [
            ("event_id", .string(delivery.message.id)),
            ("type", .string(delivery.type.name)),
            ("attempt", .integer(Int64(delivery.attempt))),
        ]
        switch outcome {
        case .delivered(let status):
            record.isDelivered = true
            record.status = status
            log.debug("webhook delivered", fields)
        case .giveUp(let status, let error):
            record.status = status
            record.error = error
            log.warn("webhook given up", fields + [("error", .string(error))])
        case .retry(let status, let retryAfter, let error):
            record.status = status
            record.error = error
            record.nextAt = settings.schedule.next(
                afterAttempt: delivery.attempt, of: delivery.type, retryAfter: retryAfter,
                now: now, using: &random)
            fields.append(("error", .string(error)))
            fields.append(("next_attempt_at", .string(record.nextAt?.rfc3339 ?? "never")))
            log.warn("webhook attempt failed", fields)
        }
        return record
    }

    private func record() async {
        while !finished.isEmpty {
            let batch = finished
            finished = []
            do throws(StoreError) {
                try await outbox.record(batch)
            } catch {
                // Kept for the next turn; until it is written the receiver may hear it again.
                finished = batch + finished
                log.warn("deliveries not recorded", [("error", .string(error.description))])
                await alarm.wait(upTo: .seconds(1))
                if isStopping { finished = [] }
            }
        }
    }
}
