// A resource written straight from typed values is byte for byte the one rendered from a tree of
// JSON values.
import Base
import Downloads
import Testing

@Suite struct DownloadWriterTests {
    @Test(arguments: 0..<400)
    func writesTheBytesOfTheTree(seed: UInt64) throws {
        var random = Random(seed: seed)
        let download = try random.download()
        var blockers: [Blocker]?
        if random.chance() {
            blockers = (0..<random.below(3)).map { _ in
                Blocker(
                    .window, random.text(), since: random.instant(),
                    until: random.maybe { $0.instant() }, rule: random.maybe { $0.text() })
            }
        }
        var writer = JSONWriter()
        download.write(to: &writer, blockers: blockers)
        #expect(writer.text == JSON.object(download.tree(blockers: blockers)).text)
        #expect(download.eventData() == JSON.object(download.tree(blockers: nil)).text)
    }

    @Test(arguments: 0..<200)
    func storedResultsReadBack(seed: UInt64) throws {
        var random = Random(seed: seed)
        let result = random.result()
        let text = result.text(as: .stored)
        #expect(!text.contains("null"))
        let back = try #require(DownloadResult(stored: try JSON.parse(text)))
        // Instants are stored with milliseconds, so the stored text is compared.
        #expect(back.text(as: .stored) == text)
        #expect(back.text(as: .shown) == result.text(as: .shown))
    }

    @Test func absentMembersKeepTheirBlankValue() throws {
        let content = try #require(DownloadContent(stored: ["length": 3]))
        #expect(content == DownloadContent(length: 3, sha256: "", isLengthVerified: false))
        #expect(DownloadContent(stored: ["length": "3"]) == nil)
        #expect(DownloadFailure(stored: ["class": "network", "code": "unheard_of"]) == nil)
        #expect(DownloadResult(stored: []) == nil)
    }

    @Test func writesEveryKindOfValue() {
        var writer = JSONWriter()
        writer.beginArray()
        writer.write(Int64.min)
        writer.write(Int64.max)
        writer.write(0 as Int64)
        writer.write(-1.5)
        writer.write(1e300)
        writer.write(Double.nan)
        writer.write(true)
        writer.writeNull()
        writer.beginObject()
        writer.key("a")
        writer.beginArray()
        writer.endArray()
        writer.key(any: "\"[{")
        writer.write("[{:,\u{1f600}\u{7f}é/\\")
        writer.endObject()
        writer.write(Timestamp(microseconds: .min))
        writer.write(Timestamp(microseconds: .max))
        writer.write(verbatim: "{}".utf8)
        writer.endArray()
        #expect(
            writer.text
                == #"[-9223372036854775808,9223372036854775807,0,-1.5,1e+300,null,true,null,"#
                + #"{"a":[],"\"[{":"[{:,\ud83d\ude00"# + "\u{7f}" + #"\u00e9/\\"},"#
                + #""0000-01-01T00:00:00.000Z","9999-12-31T23:59:59.999Z",{}]"#)
    }
}

/// Values of every kind, their extremes more often than others; a seed gives one sequence.
private struct Random {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ state >> 33) &* 0xff51_afd7_ed55_8ccd
    }

    mutating func below(_ bound: Int) -> Int { Int((next() >> 11) % UInt64(bound)) }

    mutating func chance() -> Bool { below(2) == 0 }

    mutating func maybe<Value>(_ make: (inout Random) -> Value) -> Value? {
        chance() ? make(&self) : nil
    }

    mutating func number() -> Int64 {
        switch below(5) {
        case 0: .max
        case 1: .min
        case 2: 0
        default: Int64(bitPattern: next() >> UInt64(below(64)))
        }
    }

    mutating func instant() -> Timestamp {
        Timestamp(microseconds: chance() ? number() : Int64(next() >> 14))
    }

    mutating func text() -> String {
        let pieces = [
            "a", "\"", "\\", "/", "\u{0}", "\u{1}", "\u{8}", "\t", "\n", "\u{c}", "\r", "\u{1f}",
            "\u{7f}", "é", "\u{301}", "\u{d7ff}", "\u{e000}", "\u{ffff}", "\u{10000}",
            "\u{10ffff}", "😀", "plain ASCII of more than fifteen bytes", "",
        ]
        return (0..<below(6)).map { _ in pieces[below(pieces.count)] }.joined()
    }

    mutating func texts() -> [String] { (0..<below(3)).map { _ in text() } }

    mutating func failure() -> DownloadFailure {
        DownloadFailure(
            [.network, .attention][below(2)], code: FailureCode.allCases[below(20)],
            detail: text(), isRetryable: chance(), httpStatus: maybe { $0.below(600) })
    }

    mutating func result() -> DownloadResult {
        var result = DownloadResult()
        result.response = maybe { random in
            var response = OriginResponse(statusCode: random.below(600), url: random.text())
            response.mimeType = random.maybe { $0.text() }
            response.suggestedFilename = random.maybe { $0.text() }
            response.urlChain = random.texts()
            response.etag = random.maybe { $0.text() }
            response.lastModified = random.maybe { $0.text() }
            response.headers.contentType = random.maybe { $0.text() }
            response.headers.contentEncoding = random.maybe { $0.text() }
            response.headers.etag = random.maybe { $0.text() }
            response.headers.lastModified = random.maybe { $0.text() }
            response.headers.date = random.maybe { $0.text() }
            return response
        }
        result.content = maybe { random in
            var content = DownloadContent(
                length: random.number(), sha256: random.text(),
                isLengthVerified: random.chance(), expected: random.maybe { $0.number() },
                expiresAt: random.maybe { $0.instant() })
            content.state = ContentState.allCases[random.below(4)]
            return content
        }
        result.error = maybe { $0.failure() }
        result.resume = maybe {
            ResumeSummary(
                outcome: $0.chance() ? .continued : .restarted, reason: $0.maybe { $0.text() },
                bytesDiscarded: $0.number())
        }
        result.currentURL = maybe { $0.text() }
        result.mirrorURL = maybe { $0.text() }
        return result
    }

    mutating func download() throws -> Download {
        var spec = DownloadSpec(
            try DownloadRequest.parse(["url": "https://a.example/"]).get(),
            session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
        spec.isDiscretionary = chance()
        spec.allowsExpensive = chance()
        spec.allowsConstrained = chance()
        spec.waitsForConnectivity = chance()
        spec.duplicates = chance() ? .join : .independent
        spec.requestTimeout = number()
        spec.resourceTimeout = number()
        spec.maxBytesPerSecond = maybe { $0.number() }
        spec.segments = number()
        spec.webhookURL = maybe { $0.text() }
        spec.webhookEvents = maybe { $0.texts() }
        spec.bytesExpectedToSend = maybe { $0.number() }
        spec.taskDescription = maybe { $0.text() }
        for key in Set(texts()) { spec.metadata[key] = .string(text()) }
        spec.urls = texts()
        spec.expectedDigest =
            maybe { _ in
                ExpectedDigest(.md5, bytes: Array(repeating: 0xa9, count: 16))
            } ?? nil
        spec.rules.requiresVerifiedLength = maybe { $0.chance() }
        spec.rules.requiresExpectedLength = maybe { $0.chance() }
        spec.rules.onSourceChange = maybe { SourceChange.allCases[$0.below(3)] }
        spec.beginDeadline = maybe { $0.instant() }
        spec.completeBy = maybe { $0.instant() }
        spec.rules.maximumBytes = maybe { $0.number() }
        spec.rules.minimumBytes = maybe { $0.number() }
        spec.rules.acceptedTypes = maybe { _ in ["image/*"] }
        spec.contentRetention = maybe { $0.number() }
        spec.cancelReason = maybe { _ in .forceQuit }
        spec.request.method = [.get, .post, .put][below(3)]
        spec.request.headerNames = Array(Set(texts()))
        spec.request.bodyBytes = maybe { $0.number() }
        spec.request.authorizationType = maybe { $0.text() }
        spec.request.proxyURL = maybe { $0.text() }
        var download = Download(
            id: Identifier(high: next() & ~0xf000 | 0x7000, low: next()), session: text(),
            state: DownloadState.allCases[below(8)], url: text(),
            priority: [0, 1, 0.5, 0.1, 1e-9, .infinity][below(6)],
            earliestBeginDate: maybe { $0.instant() }, bytesExpectedByClient: maybe { $0.number() },
            spec: spec, createdAt: instant())
        download.mirror = maybe { $0.below(4) }
        download.bytesReceived = number() & .max >> 1
        download.bytesTotal = maybe { $0.number() & .max >> 1 }
        download.bytesPerSecond = maybe { $0.number() }
        download.measuredAt = maybe { $0.instant() }
        download.atRiskSince = maybe { $0.instant() }
        download.attempt = below(1 << 31)
        download.nextAttemptAt = maybe { $0.instant() }
        download.result = result()
        download.sequence = number()
        download.startedAt = maybe { $0.instant() }
        download.completedAt = maybe { $0.instant() }
        return download
    }
}

extension Download {
    /// The resource as a tree of JSON values: the reference for the text that is written directly.
    fileprivate func tree(blockers: [Blocker]?) -> JSONObject {
        func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
        func count(_ value: Int64?) -> JSON { value.map { .integer($0) } ?? .null }
        func instant(_ value: Timestamp?) -> JSON { value.map { .string($0.rfc3339) } ?? .null }
        var object: JSONObject = [
            "id": text(id.text(.download)), "session": text(session),
            "state": text(state.rawValue),
        ]
        if let blockers {
            object["blockers"] = .array(
                blockers.map {
                    [
                        "code": text($0.code.rawValue), "detail": text($0.detail),
                        "since": instant($0.since), "until": instant($0.until),
                        "rule": text($0.rule), "is_soft": false, "waived_at": nil,
                    ]
                })
            object["deadline_at_risk_since"] = instant(atRiskSince)
        }
        let headers = JSONObject(members: spec.request.headerNames.map { ($0, "redacted") })
        let members: [(String, JSON)] = [
            ("url", text(url)), ("urls", .array(spec.urls.map { .string($0) })),
            ("mirror_url", text(address)), ("current_url", text(result.currentURL)),
            ("external_id", text(spec.externalID)),
            ("task_description", text(spec.taskDescription)), ("priority", .number(priority)),
            ("earliest_begin_date", instant(earliestBeginDate)),
            ("begin_deadline", instant(spec.beginDeadline)),
            ("complete_by", instant(spec.completeBy)),
            ("is_discretionary", .bool(spec.isDiscretionary)),
            ("discretionary_forced_by", text(spec.discretionaryForcedBy)),
            ("count_of_bytes_client_expects_to_send", count(spec.bytesExpectedToSend)),
            ("count_of_bytes_client_expects_to_receive", count(bytesExpectedByClient)),
            ("count_of_bytes_received", .integer(bytesReceived)),
            ("count_of_bytes_expected_to_receive", count(bytesTotal)),
            ("bytes_per_second", count(state == .running ? bytesPerSecond : nil)),
            ("completes_at", instant(completesAt)), ("attempt", .integer(Int64(attempt))),
            ("next_attempt_at", instant(nextAttemptAt)),
            ("expected_digest", text(spec.expectedDigest?.text)),
            ("filename", text(spec.filename)),
            ("destination", spec.destination?.tree ?? .null),
            ("require_verified_length", .bool(spec.rules.requiresVerifiedLength ?? false)),
            ("require_expected_length", .bool(spec.rules.requiresExpectedLength ?? false)),
            ("on_source_change", text((spec.rules.onSourceChange ?? .restart).rawValue)),
            ("max_bytes", count(spec.rules.maximumBytes)),
            ("timeout_interval_for_request", .integer(spec.requestTimeout)),
            ("timeout_interval_for_resource", .integer(spec.resourceTimeout)),
            ("content_retention", count(spec.contentRetention)),
            ("max_bytes_per_second", count(spec.maxBytesPerSecond)),
            ("segments", .integer(spec.segments)), ("webhook_url", text(spec.webhookURL)),
            ("webhook_events", spec.webhookEvents.map { .array($0.map { .string($0) }) } ?? .null),
            ("method", text(spec.request.method.rawValue)), ("headers", .object(headers)),
            ("body_bytes", count(spec.request.bodyBytes)),
            ("authorization", spec.request.shownAuthorization),
            ("proxy", spec.request.proxyURL.map { ["url": .string($0)] } ?? ["mode": "none"]),
            ("response", result.response?.tree ?? .null),
            ("content", result.content?.tree(of: id) ?? .null),
            ("error", result.error?.tree ?? .null), ("cancel_reason", shownReason),
            ("resume", result.resume?.tree ?? .null), ("metadata", .object(spec.metadata)),
            ("sequence", .integer(sequence)), ("created_at", instant(createdAt)),
            ("started_at", instant(startedAt)), ("completed_at", instant(completedAt)),
        ]
        for (key, value) in members {
            if key == "timeout_interval_for_request" { addDemands(to: &object) }
            if key == "method" { addUnusual(to: &object, isEvent: blockers == nil) }
            object[key] = value
        }
        return object
    }

    /// Demands are in the resource only if they are set.
    private func addDemands(to object: inout JSONObject) {
        object["min_bytes"] = spec.rules.minimumBytes.map { .integer($0) }
        let types = spec.rules.acceptedTypes
        object["accept_content_types"] = types.map { .array($0.map { .string($0) }) }
    }

    private var shownReason: JSON {
        guard state == .canceled || state == .canceling else { return .null }
        return spec.cancelReason.map { .string($0.rawValue) } ?? .null
    }

    /// An event has these members only if they differ from the values of nearly every download.
    private func addUnusual(to object: inout JSONObject, isEvent: Bool) {
        if !isEvent || !(spec.allowsExpensive && spec.allowsConstrained) {
            object["allows_expensive_network_access"] = .bool(spec.allowsExpensive)
            object["allows_constrained_network_access"] = .bool(spec.allowsConstrained)
        }
        if !isEvent || !spec.waitsForConnectivity {
            object["waits_for_connectivity"] = .bool(spec.waitsForConnectivity)
        }
        if !isEvent || spec.duplicates == .join {
            object["on_duplicate_url"] = .string(spec.duplicates.rawValue)
            let leader = joinedTo ?? result.joinedTo
            object["joined_to"] = leader.map { .string($0.text(.download)) } ?? .null
        }
        if !isEvent || spec.condition != nil {
            let own = spec.condition.flatMap { $0.isOwn ? $0 : nil }
            for (name, value) in [
                ("if_changed_from", spec.condition?.unchangedFrom?.text(.download)),
                ("if_none_match", own?.etag), ("if_modified_since", own?.lastModified),
                ("unchanged", state.isTerminal ? result.unchanged?.rawValue : nil),
            ] {
                object[name] = value.map { .string($0) } ?? .null
            }
        }
        if !isEvent {
            object["direction"] = .null
            object["count_of_bytes_sent"] = .integer(bytesSent)
            object["sent"] = .null
        }
    }
}

extension OriginResponse {
    fileprivate var tree: JSON {
        func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
        var fields = JSONObject()
        fields["content-type"] = headers.contentType.map { .string($0) }
        fields["content-encoding"] = headers.contentEncoding.map { .string($0) }
        fields["etag"] = headers.etag.map { .string($0) }
        fields["last-modified"] = headers.lastModified.map { .string($0) }
        fields["date"] = headers.date.map { .string($0) }
        return [
            "status_code": .integer(Int64(statusCode)), "mime_type": text(mimeType),
            "suggested_filename": text(suggestedFilename), "url": text(url),
            "url_chain": .array(urlChain.map { .string($0) }), "etag": text(etag),
            "last_modified": text(lastModified), "headers": .object(fields),
        ]
    }
}

extension DownloadContent {
    fileprivate func tree(of id: Identifier) -> JSON {
        [
            "href": .string("/v1/downloads/\(id.text(.download))/content"),
            "length": .integer(length), "sha256": .string(sha256),
            "length_verified": .bool(isLengthVerified),
            "expected_length_matched": isExpectedLength.map { .bool($0) } ?? .null,
            "expires_at": expiresAt.map { .string($0.rfc3339) } ?? .null,
            "location": .string(location.rawValue), "destination": destination?.tree ?? .null,
            "state": .string(state.rawValue),
        ]
    }
}

extension DownloadFailure {
    fileprivate var tree: JSON {
        var object: JSONObject = [
            "class": .string(failureClass.rawValue), "code": .string(code.rawValue),
            "detail": .string(detail), "retryable": .bool(isRetryable),
        ]
        object["http_status"] = httpStatus.map { .integer(Int64($0)) }
        return .object(object)
    }
}

extension ResumeSummary {
    fileprivate var tree: JSON {
        [
            "outcome": .string(outcome.rawValue), "reason": reason.map { .string($0) } ?? .null,
            "bytes_discarded": .integer(bytesDiscarded),
        ]
    }
}
