// The lab of these tests: a store in a process, an engine, and a client of both.
internal import Base
internal import Crypto
internal import Downloads
internal import Foundation
internal import ObjectStores
internal import Platform
internal import Support
internal import Synchronization
internal import Testing
internal import Transfers

/// A client with its store.
struct StoreLab: Sendable {
    let process: StoreProcess
    let engine: TransferEngine
    let store: ObjectStore
    let call = StoreCall()

    /// Runs a test with a client of a new store.
    static func with(
        _ kind: StoreProcess.Kind,
        environment: [String: String] = [
            "AWS_ACCESS_KEY_ID": "access", "AWS_SECRET_ACCESS_KEY": "secret",
        ],
        _ change: @escaping (inout StoreLocation) -> Void = { _ in },
        _ test: (StoreLab) async throws -> Void
    ) async throws {
        try await StoreProcess.with(kind) { process in
            let engine = try TransferEngine.open(
                TransferEngine.Configuration(
                    destinations: try Destinations.parse("loopback"), userAgent: "Lull/test"))
            var location = StoreLocation(
                bucket: "bucket", prefix: "pre fix",
                endpoint: try SourceURL(parsing: "http://127.0.0.1:\(process.port)"))
            change(&location)
            let store = ObjectStore(
                "cold", app: nil, location, over: engine, environment: environment
            ) { Timestamp(microseconds: SystemClock.wallMicroseconds()) }
            do {
                try await test(StoreLab(process: process, engine: engine, store: store))
            } catch {
                await engine.close()
                throw error
            }
            await engine.close()
        }
    }

    /// A new object of a download.
    func object(_ path: String, _ bytes: [UInt8], download: String = "dl_1") -> NewObject {
        var object = NewObject(
            key: store.location.key(for: path), download: download,
            sha256: SHA256.digest(of: bytes))
        object.contentType = "text/plain"
        object.disposition = "attachment; filename*=UTF-8''a%20b"
        return object
    }

    /// A body in memory; `pausing` makes the engine wait before each piece.
    static func body(_ bytes: [UInt8], piece: Int = .max) -> StoreBody {
        let digest = RunningDigest(.crc64nvme)
        unsafe bytes.withUnsafeBytes { unsafe digest.update($0) }
        let crc64 = digest.finished().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return StoreBody(
            length: Int64(bytes.count), sha256: SHA256.digest(of: bytes), crc64: crc64
        ) { _ in
            let place = Mutex(0)
            return unsafe TransferSource(
                length: Int64(bytes.count),
                read: { room in
                    place.withLock { place in
                        let count = min(bytes.count - place, room.count, piece)
                        for offset in 0..<count { unsafe room[offset] = bytes[place + offset] }
                        place += count
                        return .bytes(count)
                    }
                },
                rewind: {
                    place.withLock { $0 = 0 }
                    return true
                })
        }
    }

    /// Writes an object in one request.
    func put(
        _ path: String, _ bytes: [UInt8], if condition: WriteCondition = .always
    ) async throws(StoreFailure) -> ObjectFacts {
        try await store.put(object(path, bytes), StoreLab.body(bytes), if: condition, call)
    }

    /// Everything of an object, or a range of it.
    func read(
        _ path: String, _ range: ClosedRange<Int64>? = nil, tag: String? = nil
    ) async throws(StoreFailure) -> [UInt8] {
        let reading = try await store.open(
            store.location.key(for: path), range: range, tag: tag, call)
        var bytes: [UInt8] = []
        while let next = try await reading.next() { bytes += next }
        return bytes
    }

    /// The failure of some work.
    func failure(
        _ work: () async throws(StoreFailure) -> Void
    ) async throws -> StoreFailure {
        do throws(StoreFailure) { try await work() } catch { return error }
        Issue.record("it should have failed")
        return StoreFailure(.unknown, "")
    }

    // MARK: - The strict store

    /// A page that tests look at.
    func look(_ page: String) async throws -> JSON {
        let result = try await ask(.get, page, nil)
        return try JSON.parse(result.buffer)
    }

    /// Tells the store to fail.
    func fail(_ operation: String, _ kind: String, times: Int = 1) async throws {
        try await tell(
            "/_fault",
            "{\"operation\": \"\(operation)\", \"kind\": \"\(kind)\", \"times\": \(times)}")
    }

    /// Tells the store something.
    func tell(_ page: String, _ body: String) async throws {
        let result = try await ask(.put, page, Array(body.utf8))
        #expect(result.head?.status == 204)
    }

    /// The operations that the store was asked for.
    func operations() async throws -> [String] {
        try await look("/_log").arrayValue?.compactMap { $0["operation"]?.stringValue } ?? []
    }

    /// The answer to a plain GET.
    func get(_ url: String) async throws -> TransferResult {
        let request = TransferRequest(url: try SourceURL(parsing: url))
        return await engine.run(request, id: TransferID(), into: .buffer(limit: 1 << 24))
    }

    private func ask(
        _ method: TransferRequest.Method, _ page: String, _ body: [UInt8]?
    ) async throws -> TransferResult {
        var request = TransferRequest(
            url: try SourceURL(parsing: "http://127.0.0.1:\(process.port)\(page)"))
        request.method = method
        request.body = body
        return await engine.run(request, id: TransferID(), into: .buffer(limit: 1 << 24))
    }
}
