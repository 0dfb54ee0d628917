// One request for the bytes of an upload whose file is in the own data directory.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Platform
internal import Store

/// Performs HEAD, PATCH and PUT on the file of an upload.
///
/// It has the turn of the upload for as long as it uses the file, and reads the row again once it
/// has the turn, because an older request may have staged the file.
struct UploadStaging: Sendable {
    let call: Call
    /// The client's request; of a request that was passed on, that of the client.
    let request: Request
    /// The app of the upload; nil for any.
    let app: Int64?
    let uploads: Uploads
    let access: UploadAccess
    let staged: @Sendable () -> Void

    /// How often the row is told of the bytes that have come.
    private static let noteInterval = Duration.seconds(2)

    /// Answers the request.
    func perform(_ seen: StagingRow) async throws(Problem) -> Response {
        guard let turn = await access.turns.take(seen.id) else { throw UploadStaging.superseded }
        let result: Result<Response, Problem>
        do throws(Problem) {
            result = .success(try await inTurn(seen, turn))
        } catch {
            result = .failure(error)
        }
        access.turns.end(turn)
        return try result.get()
    }

    /// Answers a HEAD by the row alone, whose offset is some seconds old while bytes arrive.
    func look(_ row: StagingRow) throws(Problem) -> Response {
        row.takesBytes ? offset(row.received, row) : try answer(ofClosed: row)
    }

    private func inTurn(
        _ seen: StagingRow, _ turn: UploadTurns.Turn
    ) async throws(Problem) -> Response {
        let found = try await call.stored { () throws(StoreError) in
            try await uploads.row(of: seen.id, app: app)
        }
        guard let row = found else { throw .noDownload(seen.id) }
        guard row.takesBytes else { return try answer(ofClosed: row) }
        guard row.holder == access.instance else {
            throw ContentEndpoints.away("Another replica has the bytes.")
        }
        let file: any UploadBytes
        switch await access.open(row.id, row.length) {
        case .success(let opened): file = opened
        case .failure(let refusal): throw refused(refusal)
        }
        switch request.method {
        case "HEAD":
            let length = try await disk { () throws(UploadRefusal) in try await file.length() }
            // A client that sees all bytes here sends no more, so whatever stopped the request
            // that brought the last one, the file is staged now.
            if length == row.length { _ = try await finish(row, file, [], type: nil) }
            return offset(length, row)
        case "PATCH": return try await patch(row, file, turn)
        default: return try await put(row, file, turn)
        }
    }

    /// The answer of an upload that takes no bytes: the first answer again where it was staged by
    /// an equal request.
    private func answer(ofClosed row: StagingRow) throws(Problem) -> Response {
        let isOver = row.state == .failed || row.state == .canceled
        if isOver { throw UploadStaging.ended(row) }
        if let sha256 = row.sha256 {
            if request.isHead { return offset(row.length, row) }
            if request.method == "PUT", try ReprDigest(request).sha256 == sha256 {
                return UploadStaging.stored(sha256)
            }
            throw UploadStaging.conflict(
                row,
                "All bytes of this upload are here already. To send another file, create "
                    + "another upload.")
        }
        throw UploadStaging.conflict(
            row,
            "An upload that is \(row.state.rawValue) takes no bytes. It does while it is "
                + "receiving or suspended.")
    }

    private func patch(
        _ row: StagingRow, _ file: any UploadBytes, _ turn: UploadTurns.Turn
    ) async throws(Problem) -> Response {
        let tus = try TusRequest(patch: request)
        let offset = try await disk { () throws(UploadRefusal) in try await file.length() }
        guard tus.offset == offset else {
            var problem = UploadStaging.conflict(
                row,
                "\(offset) bytes are here, so the next one has the offset \(offset), and not "
                    + "\(tus.offset).")
            problem.headers = [("Upload-Offset", "\(offset)")]
            throw problem
        }
        if let announced = request.incoming?.length, announced > row.length - offset {
            throw UploadStaging.tooLong(row.length)
        }
        guard access.turns.reads(request.incoming, in: turn) else { throw UploadStaging.superseded }
        if let checksum = tus.checksum {
            try await takeChunk(row, file, from: offset, checksum)
        } else {
            try await take(row, file, from: offset)
        }
        let length = try await disk { () throws(UploadRefusal) in try await file.length() }
        if length == row.length {
            _ = try await finish(row, file, [], type: nil)
        } else {
            try await disk { () throws(UploadRefusal) in try await file.sync() }
            try await note(length, row)
        }
        return self.offset(length, row, status: 204)
    }

    private func put(
        _ row: StagingRow, _ file: any UploadBytes, _ turn: UploadTurns.Turn
    ) async throws(Problem) -> Response {
        let digests = try ReprDigest(request).digests
        let announced = request.incoming == nil ? 0 : request.incoming?.length
        if let announced, announced != row.length {
            throw UploadStaging.wrongLength(announced, row)
        }
        if request.headers["Content-Range"] != nil {
            throw Problem(
                .validationFailed,
                "PUT brings the whole file. To bring a part of it, use PATCH (tus).")
        }
        if try await disk({ () throws(UploadRefusal) in try await file.length() }) > 0 {
            try await disk { () throws(UploadRefusal) in try await file.restart(length: row.length)
            }
        }
        guard access.turns.reads(request.incoming, in: turn) else { throw UploadStaging.superseded }
        let count = try await take(row, file, from: 0)
        guard count == row.length else { throw UploadStaging.wrongLength(count, row) }
        let type = request.headers["Content-Type"]
        return UploadStaging.stored(try await finish(row, file, digests, type: type))
    }

    /// Writes the content behind the bytes that are there.
    ///
    /// - Returns: the number of bytes of the content.
    @discardableResult
    private func take(
        _ row: StagingRow, _ file: any UploadBytes, from offset: Int64
    ) async throws(Problem) -> Int64 {
        var noted = ContinuousClock.now
        return try await read(atMost: row.length - offset, of: row) {
            bytes, count throws(Problem) in
            try await disk { () throws(UploadRefusal) in try await file.append(bytes) }
            guard ContinuousClock.now - noted > UploadStaging.noteInterval else { return }
            noted = .now
            try await note(offset + count, row)
        }
    }

    /// Takes a chunk with a checksum: its bytes count once they have it, and not before.
    private func takeChunk(
        _ row: StagingRow, _ file: any UploadBytes, from offset: Int64, _ checksum: ExpectedDigest
    ) async throws(Problem) {
        let chunk = try await disk { () throws(UploadRefusal) in try await file.beginChunk() }
        _ = try await read(atMost: row.length - offset, of: row) { bytes, _ throws(Problem) in
            try await disk { () throws(UploadRefusal) in try await chunk.append(bytes) }
        }
        let digest = try await disk { () throws(UploadRefusal) in
            try await chunk.digest(checksum.algorithm)
        }
        guard digest == checksum.hexadecimal else {
            throw Problem(
                .checksumMismatch,
                "The bytes have \(checksum.algorithm.rawValue) \(digest), and Upload-Checksum says "
                    + "\(checksum.hexadecimal). None of them were kept.")
        }
        try await disk { () throws(UploadRefusal) in try await file.append(chunk) }
    }

    /// Reads the content of the request.
    ///
    /// - Parameters:
    ///   - limit: the bytes that still fit.
    ///   - row: the upload.
    ///   - write: takes each piece, and the number of bytes with it.
    /// - Returns: the number of bytes.
    /// - Throws: `content-too-large` for more bytes, and the reason why the content broke off.
    private func read(
        atMost limit: Int64, of row: StagingRow,
        _ write: ([UInt8], Int64) async throws(Problem) -> Void
    ) async throws(Problem) -> Int64 {
        guard let incoming = request.incoming else { return 0 }
        var count: Int64 = 0
        while true {
            switch await incoming.next() {
            case .bytes(let bytes):
                count += Int64(bytes.count)
                guard count <= limit else { throw UploadStaging.tooLong(row.length) }
                try await write(bytes, count)
            case .end: return count
            case .broken(UploadTurns.superseded): throw UploadStaging.superseded
            case .broken(let reason): throw Problem(.requestTimeout, reason)
            }
        }
    }

    /// Proves the whole file, makes it durable, and lets it be sent.
    ///
    /// - Returns: its SHA-256.
    private func finish(
        _ row: StagingRow, _ file: any UploadBytes, _ digests: [ExpectedDigest], type: String?
    ) async throws(Problem) -> String {
        let expected = digests + (row.expectedDigest.map { [$0] } ?? [])
        for digest in expected {
            let found = try await disk { () throws(UploadRefusal) in
                try await file.digest(digest.algorithm)
            }
            guard found != digest.hexadecimal else { continue }
            try await disk { () throws(UploadRefusal) in try await file.restart(length: row.length)
            }
            try await note(0, row)
            throw UploadStaging.mismatch(found, digest)
        }
        let sha256 = try await disk { () throws(UploadRefusal) -> String in
            try await file.sync()
            return try await file.digest(.sha256)
        }
        var whole = StagedFile(id: row.id, instance: access.instance, sha256: sha256)
        whole.contentType = type
        let report = whole
        let outcome = try await call.stored { () throws(StoreError) in
            try await uploads.stage(report)
        }
        guard outcome != .gone else {
            await file.discard()
            throw UploadStaging.ended(row)
        }
        staged()
        return sha256
    }

    /// Tells the row how many bytes are there.
    private func note(_ bytes: Int64, _ row: StagingRow) async throws(Problem) {
        try await call.stored { () throws(StoreError) in
            try await uploads.note(bytes, of: row.id, in: access.instance)
        }
    }

    /// The answer with the offset of the next byte.
    private func offset(_ bytes: Int64, _ row: StagingRow, status: Int = 200) -> Response {
        var headers = [
            TusRequest.resumable, ("Upload-Offset", "\(bytes)"), ("Upload-Length", "\(row.length)"),
            ("Cache-Control", "no-store"),
        ]
        if let end = row.expiresAt { headers.append(("Upload-Expires", end.httpDate)) }
        return Response(status: status, headers: headers)
    }

    private func disk<Value: Sendable>(
        _ body: () async throws(UploadRefusal) -> Value
    ) async throws(Problem) -> Value {
        do throws(UploadRefusal) {
            return try await body()
        } catch {
            throw refused(error)
        }
    }

    private func refused(_ refusal: UploadRefusal) -> Problem {
        if case .failed(let cause) = refusal {
            call.report("bytes of an upload could not be kept: \(cause)")
        }
        return refusal.problem
    }
}

extension UploadStaging {
    /// The refusal of a request that a newer one has ended.
    static var superseded: Problem { Problem(.uploadConflict, UploadTurns.superseded) }

    /// The refusal of more bytes than the upload has.
    static func tooLong(_ length: Int64) -> Problem {
        Problem(.contentTooLarge, "The upload has \(length) bytes, and these would be more.")
    }

    fileprivate static func stored(_ sha256: String) -> Response {
        let digest = Base64.encode(Hex.decode(sha256) ?? [])
        return Response(status: 204, headers: [("Repr-Digest", "sha-256=:\(digest):")])
    }

    fileprivate static func conflict(_ row: StagingRow, _ detail: String) -> Problem {
        var problem = Problem(.uploadConflict, detail)
        problem.members["state"] = .string(row.state.rawValue)
        return problem
    }

    fileprivate static func ended(_ row: StagingRow) -> Problem {
        var problem = Problem(
            .contentExpired, "The upload has ended or was deleted, so it takes no more bytes.")
        problem.members["state"] = .string(row.state.rawValue)
        return problem
    }

    fileprivate static func wrongLength(_ count: Int64, _ row: StagingRow) -> Problem {
        Problem(
            .validationFailed,
            "The content has \(count) bytes, but the upload was created with a length of "
                + "\(row.length).")
    }

    fileprivate static func mismatch(_ found: String, _ digest: ExpectedDigest) -> Problem {
        Problem(
            .digestMismatch,
            "The file has \(digest.algorithm.rawValue) \(found), and should have "
                + "\(digest.hexadecimal). Its bytes were removed.")
    }
}
