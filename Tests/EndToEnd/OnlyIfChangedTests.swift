// A file at nginx, which is fetched again only when it has changed.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct OnlyIfChangedTests {
        private struct Seen: Decodable {
            struct Content: Decodable {
                let sha256: String
                let unchangedFrom: String?
            }

            struct Response: Decodable {
                let statusCode: Int
                let etag: String?
                let lastModified: String?
            }

            let id: String
            let state: String
            let unchanged: String?
            let countOfBytesReceived: Int
            let content: Content?
            let response: Response?
        }

        @Test(.timeLimit(.minutes(2))) func nginxSaysWhatHasChanged() async throws {
            let scratch = try Scratch()
            let folder = try scratch.folder("placed")
            let settings = ["LULL_DESTINATIONS": "media=\(folder)"]
            try await World.with(settings: settings) { world in
                let length = 300_000
                let digest = try await world.origin.makeFile("a.bin", length: length)
                let url = "\(world.origin.base)/a.bin"
                let first = try await create(#"{"url": "\#(url)"}"#, world)
                #expect(first.unchanged == nil && first.content?.sha256 == digest)

                let named = #"{"url": "\#(url)", "if_changed_from": "\#(first.id)""#
                let same = try await create(named + "}", world)
                #expect(same.unchanged == "not_modified" && same.response?.statusCode == 304)
                #expect(same.content?.unchangedFrom == first.id)
                #expect(same.content?.sha256 == digest)
                let file = "\(world.origin.files)/a.bin"
                // The shared file stays when that of the first download goes.
                #expect(try await world.client.release(first.id) == 204)
                #expect(try await world.client.hasContent(same.id, equalTo: file))

                // Nothing is sent where nothing is held.
                let anew = try await create(named + "}", world)
                #expect(anew.unchanged == nil && anew.response?.statusCode == 200)
                #expect(try await world.client.hasContent(anew.id, equalTo: file))

                let answer = try #require(anew.response)
                let own =
                    #"{"url": "\#(url)", "if_modified_since": "\#(answer.lastModified ?? "")"}"#
                let mine = try await create(own, world)
                #expect(mine.unchanged == "not_modified" && mine.content == nil)
                let content = try await Curl.get(
                    "\(world.lull.base)/v1/downloads/\(mine.id)/content")
                #expect(content.status == 409, "\(content.body)")

                let placed =
                    #"{"url": "\#(url)", "if_changed_from": "\#(same.id)", "#
                    + #""destination": {"name": "media"}}"#
                let notPlaced = try await create(placed, world)
                #expect(notPlaced.unchanged == "not_modified" && notPlaced.content == nil)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)

                // The same bytes with another date have another ETag.
                try await date(file, "2001-01-01")
                let again = #"{"url": "\#(url)", "if_changed_from": "\#(same.id)"}"#
                let fetched = try await create(again, world)
                #expect(fetched.unchanged == "same_digest")
                #expect(fetched.content?.unchangedFrom == same.id)

                // The ETag of nginx is made of the date in seconds and the length.
                let other = try await world.origin.makeFile("a.bin", length: length)
                try await date(file, "2002-01-01")
                let changed = try await create(again, world)
                #expect(changed.unchanged == nil && changed.content?.sha256 == other)
                #expect(changed.countOfBytesReceived == length)

                let made = try await ChildProcess.run(
                    "bash",
                    [
                        "-c",
                        "LULL_SERVER=\(world.lull.base) '\(try Repository.lull())' "
                            + "add \(url) --if-changed-from \(changed.id)",
                    ])
                #expect(made.status == 0, "\(made.output)")
            }
            try scratch.remove()
        }

        private func date(_ file: String, _ day: String) async throws {
            let touched = try await ChildProcess.run("touch", ["-d", day, file])
            #expect(touched.status == 0, "\(touched.output)")
        }

        /// Creates a download, and returns it at its end.
        private func create(_ json: String, _ world: World) async throws -> Seen {
            let made = try await Curl.send(
                "POST", "\(world.lull.base)/v1/downloads", json: json,
                fields: ["Prefer: wait=30"])
            #expect(made.status == 201, "\(made.body)")
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let seen = try decoder.decode(Seen.self, from: Data(made.body.utf8))
            #expect(seen.state == "succeeded", "\(made.body)")
            return seen
        }
    }
}
