// The machine of wakes, step by step.
import Base
import Downloads
import Testing

/// A session with a clock of its own.
struct WakeLab {
    var session = SessionWake()
    var now = Timestamp(seconds: 1_000_000)
    var settings = WakeSettings.standard
    var random = SeededRandom(seed: 7)

    mutating func look(_ change: (inout WakeFacts) -> Void = { _ in }) -> [WakeAction] {
        var facts = WakeFacts()
        change(&facts)
        return session.look(
            facts, at: now, settings, token: Identifier(at: now, using: &random))
    }

    /// A download ends, and no other is live.
    mutating func end(_ reasons: WakeReasons = .completed) -> [WakeAction] {
        look {
            $0.news = reasons
            $0.hasEnded = true
        }
    }

    /// The wake that was sent last is answered with 204.
    mutating func complete() -> [WakeAction] {
        look { [now] in $0.delivery = .answered(status: 204, at: now) }
    }
}

@Suite struct SessionWakeTests {
    /// The wakes that a look sent.
    private func sent(_ actions: [WakeAction]) -> [Wake] {
        actions.compactMap { if case .send(let wake) = $0 { wake } else { nil } }
    }

    @Test func oneWakeForAllThatEnded() throws {
        var lab = WakeLab()
        // Other downloads are live: no wake is sent, and the reasons are collected.
        #expect(
            lab.look {
                $0.news = .completed
                $0.hasEnded = true
                $0.isLive = true
            }.isEmpty)
        let actions = lab.end(.failed)
        #expect(actions.first == .drained)
        let wake = try #require(sent(actions).first)
        #expect(wake.reasons.names == ["completed", "failed"])
        #expect(wake.delivery == 1)
        #expect(sent(actions).count == 1)
    }

    @Test func attentionWakesWhileOthersAreLive() throws {
        var lab = WakeLab()
        let actions = lab.look {
            $0.news = .attentionRequired
            $0.isLive = true
        }
        #expect(sent(actions).map(\.reasons.names) == [["attention_required"]])
        #expect(!actions.contains(.drained))
    }

    @Test func anEndWithoutReasonDrainsAndDoesNotWake() {
        var lab = WakeLab()
        #expect(lab.end([]) == [.drained])
    }

    @Test func noWakeWithoutReceiverOrWhileMuted() {
        var lab = WakeLab()
        #expect(
            lab.look {
                $0.news = .completed
                $0.canWake = false
            }.isEmpty)
        #expect(lab.session.news.isEmpty)
        lab.session.forceQuit(at: lab.now)
        #expect(lab.end() == [.drained])
        // Ends during the foreground do not cause a wake later.
        lab.session.foreground(at: lab.now)
        #expect(lab.look().isEmpty)
        #expect(sent(lab.end()).count == 1)
    }

    @Test func theDelayIsRaisedBeforeTheWakeAndDoublesToTheCap() {
        var lab = WakeLab()
        var delays: [Int64] = []
        for _ in 0..<9 {
            #expect(sent(lab.end()).count == 1)
            delays.append(lab.session.delay.components.seconds)
            #expect(lab.session.lastWakeAt == lab.now)
            #expect(lab.session.delayedUntil == lab.now + lab.session.delay)
            _ = lab.complete()
            lab.now = lab.now + .seconds(1)
        }
        #expect(delays == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
        lab.session.foreground(at: lab.now)
        #expect(lab.session.delay == .zero && lab.session.delayedUntil == nil)
    }

    @Test(arguments: [WakeSettings(delay: .zero, cap: .seconds(60), timeout: .seconds(1))])
    func aDelayOfZeroTurnsTheLimiterOff(settings: WakeSettings) {
        var lab = WakeLab()
        lab.settings = settings
        for _ in 0..<3 {
            #expect(sent(lab.end()).count == 1)
            #expect(lab.session.delayedUntil == nil)
            _ = lab.complete()
        }
    }

    @Test func theDelayEndsWhenItPassesWithoutBackgroundDownloads() throws {
        var lab = WakeLab()
        _ = lab.end()
        _ = lab.complete()
        #expect(lab.session.nextLookAt == lab.now + .seconds(60))
        lab.now = lab.now + .seconds(59)
        _ = lab.look()
        #expect(lab.session.delay == .seconds(60))
        // A download was created in the background and has ended: the time starts from zero.
        lab.session.hadBackground = true
        lab.now = lab.now + .seconds(2)
        _ = lab.look()
        #expect(lab.session.delay == .seconds(60))
        // One download is live.
        lab.now = lab.now + .seconds(61)
        _ = lab.look { $0.isBackgroundLive = true }
        #expect(lab.session.delay == .seconds(60))
        // The download has ended since: its last moment was after the last look.
        lab.now = try #require(lab.session.nextLookAt)
        _ = lab.look()
        #expect(lab.session.delay == .seconds(60))
        lab.now = try #require(lab.session.nextLookAt)
        _ = lab.look()
        #expect(lab.session.delay == .zero)
        #expect(lab.session.nextLookAt == nil)
    }

    @Test func anUnfinishedWakeIsSentAgainFiveTimesWithItsToken() throws {
        var lab = WakeLab()
        let first = try #require(sent(lab.end()).first)
        var numbers = [first.delivery]
        var isAbandoned = false
        for _ in 0..<6 {
            let at = lab.now
            _ = lab.look { $0.delivery = .answered(status: 202, at: at) }
            guard let end = lab.session.wake?.expiresAt else { break }
            #expect(end == at + .seconds(10))
            lab.now = end
            let actions = lab.look()
            for wake in sent(actions) {
                #expect(wake.token == first.token)
                numbers.append(wake.delivery)
            }
            isAbandoned = actions.contains { if case .abandoned = $0 { true } else { false } }
        }
        #expect(numbers == [1, 2, 3, 4, 5])
        #expect(isAbandoned && lab.session.wake?.state == .abandoned)
        // A wake that is repeated does not count for the limiter.
        #expect(lab.session.delay == .seconds(60))
        #expect(lab.session.lastWakeAt == first.sentAt)
    }

    /// A receiver that knows nothing of wakes answers 200, as web frameworks do.
    @Test(arguments: [200, 201, 203, 204, 299])
    func everyAnswerBut202CompletesAWake(_ status: Int) {
        var lab = WakeLab()
        _ = lab.end()
        _ = lab.look { [now = lab.now] in $0.delivery = .answered(status: status, at: now) }
        #expect(lab.session.wake?.state == .completed && lab.session.wake?.expiresAt == nil)
    }

    @Test func whatEndsWhileAWakeIsOpenIsAnnouncedAfterIt() {
        var lab = WakeLab()
        _ = lab.end()
        _ = lab.look { [now = lab.now] in $0.delivery = .answered(status: 202, at: now) }
        #expect(lab.end(.failed) == [.drained])
        #expect(lab.session.wake?.complete() == .done)
        let next = sent(lab.look())
        #expect(next.map(\.reasons) == [.failed])
    }

    @Test func completeIsRepeatableAndEndsWithTheWake() {
        var lab = WakeLab()
        _ = lab.end()
        #expect(lab.session.wake?.complete() == .done)
        #expect(lab.session.wake?.complete() == .already)
        #expect(lab.session.wake?.extend(by: 5, at: lab.now, timeout: .seconds(10)) == .already)
        _ = lab.end()
        _ = lab.look { $0.delivery = .givenUp }
        #expect(lab.session.wake?.complete() == .expired)
        #expect(lab.session.wake?.extend(by: 5, at: lab.now, timeout: .seconds(10)) == .expired)
    }

    @Test func extensionsAddUpToFiveMinutes() throws {
        var lab = WakeLab()
        _ = lab.end()
        let start = lab.now
        _ = lab.look { $0.delivery = .answered(status: 202, at: start) }
        for _ in 0..<12 {
            #expect(lab.session.wake?.extend(by: 30, at: start, timeout: .seconds(10)) == .done)
        }
        let wake = try #require(lab.session.wake)
        #expect(wake.extended == 300)
        #expect(wake.expiresAt == start + .seconds(310))
        lab.now = start + .seconds(309)
        #expect(sent(lab.look()).isEmpty)
        lab.now = start + .seconds(310)
        #expect(sent(lab.look()).map(\.delivery) == [2])
    }

    @Test func noWakeForWhoListensAndHasHeard() {
        var lab = WakeLab()
        let until = lab.now + .seconds(15)
        func listening(_ hasHeard: Bool) -> WakeFacts.Listening {
            WakeFacts.Listening(until: until, hasHeard: hasHeard)
        }
        // The client listens and has not got the events: the session is looked at again.
        #expect(
            lab.look {
                $0.news = .completed
                $0.hasEnded = true
                $0.listening = listening(false)
            } == [.drained])
        #expect(lab.session.nextLookAt == lab.now + .seconds(1))
        lab.now = lab.now + .seconds(1)
        #expect(lab.look { $0.listening = listening(true) }.isEmpty)
        #expect(lab.session.delay == .zero)
        // A client that has got the events needs no wake, even after it has left.
        lab.now = until
        #expect(lab.look().isEmpty)
        // The client left before the events were written to it.
        #expect(
            lab.look {
                $0.news = .completed
                $0.listening = listening(false)
            }.count == 1)
    }
}
