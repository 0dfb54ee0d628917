// The downloads that may share a transfer, and the explanation of one that waits for another.
import Base
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct JoinedFlightTests {
    private static let plain: JSONObject = [
        "url": "https://a.example/x", "on_duplicate_url": "join",
    ]

    private func download(_ members: JSONObject = JSONObject()) throws -> Download {
        let all = JSON.object(Self.plain).merging(.object(members))
        let request = try DownloadRequest.parse(all).get()
        var spec = DownloadSpec(
            request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
        spec.request.usesSession = members["task_description"] != nil
        return Download(
            id: Identifier(high: 1, low: 2), request: request, spec: spec,
            createdAt: Timestamp(seconds: 1_790_000_000))
    }

    private func flight(
        _ members: JSONObject = JSONObject(), app: Int64 = 1, session: Int64 = 1
    ) throws -> [UInt8]? {
        let all = JSON.object(Self.plain).merging(.object(members))
        let request = try DownloadRequest.parse(all).get()
        let secrets = BoundSecrets(request.members.secrets, for: request.url).plain
        return try download(members).flight(app: app, sessionKey: session, secrets: secrets)
    }

    /// The members that each download has for itself; all others have to be equal.
    @Test(
        arguments: [
            ["priority": 1.0], ["external_id": "a"], ["metadata": ["a": "b"]], ["filename": "b"],
            ["webhook_url": "https://h.example/"], ["webhook_events": ["download.failed"]],
            ["content_retention": 5], ["timeout_interval_for_resource": 5],
            ["timeout_interval_for_request": 5], ["max_bytes_per_second": 5], ["segments": 4],
            ["count_of_bytes_client_expects_to_receive": 4],
            ["earliest_begin_date": "2030-01-01T00:00:00Z"], ["suspended": true],
            // Demands: each download judges the content by its own.
            ["max_bytes": 5], ["min_bytes": 5], ["accept_content_types": ["image/*"]],
            ["require_verified_length": true],
            ["require_expected_length": true],
            ["expected_digest": .string("sha256:" + zeros)],
        ] as [JSONObject])
    func isSharedByDownloadsThatDifferIn(_ members: JSONObject) throws {
        #expect(try flight(members) == flight())
        #expect(try flight() != nil)
    }

    @Test(
        arguments: [
            ["url": "https://a.example/y"], ["url": "https://a.example/x?"],
            ["urls": ["https://b.example/x"], "expected_digest": .string("sha256:" + zeros)],
            ["expected_digest": .string("md5:" + String(zeros.prefix(32)))],
            ["method": "POST", "body": "a"], ["headers": ["a": "b"]],
            ["authorization": ["type": "bearer", "token": "a"]],
            ["proxy": ["url": "http://p.example:3128"]],
            ["on_source_change": "fail"], ["is_discretionary": true],
            ["allows_expensive_network_access": false],
            ["allows_constrained_network_access": false],
            ["begin_deadline": "2030-01-01T00:00:00Z"], ["complete_by": "2030-01-01T00:00:00Z"],
            // This name stands for secrets of the session.
            ["task_description": "with the session's"],
        ] as [JSONObject])
    func isNotSharedByDownloadsThatDifferIn(_ members: JSONObject) throws {
        let mine = try #require(try flight(members))
        #expect(try mine != flight())
    }

    /// The meaning of a download's member for other downloads of those bytes.
    private enum Role {
        /// The member decides which bytes are asked for, or how: it has to be equal.
        case bytes
        /// The member decides when the transfer may run: a leader must not break the follower's
        /// promise.
        case moment
        /// The member is a demand on the content: each download judges for itself.
        case demand
        /// The member has nothing to do with the bytes.
        case own
    }

    /// The role of every stored member: a new member has none until it is named here, in
    /// `flight(app:sessionKey:secrets:)` and, if it is a demand, in `refusal(ofJoined:)`.
    private static let roles: [String: Role] = [
        "session_version": .bytes, "on_duplicate_url": .bytes, "urls": .bytes,
        "destination": .bytes, "relay": .bytes, "condition": .bytes, "on_source_change": .bytes,
        "is_discretionary": .moment, "allows_expensive_network_access": .moment,
        "allows_constrained_network_access": .moment, "waits_for_connectivity": .moment,
        "discretionary_forced_by": .moment, "begin_hook": .moment, "asks_hook": .moment,
        "hook_asked_at": .moment, "begin_deadline": .moment, "complete_by": .moment,
        "expected_digest": .demand, "require_verified_length": .demand,
        "require_expected_length": .demand, "max_bytes": .demand,
        "min_bytes": .demand, "accept_content_types": .demand,
        "timeout_interval_for_request": .own, "timeout_interval_for_resource": .own,
        "content_retention": .own, "retry": .own, "max_bytes_per_second": .own, "segments": .own,
        "webhook_url": .own, "webhook_events": .own, "external_id": .own,
        "count_of_bytes_client_expects_to_send": .own, "task_description": .own,
        "metadata": .own, "filename": .own, "upload": .own, "traceparent": .own, "request_id": .own,
        "source": .own,
        "suspended": .own, "ephemeral": .own, "erased": .own, "cancel_reason": .own,
    ]

    private struct Names: MemberVisitor {
        var list: Set<String> = []

        mutating func visit<Value: MemberValue>(_ name: StaticString, _ value: inout Value) {
            list.insert(name.description)
        }

        mutating func visit<Value: MemberValue>(
            _ name: StaticString, _ value: inout Value?, _ place: MemberPlace
        ) { list.insert(name.description) }

        mutating func visit<Value: MemberValue & Equatable>(
            _ name: StaticString, _ value: inout Value, usually usual: Value
        ) { list.insert(name.description) }
    }

    @Test func everyMemberSaysWhatItIsForOthers() {
        var (all, ofRequest) = (Names(), Names())
        var spec = DownloadSpec.blank
        spec.visit(&all)
        // All of the request's shape decides about the bytes.
        spec.request.visit(&ofRequest)
        #expect(all.list.subtracting(ofRequest.list) == Set(Self.roles.keys))
        let demands = Set(Self.roles.filter { $0.value == .demand }.keys)
        #expect(demands == Self.demands)
    }

    /// The demands that `eachJudgesByItsOwnDemands` tries.
    private static let demands: Set = [
        "expected_digest", "require_verified_length", "require_expected_length", "max_bytes",
        "min_bytes", "accept_content_types",
    ]

    @Test func eachJudgesTypeAndLeastLengthByItsOwn() throws {
        let content = DownloadContent(length: 5, sha256: Self.zeros, isLengthVerified: true)
        var answer = OriginResponse(statusCode: 200, url: "https://a.example/x")
        for least in [nil, 5, 6] as [Int64?] {
            for types in [nil, ["text/html"], ["application/octet-stream"]] as [[JSON]?] {
                var members = JSONObject()
                members["min_bytes"] = least.map { .integer($0) }
                members["accept_content_types"] = types.map { .array($0) }
                let follower = try download(members)
                for type in [nil, "TEXT/HTML; charset=utf-8"] {
                    answer.headers.contentType = type
                    let isOther = types != nil && (types == ["text/html"]) == (type == nil)
                    let code = follower.refusal(ofJoined: content, answer: answer)?.code
                    let expected: FailureCode? =
                        isOther ? .contentTypeNotAccepted : least == 6 ? .contentTooShort : nil
                    #expect(code == expected, "\(members) \(type ?? "none")")
                }
                let unknown = follower.refusal(ofJoined: content, answer: nil)?.code
                #expect((unknown == .contentTypeNotAccepted) == (types != nil))
            }
        }
    }

    /// Every demand with each of its values, over contents that meet it and contents that do not.
    @Test func eachJudgesByItsOwnDemands() throws {
        let digests = [Self.zeros, String(repeating: "1", count: 64)]
        var found: [FailureCode: Int] = [:]
        for most in [nil, 4, 5, 6] as [Int64?] {
            for expected in [nil, 4, 5] as [Int64?] {
                for (isLength, isVerified) in [
                    (false, false), (true, false), (false, true), (true, true),
                ] {
                    for digest in [nil] + digests.map(Optional.some) {
                        var members: JSONObject = [
                            "require_expected_length": .bool(isLength),
                            "require_verified_length": .bool(isVerified),
                        ]
                        members["max_bytes"] = most.map { .integer($0) }
                        members["count_of_bytes_client_expects_to_receive"] =
                            expected.map { .integer($0) }
                        members["expected_digest"] = digest.map { .string("sha256:" + $0) }
                        let follower = try download(members)
                        for isProved in [false, true] {
                            let content = DownloadContent(
                                length: 5, sha256: digests[0], isLengthVerified: isProved)
                            var codes: [FailureCode] = []
                            if let most, most < 5 { codes.append(.dataLengthExceedsMaximum) }
                            if isLength, let expected, expected != 5 {
                                codes.append(.expectedLengthMismatch)
                            }
                            if digest == digests[1] { codes.append(.digestMismatch) }
                            if isVerified, !isProved, digest == nil {
                                codes.append(.lengthUnverified)
                            }
                            let code = follower.refusal(ofJoined: content, answer: nil)?.code
                            #expect(code == codes.first, "\(members) \(isProved)")
                            if let code { found[code, default: 0] += 1 }
                        }
                    }
                }
            }
        }
        #expect(found.count == 4)
    }

    @Test func valuesOfSecretsCount() throws {
        #expect(try flight(["headers": ["a": "b"]]) != flight(["headers": ["a": "c"]]))
        #expect(
            try flight(["method": "POST", "body": "a"])
                != flight(["method": "POST", "body": "b"]))
    }

    @Test func isOfOneSessionOfOneApp() throws {
        #expect(try flight(app: 2) != flight())
        #expect(try flight(session: 2) != flight())
    }

    @Test func isSharedByThoseThatAskForItAlone() throws {
        #expect(try flight(["on_duplicate_url": "independent"]) == nil)
        #expect(try flight(["on_duplicate_url": .null]) == nil)
    }

    @Test(
        arguments: [
            ["on_duplicate_url": "always"], ["on_duplicate_url": 1],
            ["destination": ["name": "media"]], ["resume_data": "rd_abc"],
        ] as [JSONObject])
    func refuses(_ members: JSONObject) throws {
        let all = JSON.object(Self.plain).merging(.object(members))
        guard case .failure(let errors) = DownloadRequest.parse(all) else {
            Issue.record("accepted")
            return
        }
        #expect(errors.map(\.pointer) == ["#/on_duplicate_url"])
    }

    @Test func aChangeOfTheDateSharesNoMore() throws {
        let old = try download()
        var new = old
        #expect(new.sharesFlight(with: old))
        new.spec.metadata = ["a": "b"]
        new.priority = 1
        #expect(new.sharesFlight(with: old))
        new.earliestBeginDate = Timestamp(seconds: 1_790_000_001)
        #expect(!new.sharesFlight(with: old))
        new = old
        new.url += "?token"
        #expect(!new.sharesFlight(with: old))
    }

    /// No other rule holds a follower back, even if the leader that it waits for may not begin.
    @Test func waitsForNothingButTheOther() throws {
        let now = Timestamp(seconds: 1_790_000_000)
        let download = try download()
        var candidate = AdmissionCandidate(
            isDiscretionary: true, session: "default", createdAt: now, waitingSince: now,
            runAt: now + .seconds(60), attempt: 0,
            origin: GateReading(running: 9, limit: 1), sessionGate: GateReading(limit: 0))
        let situation = Situation(
            now: now, policy: Policy(limits: PolicyLimits(running: 1, perOrigin: 1)), zone: .utc,
            isDraining: true, disk: nil)
        #expect(Admission.blockers(candidate, in: situation).count > 2)
        let end = now + .seconds(90)
        candidate.joined = JoinedFlight(leader: download.id, until: end)
        let blockers = Admission.blockers(candidate, in: situation)
        #expect(blockers.map(\.code) == [.dependency])
        #expect(blockers[0].until == end && blockers[0].since == now)
        #expect(blockers[0].detail.contains(download.id.text(.download)))
        let explanation = Explanation(candidate, in: situation)
        #expect(explanation.until == end)
        candidate.joined?.until = nil
        #expect(Explanation(candidate, in: situation).until == nil)
    }

    private static let zeros = String(repeating: "0", count: 64)
}
