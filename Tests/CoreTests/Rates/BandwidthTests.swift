// The rates of a policy, the transfers they apply to, and the downloads that a rate of 0 holds
// back.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct BandwidthTests {
    private static let now = Timestamp(seconds: 1_795_000_000)

    private static func rate(_ table: Timetable?) -> String? {
        table?.state(at: now, in: .utc).rate.description
    }

    @Test func plainTextLimitsTheDeployment() throws {
        let bandwidth = try Policies.read(#"{"bandwidth": "10MiB"}"#).bandwidth
        #expect(Self.rate(bandwidth.deployment) == "10MiB")
        #expect(bandwidth.session("a") == nil)
        #expect(bandwidth.origin(host: "example.com", port: 80) == nil)
        #expect(!bandwidth.canStop)
    }

    @Test func absentBandwidthTakesTheDefault() throws {
        let standard = try Timetable(parsing: "3MiB")
        func read(_ text: String) throws -> Policy {
            try Policy.parse(
                try JSON.parse(text), defaults: Policies.limits, bandwidth: standard
            ) { _ in true }.get()
        }
        #expect(Self.rate(try read("{}").bandwidth.deployment) == "3MiB")
        let partly = try read(#"{"bandwidth": {"per_session": "1MiB"}}"#).bandwidth
        #expect(Self.rate(partly.deployment) == "3MiB")
        #expect(Self.rate(partly.session("any")) == "1MiB")
        #expect(Self.rate(try read(#"{"bandwidth": "off"}"#).bandwidth.deployment) == "off")
        #expect(try read("{}") != Policy(limits: Policies.limits))
    }

    @Test(arguments: [
        ("files.example.com", 443, "2MiB"), ("files.example.com", 8443, "3MiB"),
        ("a.example.com", 443, "4MiB"), ("a.b.example.com", 443, "5MiB"),
        ("example.com", 443, "1MiB"), ("badexample.com", 443, "1MiB"), ("::1", 80, "6MiB"),
    ])
    func theNarrowestNameCounts(_ host: String, _ port: Int, _ rate: String) throws {
        let bandwidth = try Policies.read(
            #"""
            {"bandwidth": {"per_origin": {"*": "1MiB", "Files.Example.com": "2MiB",
                "files.example.com:8443": "3MiB", "*.example.com": "4MiB",
                "*.b.example.com": "5MiB", "::1": "6MiB"}}}
            """#
        ).bandwidth
        #expect(Self.rate(bandwidth.origin(host: host, port: port)) == rate)
        let authority = host.contains(":") ? "[\(host)]" : host
        #expect(Self.rate(bandwidth.origin("https://\(authority):\(port)")) == rate)
        #expect(bandwidth.origin("nonsense") == nil)
    }

    @Test(arguments: [
        (#"{"bandwidth": 5}"#, "#/bandwidth"), (#"{"bandwidth": []}"#, "#/bandwidth"),
        (#"{"bandwidth": "25:00,1M"}"#, "#/bandwidth"),
        (#"{"bandwidth": {"deployment": "fast"}}"#, "#/bandwidth/deployment"),
        (#"{"bandwidth": {"deployment": 1}}"#, "#/bandwidth/deployment"),
        (#"{"bandwidth": {"per_host": "1M"}}"#, "#/bandwidth/per_host"),
        (#"{"bandwidth": {"per_session": []}}"#, "#/bandwidth/per_session"),
        (#"{"bandwidth": {"per_session": "x"}}"#, "#/bandwidth/per_session"),
        (#"{"bandwidth": {"per_session": {"a b": "1M"}}}"#, "#/bandwidth/per_session/a%20b"),
        (#"{"bandwidth": {"per_session": {"a": null}}}"#, "#/bandwidth/per_session/a"),
        (#"{"bandwidth": {"per_origin": {"a/b": "1M"}}}"#, "#/bandwidth/per_origin/a~1b"),
        (#"{"bandwidth": {"per_origin": {"*.": "1M"}}}"#, "#/bandwidth/per_origin/*."),
        (#"{"bandwidth": {"per_origin": {"*": "1M 2M"}}}"#, "#/bandwidth/per_origin/*"),
    ])
    func saysWhere(_ text: String, _ pointer: String) throws {
        let result = Policy.parse(try JSON.parse(text), defaults: Policies.limits) { _ in true }
        guard case .failure(let errors) = result else {
            Issue.record("\(text) was accepted")
            return
        }
        #expect(errors.list.map(\.pointer) == [pointer])
    }

    private static func candidate(session: String = "s") -> AdmissionCandidate {
        var candidate = AdmissionCandidate(
            isDiscretionary: false, session: session, createdAt: now - .seconds(60),
            waitingSince: now, runAt: now - .seconds(60), attempt: 0, origin: GateReading(),
            sessionGate: GateReading())
        candidate.originName = "http://a.example.com:80"
        return candidate
    }

    @Test(arguments: [
        (#""00:00,0 12:00,1M""#, true), (#"{"per_session": {"s": "paused"}}"#, true),
        (#"{"per_session": {"t": "0"}}"#, false),
        (#"{"per_origin": {"*.example.com": "0"}}"#, true),
        (#"{"per_origin": {"b.example.com": "0"}}"#, false), (#""1M""#, false),
    ])
    func zeroHoldsBack(_ bandwidth: String, _ holds: Bool) throws {
        let policy = try Policies.read("{\"bandwidth\": \(bandwidth)}")
        let night = Timestamp(seconds: Self.now.seconds / 86_400 * 86_400 + 3600)
        let situation = Situation(now: night, policy: policy, zone: .utc)
        var candidate = Self.candidate()
        candidate.createdAt = night - .seconds(60)
        candidate.runAt = candidate.createdAt
        let blockers = Admission.blockers(candidate, in: situation)
        #expect(blockers.contains { $0.code == .bandwidthZero } == holds)
        guard bandwidth.contains("12:00") else { return }
        let blocker = try #require(blockers.first)
        #expect(blockers.count == 1)
        #expect(blocker.until == night + .seconds(11 * 3600))
        #expect(blocker.since == candidate.createdAt)
    }
}
