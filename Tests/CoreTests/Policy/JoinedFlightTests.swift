// Which downloads may share a transfer, and what one says that waits for another.
import Core
import Testing

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

    /// What each download has for itself; everything else has to be equal.
    @Test(
        arguments: [
            ["priority": 1.0], ["external_id": "a"], ["metadata": ["a": "b"]], ["filename": "b"],
            ["webhook_url": "https://h.example/"], ["webhook_events": ["download.failed"]],
            ["content_retention": 5], ["timeout_interval_for_resource": 5],
            ["timeout_interval_for_request": 5], ["max_bytes_per_second": 5], ["segments": 4],
            ["count_of_bytes_client_expects_to_receive": 4],
            ["earliest_begin_date": "2030-01-01T00:00:00Z"], ["suspended": true],
        ] as [JSONObject])
    func isSharedByDownloadsThatDifferIn(_ members: JSONObject) throws {
        #expect(try flight(members) == flight())
        #expect(try flight() != nil)
    }

    @Test(
        arguments: [
            ["url": "https://a.example/y"], ["url": "https://a.example/x?"],
            ["urls": ["https://b.example/x"], "expected_digest": .string("sha256:" + zeros)],
            ["expected_digest": .string("sha256:" + zeros)],
            ["method": "POST", "body": "a"], ["headers": ["a": "b"]],
            ["authorization": ["type": "bearer", "token": "a"]],
            ["proxy": ["url": "http://p.example:3128"]], ["max_bytes": 5],
            ["require_verified_length": true], ["require_expected_length": true],
            ["on_source_change": "fail"], ["is_discretionary": true],
            ["allows_expensive_network_access": false],
            ["allows_constrained_network_access": false],
            ["begin_deadline": "2030-01-01T00:00:00Z"], ["complete_by": "2030-01-01T00:00:00Z"],
            // Stands for secrets of the session here.
            ["task_description": "with the session's"],
        ] as [JSONObject])
    func isNotSharedByDownloadsThatDifferIn(_ members: JSONObject) throws {
        let mine = try #require(try flight(members))
        #expect(try mine != flight())
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

    /// Nothing else holds it back, even where the one that it waits for may not begin.
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
