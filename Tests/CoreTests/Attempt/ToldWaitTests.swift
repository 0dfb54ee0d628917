// Times that origins tell: how they are read, how long a download waits for them, and how many
// attempts they cost.
import Base
import Downloads
import Testing

extension AttemptVerdict {
    /// The time of the next try.
    var instant: Timestamp? { if case .retry(let at, _, _, _) = self { at } else { nil } }

    /// The time until which the origin is held.
    var cool: Timestamp? { if case .retry(_, let cool, _, _) = self { cool } else { nil } }

    /// The number of attempts that count against the download.
    var attempts: Int? { if case .retry(_, _, let count, _) = self { count } else { nil } }

    /// The waits so far.
    var uncountedWaits: UncountedWaits? {
        if case .retry(_, _, _, let waits) = self { waits } else { nil }
    }
}

@Suite struct ToldWaitTests {
    private static let now = Timestamp(seconds: 1_795_309_200)
    private static let schedule = RetrySchedule(
        base: .seconds(10), cap: .seconds(100), maximumAttempts: 3)

    private func decide(
        _ status: Int, told: ToldWait? = nil, uncountedWaits: UncountedWaits = UncountedWaits(),
        rule: RetryRule? = nil, attempts: Int = 0, progress: Bool = false, hasBytes: Bool = false,
        isExpired: Bool = false, face: UInt64 = 1
    ) -> AttemptVerdict {
        var dice = LoadedDice(face: face)
        var end = FailedAttempt(
            failure: AttemptVerdict.failure(
                status: status, hasBytes: hasBytes, isExpired: isExpired),
            madeProgress: progress, attemptsWithoutProgress: attempts, told: told, now: Self.now,
            deadline: Self.now + .seconds(1_000_000))
        (end.uncountedWaits, end.retryRule) = (uncountedWaits, rule)
        return AttemptVerdict.decide(end, schedule: Self.schedule, using: &dice)
    }

    // MARK: - How it is read

    /// Fields, and the seconds that they tell on a 403; nil for none.
    private static let readings: [(String, [String: String], Double?)] = [
        ("seconds", ["retry-after": "30"], 30), ("a fraction", ["retry-after": "2.5"], 2.5),
        ("a date", ["retry-after": "Sun, 22 Nov 2026 01:00:30 GMT"], 30),
        ("a date in UTC", ["retry-after": "Sun, 22 Nov 2026 01:00:30 UTC"], 30),
        ("a date with +0000", ["retry-after": "Sun, 22 Nov 2026 01:00:30 +0000"], 30),
        ("no number", ["retry-after": "soon"], nil), ("nothing", [:], nil),
        ("left, seconds", ["remaining": "3", "reset": "60"], nil),
        ("used up, seconds", ["remaining": "0", "reset": "60"], 60),
        ("used up, a fraction", ["remaining": "0", "reset": "1.5"], 1.5),
        ("the last number of seconds", ["remaining": "0", "reset": "999999999"], 999_999_999),
        ("the first instant", ["remaining": "0", "reset": "1000000000"], 0),
        ("an instant", ["remaining": "0", "reset": "1795309260"], 60),
        ("an instant that is over", ["remaining": "0", "reset": "1795309100"], 0),
        ("milliseconds", ["remaining": "0", "reset": "1795309260500"], 60.5),
        ("no reset", ["remaining": "0"], nil), ("no number of them", ["reset": "60"], nil),
        ("used up with X-", ["x-remaining": "0", "x-reset": "1795309260"], 60),
        (
            "the longer of two",
            ["remaining": "0", "reset": "5", "x-remaining": "0", "x-reset": "9"],
            9
        ),
        (
            "one of two is used up",
            [
                "remaining": "1", "reset": "5", "x-remaining": "0",
                "x-reset": "9",
            ], 9
        ),
        ("the draft", ["ratelimit": "\"default\";r=0;t=30"], 30),
        ("the draft, left", ["ratelimit": "\"default\";r=1;t=30"], nil),
        ("the draft, two policies", ["ratelimit": "\"a\";r=0;t=30, \"b\";r=9;t=90"], 30),
        ("the draft, blanks", ["ratelimit": "\"a\" ; r=0 ; t=30"], 30),
        ("the old draft", ["ratelimit": "limit=9, remaining=0, reset=30"], 30),
        ("Retry-After wins", ["retry-after": "7", "remaining": "0", "reset": "60"], 7),
        ("an unreadable one does not", ["retry-after": "x", "remaining": "0", "reset": "60"], 60),
    ]

    private static func fields(_ values: [String: String]) -> ToldFields {
        var fields = ToldFields()
        fields.retryAfter = values["retry-after"]
        fields.rateLimit = values["ratelimit"]
        fields.limits = [
            ToldFields.Limit(remaining: values["remaining"], reset: values["reset"]),
            ToldFields.Limit(remaining: values["x-remaining"], reset: values["x-reset"]),
        ]
        return fields
    }

    @Test func aTimeIsReadInEachOfItsForms() {
        for (name, values, seconds) in Self.readings {
            let wait = Self.fields(values).wait(status: 403, method: .get, now: Self.now)
            #expect(wait?.time == seconds.map { .seconds($0) }, Comment(rawValue: name))
        }
    }

    @Test func aTimeIsObeyedWhereAnotherAnswerMayFollow() {
        for status in 100...999 {
            let name = Comment(rawValue: "\(status)")
            func wait(_ values: [String: String], _ method: RequestMethod = .get) -> ToldWait? {
                Self.fields(values).wait(status: status, method: method, now: Self.now)
            }
            let isObeyed =
                switch status {
                case 202, 300...399, 403, 404, 408, 413, 421, 423, 425, 429, 449, 500...599: true
                default: false
                }
            let told = wait(["retry-after": "30"])
            #expect((told != nil) == isObeyed, name)
            #expect(told?.holdsOrigin ?? false == [429, 503].contains(status), name)
            let isLimit = isObeyed || (400...499).contains(status) && ![401, 407].contains(status)
            let limit = wait(["remaining": "0", "reset": "30"])
            #expect((limit != nil) == isLimit, name)
            #expect(limit?.holdsOrigin ?? isLimit == isLimit, name)
            if status == 202 { #expect(wait(["retry-after": "30"], .post) == nil, name) }
            // A 429 says by itself that nothing remains.
            if status == 429 { #expect(wait(["x-reset": "30"])?.time == .seconds(30)) }
        }
    }

    // MARK: - How long it is waited for

    @Test(arguments: [
        (Duration.zero, Duration.seconds(1), Duration.milliseconds(100)),
        (.milliseconds(10), .seconds(1), .milliseconds(100)),
        (.milliseconds(2500), .milliseconds(2500), .milliseconds(250)),
        (.seconds(5), .seconds(5), .milliseconds(500)),
        (.seconds(600), .seconds(600), .seconds(60)),
        (.seconds(86_400), .seconds(86_400), .seconds(60)),
        (.seconds(729_373_563), .seconds(86_400), .seconds(60)),
    ])
    func aToldTimeIsATimeAndNoLowerBound(_ told: Duration, _ obeyed: Duration, _ extra: Duration) {
        let wait = ToldWait(time: told)
        for attempts in 0...2 {
            let soonest = decide(429, told: wait, attempts: attempts, face: 1)
            #expect(soonest.instant == Self.now + obeyed)
            #expect(soonest.cool == Self.now + obeyed)
            let latest = decide(429, told: wait, attempts: attempts, face: .max)
            #expect(latest.instant == Self.now + obeyed + extra)
            #expect(latest.cool == Self.now + obeyed)
        }
    }

    @Test(arguments: [202, 302, 403, 404, 413, 500, 429, 503])
    func whatIsToldOneDownloadHoldsItsOriginOnlyForPushback(_ status: Int) throws {
        let told = try #require(
            Self.fields(["retry-after": "30"]).wait(status: status, method: .get, now: Self.now))
        let verdict = decide(status, told: told)
        #expect(verdict.instant == Self.now + .seconds(30))
        #expect(verdict.cool == ([429, 503].contains(status) ? Self.now + .seconds(30) : nil))
    }

    // MARK: - What it costs

    @Test func toldWaitsCostNoAttemptUpToAThousandOrADay() throws {
        for (time, waits) in [(Duration.seconds(1), 1000), (.seconds(3600), 24)] {
            var uncountedWaits = UncountedWaits()
            for _ in 0..<waits {
                let verdict = decide(
                    429, told: ToldWait(time: time), uncountedWaits: uncountedWaits)
                #expect(verdict.attempts == 0)
                uncountedWaits = try #require(verdict.uncountedWaits)
            }
            let beyond = decide(429, told: ToldWait(time: time), uncountedWaits: uncountedWaits)
            #expect(beyond.attempts == 1)
            #expect(beyond.instant == Self.now + time, "the time still holds")
            let over = decide(
                429, told: ToldWait(time: time), uncountedWaits: uncountedWaits, attempts: 2)
            #expect(over.instant == nil, "the usual number of attempts ends it")
            // If the told time is too far away, the rule of the status decides.
            let told = ToldWait(time: time, holdsOrigin: false)
            guard case .attention = decide(403, told: told, uncountedWaits: uncountedWaits) else {
                Issue.record("a client can mend a 403")
                continue
            }
            #expect(
                decide(429, told: told, uncountedWaits: uncountedWaits, progress: true).attempts
                    == 0)
        }
    }

    @Test func aNewByteBeginsTheCountAnew() throws {
        var uncountedWaits = UncountedWaits()
        (uncountedWaits.toldWaits, uncountedWaits.refusals) = (900, 5)
        let verdict = decide(
            429, told: ToldWait(time: .seconds(5)), uncountedWaits: uncountedWaits, progress: true)
        #expect(try #require(verdict.uncountedWaits).toldWaits == 1)
        #expect(try #require(verdict.uncountedWaits).refusals == 0)
    }

    @Test func notYetIsAskedAgainWithGrowingWaitsUntilAnotherStatus() throws {
        var uncountedWaits = UncountedWaits()
        var waits: [Duration] = []
        for _ in 0..<100 {
            let verdict = decide(202, uncountedWaits: uncountedWaits)
            waits.append(try #require(verdict.instant) - Self.now)
            #expect(verdict.attempts == 0 && verdict.cool == nil)
            uncountedWaits = try #require(verdict.uncountedWaits)
        }
        #expect(
            waits.prefix(8).map { $0 / .seconds(1) } == [5, 10, 20, 40, 80, 160, 300, 300])
        #expect(waits.last == .seconds(300))
        #expect(AttemptVerdict.failure(status: 202).detail.contains("not ready yet"))
    }

    // MARK: - The client's rule

    private static let rule = RetryRule(statuses: [403, 404], attempts: 12, seconds: 21_600)

    @Test(arguments: [403, 404])
    func aRuleCountsItsStatusesApart(_ status: Int) throws {
        var uncountedWaits = UncountedWaits()
        for _ in 0..<12 {
            let verdict = decide(
                status, uncountedWaits: uncountedWaits, rule: Self.rule, attempts: 2, face: .max)
            #expect(verdict.attempts == 2)
            #expect(try #require(verdict.instant) <= Self.now + .seconds(1800))
            uncountedWaits = try #require(verdict.uncountedWaits)
        }
        #expect(decide(status, uncountedWaits: uncountedWaits, rule: Self.rule) == decide(status))
        #expect(decide(500, uncountedWaits: uncountedWaits, rule: Self.rule).attempts == 1)
    }

    @Test func aRuleIsOverAfterItsTime() {
        var uncountedWaits = UncountedWaits()
        (uncountedWaits.refusals, uncountedWaits.refusedSince) = (1, Self.now - .seconds(21_599))
        #expect(decide(404, uncountedWaits: uncountedWaits, rule: Self.rule).instant != nil)
        uncountedWaits.refusedSince = Self.now - .seconds(21_600)
        #expect(decide(404, uncountedWaits: uncountedWaits, rule: Self.rule) == decide(404))
    }

    @Test func aRuleIsReadWithEveryFaultNamed() throws {
        func read(_ value: JSON) -> Result<DownloadRequest, FieldErrors> {
            DownloadRequest.parse(["url": "https://a.example/", "retry": value])
        }
        let rule = try read(
            ["statuses": [404, 403, 404], "attempts": 12, "for_seconds": 21_600]
        ).get().overrides.retryRule
        #expect(rule == Self.rule)
        for status in 0...1000 {
            let isKnown = (400...499).contains(status) && status != 401 && status != 407
            let value: JSON = [
                "statuses": [.integer(Int64(status))], "attempts": 1, "for_seconds": 1,
            ]
            guard case .failure(let errors) = read(value) else {
                #expect(isKnown, "\(status)")
                continue
            }
            #expect(!isKnown && errors.map(\.pointer) == ["#/retry/statuses"], "\(status)")
        }
        let faults: [(JSON, [String])] = [
            ("x", ["#/retry"]),
            ([:], ["#/retry/statuses", "#/retry/attempts", "#/retry/for_seconds"]),
            (["statuses": [404], "attempts": 0, "for_seconds": 1], ["#/retry/attempts"]),
            (["statuses": [404], "attempts": 1, "for_seconds": 0], ["#/retry/for_seconds"]),
            (["statuses": [], "attempts": 1, "for_seconds": 1], ["#/retry/statuses"]),
        ]
        for (value, pointers) in faults {
            guard case .failure(let errors) = read(value) else {
                Issue.record("\(value)")
                continue
            }
            #expect(errors.map(\.pointer) == pointers)
        }
        let beyond = RetryRule(statuses: [404], attempts: 101, seconds: 604_801)
        #expect(beyond.findings(.standard).map(\.suffix) == ["/attempts", "/for_seconds"])
        #expect(Self.rule.findings(.standard).isEmpty)
    }

    @Test func anExpiredURLAndAToldTimeWinOverARule() throws {
        guard case .attention(let failure) = decide(403, rule: Self.rule, isExpired: true) else {
            Issue.record("the url has to be another one")
            return
        }
        #expect(failure.code == .urlExpired)
        let told = decide(
            403, told: ToldWait(time: .seconds(9), holdsOrigin: false), rule: Self.rule)
        #expect(told.instant == Self.now + .seconds(9))
        #expect(try #require(told.uncountedWaits).refusals == 0)
    }

    @Test func whatIsCountedIsStored() {
        var uncountedWaits = UncountedWaits()
        #expect(uncountedWaits.json == nil)
        (uncountedWaits.toldWaits, uncountedWaits.toldSeconds, uncountedWaits.notYet) = (3, 40, 5)
        (uncountedWaits.refusals, uncountedWaits.refusedSince) = (6, Self.now)
        #expect(UncountedWaits(stored: uncountedWaits.json) == uncountedWaits)
        var point = ResumePoint(mismatches: 0, fence: 1, instance: "i")
        point.uncountedWaits = uncountedWaits
        #expect(ResumePoint(stored: point.json) == point)
    }
}
