// `if_changed_from`: the known version of a new download's content is that of another download.
internal import Base
internal import Downloads
internal import Store

extension DownloadBuilder {
    /// The condition of a request with `if_changed_from`.
    ///
    /// Where the other download has no content now, or other content than `expected_digest` names,
    /// the condition only remembers that download, and the content is fetched in any case.
    ///
    /// - Parameters:
    ///   - request: the request, read.
    ///   - download: the new download.
    ///   - call: the request that it came with.
    ///   - place: where its members stand in the body.
    /// - Returns: the condition; nil for a request without the member.
    /// - Throws: `validation-failed` where the app has no such download, or it has another URL.
    func condition(
        of request: DownloadRequest, _ download: Download, _ call: Call, at place: LayeredObject
    ) async throws(Problem) -> ChangeCondition? {
        guard let id = request.onlyIfChanged.changedFrom else { return nil }
        let found = try await call.stored { () throws(StoreError) in
            try await sealer.reader.downloads.find([id], app: call.app)
        }
        let pointer = place.pointer("if_changed_from")
        guard let known = found[id]?.download else {
            throw .invalid(pointer, "names no download of this app")
        }
        guard DownloadBuilder.isOnePlace(known.url, request.url) else {
            throw .invalid(
                pointer,
                known.spec.isErased
                    ? "names a download of an ephemeral session whose query was erased at its end"
                    : "names a download with another URL")
        }
        return DownloadBuilder.condition(from: known, for: download)
    }

    private static func condition(from known: Download, for download: Download) -> ChangeCondition {
        var condition = ChangeCondition(unchangedFrom: known.id)
        guard known.state == .succeeded, let content = known.result.content,
            content.state == .held, content.changed == nil
        else { return condition }
        let spec = download.shared.value
        if let expected = spec.expectedDigest, expected.algorithm == .sha256,
            expected.hexadecimal != content.sha256
        {
            return condition
        }
        condition.digest = content.sha256
        condition.isContentWanted =
            content.destination == nil && spec.destination == nil && spec.relay == nil
        guard let answer = known.result.response else { return condition }
        condition.etag = answer.etag
        condition.lastModified = answer.lastModified
        do throws(SourceURLError) {
            condition.origin = try SourceURL(parsing: answer.url).origin
            return condition.sendable
        } catch {
            // An answer without a readable address names no origin that could be believed.
            condition.dropValidators()
            return condition
        }
    }

    /// Whether two texts are spellings of one URL.
    private static func isOnePlace(_ one: String, _ other: String) -> Bool {
        do throws(SourceURLError) {
            return try SourceURL(parsing: one).description == SourceURL(parsing: other).description
        } catch {
            return one == other
        }
    }
}
