// From the engine's words to the rules' words.
internal import Core
internal import Transfers

extension ResponseFacts {
    /// What the rules read in an answer's head.
    ///
    /// - Parameters:
    ///   - head: the head.
    ///   - trailers: the fields behind the body; digests may stand there (RFC 9530).
    init(_ head: ResponseHead, trailers: [ResponseHead.Field] = []) {
        self.init(status: head.status, url: head.url.description)
        contentLength = head.framing.contentLength
        ambiguity = head.framing.ambiguity.map { $0.rawValue }
        isChunked = head.framing.isChunked
        let digests = head.fields + trailers
        reprDigest = digests.joined("repr-digest")
        contentDigest = digests.joined("content-digest")
        digest = digests.joined("digest")
        contentMD5 = digests.joined("content-md5")
        contentRange = head.framing.contentRange
        let units = head.acceptRanges?.lowercased().split(separator: ",") ?? []
        acceptsByteRanges = units.contains { $0.filter { $0 != " " } == "bytes" }
        contentType = head.contentType
        contentEncoding = head.framing.contentEncoding
        etag = head.fields.distinct("etag")
        lastModified = head.fields.distinct("last-modified")
        date = head.date
    }
}

extension [ResponseHead.Field] {
    /// All values under a lower-case name as one list (RFC 9110 section 5.3).
    fileprivate func joined(_ name: String) -> String? {
        let values = filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The value under a lower-case name that may stand there once; several that differ are one
    /// list, which is no such value.
    fileprivate func distinct(_ name: String) -> String? {
        let values = filter { $0.name == name }.map(\.value)
        guard let first = values.first else { return nil }
        return values.allSatisfy { $0 == first } ? first : values.joined(separator: ", ")
    }
}

extension DownloadFailure {
    /// What a failed transfer is to a client.
    init(_ failure: TransferFailure) {
        self.init(failure.code, detail: failure.description)
    }
}

extension CompleteBody {
    /// What clients see of the answer's head.
    var response: OriginResponse? {
        guard let head else { return nil }
        var response = OriginResponse(
            statusCode: head.status, url: head.url.description)
        response.mimeType = head.contentType.map {
            String($0.split(separator: ";", omittingEmptySubsequences: false)[0])
        }
        response.suggestedFilename = SuggestedFilename.choose(
            contentDisposition: head.contentDisposition, path: head.url.target)
        response.urlChain = head.chain.map(\.description)
        response.etag = head.etag
        response.lastModified = head.lastModified
        response.headers.contentType = head["content-type"]
        response.headers.contentEncoding = head["content-encoding"]
        response.headers.etag = head["etag"]
        response.headers.lastModified = head["last-modified"]
        response.headers.date = head["date"]
        return response
    }
}
