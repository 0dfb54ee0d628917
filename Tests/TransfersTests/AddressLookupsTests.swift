// The pure half of the resolver: lookups that are shared, and answers that expire.
import Base
import Downloads
import Testing

@testable import Transfers

@Suite struct AddressLookupsTests {
    private let found = LookupAnswer.addresses([IPAddress(v4: 1)])

    private func isWaiting(_ step: AddressLookups<Int>.Step) -> Bool {
        if case .waiting = step { true } else { false }
    }

    private func isAnswered(_ step: AddressLookups<Int>.Step) -> Bool {
        if case .answered = step { true } else { false }
    }

    @Test func concurrentLookupsAreShared() {
        var lookups = AddressLookups<Int>()
        #expect(isWaiting(lookups.ask("a", for: 1, now: 0)))
        #expect(isWaiting(lookups.ask("a", for: 2, now: 0)))
        #expect(lookups.next() == "a")
        #expect(lookups.next() == nil)
        #expect(isWaiting(lookups.ask("a", for: 3, now: 0)))
        #expect(lookups.finish("a", with: found, now: 0) == [1, 2, 3])
        #expect(isAnswered(lookups.ask("a", for: 4, now: TransferLimits.lookupTTL - 1)))
        #expect(isWaiting(lookups.ask("a", for: 5, now: TransferLimits.lookupTTL)))
    }

    @Test func failedLookupsExpireSooner() {
        var lookups = AddressLookups<Int>()
        _ = lookups.ask("a", for: 1, now: 0)
        _ = lookups.next()
        _ = lookups.finish("a", with: .failed(.cannotFindHost), now: 0)
        #expect(isAnswered(lookups.ask("a", for: 2, now: TransferLimits.lookupFailureTTL - 1)))
        #expect(isWaiting(lookups.ask("a", for: 2, now: TransferLimits.lookupFailureTTL)))
    }

    @Test func lanesAndQueueAreBounded() {
        var lookups = AddressLookups<Int>()
        for number in 0..<TransferLimits.lookupQueueMax {
            #expect(isWaiting(lookups.ask("h\(number)", for: number, now: 0)))
        }
        guard case .refused = lookups.ask("more", for: 0, now: 0) else {
            Issue.record("a full queue must refuse")
            return
        }
        let started = (0..<100).compactMap { _ in lookups.next() }
        #expect(started == (0..<TransferLimits.lookupLanesMax).map { "h\($0)" })
        #expect(lookups.finish("h0", with: found, now: 0) == [0])
        #expect(lookups.next() == "h\(TransferLimits.lookupLanesMax)")
    }

    @Test func lookupCacheIsBounded() {
        var lookups = AddressLookups<Int>()
        for number in 0...TransferLimits.lookupCacheMax {
            _ = lookups.ask("h\(number)", for: number, now: 0)
            _ = lookups.next()
            _ = lookups.finish("h\(number)", with: found, now: 0)
        }
        #expect(isWaiting(lookups.ask("h0", for: 0, now: 1)))
        #expect(isAnswered(lookups.ask("h\(TransferLimits.lookupCacheMax)", for: 0, now: 1)))
    }
}
