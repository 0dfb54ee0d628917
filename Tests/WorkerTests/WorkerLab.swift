// The pieces that tests of attempts need: a data directory, an engine, an origin, and claims made
// by hand.
import Base
import Content
import Crypto
import Downloads
import Foundation
import Places
import Platform
import Store
import Support
import Synchronization
import Testing

@testable import Transfers
@testable import Worker

/// One data directory and one engine.
final class WorkerLab: Sendable {
    let directory: String
    let store: ContentStore
    /// The place of content, and the objects of one that is no folder.
    let place: any ContentPlace
    let objects: ObjectStore
    let engine: TransferEngine
    let clock: DatabaseClock
    let remembered = Mutex<[ResumePoint?]>([])
    let names = NameServer()

    /// The name server that the engine asks.
    final class NameServer: Sendable {
        /// Whether `moving.test` has the address of this machine; if false, no name server answers.
        let isReachable = Mutex(true)

        func answer(_ host: String) -> LookupAnswer {
            guard host == "moving.test" else {
                return .failed(host == "silent.test" ? .dnsLookupFailed : .cannotFindHost)
            }
            return isReachable.withLock { $0 }
                ? .addresses([IPAddress(v4: 0x7f00_0001)]) : .failed(.dnsLookupFailed)
        }
    }

    static let now = Timestamp(seconds: 1_790_000_000)

    private init(_ kind: TestedPlace) throws {
        directory = "/tmp/lull-worker-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        store = try ContentStore.open(directory: directory, newInstance: Array(0..<16))
        objects = try ObjectStore(folder: directory + "/objects")
        place = kind.open(store, objects)
        var configuration = TransferEngine.Configuration(
            destinations: try Destinations.parse("public,loopback"), userAgent: "Lull/test",
            proxyDestinations: try Destinations.parse("loopback"))
        // The lab answers names itself, because the machine's own resolver differs from machine to
        // machine.
        configuration.answer = { [names] host in names.answer(host) }
        engine = try TransferEngine.open(configuration)
        clock = DatabaseClock(now: WorkerLab.now)
    }

    /// Runs a test with a lab of its own and removes the lab.
    static func with(
        place: TestedPlace = .folder, _ test: (WorkerLab) async throws -> Void
    ) async throws {
        let lab = try WorkerLab(place)
        do {
            try await test(lab)
            await lab.close()
        } catch {
            await lab.close()
            throw error
        }
    }

    private func close() async {
        await engine.close()
        do {
            try FileManager.default.removeItem(atPath: directory)
        } catch {
            Issue.record("\(directory) could not be removed: \(error)")
        }
    }

    /// The directories of the shards; a walk over all of them would trip over files that vanish.
    private var shards: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: directory + "/content")
                .filter { $0.utf8.count == 2 }.map { directory + "/content/" + $0 }
        }
    }

    /// The names of the files below `content/`, sorted.
    func files() throws -> [String] {
        try shards.flatMap { try FileManager.default.contentsOfDirectory(atPath: $0) }.sorted()
    }

    /// Moves all files out of their folders.
    ///
    /// - Returns: the earlier place of each file, by its new one.
    func takeAway() throws -> [String: String] {
        var places: [String: String] = [:]
        for shard in try shards {
            for name in try FileManager.default.contentsOfDirectory(atPath: shard) {
                places["\(directory)/\(name)"] = "\(shard)/\(name)"
            }
        }
        for (away, home) in places { try FileManager.default.moveItem(atPath: home, toPath: away) }
        return places
    }

    /// Moves the files back.
    func bringBack(_ places: [String: String]) throws {
        for (away, home) in places { try FileManager.default.moveItem(atPath: away, toPath: home) }
    }

    /// The bytes of the file with that name.
    func bytes(_ name: String) throws -> [UInt8] {
        let path = try #require(
            shards.map { $0 + "/" + name }.first { FileManager.default.fileExists(atPath: $0) })
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// The bytes of a body that is not published yet; bytes in memory are in no file.
    func bytes(of body: CompleteBody) throws -> [UInt8] {
        let name = "\(body.file.name).part"
        guard body.file.part == nil else { return try bytes(name) }
        #expect(try !files().contains { $0.hasPrefix(body.file.name.description) })
        return body.file.held
    }

    /// A create in the form in which the API reads it.
    func request(_ url: String, _ members: JSONObject) throws -> DownloadRequest {
        var object = members
        object["url"] = .string(url)
        return try DownloadRequest.parse(.object(object)).get()
    }

    /// A claim in the form in which the store gives it.
    func claim(
        _ url: String, id: Identifier, fence: Int64 = 1, resume: ResumePoint? = nil,
        members: JSONObject = JSONObject()
    ) throws -> ClaimedDownload {
        let request = try request(url, members)
        var download = Download(
            id: id, request: request,
            spec: DownloadSpec(
                request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard),
            createdAt: WorkerLab.now)
        download.state = .running
        download.attempt = Int(fence)
        return ClaimedDownload(
            download: download, fence: fence, originKey: 1, sessionKey: 1,
            deadline: WorkerLab.now + .seconds(3600), claimedAt: WorkerLab.now, resume: resume)
    }

    /// The parts that attempts share, with settings that a test may change; no speed is too low.
    func tools(_ change: (inout WorkerSettings) -> Void = { _ in }) -> AttemptTools {
        var settings = WorkerSettings(slots: 1, lease: .seconds(30), retries: .standard)
        settings.lowSpeed = nil
        change(&settings)
        return AttemptTools(
            engine: engine, content: store, place: place,
            lanes: [WriteLane(label: "test", digests: false)],
            clock: clock, settings: settings)
    }

    /// An attempt that is not run yet; `source` says whether another download still has the bytes
    /// that are copied.
    func attempt(
        _ claim: ClaimedDownload, source: @escaping @Sendable () -> Bool = { true }
    ) -> AttemptRun {
        AttemptRun(
            Shared(claim),
            tools: tools(),
            owner: ScriptedOwner(
                source: source,
                remembered: { point in self.remembered.withLock { $0.append(point) } }))
    }

    static func identifier() -> Identifier {
        var random = SystemRandomNumberGenerator()
        return Identifier(at: now, using: &random)
    }
}

/// Bytes without a repetition, from a seed.
func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}

/// The digest as `complete()` spells it.
func sha256(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return Hex.encode(hash.finalize())
}

/// Answers for the scripted origin.
enum Answer {
    /// A 200 with all the bytes, or with the first of them and an end.
    static func whole(
        _ body: [UInt8], etag: String? = "\"v1\"", cutAfter: Int? = nil, _ more: [String] = []
    ) -> [OriginStep] {
        let head = ["HTTP/1.1 200 OK", "Content-Length: \(body.count)"] + tag(etag) + more
        let steps: [OriginStep] = [
            .send(head.joined(separator: "\r\n") + "\r\n\r\n"),
            .sendBytes(Array(body.prefix(cutAfter ?? body.count))),
        ]
        return cutAfter == nil ? steps : steps + [.close]
    }

    /// A 206 from an offset to the end.
    static func part(
        _ body: [UInt8], from: Int, etag: String? = "\"v1\"", total: Int? = nil,
        cutAfter: Int? = nil, _ more: [String] = []
    ) -> [OriginStep] {
        let total = total ?? body.count
        let head =
            [
                "HTTP/1.1 206 Partial Content",
                "Content-Range: bytes \(from)-\(total - 1)/\(total)",
                "Content-Length: \(total - from)",
            ] + tag(etag) + more
        let rest = Array(body.dropFirst(from))
        let steps: [OriginStep] = [
            .send(head.joined(separator: "\r\n") + "\r\n\r\n"),
            .sendBytes(Array(rest.prefix(cutAfter ?? rest.count))),
        ]
        return cutAfter == nil ? steps : steps + [.close]
    }

    /// A status with a short text.
    static func status(_ line: String, _ headers: [String] = []) -> [OriginStep] {
        OriginStep.answer(line, headers: headers, body: "no")
    }

    private static func tag(_ etag: String?) -> [String] { etag.map { ["ETag: \($0)"] } ?? [] }
}

extension OriginRequest {
    /// The first byte that was asked for; nil without a range.
    var rangeStart: Int? {
        guard let range = self["range"], range.hasPrefix("bytes="), range.hasSuffix("-") else {
            return nil
        }
        return Int(range.dropFirst(6).dropLast())
    }
}

extension AttemptReport {
    var body: CompleteBody? { if case .complete(let body) = self { body } else { nil } }

    var failure: DownloadFailure? {
        if case .failed(let failure, _, _) = self { failure } else { nil }
    }

    var kept: ResumePoint? {
        switch self {
        case .complete, .unchanged: nil
        case .failed(_, let kept, _), .stopped(_, let kept), .outOfRoom(let kept): kept
        }
    }

    var retryAfter: Duration? {
        if case .failed(_, _, let told) = self { told?.time } else { nil }
    }
}
