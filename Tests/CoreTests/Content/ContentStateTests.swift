// The state in which clients see content that is kept, and the time until which it is.
import Base
import Downloads
import Testing

@Suite struct ContentStateTests {
    @Test func contentThatIsKeptLongerBecauseItWasReadIsLeased() throws {
        let end = Timestamp(seconds: 1_795_309_200)
        let cases: [(first: Timestamp?, state: ContentState, shown: String)] = [
            (nil, .held, "held"), (end, .held, "held"), (end + .seconds(-1), .held, "leased"),
            (end + .seconds(-1), .expired, "expired"), (end + .seconds(-1), .released, "released"),
            (end + .seconds(-1), .lost, "lost"),
        ]
        for (first, state, shown) in cases {
            var content = DownloadContent(
                length: 1, sha256: "0a", isLengthVerified: true, expiresAt: end)
            (content.firstExpiresAt, content.state) = (first, state)
            let request = try DownloadRequest.parse(["url": "https://a.example/"]).get()
            var download = Download(
                id: Identifier(high: 1, low: 2), request: request,
                spec: DownloadSpec(
                    request, session: SessionConfiguration(), sessionVersion: 1,
                    defaults: .standard), createdAt: end)
            download.result.content = content
            let json = try JSON.parse(Array(download.eventData().utf8))
            #expect(json["content"]?["state"]?.stringValue == shown)
            // An edited file is shown as changed for as long as its content would be kept.
            download.result.content?.changed = FileFacts(length: 1, modified: 2, inode: 3)
            let edited = try JSON.parse(Array(download.eventData().utf8))
            let isThere = shown == "held" || shown == "leased"
            #expect(edited["content"]?["state"]?.stringValue == (isThere ? "changed" : shown))
            #expect(edited["content"]?["changed"] == nil)
            // `leased` is derived when it is shown, never stored.
            #expect(!content.text(as: .stored).contains("\"leased\""))
        }
    }
}
