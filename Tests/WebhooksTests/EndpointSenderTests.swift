// Webhooks to endpoints, through a webhook sender at work: signatures, pings, misbehaving
// receivers.
import Base
import Crypto
import Downloads
import Platform
import Postgres
import Store
import Support
import Synchronization
import Testing
import Webhooks

@Suite struct EndpointSenderTests {
    private func register(
        _ lab: SenderLab, _ url: String, events: [String] = ["download.created"],
        secret: EndpointSecret
    ) async throws -> EndpointRecord {
        var random = SystemRandomNumberGenerator()
        let id = Identifier(at: Timestamp(seconds: 1_795_309_200), using: &random)
        let outcome = try await lab.endpoints.create(
            EndpointSpec(url: url, events: events), id: id, app: 1,
            secret: SenderLab.box.seal(
                secret.key, for: EndpointSecret.associatedData(of: id, app: 1)))
        guard case .done(let record) = outcome else { throw StoreError(.refused, "not made") }
        return record
    }

    /// The number of signatures that each secret made.
    private func signed(_ request: OriginRequest, _ secrets: [EndpointSecret]) throws -> [Bool] {
        let id = try #require(request["webhook-id"])
        let seconds = try #require(request["webhook-timestamp"])
        let signatures = try #require(request["webhook-signature"]).split(separator: " ")
        return secrets.map { secret in
            let content = Array("\(id).\(seconds).".utf8) + request.body
            let own = "v1," + Base64.encode(HMAC.sha256(key: secret.key, message: content))
            return signatures.contains { $0 == own }
        }
    }

    @Test func eachEndpointHasItsSecretAndThoseThatWereReplaced() async throws {
        let secrets = (0..<3).map { EndpointSecret(key: Array(repeating: UInt8($0), count: 32)) }
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            try await SenderLab.with { lab in
                let record = try await register(lab, receiver.url("/e"), secret: secrets[0])
                try await lab.create(telling: receiver.url("/hook"))
                _ = try await lab.deliveries { $0.count == 2 && $0.allSatisfy { $0.state == 2 } }
                let associatedData = EndpointSecret.associatedData(of: record.id, app: 1)
                _ = try await lab.endpoints.rotate(
                    record.id, app: 1, to: SenderLab.box.seal(secrets[1].key, for: associatedData),
                    inherited: nil, overlap: .seconds(3600))
                try await lab.create(telling: receiver.url("/hook"))
                let seen = try await lab.deliveries {
                    $0.count == 4 && $0.allSatisfy { $0.state == 2 }
                }
                #expect(seen.count == 4)
                // The secret is replaced once more within the overlap: all three sign.
                _ = try await lab.endpoints.rotate(
                    record.id, app: 1, to: SenderLab.box.seal(secrets[2].key, for: associatedData),
                    inherited: nil, overlap: .seconds(3600))
                try await lab.create(telling: receiver.url("/hook"))
                _ = try await lab.deliveries { $0.count == 6 && $0.allSatisfy { $0.state == 2 } }
            }
            let own = receiver.requests.filter { $0.target == "/e" }
            #expect(
                try own.map { try signed($0, secrets) } == [
                    [true, false, false], [true, true, false], [true, true, true],
                ])
            #expect(
                own.map { $0["webhook-signature"]?.split(separator: " ").count } == [1, 2, 3])
            let shared = try #require(EndpointSecret(SenderLab.secret))
            for request in receiver.requests where request.target == "/hook" {
                #expect(try signed(request, secrets + [shared]) == [false, false, false, true])
            }
            // The event has one identifier for all receivers.
            #expect(Set(receiver.requests.map { $0["webhook-id"] }).count == 3)
        }
    }

    @Test func aSecretThatNoKeyOpensIsTriedAgain() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            try await SenderLab.with(waits: [.seconds(900)]) { lab in
                let other = SecretBox(keys: [Array(repeating: 8, count: 32)])
                let record = try await register(
                    lab, receiver.url("/e"), secret: EndpointSecret(key: [1]))
                _ = try await lab.endpoints.rotate(
                    record.id, app: 1, to: other.seal([1], for: []), inherited: nil,
                    overlap: .zero)
                try await lab.create(telling: receiver.url("/hook"))
                let seen = try await lab.deliveries { $0.contains { $0.error != nil } }
                let failed = try #require(seen.first { $0.error != nil })
                #expect(failed.state == 0 && failed.error?.contains("key") == true)
            }
            #expect(receiver.requests.allSatisfy { $0.target == "/hook" })
        }
    }

    @Test func aPingIsAnEventOfItsEndpoint() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            try await SenderLab.with { lab in
                let record = try await register(
                    lab, receiver.url("/e"), secret: EndpointSecret(key: [1, 2]))
                let id = try #require(record.id)
                _ = try await lab.endpoints.ping(id, app: 1)
                lab.sender.hint()
                _ = try await lab.deliveries { $0.first?.state == 2 }
                let request = try #require(receiver.requests.first)
                #expect(request["ce-type"] == "lull.endpoint.ping")
                #expect(request["ce-subject"] == id.text(.endpoint))
                #expect(request["ce-source"] == "/v1/webhook_endpoints")
                let data = try #require(try JSON.parse(request.body)["data"])
                #expect(data["id"] == .string(id.text(.endpoint)) && data["app"] == "default")
                #expect(data["url"] == .string(receiver.url("/e")))
            }
        }
    }

    /// An endpoint's headers are for one origin: no other gets them, however the request came
    /// there.
    @Test func headersGoToTheOriginThatTheyWereGivenFor() async throws {
        let secret = EndpointSecret(key: Array(repeating: 1, count: 32))
        let script: OriginServer.Script = { request in
            // The receiver repeats the fields that it got.
            OriginStep.answer(
                "500 No", body: request.headers.map { "\($0.name): \($0.value)" }.joined())
        }
        try await OriginServer.with(script) { receiver in
            try await OriginServer.with(script) { other in
                try await SenderLab.with(waits: []) { lab in
                    let record = try await register(lab, receiver.url("/e"), secret: secret)
                    let id = try #require(record.id)
                    var own = RequestSecrets()
                    own.headers = [HeaderField("X-Key", "k3y-value"), HeaderField("ce-id", "mine")]
                    own.authorization = .basic(username: "u", password: "p4ssword")
                    let bound = BoundSecrets(own, for: receiver.url("/"))
                    var spec = record.spec
                    spec.request = RequestShape(method: .get, own, proxyURL: nil)
                    _ = try await lab.endpoints.change(
                        record, to: spec, id: id, app: 1,
                        sealed: SenderLab.box.seal(
                            bound.plain, for: ReceiverRequest.associatedData(of: id, app: 1)))
                    try await lab.create(telling: receiver.url("/hook"))
                    _ = try await lab.deliveries {
                        $0.count == 2 && $0.allSatisfy { $0.state == 3 }
                    }
                    // A fault lets the row lead to another origin.
                    _ = try await lab.pool.query(
                        "UPDATE webhook_endpoints SET url = $1 WHERE id IS NOT NULL",
                        [other.url("/e")])
                    try await lab.create(telling: receiver.url("/hook"))
                    _ = try await lab.deliveries {
                        $0.count == 4 && $0.allSatisfy { $0.state == 3 }
                    }
                    let kept = try await lab.pool.query("SELECT tries::text FROM deliveries").map {
                        try $0.get(0, as: String.self)
                    }
                    #expect(kept.allSatisfy { !$0.contains("k3y-value") && !$0.contains("p4ss") })
                    // If the key that sealed its secrets is missing, the webhook waits; it is not
                    // sent without them.
                    _ = try await lab.pool.query(
                        "UPDATE webhook_endpoints SET sealed = '\\x00' WHERE id IS NOT NULL")
                    try await lab.create(telling: receiver.url("/hook"))
                    let last = try await lab.deliveries { list in
                        list.count == 6 && list.allSatisfy { $0.state == 3 }
                    }
                    let words = "no encryption key of this replica"
                    #expect(last.contains { $0.error?.contains(words) == true })
                }
                #expect(other.requests.count == 1)
                #expect(
                    other.requests.allSatisfy { $0["x-key"] == nil && $0["authorization"] == nil })
            }
            let sent = receiver.requests.filter { $0.target == "/e" }
            #expect(sent.count == 1 && sent[0]["x-key"] == "k3y-value")
            #expect(sent[0]["authorization"]?.hasPrefix("Basic ") == true)
            // A `webhook_url` of this origin is another receiver.
            let hooks = receiver.requests.filter { $0.target == "/hook" }
            #expect(hooks.allSatisfy { $0["x-key"] == nil && $0["authorization"] == nil })
        }
    }

    /// A receiver's behaviour, and the status that is recorded for the try.
    private static let faults: [(String, [OriginStep], status: Int32?)] = [
        ("drips its head", [.drip("HTTP/1.1 200 OK\r\n", everyMilliseconds: 200)], nil),
        (
            "answers 100 for ever",
            Array(repeating: .send("HTTP/1.1 100 Continue\r\n\r\n"), count: 5000)
                + [.close], nil
        ),
        (
            "drips 100 for ever",
            [
                .drip(
                    String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1000),
                    everyMilliseconds: 5)
            ], nil
        ),
        ("answers 103 and closes", [.send("HTTP/1.1 103 Early Hints\r\n\r\n"), .close], nil),
        ("resets", [.reset], nil),
        ("closes", [.close], nil),
        ("is not HTTP", [.send("SSH-2.0-OpenSSH_9.2\r\n"), .close], nil),
        (
            "redirects to a private address",
            [.send("HTTP/1.1 307 X\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n")],
            307
        ),
        (
            "sends ten gigabytes",
            [
                .send("HTTP/1.1 500 X\r\nContent-Length: 10000000000\r\n\r\n"),
                .fill(0x41, count: 1_000_000), .close,
            ], 500
        ),
        (
            "drips its body",
            [
                .send("HTTP/1.1 503 X\r\nContent-Length: 9\r\n\r\n"),
                .drip("123456789", everyMilliseconds: 400),
            ], 503
        ),
    ]

    @Test(arguments: faults)
    func misbehavingReceiversAreBoundedAndRetried(
        _ name: String, _ steps: [OriginStep], _ status: Int32?
    ) async throws {
        try await OriginServer.with({ _ in steps }) { receiver in
            try await SenderLab.with(waits: [.seconds(900)], timeout: .milliseconds(1500)) { lab in
                let id = try await lab.create(telling: receiver.url("/hook"))
                let seen = try await lab.deliveries { $0.first?.error != nil }
                #expect(seen.map(\.state) == [0] && seen.map(\.attempt) == [1], "\(name)")
                #expect(seen.first?.status == status, "\(name): \(seen)")
                let views = try await lab.views(of: id)
                let kept = try #require(views.first?.tries.first)
                #expect(views.first?.tries.count == 1 && kept.error == seen.first?.error)
                #expect((kept.body?.utf8.count ?? 0) <= DeliveryTry.bodyBytesAtMost + 3)
            }
            // There is one try, and no redirect was followed.
            #expect(receiver.requests.count <= 1, "\(name)")
        }
    }

    /// A replica is killed after the receiver has the webhook and before that is recorded: the next
    /// one sends it again under its identifier, and a late record of the killed one changes
    /// nothing.
    @Test func killedBetweenSendAndRecordIsSentAgain() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        let isFirst = Mutex(true)
        let script: OriginServer.Script = { _ in
            let waits = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            return (waits ? [.wait(gate)] : []) + OriginStep.answer("204 No Content")
        }
        try await OriginServer.with(script) { receiver in
            try await SenderLab.with { lab in
                try await lab.create(telling: receiver.url("/hook"))
                _ = try await lab.deliveries { _ in receiver.requests.count == 1 }
                try await lab.ledger.unregister()
                let next = try await Ledger.register(
                    pool: lab.pool, instance: Identifier(high: 2, low: 2), node: "next",
                    lease: .seconds(60), changes: ChangeHub()
                ).ledger
                let second = WebhookSender(
                    outbox: Outbox(
                        pool: lab.pool, registration: Registration(replica: next.replica)),
                    engine: lab.engine,
                    secrets: SigningSecrets(
                        box: SenderLab.box, inherited: EndpointSecret(SenderLab.secret)),
                    settings: WebhookSenderSettings(pollInterval: .milliseconds(50)), log: .silent)
                async let running: Void = second.run()
                let seen = try await lab.deliveries { $0.first?.state == 2 }
                #expect(seen.map(\.attempt) == [2])
                gate.open()
                await second.stop()
                await running
                let requests = receiver.requests
                #expect(requests.count == 2)
                #expect(Set(requests.map { $0["webhook-id"] }).count == 1)
                #expect(Set(requests.map(\.body)).count == 1)
            }
            #expect(receiver.requests.count == 2, "once more is enough")
        }
    }

    /// A webhook sender ends between the answer and its record: the next one sends the webhook
    /// again.
    @Test func whatIsNotRecordedIsSentAgainWithTheSameIdentifier() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            try await SenderLab.with(isRegistered: false) { lab in
                try await lab.create(telling: receiver.url("/hook"))
                // A replica that claims and is killed: its try is not recorded.
                let dead = Outbox(
                    pool: lab.pool, registration: Registration(replica: lab.ledger.replica))
                let due = try await dead.due(full: [], limit: 9).list
                let claimed = try await dead.claim(
                    due.map { DeliveryPlaces.Grant(receiver: $0.number, count: 1) }
                ).due
                let first = try #require(claimed.first)
                try await lab.ledger.unregister()
                let next = try await Ledger.register(
                    pool: lab.pool, instance: Identifier(high: 2, low: 2), node: "next",
                    lease: .seconds(60), changes: ChangeHub()
                ).ledger
                lab.registration.replica = next.replica
                lab.sender.hint()
                let seen = try await lab.deliveries { $0.first?.state == 2 }
                #expect(seen.map(\.attempt) == [2])
                let request = try #require(receiver.requests.first)
                #expect(request["webhook-id"] == first.message.id)
                #expect(request.body == first.message.body)
            }
        }
    }
}

extension SenderLab {
    /// The endpoints of the lab's database.
    var endpoints: Endpoints { Endpoints(pool: pool, changes: changes) }

    /// The deliveries of a download as clients see them.
    func views(of id: Identifier) async throws -> [DeliveryView] {
        var filter = DeliveryFilter()
        filter.download = id
        let downloads = Downloads(pool: pool, changes: changes)
        return try await downloads.deliveries.list(filter, app: 1, before: nil, limit: 9).list
    }
}
