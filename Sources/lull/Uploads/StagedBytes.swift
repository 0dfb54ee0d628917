internal import API
internal import Base
internal import Content
internal import Downloads
internal import Synchronization

/// The file of an upload, as the API uses it while a request has its turn.
struct StagedBytes: UploadBytes {
    private let file: StagingFile
    private let id: Identifier
    private let folder: StagingFolder

    init(_ file: StagingFile, of id: Identifier, in folder: StagingFolder) {
        self.file = file
        self.id = id
        self.folder = folder
    }

    func length() async throws(UploadRefusal) -> Int64 { file.length }

    func append(_ bytes: [UInt8]) async throws(UploadRefusal) {
        try await run { () throws(ContentError) in try file.append(bytes) }
        folder.staged.add(Int64(bytes.count), ordering: .relaxed)
    }

    func restart(length: Int64) async throws(UploadRefusal) {
        try await run { () throws(ContentError) in
            try file.truncate()
            try folder.reserve(file, length)
        }
    }

    func sync() async throws(UploadRefusal) {
        try await run { () throws(ContentError) in try file.sync() }
    }

    func digest(_ algorithm: DigestAlgorithm) async throws(UploadRefusal) -> String {
        try await run { () throws(ContentError) in try file.digest(algorithm) }
    }

    func beginChunk() async throws(UploadRefusal) -> any UploadChunk {
        let chunk = try await run { () throws(ContentError) in try folder.chunk() }
        return StagedChunk(chunk, of: id, in: folder)
    }

    func append(_ chunk: any UploadChunk) async throws(UploadRefusal) {
        guard let staged = chunk as? StagedChunk else {
            preconditionFailure("a chunk comes from beginChunk")
        }
        try await run { () throws(ContentError) in try file.append(staged.file) }
        folder.staged.add(staged.file.length, ordering: .relaxed)
    }

    func discard() async {
        folder.forget(id)
        _ = await folder.run(id) { () throws(ContentError) in try file.discard() }
    }

    private func run<Value: Sendable>(
        _ body: @Sendable () throws(ContentError) -> Value
    ) async throws(UploadRefusal) -> Value {
        try await folder.run(id, body).get()
    }
}

/// The bytes of a request that do not count before their checksum is proved.
struct StagedChunk: UploadChunk {
    fileprivate let file: ChunkFile
    private let id: Identifier
    private let folder: StagingFolder

    init(_ file: ChunkFile, of id: Identifier, in folder: StagingFolder) {
        self.file = file
        self.id = id
        self.folder = folder
    }

    func append(_ bytes: [UInt8]) async throws(UploadRefusal) {
        try await folder.run(id) { () throws(ContentError) in try file.append(bytes) }.get()
    }

    func digest(_ algorithm: DigestAlgorithm) async throws(UploadRefusal) -> String {
        try await folder.run(id) { () throws(ContentError) in
            try file.digest(algorithm)
        }.get()
    }
}
