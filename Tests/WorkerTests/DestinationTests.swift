// Whole files go to the folders of their destinations before their downloads have succeeded.
import Base
import Content
import Downloads
import Foundation
import Places
import Postgres
import Store
import Support
import Testing

@testable import Worker

@Suite struct DestinationTests {
    /// Attempts without progress before a download ends or asks.
    private static let tries = 4

    /// A replica with a folder `media`, which is taken away afterwards.
    private static func with(
        place: TestedPlace = .folder,
        _ script: @escaping OriginServer.Script = { _ in Answer.whole(content(5000)) },
        _ test: (Replica, OriginServer, String) async throws -> Void
    ) async throws {
        let folder = "/tmp/lull-folder-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let open = try OpenFolders(opening: AllowedPlaces.parse("media=\(folder)"))
        do {
            try await Replica.with(
                place: place,
                change: {
                    $0.folders = open
                    $0.retentionInterval = .milliseconds(50)
                    $0.retries.maximumAttempts = Self.tries
                }, script
            ) { replica, origin in
                try await test(replica, origin, folder)
            }
        } catch {
            try FileManager.default.removeItem(atPath: folder)
            throw error
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    private func file(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }

    @Test func theFileIsPlacedAndStaysWhenTheContentGoes() async throws {
        try await Self.with { replica, origin, folder in
            let id = try await replica.submit(
                origin.url("/a.iso"),
                ["destination": ["name": "media", "path": "x/y.iso"], "content_retention": 1])
            let record = try await replica.reached(.succeeded, id)
            #expect(
                record.download.result.content?.destination
                    == PlacedFile(name: "media", path: "x/y.iso"))
            #expect(file(folder + "/x/y.iso") == content(5000))
            #expect(try await eventually { try replica.lab.files().isEmpty })
            #expect(file(folder + "/x/y.iso") == content(5000))
        }
    }

    /// The part goes when the place has its bytes; the file in the folder is another name of it.
    @Test func aPlacedFileStaysWhenAnotherPlaceHasTakenTheBytes() async throws {
        let bytes = content(300_000)
        try await Self.with(place: .objects, { _ in Answer.whole(bytes) }) {
            replica, origin, folder in
            let id = try await replica.submit(
                origin.url("/a.iso"), ["destination": ["name": "media", "path": "y.iso"]])
            let record = try await replica.reached(.succeeded, id)
            #expect(file(folder + "/y.iso") == bytes)
            #expect(try await replica.lab.read(record) == bytes)
            #expect(try replica.lab.files().isEmpty)
        }
    }

    /// The file gets the origin's time, if the origin names one that has passed.
    @Test(arguments: [
        ("Last-Modified: Wed, 01 Jan 2020 00:00:00 GMT", 1_577_836_800),
        ("Last-Modified: Wed, 01 Jan 2200 00:00:00 GMT", nil), ("Last-Modified: once", nil),
        ("X-Nothing: 1", nil),
    ])
    func aPlacedFileHasTheTimeOfTheOrigins(_ header: String, _ seconds: Int?) async throws {
        try await Self.with({ _ in Answer.whole(content(5000), [header]) }) {
            replica, origin, folder in
            let before = Date(timeIntervalSinceNow: -5)
            let id = try await replica.submit(
                origin.url("/a.iso"), ["destination": ["name": "media", "path": "y.iso"]])
            _ = try await replica.reached(.succeeded, id)
            let found = try FileManager.default.attributesOfItem(atPath: folder + "/y.iso")
            let modified = try #require(found[.modificationDate] as? Date)
            if let seconds {
                #expect(modified == Date(timeIntervalSince1970: Double(seconds)))
            } else {
                #expect(modified > before)
            }
            #expect(try await replica.find(id).download.result.content?.state == .held)
        }
    }

    /// No action on a download or its content touches a placed file.
    @Test(arguments: ["delete", "release", "expire", "retry", "lose"])
    func nothingRemovesAPlacedFile(_ what: String) async throws {
        try await Self.with { replica, origin, folder in
            let id = try await replica.submit(
                origin.url("/a.iso"),
                [
                    "destination": ["name": "media", "path": "y.iso", "on_conflict": "rename"],
                    "content_retention": what == "expire" ? 1 : 3600,
                ])
            _ = try await replica.reached(.succeeded, id)
            let contents = replica.downloads.contents
            switch what {
            case "delete": _ = try await replica.perform(.delete, id)
            case "release": _ = try await contents.release(id, app: 1)
            case "retry", "lose":
                let row = try await replica.pool.query("SELECT instance FROM contents")[0]
                _ = try await contents.markLost(
                    id, instance: try row.get(0, as: UUIDValue.self).identifier)
                if what == "retry" {
                    _ = try await replica.perform(.retry, id)
                    _ = try await replica.reached(.succeeded, id)
                }
            default: break
            }
            // The file of content that was called lost is content again when it is found.
            let kept = ["retry", "lose"].contains(what) ? 1 : 0
            let isGone = try await eventually {
                await replica.worker.bells[ContentRetention.self].ring()
                await replica.worker.bells[FileSweep.self].ring()
                return try replica.lab.files().count == kept
            }
            #expect(isGone)
            #expect(file(folder + "/y.iso") == content(5000))
        }
    }

    @Test func withoutAPathItHasTheFilesName() async throws {
        try await Self.with { replica, origin, folder in
            for (asked, name) in [("a b.iso", "a b.iso"), (nil, "offered.iso")] {
                var members: JSONObject = ["destination": ["name": "media"]]
                members["filename"] = asked.map { .string($0) }
                let id = try await replica.submit(origin.url("/offered.iso"), members)
                let record = try await replica.reached(.succeeded, id)
                #expect(record.download.result.content?.destination?.path == name)
                #expect(file(folder + "/" + name) == content(5000))
            }
        }
    }

    @Test func aNameThatIsTakenNeedsTheClient() async throws {
        try await Self.with { replica, origin, folder in
            try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/f"))
            let id = try await replica.submit(
                origin.url("/f"), ["destination": ["name": "media", "path": "f"]])
            let waiting = try await replica.reached(.attentionRequired, id)
            #expect(waiting.download.result.error?.code == .destinationConflict)
            #expect(waiting.download.bytesReceived == 5000)
            #expect(file(folder + "/f") == Array("mine".utf8))
            let asked = origin.requests.count
            try await replica.patch(id, ["destination": ["path": "g"]])
            _ = try await replica.perform(.resume, id)
            let record = try await replica.reached(.succeeded, id)
            #expect(record.download.result.content?.destination?.path == "g")
            #expect(file(folder + "/g") == content(5000))
            // The bytes were kept, so there was no second request.
            #expect(origin.requests.count == asked)
        }
    }

    /// A symbolic link at any place of the path is tried again before the client is asked; an error
    /// that cannot pass by itself asks the client at once.
    @Test func aPathOverALinkNeedsTheClient() async throws {
        try await Self.with { replica, origin, folder in
            let files = FileManager.default
            try files.createDirectory(
                atPath: folder + "/a/real", withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: folder + "/plain"))
            for (link, target) in [
                ("link", "/tmp"), ("a/link", "/tmp"), ("near", "a"), ("gone", folder + "/nothing"),
            ] {
                try files.createSymbolicLink(
                    atPath: folder + "/" + link, withDestinationPath: target)
            }
            let rows: [(destination: JSON, attempts: Int)] = [
                (["name": "media", "path": "link/f"], Self.tries + 1),
                (["name": "media", "path": "a/link/f"], Self.tries + 1),
                (["name": "media", "path": "near/real/f"], Self.tries + 1),
                (["name": "media", "path": "gone/f"], Self.tries + 1),
                (["name": "media", "path": "plain/f"], 1), (["name": "none"], 1),
            ]
            for row in rows {
                let asked = origin.requests.count
                let id = try await replica.submit(
                    origin.url("/f"), ["destination": row.destination])
                let waiting = try await replica.reached(.attentionRequired, id)
                let error = waiting.download.result.error
                #expect(error?.code == .destinationUnavailable, "\(row)")
                #expect(error?.failureClass == .attention && error?.isRetryable == true)
                #expect(waiting.download.bytesReceived == 5000)
                #expect(waiting.download.attempt == row.attempts, "\(row)")
                // The bytes were kept from one try to the next.
                #expect(origin.requests.count == asked + 1, "\(row)")
            }
        }
    }

    /// A link that is replaced by a folder: a later try finds the folder.
    @Test func aLinkThatIsAFolderAgainIsNotAskedAbout() async throws {
        try await Self.with { replica, origin, folder in
            let files = FileManager.default
            try files.createSymbolicLink(
                atPath: folder + "/current", withDestinationPath: "/tmp")
            let id = try await replica.submit(
                origin.url("/f"), ["destination": ["name": "media", "path": "current/f"]])
            #expect(try await eventually { try await replica.find(id).download.attempt > 1 })
            try files.removeItem(atPath: folder + "/current")
            try files.createDirectory(
                atPath: folder + "/current", withIntermediateDirectories: false)
            if try await replica.find(id).download.state == .attentionRequired {
                _ = try await replica.perform(.resume, id)
            }
            let record = try await replica.reached(.succeeded, id)
            #expect(record.download.result.content?.destination?.path == "current/f")
            #expect(file(folder + "/current/f") == content(5000))
            #expect(origin.requests.count == 1)
        }
    }

    /// The process ended after the file was placed and before the end was recorded.
    @Test(arguments: FileConflict.allCases)
    func anAttemptAfterALostOneFindsItsFile(_ rule: FileConflict) async throws {
        try await Self.with { replica, origin, folder in
            let path = folder + "/f.x"
            try Data(content(5000)).write(to: URL(fileURLWithPath: path))
            let new = try replica.draft(
                origin.url("/f"),
                [
                    "suspended": true,
                    "destination": [
                        "name": "media", "path": "f.x", "on_conflict": .string(rule.rawValue),
                    ],
                ])
            var suspended = new
            suspended.download.state = .suspended
            _ = try await replica.intake.submit(suspended)
            _ = try await replica.pool.query("UPDATE queue SET placing_at = now()")
            _ = try await replica.perform(.resume, new.download.id)
            let record = try await replica.reached(.succeeded, new.download.id)
            #expect(record.download.result.content?.destination?.path == "f.x")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["f.x"])
            #expect(file(path) == content(5000))
        }
    }
}
