// Downloads of ephemeral sessions show no query of a URL.
import Base
import Downloads
import Testing

@Suite struct EphemeralTests {
    @Test(arguments: [
        ("https://a/b?c=d", "https://a/b"), ("https://a/b", "https://a/b"), ("", ""),
        ("http://a?x://y?z", "http://a"), ("why?", "why?"),
        ("is it a://b/c?d e?f", "is it a://b/c e?f"),
        (#"["https://a/?x=1","https://b/?y"]"#, #"["https://a/","https://b/"]"#),
        (#"said \"https://a/?x=1\" twice"#, #"said \"https://a/\" twice"#),
        ("https://ä/ö?ü=1\nnext?", "https://ä/ö\nnext?"),
    ])
    func aURLEndsBeforeItsQuery(_ text: String, _ shown: String) {
        #expect(Download.withoutQueries(text) == shown)
    }

    private func download(_ kind: String) throws -> Download {
        let digest = "sha256:" + String(repeating: "a", count: 64)
        let request = try DownloadRequest.parse([
            "url": "https://a/x?canary=1", "urls": ["https://b/x?canary=2"],
            "expected_digest": .string(digest), "content_retention": 86_400,
        ]).get()
        let session = try SessionConfiguration.parse(["kind": .string(kind)]).get()
        let spec = DownloadSpec(request, session: session, sessionVersion: 1, defaults: .standard)
        var download = Download(
            id: Identifier(high: 1, low: 1), request: request, spec: spec, createdAt: .epoch)
        download.result.currentURL = "https://c/x?canary=3"
        download.result.mirrorURL = "https://b/x?canary=2"
        var response = OriginResponse(statusCode: 200, url: "https://c/x?canary=3")
        response.urlChain = ["https://a/x?canary=1", "https://c/x?canary=3"]
        download.result.response = response
        download.result.error = DownloadFailure(
            .network, code: .timedOut, detail: "asked https://a/x?canary=1 in vain",
            isRetryable: true)
        return download
    }

    @Test func noAnswerAndNoEventShowsAQuery() throws {
        for blockers in [nil, []] as [[Blocker]?] {
            var (shown, whole) = (JSONWriter(), JSONWriter())
            try download("ephemeral").write(to: &shown, blockers: blockers)
            #expect(!shown.text.contains("canary") && !shown.text.contains("?"))
            try download("background").write(to: &whole, blockers: blockers)
            #expect(whole.text.contains("canary=1") && whole.text.contains("canary=3"))
        }
        #expect(try !download("ephemeral").eventData().contains("canary"))
        var detail = AttemptDetail()
        detail.url = "https://a/x?canary=1"
        detail.error = try download("ephemeral").result.error
        #expect(!detail.withoutQueries.text(as: .shown).contains("canary"))
    }

    @Test func contentIsKeptForTenMinutesAtMost() throws {
        #expect(try download("ephemeral").spec.contentRetention == 600)
        #expect(try download("background").spec.contentRetention == 86_400)
        let session = try SessionConfiguration.parse(["kind": "ephemeral"]).get()
        let shown = session.effective(.standard)
        #expect(shown["content_retention"] == 600 && shown["kind"] == "ephemeral")
        #expect(SessionConfiguration().effective(.standard)["kind"] == "background")
        let patch = try DownloadPatch.parse(["content_retention": 86_400]).get()
        let changed = try patch.applied(
            to: download("ephemeral"), session: session, defaults: .standard
        ).get()
        #expect(changed.spec.contentRetention == 600)
    }
}
