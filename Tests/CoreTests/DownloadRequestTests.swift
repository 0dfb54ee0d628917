// The body of a create: good bodies are read, bad ones are refused at the member that is bad.
import Base
import Downloads
import Testing

@Suite struct DownloadRequestTests {
    private static let digest = "sha256:" + String(repeating: "ab", count: 32)

    static func pointers(_ text: String) throws -> [String] {
        guard case .failure(let errors) = DownloadRequest.parse(try JSON.parse(text)) else {
            return []
        }
        #expect(errors.list.allSatisfy { !$0.detail.isEmpty })
        return errors.list.map(\.pointer)
    }

    @Test func onlyTheURLIsRequired() throws {
        let request = try DownloadRequest.parse(["url": "https://example.com/a"]).get()
        #expect(request.url == "https://example.com/a")
        #expect(request.session == "default")
        #expect(request.priority == 0.5)
        #expect(request.earliestBeginDate == nil)
        #expect(request.bytesExpectedToReceive == nil)
        #expect(request.bytesExpectedToSend == nil)
        #expect(request.taskDescription == nil)
        #expect(request.metadata.isEmpty)
        #expect(request.expectedDigest == nil)
        #expect(!request.isSuspended)
        #expect(request.overrides == SessionConfiguration())
    }

    @Test func readsEverything() throws {
        let request = try DownloadRequest.parse(
            try JSON.parse(
                """
                {"url": "https://example.com/a", "session": "Nightly.1_a-b", "priority": 1,
                 "earliest_begin_date": "2026-11-22T01:00:00Z",
                 "count_of_bytes_client_expects_to_receive": 9007199254740992,
                 "count_of_bytes_client_expects_to_send": 0,
                 "task_description": "x", "metadata": {"k": "v", "": ""},
                 "expected_digest": "\(Self.digest.uppercased())", "suspended": true,
                 "is_discretionary": true, "timeout_interval_for_request": 1,
                 "timeout_interval_for_resource": 31536000,
                 "webhook_url": "http://example.com/h", "webhook_events": ["download.*"]}
                """)
        ).get()
        #expect(request.session == "Nightly.1_a-b")
        #expect(request.priority == 1)
        #expect(request.earliestBeginDate == Timestamp(seconds: 1_795_309_200))
        #expect(request.bytesExpectedToReceive == 1 << 53)
        #expect(request.bytesExpectedToSend == 0)
        #expect(request.taskDescription == "x")
        #expect(request.metadata == ["k": "v", "": ""])
        #expect(request.expectedDigest?.text == Self.digest)
        #expect(request.isSuspended)
        #expect(request.overrides.isDiscretionary == true)
        #expect(request.overrides.requestTimeout == 1)
        #expect(request.overrides.resourceTimeout == 31_536_000)
        #expect(request.overrides.webhookURL == "http://example.com/h")
        #expect(request.overrides.webhookEvents == ["download.*"])
    }

    @Test(arguments: [
        ("[]", ["#"]), ("null", ["#"]), ("\"https://example.com/\"", ["#"]),
        ("{}", ["#/url"]), (#"{"url": null}"#, ["#/url"]), (#"{"url": ""}"#, ["#/url"]),
        (#"{"url": 1}"#, ["#/url"]), (#"{"URL": "https://x/"}"#, ["#/url", "#/URL"]),
    ])
    func refusesWithoutURL(_ text: String, _ expected: [String]) throws {
        #expect(try Self.pointers(text) == expected)
    }

    @Test(arguments: [
        (#""session": """#, "#/session"), (#""session": ".a""#, "#/session"),
        (#""session": "a b""#, "#/session"), (#""session": "ä""#, "#/session"),
        (#""session": 1"#, "#/session"), (#""session": "a/b""#, "#/session"),
        (#""priority": -0.1"#, "#/priority"), (#""priority": 1.01"#, "#/priority"),
        (#""priority": "high""#, "#/priority"),
        (#""earliest_begin_date": "tomorrow""#, "#/earliest_begin_date"),
        (#""earliest_begin_date": "2026-11-22T01:00:00""#, "#/earliest_begin_date"),
        (#""earliest_begin_date": 1795309200"#, "#/earliest_begin_date"),
        (#""begin_deadline": "soon""#, "#/begin_deadline"), (#""complete_by": 1"#, "#/complete_by"),
        (
            #""count_of_bytes_client_expects_to_receive": -1"#,
            "#/count_of_bytes_client_expects_to_receive"
        ),
        (
            #""count_of_bytes_client_expects_to_receive": 9007199254740993"#,
            "#/count_of_bytes_client_expects_to_receive"
        ),
        (
            #""count_of_bytes_client_expects_to_send": 0.5"#,
            "#/count_of_bytes_client_expects_to_send"
        ),
        (#""task_description": ["x"]"#, "#/task_description"),
        (#""metadata": []"#, "#/metadata"), (#""metadata": {"a/b": 1}"#, "#/metadata/a~1b"),
        (#""metadata": {"k": null}"#, "#/metadata/k"),
        (#""expected_digest": "md5:00""#, "#/expected_digest"),
        (#""expected_digest": 1"#, "#/expected_digest"),
        (#""suspended": "yes""#, "#/suspended"), (#""is_discretionary": 1"#, "#/is_discretionary"),
        (#""timeout_interval_for_request": 0"#, "#/timeout_interval_for_request"),
        (#""timeout_interval_for_request": 86401"#, "#/timeout_interval_for_request"),
        (#""timeout_interval_for_resource": 31536001"#, "#/timeout_interval_for_resource"),
        (#""webhook_url": "ftp://x/""#, "#/webhook_url"),
        (#""webhook_events": ["download.failed", "nope"]"#, "#/webhook_events"),
        (#""webhook_events": "download.failed""#, "#/webhook_events"),
        (#""webhook_events": [1]"#, "#/webhook_events/0"),
        (#""header": {}"#, "#/header"), (#""earliest_begin_at": "x""#, "#/earliest_begin_at"),
    ])
    func refusesWithAPointer(_ member: String, _ pointer: String) throws {
        #expect(try Self.pointers("{\"url\": \"https://example.com/\", \(member)}") == [pointer])
    }

    @Test(arguments: [
        ("url", 8192, "#/url"), ("session", 128, "#/session"),
        ("task_description", 4096, "#/task_description"),
    ])
    func boundsTexts(_ key: String, _ limit: Int, _ pointer: String) throws {
        var object: JSONObject = ["url": "https://example.com/"]
        object[key] = .string(String(repeating: "a", count: limit))
        _ = try DownloadRequest.parse(.object(object)).get()
        object[key] = .string(String(repeating: "a", count: limit + 1))
        #expect(try Self.pointers(JSON.object(object).text) == [pointer])
    }

    @Test func boundsMetadata() throws {
        func request(_ members: [(String, JSON)]) -> String {
            let metadata = JSON.object(JSONObject(members: members))
            return JSON.object(["url": "https://example.com/", "metadata": metadata]).text
        }
        let many = (0..<65).map { ("k\($0)", JSON.string("v")) }
        #expect(try Self.pointers(request(Array(many.prefix(64)))) == [])
        #expect(try Self.pointers(request(many)) == ["#/metadata"])
        let long = JSON.string(String(repeating: "v", count: 1025))
        let key = String(repeating: "k", count: 129)
        #expect(
            try Self.pointers(request([("a", long), ("b", "ok"), (key, "v")]))
                == ["#/metadata/a", "#/metadata/" + key])
    }

    @Test func allFindingsAreReportedTogether() throws {
        let found = try Self.pointers(
            #"{"session": "-", "priority": 2, "suspended": 0, "webhook_url": "x", "nope": 1}"#)
        #expect(
            found == [
                "#/url", "#/session", "#/priority", "#/suspended", "#/webhook_url", "#/nope",
            ])
    }
}
