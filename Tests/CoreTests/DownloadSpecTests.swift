// The order in which a value is chosen: the request's, then the session's, then the deployment's.
import Base
import Downloads
import Testing

@Suite struct DownloadSpecTests {
    private let defaults = DeploymentDefaults(requestTimeout: 7, resourceTimeout: 8)

    private func spec(
        _ request: JSON, session: JSON = [:], defaults: DeploymentDefaults? = nil
    ) throws -> DownloadSpec {
        var object = try #require(request.objectValue)
        object["url"] = "https://example.com/"
        return DownloadSpec(
            try DownloadRequest.parse(.object(object)).get(),
            session: try SessionConfiguration.parse(session).get(), sessionVersion: 3,
            defaults: defaults ?? self.defaults)
    }

    @Test func deploymentDefaultsFillAbsentMembers() throws {
        let spec = try spec([:])
        #expect(spec.sessionVersion == 3)
        #expect(!spec.isDiscretionary)
        #expect(spec.requestTimeout == 7)
        #expect(spec.resourceTimeout == 8)
        #expect(spec.webhookURL == nil)
        #expect(spec.webhookEvents == nil)
        #expect(spec.webhookSet == .none)
        #expect(DeploymentDefaults.standard.requestTimeout == 60)
        #expect(DeploymentDefaults.standard.resourceTimeout == 604_800)
    }

    private static let session: JSON = [
        "is_discretionary": true, "timeout_interval_for_request": 20,
        "timeout_interval_for_resource": 30, "webhook_url": "https://s/",
        "webhook_events": ["download.created"],
    ]

    @Test func sessionOverridesTheDeployment() throws {
        let spec = try spec([:], session: Self.session)
        #expect(spec.isDiscretionary)
        #expect(spec.requestTimeout == 20)
        #expect(spec.resourceTimeout == 30)
        #expect(spec.webhookURL == "https://s/")
        #expect(spec.webhookEvents == ["download.created"])
        #expect(spec.webhookSet.names == ["download.created"])
    }

    @Test func requestOverridesTheSession() throws {
        let spec = try spec(
            [
                "is_discretionary": false, "timeout_interval_for_request": 2,
                "timeout_interval_for_resource": 3, "webhook_url": "https://r/",
                "webhook_events": ["download.failed"],
            ], session: Self.session)
        #expect(!spec.isDiscretionary)
        #expect(spec.requestTimeout == 2)
        #expect(spec.resourceTimeout == 3)
        #expect(spec.webhookURL == "https://r/")
        #expect(spec.webhookSet.names == ["download.failed"])
    }

    @Test func membersAreInheritedOneByOne() throws {
        let spec = try spec(["webhook_url": "https://r/"], session: Self.session)
        #expect(spec.webhookURL == "https://r/")
        #expect(spec.webhookEvents == ["download.created"])
        #expect(try self.spec(["webhook_url": "https://r/"]).webhookSet == .usual)
        #expect(try self.spec(["webhook_events": ["download.*"]]).webhookSet == .none)
    }

    @Test func storedFormRoundTrips() throws {
        let digest = "sha256:" + String(repeating: "0f", count: 32)
        let full = try spec([
            "is_discretionary": true, "webhook_url": "https://r/",
            "webhook_events": ["download.*"], "count_of_bytes_client_expects_to_send": 9,
            "task_description": "d", "metadata": ["k": "v"], "expected_digest": .string(digest),
        ])
        let far = try spec(
            [:],
            defaults: DeploymentDefaults(
                requestTimeout: 200_000, resourceTimeout: 100_000_000,
                contentRetention: 1_000_000_000, segments: 8))
        for spec in [full, far, try spec([:])] {
            #expect(DownloadSpec(stored: spec.tree) == spec)
            #expect(DownloadSpec(stored: StoredJSON(spec.tree.text)) == spec)
        }
        // Usual values are not stored, unusual ones are: the version is not 1.
        #expect(
            try spec([:], defaults: .standard).tree.objectValue?.members.map(\.key) == [
                "session_version", "content_retention",
            ])
        #expect(
            far.tree.objectValue?.members.map(\.key) == [
                "session_version", "timeout_interval_for_request",
                "timeout_interval_for_resource", "content_retention", "segments",
            ])
    }

    @Test func missingMembersTakeDefaults() throws {
        let spec = try #require(DownloadSpec(stored: JSON.object([:])))
        #expect(spec.sessionVersion == 1)
        #expect(spec.requestTimeout == 60)
        #expect(spec.resourceTimeout == 604_800)
        #expect(spec.metadata.isEmpty)
        #expect(spec.contentRetention == nil)
    }
}
