// From the outbox to a receiver and back: the requests, their number, and the record.
import Base
import Crypto
import Postgres
import Store
import Support
import Synchronization
import Testing
import Webhooks

@Suite struct WebhookSenderTests {
    private typealias Delivery = SenderLab.Delivery

    private func isOver(_ deliveries: [SenderLab.Delivery]) -> Bool {
        !deliveries.isEmpty && deliveries.allSatisfy { $0.state >= 2 }
    }

    /// The signature as a receiver checks it.
    private func isSigned(_ request: OriginRequest) throws -> Bool {
        let key = try #require(Base64.decode(String(SenderLab.secret.dropFirst(6))))
        let id = try #require(request["webhook-id"])
        let seconds = try #require(request["webhook-timestamp"])
        let signature = HMAC.sha256(
            key: key, message: Array("\(id).\(seconds).".utf8) + request.body)
        return request["webhook-signature"] == "v1," + Base64.encode(signature)
    }

    @Test func deliveryIsMadeOnceAndRecorded() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            try await SenderLab.with { lab in
                try await lab.create(telling: receiver.url("/hook?x=1"))
                let seen = try await lab.deliveries(when: isOver)
                #expect(seen == [Delivery(state: 2, attempt: 1, status: 204, error: nil)])
            }
            // The webhook sender has stopped: no further request comes.
            #expect(receiver.requests.count == 1)
        }
    }

    /// Polls a day apart: the webhook sender sleeps until the instant at which the next try is due.
    @Test func retriesAtTheirTimeWithoutPolls() async throws {
        let count = Mutex(0)
        let script: OriginServer.Script = { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return OriginStep.answer(number < 3 ? "503 Service Unavailable" : "204 No Content")
        }
        try await OriginServer.with(script) { receiver in
            let waits: [Duration] = [.milliseconds(300), .milliseconds(300)]
            try await SenderLab.with(waits: waits, poll: .seconds(86_400)) { lab in
                try await lab.create(telling: receiver.url("/hook"))
                let seen = try await lab.deliveries(when: isOver)
                #expect(seen.map(\.state) == [2] && seen.map(\.attempt) == [3])
            }
        }
    }

    /// The first look finds a delivery that an earlier process left for later.
    @Test func findsTheNextDueDeliveryAtTheStart() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            // Before the registration no delivery is claimed.
            try await SenderLab.with(isRegistered: false) { lab in
                let outbox = Outbox(pool: lab.pool, registration: lab.registration)
                #expect(try await outbox.nextDue() == nil)
                try await lab.create(telling: receiver.url("/hook"))
                #expect(try await outbox.due(full: [], limit: 9).list.count == 1)
                _ = try await lab.pool.script(
                    """
                    UPDATE deliveries SET run_at = clock_timestamp() + interval '1 hour';
                    UPDATE receivers SET next_at = clock_timestamp() + interval '1 hour';
                    """)
                #expect(try await outbox.due(full: [], limit: 9).list.isEmpty)
                let wait = try #require(try await outbox.nextDue())
                #expect(wait > .seconds(3000) && wait <= .seconds(3600))
            }
        }
    }

    @Test func theRequestIsExact() async throws {
        try await OriginServer.with({ _ in OriginStep.answer() }) { receiver in
            try await SenderLab.with { lab in
                let id = try await lab.create(telling: receiver.url("/hook?x=1"))
                _ = try await lab.deliveries(when: isOver)
                let request = try #require(receiver.requests.first)
                #expect(request.method == "POST")
                #expect(request.target == "/hook?x=1")
                let event = try #require(request["webhook-id"])
                #expect(Identifier(event, kind: .event) != nil)
                let seconds = try #require(request["webhook-timestamp"])
                #expect(Int64(seconds) != nil)
                let time = try #require(request["ce-time"])
                #expect(Timestamp(rfc3339: time) != nil)
                #expect(
                    request.headers.map(\.name).sorted() == [
                        "accept", "accept-encoding", "ce-id", "ce-source", "ce-specversion",
                        "ce-subject", "ce-time", "ce-type", "content-length", "content-type",
                        "host", "user-agent", "webhook-id", "webhook-signature",
                        "webhook-timestamp",
                    ])
                #expect(request["host"] == "127.0.0.1:\(receiver.port)")
                #expect(request["user-agent"] == "Lull/test")
                #expect(request["content-type"] == "application/json")
                #expect(request["content-length"] == "\(request.body.count)")
                #expect(request["ce-id"] == event)
                #expect(request["ce-specversion"] == "1.0")
                #expect(request["ce-type"] == "lull.download.created")
                #expect(request["ce-source"] == "/v1/sessions/default")
                #expect(request["ce-subject"] == id.text(.download))
                #expect(try isSigned(request))
                let body = try JSON.parse(request.body)
                #expect(body.objectValue?.members.map(\.key) == ["type", "timestamp", "data"])
                #expect(body["type"] == "download.created")
                #expect(body["timestamp"] == .string(time))
                #expect(body["data"]?["id"] == .string(id.text(.download)))
                #expect(body["data"]?["state"] == "waiting")
            }
        }
    }

    @Test func retrySendsTheSameBytesWithANewTimestamp() async throws {
        let script: OriginServer.Script = { request in
            OriginStep.answer(request.connection == 1 ? "500 Internal Server Error" : "200 OK") + [
                .close
            ]
        }
        try await OriginServer.with(script) { receiver in
            try await SenderLab.with(waits: [.seconds(2)]) { lab in
                try await lab.create(telling: receiver.url())
                let first = try await lab.deliveries { $0.first?.status != nil }
                #expect(
                    first == [
                        Delivery(
                            state: 0, attempt: 1, status: 500, error: "the receiver answered 500")
                    ])
                let seen = try await lab.deliveries(when: isOver)
                #expect(seen == [Delivery(state: 2, attempt: 2, status: 200, error: nil)])
            }
            let tries = receiver.requests
            try #require(tries.count == 2)
            #expect(tries[0].body == tries[1].body)
            #expect(tries[0]["webhook-id"] == tries[1]["webhook-id"])
            #expect(tries[0]["ce-time"] == tries[1]["ce-time"])
            #expect(tries[0]["webhook-timestamp"] != tries[1]["webhook-timestamp"])
            #expect(tries[0]["webhook-signature"] != tries[1]["webhook-signature"])
            #expect(try isSigned(tries[0]) && isSigned(tries[1]))
        }
    }

    @Test func status410IsNeverRetried() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("410 Gone") }) { receiver in
            try await SenderLab.with(waits: [.zero, .zero]) { lab in
                try await lab.create(telling: receiver.url())
                let seen = try await lab.deliveries(when: isOver)
                #expect(
                    seen == [
                        Delivery(
                            state: 3, attempt: 1, status: 410,
                            error: "the receiver answered 410 Gone")
                    ])
            }
            #expect(receiver.requests.count == 1)
        }
    }

    @Test(arguments: [404, 500, 410], [1, 65])
    func onlyStatus410EndsPendingDeliveriesOfAURL(status: Int, count: Int) async throws {
        let script: OriginServer.Script = { request in
            OriginStep.answer(request.target == "/gone" ? "\(status) Word" : "204 No Content")
        }
        try await OriginServer.with(script) { receiver in
            try await SenderLab.with(waits: [.seconds(900)], each: 1) { lab in
                try await lab.create(telling: receiver.url("/other"))
                for _ in 0..<count { try await lab.create(telling: receiver.url("/gone")) }
                let isGone = status == 410
                let seen = try await lab.deliveries {
                    $0.count == count + 1
                        && $0.allSatisfy {
                            (isGone ? [3, 4] : [0]).contains($0.state) && $0.error != nil
                                || $0.state == 2
                        }
                }
                #expect(seen.first?.state == 2)
                #expect(seen.dropFirst().allSatisfy { (isGone ? [3, 4] : [0]).contains($0.state) })
                // The counts are written after the commit of the rows.
                let all = Int64(count)
                let tally = lab.sender.tally
                func isCounted() -> Bool {
                    tally.ended(.exhausted) + tally.ended(.abandoned) + tally.ended(.retried)
                        >= all
                        && tally.receiversGone >= (isGone ? 1 : 0)
                }
                for _ in 0..<1000 where !isCounted() {
                    try await Task.sleep(for: .milliseconds(10))
                }
                // The webhook of a create that is under way while the answer is recorded is sent as
                // well.
                #expect((isGone ? 1...min(2, all) : 0...0).contains(tally.receiversGone))
                let ended = tally.ended(.exhausted) + tally.ended(.abandoned)
                #expect(ended == (isGone ? all : 0))
                #expect(lab.sender.tally.ended(.retried) == (isGone ? 0 : Int64(count)))
                // The neighbour on this host still gets its webhooks.
                try await lab.create(telling: receiver.url("/other"))
                let last = try await lab.deliveries { $0.last?.state == 2 }
                #expect(last.last?.state == 2)
            }
            let asked = receiver.requests.filter { $0.target == "/gone" }.count
            #expect((status == 410 ? 1...min(2, count) : count...count).contains(asked))
        }
    }

    @Test func deliveryIsExhaustedAfterTheSchedule() async throws {
        let script: OriginServer.Script = { _ in
            OriginStep.answer("302 Found", headers: ["Location: /elsewhere"])
        }
        try await OriginServer.with(script) { receiver in
            try await SenderLab.with(waits: [.zero, .zero]) { lab in
                try await lab.create(telling: receiver.url("/hook"))
                let seen = try await lab.deliveries(when: isOver)
                #expect(
                    seen == [
                        Delivery(
                            state: 3, attempt: 3, status: 302,
                            error: "the receiver answered 302 and points to "
                                + "\(receiver.url("/elsewhere")); redirects are not followed")
                    ])
            }
            #expect(receiver.requests.map(\.target) == ["/hook", "/hook", "/hook"])
        }
    }

    @Test func retryAfterIsObeyed() async throws {
        let script: OriginServer.Script = { _ in
            OriginStep.answer("429 Too Many Requests", headers: ["Retry-After: 3600"])
        }
        try await OriginServer.with(script) { receiver in
            try await SenderLab.with(waits: [.zero]) { lab in
                try await lab.create(telling: receiver.url())
                let seen = try await lab.deliveries { $0.first?.status != nil }
                #expect(seen.map(\.state) == [0])
                let left = try await lab.pool.query(
                    """
                    SELECT extract(epoch FROM run_at - clock_timestamp())::bigint FROM deliveries
                    """)[0].get(0, as: Int64.self)
                #expect((3000...3600).contains(left))
            }
        }
    }
}
