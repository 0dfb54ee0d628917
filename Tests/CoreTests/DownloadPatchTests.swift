// The values that a download takes from its session when a patch removes its own.
import Base
import Downloads
import Testing

@Suite struct DownloadPatchTests {
    /// A session's value and a download's own, for each member that both have.
    private static let values: [(member: String, session: JSON, own: JSON)] = [
        ("is_discretionary", true, false),
        ("allows_expensive_network_access", false, true),
        ("allows_constrained_network_access", false, true),
        ("waits_for_connectivity", false, true),
        ("timeout_interval_for_request", 20, 30),
        ("timeout_interval_for_resource", 40, 50),
        ("content_retention", 70, 80),
        ("max_bytes_per_second", 1000, 2000),
        ("segments", 3, 4),
        ("begin_hook", ["url": "https://session.example/"], ["url": "https://own.example/"]),
        (
            "retry", ["statuses": [403], "attempts": 2, "for_seconds": 60],
            ["statuses": [404], "attempts": 3, "for_seconds": 90]
        ),
        ("webhook_url", "https://session.example/", "https://own.example/"),
        ("webhook_events", ["download.created"], ["download.failed"]),
        ("require_verified_length", true, false),
        ("require_expected_length", true, false),
        ("on_source_change", "fail", "ask"),
        ("max_bytes", 5, 6),
        ("min_bytes", 3, 4),
        ("accept_content_types", ["text/csv"], ["image/*", "*/*"]),
    ]

    private func download(_ members: JSONObject, session: JSONObject) throws -> Download {
        var object: JSONObject = [
            "url": "https://example.com/a", "earliest_begin_date": "2030-01-01T00:00:00Z",
        ]
        for (name, value) in members.members { object.append(name, value) }
        let request = try DownloadRequest.parse(.object(object)).get()
        let spec = DownloadSpec(
            request, session: try SessionConfiguration.parse(.object(session)).get(),
            sessionVersion: 1, defaults: .standard)
        return Download(
            id: Identifier(high: 1, low: 1), request: request, spec: spec,
            createdAt: Timestamp(seconds: 1))
    }

    /// Whether a download that sets nothing has the session's value.
    private func isInherited(_ member: String, _ value: JSON) throws -> Bool {
        try download([:], session: [member: value]).spec
            != download([:], session: [:]).spec
    }

    @Test func theTableHasAllMembersOfSessionsThatDownloadsHave() throws {
        let known = SessionConfiguration().shown.members.map(\.key)
        let own: Set = [
            "kind", "sends_launch_events", "ends_with_client", "refetch_lost", "max_running",
            "http_maximum_connections_per_host",
            "http_additional_headers", "http_additional_headers_origins", "tls", "webhook_headers",
            "webhook_authorization",
            // Null means no receiver, in spite of the session.
            "destination",
        ]
        #expect(Set(Self.values.map(\.member)) == Set(known).subtracting(own))
    }

    @Test func exactlyTheInheritedMembersThatMayChangeAreSessionValues() throws {
        let inherited = try Self.values.filter { try isInherited($0.member, $0.session) }
            .map(\.member).filter(DownloadPatch.members.contains)
        #expect(Set(inherited) == Set(DownloadPatch.sessionValues))
    }

    @Test(arguments: values)
    func nullGivesWhatADownloadHasThatNeverSetIt(
        _ member: String, _ value: JSON, _ own: JSON
    ) throws {
        guard DownloadPatch.members.contains(member) else { return }
        for session in [[:], [member: value]] as [JSONObject] {
            let old = try download([member: own], session: session)
            let patch = try DownloadPatch.parse([member: .null]).get()
            let new = try patch.applied(
                to: old, session: try SessionConfiguration.parse(.object(session)).get(),
                defaults: .standard
            ).get()
            #expect(new.spec == (try download([:], session: session)).spec)
            let again = try DownloadPatch.parse([member: own]).get()
            #expect(
                try again.applied(
                    to: new, session: SessionConfiguration(), defaults: .standard
                ).get().spec == old.spec)
        }
    }
}
