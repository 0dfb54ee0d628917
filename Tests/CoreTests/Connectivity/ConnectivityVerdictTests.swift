// An attempt that does not reach the origin is not counted where the download waits for
// connectivity.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct ConnectivityVerdictTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let schedule = RetrySchedule(
        base: .seconds(10), cap: .seconds(100), maximumAttempts: 3)

    private static func decide(
        _ code: FailureCode, isUnreachable: Bool, waits: Bool, shares: Bool,
        left: Duration = .seconds(1_000_000)
    ) -> AttemptVerdict {
        var failure = DownloadFailure(code, detail: "x")
        failure.isUnreachable = isUnreachable
        var end = FailedAttempt(
            failure: failure, madeProgress: false, attemptsWithoutProgress: 1, told: nil,
            now: now, deadline: now + left)
        end.waitsForConnectivity = waits
        end.sharesProbe = shares
        var random = SeededRandom(seed: 7)
        return AttemptVerdict.decide(end, schedule: schedule, using: &random)
    }

    /// Every code of the transport, with and without a way to the origin.
    @Test(arguments: [
        FailureCode.cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost,
        .timedOut, .stalled, .secureConnectionFailed, .proxyConnectionFailed,
    ])
    func onlyWhatIsNotReachedCostsNoAttempt(_ code: FailureCode) {
        for isUnreachable in [false, true] {
            for waits in [false, true] {
                for shares in [false, true] {
                    let verdict = Self.decide(
                        code, isUnreachable: isUnreachable, waits: waits, shares: shares)
                    switch verdict {
                    case .retry(_, _, let count, _):
                        #expect(!isUnreachable || !waits)
                        #expect(count == 2)
                    case .wait(let at):
                        #expect(isUnreachable && waits)
                        #expect((at == nil) == shares)
                        if let at { #expect(at >= Self.now && at <= Self.now + .seconds(300)) }
                    case .fail, .attention: Issue.record("\(verdict)")
                    }
                }
            }
        }
    }

    @Test func theDeadlineHoldsAllTheSame() {
        let verdict = Self.decide(
            .cannotConnectToHost, isUnreachable: true, waits: true, shares: true, left: .zero)
        #expect(verdict == .fail(.resourceTimeout))
        let own = Self.decide(
            .cannotConnectToHost, isUnreachable: true, waits: true, shares: false,
            left: .microseconds(1))
        if case .wait(let at?) = own {
            #expect(at <= Self.now + .microseconds(1))
        } else {
            Issue.record("\(own)")
        }
    }

    /// A round over several addresses costs nothing only if none of them was reached.
    @Test(arguments: [[true, true], [true, false], [false, true], [false, false]])
    func aRoundIsFreeIfNoMirrorWasReached(_ misses: [Bool]) throws {
        var book = MirrorBook(count: 2)
        var random = SeededRandom(seed: 3)
        var last: MirrorVerdict?
        for isMiss in misses {
            var failure = DownloadFailure(.cannotConnectToHost, detail: "x")
            failure.isUnreachable = isMiss
            var end = FailedAttempt(
                failure: failure, madeProgress: false, attemptsWithoutProgress: 1, told: nil,
                now: Self.now, deadline: Self.now + .seconds(1_000_000))
            end.waitsForConnectivity = true
            last = book.decide(end, schedule: Self.schedule, using: &random)
            // Between attempts the book is in the store.
            book = try #require(MirrorBook(stored: book.json))
        }
        switch try #require(last).verdict {
        case .wait: #expect(misses == [true, true])
        case .retry(_, _, let count, _): #expect(misses != [true, true] && count == 2)
        case let other: Issue.record("\(other)")
        }
    }

    /// Members of a download and of its session, and the bits of its lane.
    @Test func aDownloadWaitsAsItsSessionDoesUnlessItSaysOtherwise() throws {
        for ofSession in [nil, false, true] as [Bool?] {
            for own in [nil, false, true] as [Bool?] {
                var session = JSONObject()
                session["waits_for_connectivity"] = ofSession.map { .bool($0) }
                var members: JSONObject = ["url": "https://a.example/f"]
                members["waits_for_connectivity"] = own.map { .bool($0) }
                let configuration = try SessionConfiguration.parse(.object(session)).get()
                let request = try DownloadRequest.parse(.object(members)).get()
                let spec = DownloadSpec(
                    request, session: configuration, sessionVersion: 1, defaults: .standard)
                #expect(spec.waitsForConnectivity == own ?? ofSession ?? true)
                #expect(spec.laneFlags.contains(.impatient) == !spec.waitsForConnectivity)
                #expect(spec.laneFlags.contains(.anyNetwork))
                let shown = configuration.effective(.standard)["waits_for_connectivity"]
                #expect(shown == .bool(ofSession ?? true))
            }
        }
    }

    @Test func severalAddressesAndAProxyAreTriedAlone() throws {
        for members in [
            [
                "urls": ["https://b.example/f"],
                "expected_digest": .string("sha256:" + String(repeating: "0", count: 64)),
            ], ["proxy": ["url": "http://p.example:3128"]],
        ] as [JSONObject] {
            var object = members
            object["url"] = "https://a.example/f"
            let request = try DownloadRequest.parse(.object(object)).get()
            let spec = DownloadSpec(
                request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
            #expect(spec.laneFlags == [.anyNetwork, .alone] && !spec.sharesProbe)
        }
    }
}
