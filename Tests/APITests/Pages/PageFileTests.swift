// The route of the page: its views, its files and their headers.
import Base
import Foundation
import HTTPWire
import Testing

@testable import API

@Suite struct PageFileTests {
    private static let folder = repository.appending(path: "Sources/CEmbedded/page")

    private func world(isOn: Bool) throws -> APIWorld {
        var world = try APIWorld.alone(hosts: .loopbackOnly(takesForwarded: false))
        var dependencies = world.dependencies
        dependencies.settings.showsPage = isOn
        let router = Router(dependencies)
        world.handler = { router.answer($0) }
        return world
    }

    private func get(
        _ world: APIWorld, _ path: String, _ headers: [(String, String)] = [],
        method: String = "GET"
    ) async -> Reply {
        await world.send(method, path, headers: headers, authority: "localhost:8080")
    }

    /// A file that the table does not name would be missing in a browser.
    @Test func theTableHasEveryFileOfTheFolderWithoutCommentsAndIndentation() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        #expect(names == PageFile.all.map(\.name).sorted())
        #expect(Set(names).count == PageFile.all.count)
        let types: [String: PageFile.Kind] = [
            "html": .html, "css": .css, "js": .script, "svg": .image,
        ]
        for file in PageFile.all {
            let url = Self.folder.appending(path: file.name)
            var source = try String(contentsOf: url, encoding: .utf8)
            if [PageFile.Kind.script, .css].contains(file.kind) {
                source.replace(/(?ms)^ *\/\*.*?\*\/\n/, with: "")
                source.replace(/(?m)^ *\/\/.*\n/, with: "")
                source.replace(/(?m)^\n/, with: "")
                source.replace(/(?m)^ +/, with: "")
                #expect(!source.contains("/*"), "\(file.name)")
            }
            #expect(String(decoding: file.bytes, as: UTF8.self) == source, "\(file.name)")
            #expect(types[url.pathExtension] == file.kind, "\(file.name)")
        }
    }

    @Test func everyViewIsTheDocumentAndEveryFileHasItsType() async throws {
        let world = try world(isOn: true)
        for path in ["/ui/"] + PageFileEndpoints.views.map({ "/ui/" + $0 }) {
            for query in ["", "?id=dl_1&state=failed", "?q=%C3%A4&q=2", "?x"] {
                let reply = await get(world, path + query)
                #expect(reply.status == 200, "\(path)\(query)")
                #expect(reply.bytes == PageFile.document.bytes, "\(path)\(query)")
                #expect(reply["Content-Type"] == "text/html; charset=utf-8")
            }
        }
        for file in PageFile.all {
            let reply = await get(world, "/ui/" + file.name)
            #expect(reply.bytes == file.bytes, "\(file.name)")
            #expect(reply["Content-Type"] == file.kind.rawValue + "; charset=utf-8")
            let head = await get(world, "/ui/" + file.name, method: "HEAD")
            #expect(head.response.body.length == Int64(file.bytes.count))
            #expect(head["ETag"] == reply["ETag"])
        }
    }

    @Test(arguments: [
        "/ui/nothing", "/ui/queue/", "/ui/queue/x", "/ui/ui", "/ui//", "/ui/.", "/ui/..",
        "/ui/%2e%2e", "/ui/..%2fapp.js", "/ui/app.js/", "/ui/APP.JS", "/ui/app.js%00",
        "/ui/openapi.yaml", "/uix", "/UI/", "/ui/Queue",
    ])
    func otherPathsAreNotFound(_ path: String) async throws {
        await get(try world(isOn: true), path).expectProblem("not-found", status: 404)
    }

    @Test func everyAnswerWithAFileHasThePolicyAndTheOtherHeaders() async throws {
        let world = try world(isOn: true)
        let wanted = [
            "Content-Security-Policy":
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                + "media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types "
                + "'none'",
            "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        ]
        for name in [""] + PageFileEndpoints.views + PageFile.all.map(\.name) {
            let first = await get(world, "/ui/" + name)
            let tag = try #require(first["ETag"])
            #expect(tag.hasPrefix("W/\""))
            let again = await get(world, "/ui/" + name, [("If-None-Match", tag)])
            let strong = await get(
                world, "/ui/" + name, [("If-None-Match", "\"a\", " + tag.dropFirst(2))])
            let other = await get(world, "/ui/" + name, [("If-None-Match", "W/\"a\"")])
            #expect(
                [first, again, strong, other].map(\.status) == [200, 304, 304, 200], "\(name)")
            #expect(again.bytes.isEmpty && again["ETag"] == tag)
            for reply in [first, again, strong, other] {
                for (field, value) in wanted { #expect(reply[field] == value, "\(name) \(field)") }
            }
        }
        #expect(Set(PageFile.all.map(\.tag)).count == PageFile.all.count)
    }

    /// Below a proxy's prefix a path that begins with a slash would leave the prefix.
    @Test func redirectsAreRelative() async throws {
        let world = try world(isOn: true)
        let page = await get(world, "/ui")
        #expect(page.status == 308 && page["Location"] == "ui/")
        let browser = await get(world, "/", [("Accept", "text/html,*/*;q=0.8")])
        #expect(browser.status == 303 && browser["Location"] == "ui/")
        #expect(browser["Vary"] == "Accept")
        let document = String(decoding: PageFile.document.bytes, as: UTF8.self)
        for match in document.matches(of: /(?:src|href)="([^"]*)"/) {
            let address = String(match.1)
            #expect(!address.hasPrefix("/") && !address.contains(":"), "\(address)")
        }
    }

    @Test(
        arguments: [
            (nil, false), ("*/*", false), ("", false), ("text/plain", false), ("text/html", true),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
            ("text/html, text/plain", false), ("text/html;q=0.5, */*", false),
            ("text/html;q=0", false), ("text/plain;q=0.1, text/html;q=0.2", true),
            ("text/html, */*;q=0.9, text/plain", false), ("text/*;q=0.5, text/html", true),
            ("application/json", false), ("TEXT/HTML", true),
        ] as [(String?, Bool)])
    func onlyABrowserIsSentToThePage(_ accept: String?, _ isSent: Bool) async throws {
        let headers = accept.map { [("Accept", $0)] } ?? []
        for (isOn, status) in [(true, isSent ? 303 : 200), (false, 200)] {
            let reply = await get(try world(isOn: isOn), "/", headers)
            #expect(reply.status == status, "\(accept ?? "-")")
            #expect(reply["Vary"] == (isOn && isSent ? "Accept" : "Accept, Accept-Encoding"))
            #expect(reply.text.contains("/ui/") == (isOn && !isSent))
        }
    }

    @Test func withoutThePageEveryPathBelowItIsNotFound() async throws {
        let world = try world(isOn: false)
        for path in ["/ui", "/ui/", "/ui/queue", "/ui/app.js", "/ui/nothing"] {
            let reply = await get(world, path)
            reply.expectProblem("not-found", status: 404)
            #expect(reply.text.contains("LULL_UI"))
        }
    }

    /// A browser's navigation from another site may open the page, but a foreign host may not.
    @Test func theHostIsChecked() async throws {
        let world = try world(isOn: true)
        let foreign = [("Sec-Fetch-Site", "cross-site")]
        #expect(await get(world, "/ui/", foreign).status == 200)
        await world.send("GET", "/ui/", authority: "evil.example")
            .expectProblem("forbidden", status: 403)
    }
}
