// The places inside the network that a download may name, checked when it comes back by itself.
import Base
import Testing

@testable import Downloads

@Suite struct DestinationCheckTests {
    private static let date = #""earliest_begin_date":"2020-01-01T00:00:00Z""#
    private static let digest =
        #""expected_digest":"md5:\#(String(repeating: "0", count: 32))""#

    /// Members of which one names a place inside.
    private static let members: [String] = [
        #""url":"https://10.0.0.7/a""#,
        #""url":"https://a.example/","urls":["https://10.0.0.7/a"],\#(digest)"#,
        #""url":"https://a.example/","webhook_url":"https://10.0.0.7/hook""#,
        #""url":"https://a.example/",\#(date),"begin_hook":{"url":"https://10.0.0.7/ask"}"#,
        #""url":"https://a.example/","proxy":{"url":"http://10.0.0.7:3128"}"#,
        #""url":"https://a.example/","destination":{"name":"media"}"#,
        #""url":"https://a.example/","destination":{"url":"https://10.0.0.7/put"}"#,
        #""url":"https://a.example/","destination":{"url":"https://b.example/","#
            + #""hook":{"url":"https://10.0.0.7/ask"}}"#,
    ]

    private static func places(
        _ list: String, folders: String? = nil
    ) throws -> DestinationCheck {
        let destinations = try Destinations.parse(list)
        return DestinationCheck(
            downloads: destinations, webhooks: destinations, uploads: destinations,
            proxies: destinations, folders: try folders.map { try AllowedPlaces.parse($0) })
    }

    private static func download(_ members: String) throws -> Download {
        let request = try DownloadRequest.parse(try JSON.parse("{\(members)}")).get()
        let spec = DownloadSpec(
            request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
        return Download(
            id: Identifier(high: 1, low: 1), request: request, spec: spec, createdAt: .epoch)
    }

    @Test(arguments: members)
    func everyPlaceThatADownloadNamesHasToBeAllowed(_ members: String) throws {
        let download = try Self.download(members)
        let generous = try Self.places("public,private", folders: "media@one=/srv/media")
        #expect(generous.allow(download, app: "one"))
        #expect(try !Self.places("public").allow(download, app: "one"))
    }

    @Test func aFolderOfAnotherAppIsNotAllowed() throws {
        let download = try Self.download(Self.members[5])
        let places = try Self.places("public", folders: "media@one=/srv/media")
        #expect(places.allow(download, app: "one") && !places.allow(download, app: "two"))
    }

    @Test func withoutProxiesNoneIsAllowed() throws {
        let all = try Destinations.parse("public,private")
        let places = DestinationCheck(
            downloads: all, webhooks: all, uploads: all, proxies: nil, folders: nil)
        #expect(!places.allow(try Self.download(Self.members[4]), app: "one"))
        #expect(places.allow(try Self.download(Self.members[0]), app: "one"))
    }
}
