// Begin hooks: the settings that a client may give, and the answers that a hook may give.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct BeginHookTests {
    @Test(
        arguments: [
            ("", "continue"), (#"{"disposition": "continue_loading"}"#, "continue"),
            (#"{"disposition": "continue_loading", "request": {"url": "x"}}"#, "continue"),
            (#"{"disposition": "cancel"}"#, "cancel"),
            (
                #"{"disposition": "use_new_request", "request": {"url": "https://b.example/"}}"#,
                "new"
            ),
            (#"{"disposition": "use_new_request", "request": {"headers": {"A": "b"}}}"#, "new"),
            (#"{"disposition": "use_new_request"}"#, nil),
            (#"{"disposition": "use_new_request", "request": {}}"#, nil),
            (#"{"disposition": "use_new_request", "request": []}"#, nil),
            (#"{"disposition": "use_new_request", "request": {"priority": 1}}"#, nil),
            (#"{"disposition": "Cancel"}"#, nil), (#"{}"#, nil), (#"[]"#, nil), ("ok", nil),
            (#"{"disposition": 1}"#, nil), (#"{"disposition": "cancel""#, nil),
        ] as [(String, String?)])
    func anAnswerIsOneOfThree(_ text: String, _ kind: String?) {
        switch BeginAnswer(Array(text.utf8)) {
        case nil: #expect(kind == nil)
        case .continueLoading: #expect(kind == "continue")
        case .cancel: #expect(kind == "cancel")
        case .useNewRequest(let members):
            #expect(kind == "new" && members.members.count == 1)
        }
    }

    private static func spec(
        _ members: JSONObject, session: JSONObject = [:]
    ) throws -> DownloadSpec {
        var object: JSONObject = ["url": "https://a.example/f"]
        for (name, value) in members.members { object.append(name, value) }
        return DownloadSpec(
            try DownloadRequest.parse(.object(object)).get(),
            session: try SessionConfiguration.parse(.object(session)).get(), sessionVersion: 1,
            defaults: .standard)
    }

    /// A download has a hook only if it or its session gave a date.
    @Test func aHookIsAskedOnlyBeforeADate() throws {
        let hook: JSON = [
            "url": "https://h.example/", "timeout_seconds": 3, "on_no_answer": "wait",
        ]
        let date: JSON = "2030-01-01T00:00:00Z"
        for ofSession in [false, true] {
            for hasDate in [false, true] {
                var members = JSONObject()
                if hasDate { members["earliest_begin_date"] = date }
                if !ofSession { members["begin_hook"] = hook }
                // A hook of the download itself is refused without a date.
                guard ofSession || hasDate else { continue }
                let spec = try Self.spec(members, session: ofSession ? ["begin_hook": hook] : [:])
                #expect(spec.beginHook?.timeout == 3 && spec.beginHook?.onNoAnswer == .wait)
                #expect(spec.asksHook == hasDate)
                #expect(spec.laneFlags.contains(.unasked) == hasDate)
                // The stored text is unchanged.
                let stored = try #require(
                    DownloadSpec(stored: try JSON.parse(spec.text(as: .stored))))
                #expect(stored == spec)
            }
        }
        #expect(try Self.spec(["earliest_begin_date": date]).asksHook == false)
        let usual = try Self.spec([
            "begin_hook": ["url": "http://h.example/"], "earliest_begin_date": date,
        ])
        #expect(usual.beginHook?.timeout == 10 && usual.beginHook?.onNoAnswer == .continue)
    }

    @Test(arguments: [
        ("\"x\"", "#/begin_hook"), ("{}", "#/begin_hook/url"),
        // A hook without a date is refused.
        (#"{"url": "https://h.example/"}"#, "#/begin_hook"),
        (#"{"url": 7}"#, "#/begin_hook/url"),
        (#"{"url": "ftp://h.example/"}"#, "#/begin_hook/url"),
        (#"{"url": "https://h.example/", "timeout_seconds": 0}"#, "#/begin_hook/timeout_seconds"),
        (#"{"url": "https://h.example/", "timeout_seconds": 61}"#, "#/begin_hook/timeout_seconds"),
        (#"{"url": "https://h.example/", "on_no_answer": "retry"}"#, "#/begin_hook/on_no_answer"),
        (#"{"url": "https://h.example/", "x": 1}"#, "#/begin_hook/x"),
    ])
    func whatIsNoHookIsRefused(_ text: String, _ pointer: String) throws {
        var object: JSONObject = ["url": "https://a.example/", "begin_hook": try JSON.parse(text)]
        if text != #"{"url": "https://h.example/"}"# {
            object["earliest_begin_date"] = "2030-01-01T00:00:00Z"
        }
        guard case .failure(let errors) = DownloadRequest.parse(.object(object)) else {
            Issue.record("taken: \(text)")
            return
        }
        #expect(errors.map(\.pointer) == [pointer])
    }

    /// Rules decide over a download with a hook as over any other; only a download whose hook was
    /// asked waits for the answer.
    @Test func theRulesOfADownloadWithAHookAreThoseOfOthers() {
        let now = Timestamp(seconds: 1_800_000_000)
        let situation = Situation(now: now, policy: Policy(limits: Policies.limits), zone: .utc)
        for flag in [[], LaneFlags.unasked, .asked] {
            let candidate = Policies.candidate(at: now) {
                $0.laneFlags = LaneFlags.anyNetwork.union(flag)
                $0.isDiscretionary = false
            }
            #expect(Admission.policyBlockers(candidate, in: situation).isEmpty)
        }
        for isPatient in [false, true] {
            let candidate = Policies.candidate(at: now) {
                $0.isDiscretionary = false
                $0.runAt = now + .seconds(70)
                $0.question = OpenQuestion(askedAt: now - .seconds(1), isPatient: isPatient)
            }
            let blockers = Admission.blockers(candidate, in: situation)
            #expect(blockers.map(\.code) == [.beginHook])
            #expect(blockers.first?.until == (isPatient ? nil : candidate.runAt))
        }
    }

    /// The time of the question counts as a wait for the hook; the time before and after it is
    /// divided as in any other wait.
    @Test func aWaitIsDividedAroundTheQuestion() {
        let now = Timestamp(seconds: 1_800_000_000)
        let history = FactsHistory(
            Policy(limits: Policies.limits), .utc, at: now - .seconds(1000))
        var candidate = Policies.candidate(at: now) { $0.isDiscretionary = false }
        candidate.attempt = 0
        candidate.runAt = now + .seconds(35)
        let time = BlockedTime(
            of: candidate, from: now, to: now + .seconds(40), asked: now + .seconds(30),
            due: now + .seconds(20), in: history)
        #expect(
            time.parts == [
                .earliestBeginDate: 20_000, .slots: 15_000, .beginHook: 5000,
            ])
        // A question that was asked before an earlier attempt belongs to the wait for that attempt.
        let later = BlockedTime(
            of: candidate, from: now, to: now + .seconds(40), asked: now - .seconds(30),
            due: now, in: history)
        #expect(later.parts[.beginHook] == nil && later.total == 40_000)
    }

    /// Lanes with hooks are taken out of a claim, and their budgets with them.
    @Test func aClaimIsDividedByHooks() {
        let heads = (0..<4).map { number in
            var head = LaneHead(
                lane: Int64(number), runAt: .epoch, sessionKey: 1, session: "default",
                originKey: 1, schedulingClass: .normal, rank: 2, origin: GateReading(),
                sessionGate: GateReading())
            head.laneFlags = number % 2 == 0 ? .anyNetwork : [.anyNetwork, .asked]
            return head
        }
        let order = ClaimOrder(heads.map { LaneQuota(head: $0, count: 1) }, total: 4)
        #expect(order.hooked.map(\.head.lane) == [1, 3])
        #expect(order.withoutHooked.quotas.map(\.head.lane) == [0, 2])
    }

    /// Downloads without a question get the slots first, however many hooks are to be asked; the
    /// hooks that are asked follow the order of turns.
    @Test func lanesWithHooksTakeNoSlotOfOthers() {
        let start = ConductorTests.start
        let hooked = (1...40).map { lane in
            var head = ConductorTests.head(Int64(lane), at: start - .seconds(60))
            head.laneFlags = [.anyNetwork, .unasked]
            return head
        }
        let plain = (41...43).map { ConductorTests.head(Int64($0)) }
        var conductor = ConductorTests.conductor(slots: 2)
        _ = conductor.handle(.ticked, at: start)
        let actions = conductor.handle(.lanesLoaded(heads: hooked + plain), at: start)
        guard case .claim(let order)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(order.total == 2)
        let claimed = order.withoutHooked.quotas.map(\.head.lane)
        #expect(claimed.count >= 2 && Set(claimed).isSubset(of: [41, 42, 43]))
        #expect((1...2).contains(order.hooked.reduce(0) { $0 + $1.count }))
        let due = Dictionary(
            uniqueKeysWithValues: order.hooked.map { ($0.head.lane, start + .seconds(1)) })
        let next = conductor.handle(
            .claimed([ConductorTests.run(1), ConductorTests.run(2)], due: due), at: start)
        #expect(next.count { if case .start = $0 { true } else { false } } == 2)
        // All slots are taken: no hook is asked for a begin that is far away.
        #expect(!next.contains { if case .claim = $0 { true } else { false } })
    }
}
