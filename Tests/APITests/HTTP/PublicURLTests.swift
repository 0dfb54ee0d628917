// The address of the service for its clients, perhaps below a path of a proxy.
import Base
import HTTPWire
import Testing

@testable import API

@Suite struct PublicURLTests {
    @Test(
        arguments: [
            ("https://lull.example", "https://lull.example", "", "lull.example"),
            ("https://lull.example/", "https://lull.example", "", "lull.example"),
            ("http://localhost:8080", "http://localhost:8080", "", "localhost:8080"),
            ("http://localhost:8080/lull", "http://localhost:8080/lull", "/lull", "localhost:8080"),
            ("https://a.example/x/y/", "https://a.example/x/y", "/x/y", "a.example"),
            ("https://a.example/A-b._~9", "https://a.example/A-b._~9", "/A-b._~9", "a.example"),
            ("http://[::1]:80/x", "http://[::1]:80/x", "/x", "[::1]:80"),
        ])
    func hasAHostAndPerhapsAPath(
        _ text: String, _ whole: String, _ path: String, _ authority: String
    ) throws {
        let url = try PublicURL(parsing: text)
        #expect(url.text == whole && url.path == path && url.authority == authority)
    }

    @Test(arguments: [
        "", "/", "lull.example", "ftp://a.example", "https://", "https:///x", "//a.example",
        "https://a.example//", "https://a.example//x", "https://a.example/x//", "/lull",
        "https://a.example/./x", "https://a.example/..", "https://a.example/x/../y",
        "https://a.example/x?y", "https://a.example?x", "https://a.example/x#y",
        "https://a.example#x", "https://user@a.example", "https://user:p@a.example/x",
        "https://a.example/%2e", "https://a.example/a b", "https://a.example/ä",
        "https://a.example/x;y", "https://a.example/\"", "https://a.example/x\\y",
    ])
    func hasNothingElse(_ text: String) {
        #expect(throws: AddressError.self) { try PublicURL(parsing: text) }
    }

    /// A proxy takes the path away from requests, so the paths in fields have to begin with it.
    @Test func pathsInFieldsBeginWithItsPath() async throws {
        try await APIWorld.with { world in
            for (base, prefix) in [
                (nil, ""), ("https://lull.example", ""), ("https://a.example/x/lull", "/x/lull"),
            ] as [(String?, String)] {
                var dependencies = world.dependencies
                dependencies.settings.publicURL = try base.map { try PublicURL(parsing: $0) }
                let router = Router(dependencies)
                var world = world
                world.handler = { router.answer($0) }
                let first = await world.create()
                let id = try #require(first.json["id"]?.stringValue)
                #expect(first["Location"] == prefix + "/v1/downloads/" + id)
                _ = await world.create()
                let list = await world.send("GET", "/v1/downloads?limit=1")
                let link = try #require(list["Link"])
                #expect(link.hasPrefix("<\(prefix)/v1/downloads?"), "\(link)")
                #expect(await world.send("GET", "/ui")["Location"] == "ui/")
            }
        }
    }

    @Test func onlyPathsGetIt() {
        let rows = [
            ("Location", "/v1/x", "/p/v1/x"), ("Location", "ui/", "ui/"),
            ("Location", "https://s3.example/x", "https://s3.example/x"),
            ("Link", "</v1/x?a=b>; rel=\"next\"", "</p/v1/x?a=b>; rel=\"next\""),
            ("Link", "<https://a.example/>; rel=\"next\"", "<https://a.example/>; rel=\"next\""),
            ("ETag", "/v1/x", "/v1/x"),
        ]
        for (name, value, wanted) in rows {
            var response = Response(status: 200, headers: [(name, value)])
            response.begin(paths: "")
            #expect(response.headers[0].1 == value)
            response.begin(paths: "/p")
            #expect(response.headers[0].1 == wanted)
        }
    }
}
