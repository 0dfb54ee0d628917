// The resource that every client reads: its members, their order, their values.
import Base
import Downloads
import Testing
import Trees

@Suite struct DownloadJSONTests {
    private static let members = [
        "id", "session", "state", "url", "urls", "mirror_url", "current_url", "external_id",
        "task_description", "priority", "earliest_begin_date", "begin_deadline", "complete_by",
        "is_discretionary", "discretionary_forced_by",
        "count_of_bytes_client_expects_to_send",
        "count_of_bytes_client_expects_to_receive", "count_of_bytes_received",
        "count_of_bytes_expected_to_receive", "bytes_per_second", "completes_at", "attempt",
        "next_attempt_at", "expected_digest", "filename", "destination",
        "require_verified_length", "require_expected_length", "on_source_change", "max_bytes",
        "timeout_interval_for_request", "timeout_interval_for_resource", "content_retention",
        "max_bytes_per_second",
        "segments", "webhook_url", "webhook_events", "method", "headers", "body_bytes",
        "authorization",
        "proxy", "response", "content", "error", "cancel_reason", "resume", "metadata",
        "sequence",
        "created_at", "started_at", "completed_at",
    ]
    private let created = Timestamp(seconds: 1_795_309_200)

    private func download(_ request: JSON) throws -> Download {
        let request = try DownloadRequest.parse(request).get()
        let spec = DownloadSpec(
            request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
        return Download(
            id: Identifier(high: 1, low: 2), request: request, spec: spec, createdAt: created)
    }

    @Test func everyMemberIsThereInOrder() throws {
        let download = try download(["url": "https://example.com/"])
        #expect(download.json(blockers: nil).members.map(\.key) == Self.members)
        var withBlockers = Self.members
        withBlockers.insert(contentsOf: ["blockers", "deadline_at_risk_since"], at: 3)
        let place = try #require(withBlockers.firstIndex(of: "webhook_events")) + 1
        let networks = [
            "allows_expensive_network_access", "allows_constrained_network_access",
            "waits_for_connectivity",
        ]
        let shared = ["on_duplicate_url", "joined_to"]
        let sending = ["direction", "count_of_bytes_sent", "sent"]
        let change = ["if_changed_from", "if_none_match", "if_modified_since", "unchanged"]
        withBlockers.insert(contentsOf: networks + shared + change + sending, at: place)
        #expect(download.json(blockers: []).members.map(\.key) == withBlockers)
        #expect(download.eventData() == JSON.object(download.json(blockers: nil)).text)
        let bound = try self.download([
            "url": "https://example.com/", "allows_constrained_network_access": false,
        ])
        let event = bound.json(blockers: nil)
        #expect(networks.map { event[$0] } == [true, false, nil])
        var joined = try self.download([
            "url": "https://example.com/", "on_duplicate_url": "join",
        ])
        #expect(shared.map { joined.json(blockers: nil)[$0] } == ["join", .null])
        joined.joinedTo = joined.id
        let leader = JSON.string(joined.id.text(.download))
        #expect(shared.map { joined.json(blockers: nil)[$0] } == ["join", leader])
        var own = try self.download([
            "url": "https://example.com/", "if_none_match": "\"a\"",
        ])
        #expect(change.map { own.json(blockers: nil)[$0] } == [.null, "\"a\"", .null, .null])
        (own.state, own.result.unchanged) = (.succeeded, .notModified)
        #expect(own.json(blockers: nil)["unchanged"] == "not_modified")
        var sent = try self.download([
            "url": "https://example.com/", "destination": ["url": "https://store.example/?s"],
        ])
        #expect(sending.map { sent.json(blockers: nil)[$0] } == ["receive", 0, .null])
        (sent.holder, sent.bytesSent) = ("here", 7)
        sent.result.sent = SentAnswer(status: 503)
        let answer: JSON = ["status": 503, "headers": [:], "body": nil]
        #expect(sending.map { sent.json(blockers: nil)[$0] } == ["send", 7, answer])
        sent.state = .succeeded
        #expect(sending.map { sent.json(blockers: nil)[$0] } == [.null, 7, answer])
        // The download that brought the content stays visible.
        (joined.joinedTo, joined.result.joinedTo) = (nil, joined.id)
        #expect(shared.map { joined.json(blockers: [])[$0] } == ["join", leader])
    }

    @Test func unknownMembersAreNull() throws {
        let json = try download(["url": "https://example.com/"]).json(blockers: nil)
        let nulls = json.members.filter { $0.value.isNull }.map(\.key)
        #expect(
            nulls == [
                "current_url", "external_id", "task_description", "earliest_begin_date",
                "begin_deadline", "complete_by", "discretionary_forced_by",
                "count_of_bytes_client_expects_to_send",
                "count_of_bytes_client_expects_to_receive", "count_of_bytes_expected_to_receive",
                "bytes_per_second", "completes_at", "next_attempt_at", "expected_digest",
                "filename", "destination", "max_bytes", "max_bytes_per_second",
                "webhook_url", "webhook_events", "body_bytes", "authorization", "response",
                "content", "error", "cancel_reason", "resume", "started_at", "completed_at",
            ])
        #expect(json["id"] == "dl_0000000000000G000000000002")
        #expect(json["session"] == "default")
        #expect(json["state"] == "waiting")
        #expect(json["priority"] == .number(0.5))
        #expect(json["count_of_bytes_received"] == 0)
        #expect(json["attempt"] == 0)
        #expect(json["sequence"] == 1)
        #expect(json["metadata"] == [:])
        #expect(json["created_at"] == "2026-11-22T01:00:00.000Z")
    }

    @Test func knownMembersAreWritten() throws {
        let digest = "sha256:" + String(repeating: "a", count: 64)
        var download = try download([
            "url": "https://example.com/a", "session": "s", "priority": 0.75, "suspended": true,
            "task_description": "t", "earliest_begin_date": "2026-11-22T02:00:00Z",
            "begin_deadline": "2026-11-22T03:00:00Z", "complete_by": "2026-11-22T04:00:00Z",
            "count_of_bytes_client_expects_to_receive": 10,
            "count_of_bytes_client_expects_to_send": 20, "expected_digest": .string(digest),
            "is_discretionary": true, "webhook_url": "https://h/", "max_bytes_per_second": 4096,
            "webhook_events": ["download.failed"], "metadata": ["k": "v"], "max_bytes": 12,
            "require_verified_length": true, "on_source_change": "ask",
        ])
        #expect(download.schedulingClass == .discretionary)
        #expect(download.state == .suspended)
        download.state = .attentionRequired
        download.bytesReceived = 5
        download.bytesTotal = 11
        download.attempt = 2
        download.sequence = 7
        download.nextAttemptAt = created + .seconds(1)
        download.startedAt = created + .seconds(2)
        download.completedAt = created + .seconds(3)
        download.result.currentURL = "https://cdn/"
        download.result.response = OriginResponse(statusCode: 200, url: "https://cdn/")
        download.result.content = DownloadContent(length: 5, sha256: "0a", isLengthVerified: true)
        download.result.error = DownloadFailure(
            .network, code: .timedOut, detail: "late", isRetryable: true)
        download.result.resume = ResumeSummary(
            outcome: .continued, reason: nil, bytesDiscarded: 0)
        let json = download.json(blockers: nil)
        let nulls = json.members.filter { $0.value.isNull }.map(\.key)
        #expect(
            nulls == [
                "external_id", "discretionary_forced_by", "bytes_per_second", "completes_at",
                "filename", "destination", "body_bytes", "authorization", "cancel_reason",
            ])
        let expected: JSONObject = [
            "session": "s", "state": "attention_required", "url": "https://example.com/a",
            "current_url": "https://cdn/", "task_description": "t", "priority": .number(0.75),
            "earliest_begin_date": "2026-11-22T02:00:00.000Z",
            "begin_deadline": "2026-11-22T03:00:00.000Z",
            "complete_by": "2026-11-22T04:00:00.000Z", "is_discretionary": true,
            "require_verified_length": true, "on_source_change": "ask", "max_bytes": 12,
            "count_of_bytes_client_expects_to_send": 20,
            "count_of_bytes_client_expects_to_receive": 10, "count_of_bytes_received": 5,
            "count_of_bytes_expected_to_receive": 11, "attempt": 2,
            "next_attempt_at": "2026-11-22T01:00:01.000Z", "expected_digest": .string(digest),
            "webhook_events": ["download.failed"], "metadata": ["k": "v"], "sequence": 7,
            "max_bytes_per_second": 4096,
            "started_at": "2026-11-22T01:00:02.000Z", "completed_at": "2026-11-22T01:00:03.000Z",
            "response": [
                "status_code": 200, "mime_type": nil, "suggested_filename": nil,
                "url": "https://cdn/", "url_chain": [], "etag": nil, "last_modified": nil,
                "headers": [:],
            ],
            "content": [
                "href": "/v1/downloads/dl_0000000000000G000000000002/content", "length": 5,
                "sha256": "0a", "length_verified": true, "expected_length_matched": nil,
                "expires_at": nil, "location": "replica", "destination": nil, "state": "held",
            ],
            "error": [
                "class": "network", "code": "timed_out", "detail": "late", "retryable": true,
            ],
            "resume": ["outcome": "continued", "reason": nil, "bytes_discarded": 0],
        ]
        for (key, value) in expected.members { #expect(json[key] == value, "\(key)") }
    }

    @Test func blockerWritesAllItsMembers() {
        let blocker = Blocker(
            .window, "closed", since: created, until: created + .seconds(60), rule: "night")
        #expect(
            text(blocker) == """
                {"code":"window","detail":"closed","since":"2026-11-22T01:00:00.000Z",\
                "until":"2026-11-22T01:01:00.000Z","rule":"night","is_soft":false,"waived_at":null}
                """)
        let plain = Blocker(.slots, "full", since: created)
        #expect(text(plain).contains(#""until":null,"rule":null"#))
    }

    private func text(_ blocker: Blocker) -> String {
        var writer = JSONWriter()
        blocker.write(to: &writer)
        return writer.text
    }

    @Test func failureWritesItsHTTPStatus() {
        let failure = DownloadFailure(
            .pushback, code: .httpStatus, detail: "d", isRetryable: true, httpStatus: 429)
        #expect(
            failure.text(as: .shown)
                == #"{"class":"pushback","code":"http_status","detail":"d","retryable":true,"#
                + #""http_status":429}"#
        )
        #expect(DownloadFailure.resourceTimeout["http_status"] == nil)
        #expect(DownloadFailure.resourceTimeout.code == .timedOut)
        #expect(!DownloadFailure.resourceTimeout.isRetryable)
    }
}
