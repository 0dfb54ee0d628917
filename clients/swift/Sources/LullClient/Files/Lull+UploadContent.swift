public import Foundation

/// How far the bytes of an upload are here.
public struct UploadOffset: Hashable, Sendable {
    /// How many bytes the service has; the next one has this offset.
    public let offset: Int
    /// How many there are in all; nil where the service does not say it.
    public let length: Int?

    init(_ answer: Answer) throws(LullError) {
        guard let offset = answer.fields["upload-offset"].flatMap({ Int($0) }) else {
            throw .unreadable("an answer without Upload-Offset")
        }
        self.offset = offset
        length = answer.fields["upload-length"].flatMap { Int($0) }
    }
}

extension Lull {
    /// Bring all bytes of an upload at once.
    public func putUploadContent(id: String, _ bytes: Data) async throws(LullError) {
        var call = uploadCall(.put, id, "putUploadContent", mayRepeat: false)
        call.bytes(bytes, type: "application/octet-stream")
        try await finish(call)
    }

    /// Bring the bytes of an upload from an offset on, by tus.
    ///
    /// - Returns: how far the bytes are here now.
    @discardableResult
    public func patchUploadContent(
        id: String, offset: Int, _ bytes: Data
    ) async throws(LullError) -> UploadOffset {
        var call = uploadCall(.patch, id, "patchUploadContent", mayRepeat: false)
        call.field("Tus-Resumable", "1.0.0")
        call.field("Upload-Offset", String(offset))
        call.bytes(bytes, type: "application/offset+octet-stream")
        return try UploadOffset(try await answer(to: call))
    }

    /// How far the bytes of an upload are here.
    public func headUploadContent(id: String) async throws(LullError) -> UploadOffset {
        var call = uploadCall(.head, id, "headUploadContent", mayRepeat: true)
        call.field("Tus-Resumable", "1.0.0")
        return try UploadOffset(try await answer(to: call))
    }

    /// The extensions of tus that the service has, such as `creation`.
    public func optionsOfUploadContent(id: String) async throws(LullError) -> [String] {
        let call = uploadCall(.options, id, "optionsOfUploadContent", mayRepeat: true)
        let found = try await answer(to: call).fields["tus-extension"] ?? ""
        return found.split(separator: ",").map { String($0) }
    }

    /// End an upload whose bytes are still brought, as tus does.
    public func deleteUploadContent(id: String) async throws(LullError) {
        var call = uploadCall(.delete, id, "deleteUploadContent", mayRepeat: true)
        call.field("Tus-Resumable", "1.0.0")
        try await finish(call)
    }

    /// Brings the bytes of a file from where the service has them; a lost connection is resumed.
    ///
    /// - Parameters:
    ///   - file: the file, as long as was announced.
    ///   - id: the upload.
    ///   - progress: is told how many bytes of how many the service has, after each piece.
    /// - Throws: what the service refuses, and that it was not reached for too long.
    public func bring(
        _ file: URL, toUpload id: String,
        progress: (@Sendable (_ sent: Int, _ total: Int) -> Void)? = nil
    ) async throws(LullError) {
        let source = try SourceFile(file)
        var failures = 0
        var offset = try await headUploadContent(id: id).offset
        while offset < source.length {
            let bytes = try source.read(from: offset, count: 8 << 20)
            guard !bytes.isEmpty else { throw .file("\(file.path) has become shorter") }
            do {
                offset = try await patchUploadContent(id: id, offset: offset, bytes).offset
                failures = 0
                progress?(offset, source.length)
            } catch {
                failures += 1
                guard Lull.isConnection(error), failures < options.attempts else { throw error }
                try await Lull.sleep(
                    Lull.pause(failures, told: nil, longest: options.longestPause))
                offset = try await headUploadContent(id: id).offset
            }
        }
    }

    private func uploadCall(
        _ method: Call.Method, _ id: String, _ operation: String, mayRepeat: Bool
    ) -> Call {
        Call(method, ["v1", "uploads", id, "content"], operation: operation, mayRepeat: mayRepeat)
    }

    /// Whether the bytes may be here although the call failed.
    private static func isConnection(_ failure: LullError) -> Bool {
        switch failure {
        case .unreachable, .timedOut: true
        case .unexpectedAnswer(let status): status >= 500
        case .problem(let problem, _): problem.status >= 500 || problem.code == .uploadConflict
        default: false
        }
    }
}
