// Begin hooks on the wire: the receiver's answer decides, within bounds; without an answer the
// hook's own rule does.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Synchronization
import Testing
import Webhooks

@Suite struct HookSenderTests {
    private static let fresh =
        #"{"disposition": "use_new_request", "request": {"url": "http://b.example/"}}"#
    private static let goesOn = #"{"disposition": "continue_loading"}"#

    /// The behaviour of the receiver.
    enum Receiver: CustomStringConvertible {
        case answers(String, String)
        case steps(String, [OriginStep])

        var steps: [OriginStep] {
            switch self {
            case .answers(let line, let body): OriginStep.answer(line, body: body)
            case .steps(_, let steps): steps
            }
        }

        var description: String {
            switch self {
            case .answers(let line, let body): line + " " + body.prefix(60)
            case .steps(let name, _): name
            }
        }
    }

    private static let answers: [(receiver: Receiver, answer: String)] = [
        (.answers("200 OK", #"{"disposition": "cancel"}"#), "cancel"),
        (.answers("200 OK", goesOn), "continue_loading"),
        (.answers("201 Created", goesOn), "continue_loading"),
        (.answers("204 No Content", ""), "continue_loading"),
        (.answers("200 OK", fresh), "use_new_request"),
        (
            .steps(
                "informational answers first",
                [.send("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")]
                    + OriginStep.answer("200 OK", body: goesOn)), "continue_loading"
        ),
    ]

    private static let nonsense: [Receiver] = [
        .answers("200 OK", "hello"), .answers("200 OK", "[]"), .answers("200 OK", "{}"),
        .answers("200 OK", #"{"disposition": "CANCEL"}"#),
        .answers("200 OK", #"{"disposition": "use_new_request"}"#),
        .answers("200 OK", #"{"disposition": "use_new_request", "request": {"priority": 1}}"#),
        .answers("500 Internal Server Error", goesOn), .answers("410 Gone", goesOn),
        .answers("404 Not Found", goesOn), .answers("302 Found", goesOn),
        .answers("200 OK", "{\"x\": \"" + String(repeating: "y", count: 70_000) + "\"}"),
        .steps("10 GB", [.send("HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n{")]),
        .steps(
            "a body that ends early",
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n\(goesOn)"), .close]),
        .steps("a connection that ends", [.close]),
        .steps("no HTTP", [.send("220 mail.example ESMTP\r\n"), .close]),
    ]

    /// Runs a test with a download whose hook was asked of a receiver of this behaviour.
    private static func asked(
        _ receiver: Receiver, _ rule: String, timeout: Int64 = 10, waits: [Duration] = [],
        taking outcomes: [HookOutcome] = [],
        _ test: (SenderLab, OriginServer, Identifier, @escaping @Sendable () -> [String])
            async throws -> Void
    ) async throws {
        try await OriginServer.with({ _ in receiver.steps }) { server in
            try await SenderLab.with(waits: waits) { lab in
                let taken = Mutex<[String]>([])
                lab.sender.onHookAnswered { _, answer in
                    guard let answer else { return .taken }
                    return taken.withLock { list -> HookOutcome in
                        list.append(answer.disposition)
                        return list.count <= outcomes.count ? outcomes[list.count - 1] : .taken
                    }
                }
                let id = try await lab.create([
                    "earliest_begin_date": "2020-01-01T00:00:00Z",
                    "begin_hook": [
                        "url": .string(server.url("/ask")), "timeout_seconds": .integer(timeout),
                        "on_no_answer": .string(rule),
                    ],
                ])
                #expect(try await lab.ask() == [id])
                try await test(lab, server, id) { taken.withLock { $0 } }
            }
        }
    }

    @Test(arguments: answers)
    func theAnswerCounts(_ receiver: Receiver, _ answer: String) async throws {
        try await Self.asked(receiver, "wait") { lab, server, id, taken in
            let seen = try await lab.deliveries { $0.first?.state == 2 }
            #expect(seen.map(\.state) == [2])
            #expect(taken() == [answer])
            let request = try #require(server.requests.first)
            #expect(request["ce-type"] == "lull.download.will_begin")
            #expect(request["webhook-signature"]?.hasPrefix("v1,") == true)
            let data = try #require(try JSON.parse(request.body)["data"])
            #expect(data["id"] == .string(id.text(.download)) && data["state"] == "waiting")
            #expect(data["begin_hook"]?["url"] == .string(server.url("/ask")))
            #expect(
                lab.sender.tally.hookAnswers.first(where: { $0.count > 0 })?.answer == answer)
        }
    }

    @Test(arguments: nonsense, ["continue", "cancel"])
    func whatIsNoAnswerIsLoggedAndTheRuleHolds(
        _ receiver: Receiver, _ rule: String
    ) async throws {
        try await Self.asked(receiver, rule) { lab, _, _, taken in
            let seen = try await lab.deliveries { $0.first.map { $0.state > 1 } ?? false }
            #expect(seen.map(\.state) == [3] && seen.first?.error?.isEmpty == false)
            #expect(taken() == [rule == "continue" ? "continue_loading" : "cancel"])
            #expect(lab.sender.tally.hookAnswers.last?.count == 1)
        }
    }

    /// The receiver is silent, or sends a byte now and then: the time of the hook holds.
    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nX-A: ", "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{\"x\": ",
    ])
    func anAnswerHasTheTimeOfTheHook(_ start: String) async throws {
        let gate = OriginGate()
        let receiver = Receiver.steps(
            "slow",
            [
                .send(start), .drip(String(repeating: "y", count: 4), everyMilliseconds: 300),
                .wait(gate),
            ])
        try await Self.asked(receiver, "cancel", timeout: 1) { lab, _, _, taken in
            let seen = try await lab.deliveries { $0.first.map { $0.state > 1 } ?? false }
            gate.open()
            #expect(seen.map(\.state) == [3] && taken() == ["cancel"])
        }
    }

    /// An address that webhooks may not go to is refused when the connection is made.
    @Test func aPrivateAddressIsNoReceiver() async throws {
        try await SenderLab.with { lab in
            let taken = Mutex(0)
            lab.sender.onHookAnswered { _, answer in
                if answer == .continueLoading { taken.withLock { $0 += 1 } }
                return .taken
            }
            _ = try await lab.create([
                "earliest_begin_date": "2020-01-01T00:00:00Z",
                "begin_hook": ["url": "http://10.0.0.1/ask"],
            ])
            #expect(try await lab.ask().count == 1)
            let seen = try await lab.deliveries { $0.first.map { $0.state > 1 } ?? false }
            #expect(seen.map(\.state) == [3] && seen.first?.status == nil)
            #expect(taken.withLock { $0 } == 1)
        }
    }

    /// With `wait` the question is asked again, until an answer is accepted.
    @Test func waitAsksAgainWithTheSameIdentifier() async throws {
        let count = Mutex(0)
        try await OriginServer.with({ _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return OriginStep.answer(number < 3 ? "500 Oops" : "204 No Content")
        }) { receiver in
            try await SenderLab.with(waits: [.zero, .zero, .zero, .zero]) { lab in
                let taken = Mutex(0)
                lab.sender.onHookAnswered { _, answer in
                    guard answer != nil else { return .taken }
                    // The store fails once: the question is asked again after that, too.
                    return taken.withLock { count -> HookOutcome in
                        count += 1
                        return count == 1 ? .failed : .taken
                    }
                }
                _ = try await lab.create([
                    "earliest_begin_date": "2020-01-01T00:00:00Z",
                    "begin_hook": [
                        "url": .string(receiver.url("/ask")), "on_no_answer": "wait",
                    ],
                ])
                _ = try await lab.ask()
                let seen = try await lab.deliveries { $0.first?.state == 2 }
                #expect(seen.map(\.state) == [2])
                #expect(receiver.requests.count == 4)
                #expect(Set(receiver.requests.map { $0["webhook-id"] }).count == 1)
            }
        }
    }

    @Test func aRefusedRequestIsNoAnswer() async throws {
        let refusal = "the URL is not allowed"
        try await Self.asked(
            .answers("200 OK", Self.fresh), "cancel", taking: [.refused(refusal)]
        ) { lab, _, _, taken in
            let seen = try await lab.deliveries { $0.first.map { $0.state > 1 } ?? false }
            #expect(seen.map(\.state) == [3] && seen.first?.error?.contains(refusal) == true)
            #expect(taken() == ["use_new_request", "cancel"])
        }
    }

    /// No download waits for an answer any more: the question is not sent.
    @Test func aClosedQuestionIsNotSent() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            try await SenderLab.with { lab in
                lab.sender.onHookAnswered { _, _ in .closed }
                _ = try await lab.create([
                    "earliest_begin_date": "2020-01-01T00:00:00Z",
                    "begin_hook": ["url": .string(receiver.url("/ask"))],
                ])
                _ = try await lab.ask()
                let seen = try await lab.deliveries { $0.first.map { $0.state > 1 } ?? false }
                #expect(seen.map(\.state) == [3] && receiver.requests.isEmpty)
            }
        }
    }

    /// Hundreds of questions to one receiver that does not answer: webhooks of others arrive.
    @Test func aSilentReceiverOfManyQuestionsDelaysNoOther() async throws {
        let gate = OriginGate()
        try await OriginServer.with({ _ in [.wait(gate), .close] }) { silent in
            try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { other in
                try await SenderLab.with(timeout: .seconds(300)) { lab in
                    lab.sender.onHookAnswered { _, _ in .taken }
                    for _ in 0..<300 {
                        _ = try await lab.create([
                            "earliest_begin_date": "2020-01-01T00:00:00Z",
                            "begin_hook": [
                                "url": .string(silent.url("/ask")), "timeout_seconds": 60,
                                "on_no_answer": "wait",
                            ],
                        ])
                    }
                    #expect(try await lab.ask().count == 300)
                    for _ in 0..<20 { try await lab.create(telling: other.url("/events")) }
                    let seen = try await lab.deliveries { $0.count { $0.state == 2 } == 20 }
                    #expect(seen.count { $0.state == 2 } == 20)
                    // The receiver has a few places, however many questions wait for it.
                    #expect(silent.requests.count <= 16)
                    gate.open()
                }
            }
        }
    }
}

extension SenderLab {
    /// Asks the hooks of due downloads, as a worker does instead of a claim.
    func ask() async throws -> [Identifier] {
        let heads = try await ledger.lanes().page.heads
        let order = ClaimOrder(heads.map { LaneQuota(head: $0, count: 1000) }, total: 1000)
        let downloads = Downloads(pool: pool, changes: changes)
        let asked = try await ledger.beginHooks(of: downloads).ask(order.hooked).asked
        sender.hint()
        return asked
    }
}
