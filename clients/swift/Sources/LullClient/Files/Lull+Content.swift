public import Foundation

extension Lull {
    /// The most bytes that one request for content to a file asks for.
    static let piece = 16 << 20

    /// Get the content of a download that has succeeded, whole or a range of it, in memory.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - range: the bytes to get; nil for all, at most 256 MiB.
    ///   - ifRange: the ETag that the range belongs to.
    ///   - via: `lull` for bytes through this service where an object store has them.
    /// - Returns: the bytes, and what holds for the whole.
    /// - Throws: `contentExpired` and the like where there is no content.
    public func getContent(
        id: String, range: Range<Int>? = nil, ifRange: String? = nil, via: String? = nil
    ) async throws(LullError) -> ContentPart {
        var call = Call(
            .get, ["v1", "downloads", id, "content"], operation: "getContent", mayRepeat: true)
        call.query("via", via)
        call.ranged(range, ifRange)
        return try await content(call)
    }

    /// The header fields of the content of a download, without its bytes.
    public func headContent(id: String, via: String? = nil) async throws(LullError) -> ContentPart {
        var call = Call(
            .head, ["v1", "downloads", id, "content"], operation: "headContent", mayRepeat: true)
        call.query("via", via)
        return ContentPart(try await answer(to: call))
    }

    /// Get content by the token of a link, which needs no key; see `createContentLink`.
    public func getLinkedContent(
        token: String, range: Range<Int>? = nil, ifRange: String? = nil
    ) async throws(LullError) -> ContentPart {
        var call = Call(.get, ["content", token], operation: "getLinkedContent", mayRepeat: true)
        call.ranged(range, ifRange)
        return try await content(call)
    }

    /// Follows a redirect to an object store, without the key of this service.
    private func content(_ call: Call) async throws(LullError) -> ContentPart {
        let answer = try await answer(to: call)
        guard answer.status == 307, let place = answer.fields["location"],
            let url = URL(string: place)
        else { return ContentPart(answer) }
        let stored = try await wire.send(
            Lull.storeRequest(url, range: call.fields["Range"]), within: options.deadline)
        guard 200..<300 ~= stored.status else { throw .unexpectedAnswer(status: stored.status) }
        return ContentPart(stored)
    }

    /// Fetches the content of a download into a file, and proves its SHA-256.
    ///
    /// Bytes that a part file beside the file already has, from a call that was stopped, are not
    /// fetched again. The file appears whole, in place of one that is there.
    ///
    /// - Parameters:
    ///   - id: a download that has succeeded.
    ///   - file: where to put the content; the part file has `.part` behind this name.
    ///   - progress: is told how many bytes of how many are here, after each piece.
    /// - Returns: what the service says about the content.
    /// - Throws: `digestMismatch` if the bytes are not those that the service has; they are removed.
    @discardableResult
    public func content(
        ofDownload id: String, to file: URL,
        progress: (@Sendable (_ received: Int, _ total: Int) -> Void)? = nil
    ) async throws(LullError) -> Content {
        guard let content = try await getDownload(id: id).content else {
            throw .unexpectedAnswer(status: 409)
        }
        let part = try PartFile(file.appendingPathExtension("part"), length: content.length)
        while part.length < content.length {
            let end = min(part.length + Lull.piece, content.length)
            let piece = try await getContent(
                id: id, range: part.length..<end, ifRange: "\"sha256-\(content.sha256)\"",
                via: content.location == .store ? nil : "lull")
            guard piece.offset == part.length, !piece.bytes.isEmpty,
                part.length + piece.bytes.count <= content.length
            else { throw .unreadable("another range than was asked for") }
            try part.append(piece.bytes)
            progress?(part.length, content.length)
            if Task.isCancelled { throw .canceled }
        }
        let found = try part.digest()
        guard found == content.sha256 else {
            try part.remove()
            throw .digestMismatch(expected: content.sha256, found: found)
        }
        try part.publish(as: file)
        return content
    }
}

extension Call {
    /// Asks for a range alone.
    mutating func ranged(_ range: Range<Int>?, _ ifRange: String?) {
        guard let range, !range.isEmpty else { return }
        field("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        field("If-Range", ifRange)
    }
}
