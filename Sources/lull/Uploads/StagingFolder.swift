// The staged bytes of uploads in the data directory.
internal import API
internal import Base
internal import Content
internal import Crypto
internal import Downloads
internal import Platform
internal import Scheduling
internal import Synchronization
internal import Worker

/// Opens the files of uploads, and keeps those that were used last open, so that their SHA-256 is
/// continued from request to request.
final class StagingFolder: Sendable {
    /// The most files that are kept open.
    private static let filesAtMost = 64
    /// The lanes for blocking calls; an upload always uses the same one.
    private static let laneCount = 4

    private struct State {
        /// The files, the last used one last.
        var files: [(id: Identifier, file: StagingFile)] = []
    }

    /// The bytes that clients have brought.
    let staged = Atomic<Int64>(0)
    private let content: ContentStore
    private let minimumFree: Int64?
    private let lanes = (0..<laneCount).map { FileLane(label: "staging.\($0)") }
    private let state = Mutex(State())

    /// Creates the access to a data directory.
    ///
    /// - Parameters:
    ///   - content: the data directory.
    ///   - minimumFree: the bytes that have to stay free; nil for a part of the volume.
    init(_ content: ContentStore, minimumFree: Int64?) {
        self.content = content
        self.minimumFree = minimumFree
    }

    /// The API's access.
    ///
    /// - Parameter lengthAtMost: the most bytes of an upload.
    /// - Returns: the functions over the files.
    func access(lengthAtMost: Int64) -> UploadAccess {
        var access = UploadAccess(instance: content.instance, lengthAtMost: lengthAtMost)
        access.reserve = { id, length in
            let made = await self.run(id) { () throws(ContentError) in
                self.keep(try self.make(id, length, isNew: true), of: id)
            }
            guard case .failure(let refusal) = made else { return nil }
            return refusal
        }
        access.remove = { id in
            _ = await self.run(id) { () throws(ContentError) in
                self.forget(id)
                try self.content.deletePart(StagingFolder.name(id))
            }
        }
        access.open = { id, length in
            await self.run(id) { () throws(ContentError) -> any UploadBytes in
                StagedBytes(try self.file(id, length), of: id, in: self)
            }
        }
        return access
    }

    /// The bytes that clients have brought, for `GET /metrics`.
    var metric: Metric {
        Metric(
            "lull_staged_bytes_total", "Bytes of uploads that clients brought.", kind: .counter,
            samples: [Metric.Sample(staged.load(ordering: .relaxed))])
    }

    /// Runs blocking calls on the lane of an upload.
    func run<Value: Sendable>(
        _ id: Identifier, _ body: @Sendable () throws(ContentError) -> Value
    ) async -> Result<Value, UploadRefusal> {
        let lane = lanes[Int(id.low % UInt64(lanes.count))]
        return await lane.run { () -> Result<Value, UploadRefusal> in
            do throws(ContentError) {
                return .success(try body())
            } catch {
                return .failure(UploadRefusal(error))
            }
        }
    }

    /// Reserves the space of a whole upload anew; blocks.
    func reserve(_ file: StagingFile, _ length: Int64) throws(ContentError) {
        try content.reserve(file, length: length, leaving: reserve(of:))
    }

    /// Makes a file without a name for one request; blocks.
    func chunk() throws(ContentError) -> ChunkFile {
        let name = Hex.encode(SecureRandom.bytes(16))
        return try content.chunk(ContentName(id: name, fence: 0))
    }

    /// Stops keeping the file of an upload open.
    func forget(_ id: Identifier) {
        state.withLock { state in state.files.removeAll { $0.id == id } }
    }

    private func make(
        _ id: Identifier, _ length: Int64, isNew: Bool
    ) throws(ContentError) -> StagingFile {
        try content.stage(
            StagingFolder.name(id), length: length, isNew: isNew, leaving: reserve(of:))
    }

    private func file(_ id: Identifier, _ length: Int64) throws(ContentError) -> StagingFile {
        let known = state.withLock { state in
            state.files.first { $0.id == id && $0.file.isOurs }?.file
        }
        if let known { return known }
        let file = try make(id, length, isNew: false)
        keep(file, of: id)
        return file
    }

    private func keep(_ file: StagingFile, of id: Identifier) {
        state.withLock { state in
            state.files.removeAll { $0.id == id || !$0.file.isOurs }
            if state.files.count == StagingFolder.filesAtMost { state.files.removeFirst() }
            state.files.append((id, file))
        }
    }

    private func reserve(of volume: Volume) -> Int64 {
        minimumFree ?? DiskReading.standardReserve(total: volume.total)
    }

    private static func name(_ id: Identifier) -> ContentName {
        ContentName(download: id, fence: 0)
    }
}

extension UploadRefusal {
    /// The refusal for a failure of the disk.
    init(_ error: ContentError) {
        switch error.code {
        case .noSpace: self = .noRoom
        case .notFound: self = .missing
        case .ioError, .alreadyExists, .locked: self = .failed(error.description)
        }
    }
}
