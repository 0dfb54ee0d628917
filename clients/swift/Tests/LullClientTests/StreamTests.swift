import Foundation
import Support
import Testing

@testable import LullClient

/// A stream has each event once, in order, and does not grow.
struct StreamTests {
    static let text =
        ":hello\r\nid: 7\nevent: a\ndata: one\rdata:two\n\nid\ndata: x\n\n: c\n\nevent: b\n\ndata\n\n"

    @Test(arguments: [1, 2, 3, 5, 100])
    func piecesDoNotChangeTheEvents(size: Int) {
        var parser = StreamParser()
        let bytes = Data(StreamTests.text.utf8)
        var frames: [StreamParser.Frame] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            frames += parser.read(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(
            frames == [
                StreamParser.Frame(id: "7", event: "a", data: Array("one\ntwo".utf8)),
                StreamParser.Frame(id: "", event: "", data: Array("x".utf8)),
                StreamParser.Frame(id: nil, event: "", data: []),
            ])
    }

    @Test func anEventWithoutEndIsRefused() {
        let inbox = Inbox()
        let line = Data(repeating: 97, count: 1 << 20)
        var taken = 0
        while inbox.take(line), taken < 100 { taken += 1 }
        #expect(taken <= 17)
    }

    @Test func aSlowReaderEndsTheConnectionAndKeepsWhatCame() async {
        let inbox = Inbox()
        let event = Data("id: 1\ndata: \(String(repeating: "a", count: 1 << 19))\n\n".utf8)
        var taken = 1
        while inbox.take(event), taken < 100 { taken += 1 }
        #expect(taken == 9)
        inbox.end(.failure(.canceled))
        for _ in 0..<9 {
            guard case .frame = await inbox.next() else { return #expect(Bool(false), "lost") }
        }
        guard case .end = await inbox.next() else { return #expect(Bool(false), "no end") }
    }
}

extension StreamTests {
    /// The resident bytes of this process.
    static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}

/// Streams, pages, waits, files and failures against the real program.
@Suite(.enabled(if: World.binary != nil))
struct ServiceTests {
    /// How many events memory is measured over: 10,000 by `LULL_CLIENT_EVENTS`.
    static let events =
        ProcessInfo.processInfo.environment["LULL_CLIENT_EVENTS"].flatMap { Int($0) } ?? 2000

    @Test func aStreamGoesOnThroughAKillOfTheServiceWithoutLossOrRepetition() async throws {
        try await withWorld { world in
            let lull = Lull(server: world.server)
            let first = try await lull.createDownload(
                NewDownload(url: world.origin + "/none", suspended: true))
            let start = try #require(try await lull.listEvents().data.first?.cursor)
            var seen: [String] = []
            let iterator = lull.events(after: start, types: [.downloadCreated]).makeAsyncIterator()
            for round in 0..<4 {
                let made = try await lull.createDownloads(
                    NewBatch(
                        downloads: (0..<5).map { _ in
                            NewDownload(url: world.origin + "/\(round)", suspended: true)
                        }))
                for _ in 0..<5 { seen.append(try #require(try await iterator.next()?.data.id)) }
                #expect(Set(seen.suffix(5)) == Set(made.data.map(\.id)))
                if round == 1 {
                    world.killLull()
                    try await world.start()
                }
            }
            #expect(Set(seen).count == 20 && !seen.contains(first.id))
        }
    }

    @Test func memoryIsFlatOverManyEvents() async throws {
        let world = try await World.shared()
        let lull = Lull(server: world.server)
        _ = try await lull.putSession(identifier: "many", SessionConfiguration())
        _ = try await lull.createDownload(
            NewDownload(url: world.origin + "/none", session: "many", suspended: true))
        let start = try #require(
            try await lull.listEvents(session: "many").data.first?.cursor)
        for _ in 0..<ServiceTests.events / 500 {
            try await lull.createDownloads(
                NewBatch(
                    downloads: (0..<500).map { _ in
                        NewDownload(url: world.origin + "/none", session: "many", suspended: true)
                    }))
        }
        var (count, early) = (0, 0)
        for try await event in lull.events(after: start, session: "many", types: [.downloadCreated])
        {
            #expect(event.cursor != nil)
            count += 1
            if count == 500 { early = try StreamTests.residentBytes() }
            if count == ServiceTests.events { break }
        }
        let grown = try StreamTests.residentBytes() - early
        #expect(grown < 24 << 20, "\(grown) bytes more after \(count) events")
    }

    @Test func contentToAFileIsResumedAndProved() async throws {
        let world = try await World.shared()
        let lull = Lull(server: world.server)
        let bytes = try world.makeFile("b.bin", length: 3_000_000)
        let made = try await lull.createDownload(NewDownload(url: world.origin + "/b.bin"))
        let id = try await lull.ended(made.id).id
        let file = world.folder.appending(path: "b.bin")
        // A part of an earlier call is continued; a wrong one is noticed and removed.
        try bytes.prefix(1_000_000).write(to: file.appendingPathExtension("part"))
        try await lull.content(ofDownload: id, to: file)
        #expect(try Data(contentsOf: file) == bytes)
        try Data(count: 1000).write(to: file.appendingPathExtension("part"))
        await #expect(throws: LullError.self) {
            try await lull.content(ofDownload: id, to: file)
        }
        try await lull.content(ofDownload: id, to: file)
        #expect(try Data(contentsOf: file) == bytes)
        var pages = 0
        for try await event in lull.journal() {
            pages += event.id == nil ? 0 : 1
        }
        #expect(pages >= 3)
    }

    @Test func aCreateWhoseAnswerWasLostIsMadeOnce() async throws {
        try await withWorld { world in
            let lull = Lull(server: world.server, options: LullOptions(attempts: 100))
            let new = NewDownload(url: world.origin + "/none", suspended: true)
            // The service is killed and started again while creates are under way.
            async let creates = withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await lull.createDownload(new).id } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            world.killLull()
            try await world.start()
            let ids = try await creates
            var found: Set<String> = []
            for try await download in lull.downloads() { found.insert(download.id) }
            #expect(ids.count == 20)
            #expect(found == ids)
        }
    }

    @Test func deadlinesAndCancellationEndACall() async throws {
        let world = try await World.shared()
        let lull = Lull(
            server: world.server, options: LullOptions(deadline: .milliseconds(300)))
        let id = try await Lull(server: world.server).createDownload(
            NewDownload(url: world.origin + "/none", suspended: true)
        ).id
        let task = Task { try await lull.getDownload(id: id, wait: 60) }
        task.cancel()
        await #expect(throws: LullError.canceled) { try await task.value }
        // Nobody listens there: each try fails, until the deadline is over.
        let away = try #require(URL(string: "http://127.0.0.1:\(Program.freePort())"))
        let nobody = Lull(server: away, options: LullOptions(deadline: .milliseconds(300)))
        await #expect(throws: LullError.self) { try await nobody.getVersion() }
    }

    @Test func aRefusalSaysTheCodeAndThePlace() async throws {
        let world = try await World.shared()
        let lull = Lull(server: world.server)
        let failure = await #expect(throws: LullError.self) {
            try await lull.createDownload(NewDownload(url: "ftp://a.example/", priority: 7))
        }
        let problem = try #require(failure?.problem)
        #expect(problem.status == 422)
        #expect(problem.errors?.map(\.pointer).contains("#/priority") == true)
    }
}
