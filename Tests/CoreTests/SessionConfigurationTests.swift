// Sessions: the names they may have and the members they may set.
import Base
import Downloads
import Testing

@Suite struct SessionConfigurationTests {
    @Test(arguments: ["default", "a", "0", "A.b_c-d", String(repeating: "x", count: 128)])
    func goodNames(_ name: String) {
        #expect(SessionIdentifier.isValid(name))
    }

    @Test(arguments: [
        "", "-a", "_a", ".", "a b", "a/b", "ä", "a\u{0}", "a\n", String(repeating: "x", count: 129),
    ])
    func badNames(_ name: String) {
        #expect(!SessionIdentifier.isValid(name))
    }

    @Test func emptyDocumentSetsNothing() throws {
        let silent = try SessionConfiguration.parse([:]).get()
        #expect(silent == SessionConfiguration())
        #expect(silent.json.isEmpty)
    }

    @Test func documentRoundTrips() throws {
        let document: JSON = [
            "is_discretionary": false, "timeout_interval_for_request": 86_400,
            "timeout_interval_for_resource": 1, "webhook_url": "https://example.com/h?q=1",
            "webhook_events": ["download.failed", "download.*"],
        ]
        for kind in SessionKind.allCases {
            let one = try SessionConfiguration.parse(["kind": .string(kind.rawValue)]).get()
            #expect(one.kind == kind && one.json == ["kind": .string(kind.rawValue)])
        }
        let configuration = try SessionConfiguration.parse(document).get()
        #expect(JSON.object(configuration.json).text == document.text)
        #expect(try SessionConfiguration.parse(.object(configuration.json)).get() == configuration)
        // An empty list subscribes to nothing; it does not mean that nothing was said.
        let none = try SessionConfiguration.parse(["webhook_events": []]).get()
        #expect(none.json == ["webhook_events": []])
    }

    @Test(arguments: [
        ("[]", ["#"]), (#"{"is_discretionary": "no"}"#, ["#/is_discretionary"]),
        (
            #"{"timeout_interval_for_request": 0, "webhook_url": "example.com"}"#,
            ["#/timeout_interval_for_request", "#/webhook_url"]
        ),
        (#"{"webhook_events": ["wake"]}"#, ["#/webhook_events"]),
        (#"{"url": "https://example.com/"}"#, ["#/url"]),
        (#"{"kind": "default", "max_runs": 1}"#, ["#/kind", "#/max_runs"]),
    ])
    func refusesWithPointers(_ text: String, _ pointers: [String]) throws {
        guard case .failure(let errors) = SessionConfiguration.parse(try JSON.parse(text)) else {
            Issue.record("accepted")
            return
        }
        #expect(errors.list.map(\.pointer) == pointers)
    }

    @Test func unknownEventErrorListsTheKnownOnes() throws {
        guard case .failure(let errors) = SessionConfiguration.parse(["webhook_events": ["x"]])
        else {
            Issue.record("accepted")
            return
        }
        let detail = try #require(errors.list.first?.detail)
        #expect(detail.hasPrefix("names the unknown event \"x\"; known are download.created,"))
        #expect(detail.contains("download.*"))
        for type in EventType.allCases { #expect(detail.contains(type.name)) }
    }
}
