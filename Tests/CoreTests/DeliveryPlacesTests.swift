// The places of webhook receivers: every world of receivers, and the rules that hold in each step.
import Base
import Downloads
import Testing

@Suite struct DeliveryPlacesTests {
    private func due(
        _ numbers: [Int64], _ standing: ReceiverStanding, since seconds: Int64 = 0
    ) -> [DeliveryPlaces.DueReceiver] {
        numbers.map {
            DeliveryPlaces.DueReceiver(
                number: $0, standing: standing, dueAt: Timestamp(seconds: seconds + $0))
        }
    }

    @Test func oneReceiverGetsItsMostAndNotMore() {
        let places = DeliveryPlaces(total: 256, each: 16)
        let one = due([7], .answering)
        #expect(places.grants(for: one) == [.init(receiver: 7, count: 16)])
        #expect(places.grants(for: due([7], .untried)) == [.init(receiver: 7, count: 1)])
        #expect(places.grants(for: due([7], .silent)) == [.init(receiver: 7, count: 1)])
    }

    @Test func silentReceiversLeaveAQuarterToThoseThatAnswer() {
        var places = DeliveryPlaces(total: 64, each: 16)
        for grant in places.grants(for: due(Array(0..<100), .silent)) {
            places.take(grant.receiver, .silent)
        }
        #expect(places.inUse == 32)
        for grant in places.grants(for: due(Array(200..<300), .untried)) {
            places.take(grant.receiver, .untried)
        }
        #expect(places.inUse == 48)
        let rest = places.grants(for: due(Array(0..<100), .silent) + due([900], .answering))
        #expect(rest.first?.receiver == 900 && rest.map(\.receiver) == [900])
    }

    @Test func furtherPlacesAreAtMostHalf() {
        var places = DeliveryPlaces(total: 64, each: 16)
        for grant in places.grants(for: due(Array(0..<4), .answering)) {
            for _ in 0..<grant.count { places.take(grant.receiver, .answering) }
        }
        #expect(places.inUse == 36, "four first places and half of all")
        #expect(places.grants(for: due(Array(0..<4), .answering)).isEmpty)
        #expect(places.grants(for: due(Array(10..<100), .answering)).count == 28)
    }

    @Test func theLongestDueComeFirst() {
        let places = DeliveryPlaces(total: 2, each: 1)
        let list = due([5], .answering, since: 9) + due([6], .untried) + due([7], .answering)
        #expect(places.grants(for: list).map(\.receiver) == [6, 7])
    }

    /// 200 receivers with ten deliveries each, some of which hold their place for ever.
    @Test(arguments: 1...40)
    func whoAnswersIsServedWhoeverIsSilent(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let total = Int.random(in: 4...64, using: &random)
        let each = Int.random(in: 1...16, using: &random)
        let count = 200
        let silentCount = Int.random(in: 0...min(count - 1, total * 3 / 4 - 1), using: &random)
        let silent = Set((0..<Int64(count)).shuffled(using: &random).prefix(silentCount))
        var places = DeliveryPlaces(total: total, each: each)
        var left = [Int](repeating: 10, count: count)
        var standing = [ReceiverStanding](repeating: .untried, count: count)
        var underWay: [Int64] = []
        var steps = 0
        while (0..<count).contains(where: { !silent.contains(Int64($0)) && left[$0] > 0 }),
            steps < 20_000
        {
            steps += 1
            let full = Set(places.full)
            let open = (0..<Int64(count)).filter { left[Int($0)] > 0 && !full.contains($0) }
            let list = open.map {
                DeliveryPlaces.DueReceiver(
                    number: $0, standing: standing[Int($0)], dueAt: Timestamp(seconds: $0 % 7))
            }
            let grants = places.grants(for: list)
            #expect(grants.reduce(places.inUse) { $0 + $1.count } <= total)
            #expect(Set(grants.map(\.receiver)).count == grants.count)
            for grant in grants {
                let number = Int(grant.receiver)
                let most = standing[number] == .answering ? each : 1
                #expect(grant.count + grant.ahead >= 1)
                #expect(places.held(by: grant.receiver) + grant.count <= most)
                #expect(grant.ahead == 0 || most > 1 || each == 1)
                for _ in 0..<min(grant.count, left[number]) {
                    left[number] -= 1
                    places.take(grant.receiver, standing[number])
                    if !silent.contains(grant.receiver) { underWay.append(grant.receiver) }
                }
                for _ in 0..<min(grant.ahead, left[number])
                where places.wait(for: grant.receiver) {
                    left[number] -= 1
                }
                #expect(places.waiting(for: grant.receiver) <= DeliveryPlaces.aheadEach)
                #expect(places.waiting <= total)
            }
            guard let ended = underWay.indices.randomElement(using: &random) else { break }
            let receiver = underWay.remove(at: ended)
            standing[Int(receiver)] = .answering
            let isQuick = Int.random(in: 0..<10, using: &random) < Int(seed % 11)
            if places.waiting(for: receiver) > 0 {
                places.pass(receiver, isQuick: isQuick)
                underWay.append(receiver)
            } else {
                places.release(receiver, .answering, isQuick: isQuick)
            }
        }
        for number in 0..<count where !silent.contains(Int64(number)) {
            #expect(left[number] == 0, "receiver \(number) of seed \(seed)")
        }
    }

    /// A receiver that answers at once needs few claims, and all its deliveries are sent.
    @Test func aQuickReceiverTakesFewClaims() {
        var places = DeliveryPlaces(total: 256, each: 16)
        var left = 10_000
        var (underWay, claims) = (0, 0)
        while left + underWay > 0, claims < 10_000 {
            if left > 0, places.full.isEmpty {
                for grant in places.grants(for: due([7], .answering)) {
                    claims += 1
                    let begun = min(left, grant.count)
                    for _ in 0..<begun { places.take(7, .answering) }
                    let ahead = min(left - begun, grant.ahead)
                    for _ in 0..<ahead {
                        let waits = places.wait(for: 7)
                        #expect(waits)
                    }
                    (left, underWay) = (left - begun - ahead, underWay + begun)
                }
            }
            if places.waiting(for: 7) > 0 {
                places.pass(7, isQuick: true)
            } else {
                places.release(7, .answering, isQuick: true)
                underWay -= 1
            }
        }
        #expect(left == 0 && places.inUse == 0 && places.waiting == 0)
        #expect(claims < 250, "64 or more with each, but for the first")
    }

    /// The number of deliveries claimed ahead grows with quick answers, and falls to none with the
    /// first missed one.
    @Test func whatWaitsFollowsHowSoonAnswersCome() {
        var places = DeliveryPlaces(total: 64, each: 4)
        for _ in 0..<4 { places.take(7, .answering) }
        let others = places.wait(for: 8)
        #expect(places.full == [7] && !others)
        for _ in 0..<8 {
            places.release(7, .answering, isQuick: true)
            places.take(7, .answering)
        }
        #expect(places.full.isEmpty)
        let grants = places.grants(for: due([7], .answering))
        #expect(grants == [.init(receiver: 7, count: 0, ahead: 8)])
        for _ in 0..<8 {
            let waits = places.wait(for: 7)
            #expect(waits)
        }
        #expect(places.full == [7] && !places.isLow(7))
        places.pass(7, isQuick: false)
        #expect(places.grants(for: due([7], .answering)).isEmpty, "seven wait, four may")
        places.clearWaiting(for: 7)
        places.release(7, .silent)
        let afterSilence = places.wait(for: 7)
        #expect(places.waiting == 0 && places.full == [7] && !afterSilence)
    }

    /// Deliveries that were claimed ahead do not keep a place that others wait for.
    @Test func nothingIsClaimedAheadWhilePlacesAreShort() {
        var places = DeliveryPlaces(total: 8, each: 4)
        for _ in 0..<40 {
            places.take(1, .answering)
            places.release(1, .answering, isQuick: true)
        }
        #expect(places.grants(for: due([1], .answering)).map(\.ahead) == [8])
        let crowd = places.grants(for: due(Array(1...20), .answering))
        #expect(crowd.count == 8 && crowd.allSatisfy { $0.count == 1 && $0.ahead == 0 })
        // All further places are taken: none are left to compete for.
        let pair = places.grants(for: due([1, 2], .answering))
        #expect(pair.map(\.count) == [3, 3] && pair.allSatisfy { $0.ahead == 0 })
    }

    @Test func theBreakerOpensAtTheThirdSilentTryAndClosesByAnAnswer() {
        var breaker = ReceiverBreaker()
        let now = Timestamp(seconds: 100)
        breaker.record(answered: 0, silent: 2, at: now)
        #expect(!breaker.isOpen && breaker.allowsTry(at: now))
        var last = Duration.zero
        for _ in 0..<10 {
            breaker.record(answered: 0, silent: 1, at: now)
            guard let half = breaker.halfOpenAt else {
                Issue.record("it is open")
                return
            }
            #expect(breaker.isOpen && !breaker.allowsTry(at: now) && breaker.allowsTry(at: half))
            #expect(half - now >= last && half - now <= .seconds(300))
            last = half - now
        }
        breaker.record(answered: 1, silent: 4, at: now)
        #expect(breaker == ReceiverBreaker())
        breaker.record(answered: 0, silent: 0, at: now)
        #expect(breaker == ReceiverBreaker())
    }
}
