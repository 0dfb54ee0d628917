// Uploads at the terminal: the options of `lull put`, the name of an upload, and how it is shown.
import Base
import Foundation
import Testing

@testable import Client

@Suite struct UploadTests {
    private static let clock = InstantText(
        now: Timestamp(seconds: 1_800_000_000), zone: .utc)

    private static func members(_ words: [String]) throws -> JSONObject {
        let command = try #require(Command.client.first { $0.name == "put" })
        let arguments = try Arguments(command, words)
        return try DownloadOptions(arguments: arguments, clock: clock)
            .members(to: arguments.operands[1])
    }

    @Test func thePlaceIsTheDestination() throws {
        let cases: [([String], JSON)] = [
            (["https://s.example/a"], ["url": "https://s.example/a"]),
            (
                ["https://s.example/f", "--tus"],
                ["url": "https://s.example/f", "protocol": "tus"]
            ),
            (["media:films/a.mkv"], ["name": "media", "path": "films/a.mkv"]),
            (
                ["media", "--on-conflict", "replace"],
                ["name": "media", "on_conflict": "replace"]
            ),
        ]
        for (words, destination) in cases {
            #expect(try Self.members(["a.bin"] + words)["destination"] == destination)
        }
    }

    @Test(arguments: [
        ["media:a", "--tus"], ["media:a", "--to-header", "X: y"],
        ["https://s.example/", "--on-conflict", "fail"],
    ])
    func anOptionOfAnotherPlaceIsRefused(_ words: [String]) {
        #expect(throws: ClientFailure.self) { try Self.members(["a.bin"] + words) }
    }

    @Test func theWishesAreThoseOfADownload() throws {
        let members = try Self.members([
            "a.bin", "media:a", "--at", "2027-01-16T22:00:00Z", "--discretionary", "--priority",
            "0.9", "--label", "a=b", "--hold",
        ])
        #expect(members["earliest_begin_date"] == "2027-01-16T22:00:00.000Z")
        #expect(members["is_discretionary"] == true && members["suspended"] == true)
        #expect(members["priority"] == .number(0.9) && members["metadata"] == ["a": "b"])
    }

    /// A file that is removed after the test.
    private static func with(
        _ bytes: [UInt8], _ body: (String) throws -> Void
    ) throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("lull-upload-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        defer {
            do {
                try FileManager.default.removeItem(at: url)
            } catch {
                Issue.record(error)
            }
        }
        try body(url.path)
    }

    @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1])
    func theDigestIsThatOfTheWholeFile(_ length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Self.with(bytes) { path in
            let file = try LocalFile(path)
            var steps: [Int64] = []
            let digest = try file.digest { steps.append($0) }
            let other = try LocalFile(path).digest { _ in }
            #expect(digest == other && digest.utf8.count == 64)
            #expect(file.length == length && steps.last ?? 0 == Int64(length))
            if length == 1 {
                #expect(digest.hasPrefix("6e340b9cffb37a98"), "the SHA-256 of a zero byte")
            }
        }
    }

    @Test func theNameFollowsFromFileAndPlace() throws {
        try Self.with([1, 2, 3]) { path in
            let file = try LocalFile(path)
            let name = PutVerb.name(of: file, to: "media:a")
            #expect(name == PutVerb.name(of: try LocalFile(path), to: "media:a"))
            #expect(name != PutVerb.name(of: file, to: "media:b"))
            try Data([1, 2, 3, 4]).write(to: URL(fileURLWithPath: path))
            #expect(name != PutVerb.name(of: try LocalFile(path), to: "media:a"))
        }
    }

    @Test func aRangeEndsWithTheFileAsItWasOpened() throws {
        try Self.with([1, 2, 3, 4, 5]) { path in
            let range = FileRange(file: try LocalFile(path), offset: 2)
            var room = [UInt8](repeating: 0, count: 8)
            let read = { (place: Int64) in
                unsafe room.withUnsafeMutableBytes { unsafe range.read(into: $0, from: place) }
            }
            #expect(read(0) == 3 && range.length == 3)
            #expect(read(3) == 0)
            try Data([1, 2, 3, 4, 5, 6]).write(to: URL(fileURLWithPath: path))
            #expect(read(1) == 2 || read(1) == nil)
        }
    }

    @Test func whatIsNoRegularFileIsRefused() {
        for path in ["/", "/dev/null", "/nonexistent/file"] {
            #expect(throws: ClientFailure.self) { try LocalFile(path) }
        }
    }

    private static func document(_ state: JSON, received: JSON = 1000) -> JSON {
        [
            "id": "up_1", "state": state, "length": 1000, "filename": "f.bin",
            "destination": ["url": "https://s.example/in/f.bin"],
            "count_of_bytes_received": received, "count_of_bytes_sent": 400,
        ]
    }

    @Test func anUploadIsShownByItsTwoTransfers() throws {
        let receiving = try #require(DownloadView(Self.document("receiving", received: 500)))
        #expect(receiving.sentence(Self.clock) == "receiving, 500 B of 1.0 kB")
        #expect(receiving.bar.permille == 500 && !receiving.isOver)
        let sending = try #require(DownloadView(Self.document("running")))
        #expect(sending.sentence(Self.clock) == "sending 40 %")
        #expect(sending.bar.line(columns: 80).contains("sending f.bin"))
        let done = try #require(DownloadView(Self.document("succeeded")))
        #expect(done.isOver && done.name == "f.bin")
        #expect(DownloadView(["id": "up_1", "state": "waiting"]) == nil)
    }

    @Test func thePathFollowsFromTheIdentifier() {
        #expect(ClientContext.path("up_1", "/resume") == "/v1/uploads/up_1/resume")
        #expect(ClientContext.path("dl_1") == "/v1/downloads/dl_1")
    }
}
