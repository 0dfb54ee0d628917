// Converts the engine's values into the values of the rules.
internal import Base
internal import Downloads
internal import Transfers

extension ResponseFacts {
    /// The facts of an answer's head.
    ///
    /// - Parameters:
    ///   - head: the head.
    ///   - trailers: the fields behind the body; digests may stand there (RFC 9530).
    init(_ head: ResponseHead, trailers: [ResponseHead.Field] = []) {
        self.init(status: head.status, url: head.url.description)
        contentLength = head.framing.contentLength
        ambiguity = head.framing.ambiguity.map { $0.rawValue }
        isChunked = head.framing.isChunked
        reprDigest = head.joined("repr-digest", trailers)
        contentDigest = head.joined("content-digest", trailers)
        digest = head.joined("digest", trailers)
        contentMD5 = head.joined("content-md5", trailers)
        for field in head.fields where StoreDigests.has(field.name) {
            storeFields.append(StoreDigests.Field(name: field.name, value: field.value))
        }
        contentRange = head.framing.contentRange
        acceptsByteRanges = head.acceptRanges.map(ResponseFacts.namesBytes) ?? false
        contentType = head.contentType
        contentEncoding = head.framing.contentEncoding
        etag = head.distinct("etag")
        lastModified = head.distinct("last-modified")?.text
        date = head.date
    }

    /// Whether a list of range units has `bytes` (RFC 9110 section 14.3).
    private static func namesBytes(_ list: String) -> Bool {
        list == "bytes"
            || list.lowercased().split(separator: ",").contains {
                $0.filter { $0 != " " } == "bytes"
            }
    }
}

extension ToldFields {
    /// The header fields that tell a time.
    init(_ head: ResponseHead) {
        self.init()
        retryAfter = head.retryAfter
        rateLimit = head.joined("ratelimit")
        limits = ["ratelimit", "x-ratelimit", "x-rate-limit"].map { family in
            Limit(remaining: head["\(family)-remaining"], reset: head["\(family)-reset"])
        }
    }
}

extension ResponseHead {
    /// All values under a lower-case name as one list (RFC 9110 section 5.3).
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - trailers: fields behind the body that count as well.
    /// - Returns: the list; nil without such a field.
    fileprivate func joined(_ name: String, _ trailers: [Field] = []) -> String? {
        var list: String?
        for part in [fields, trailers] where !part.isEmpty {
            for field in part where field.name == name {
                list = list.map { "\($0), \(field.value)" } ?? field.value
            }
        }
        return list
    }

    /// The value under a lower-case name that may occur once; several different ones are joined,
    /// which gives no valid value.
    fileprivate func distinct(_ name: String) -> FieldValue? {
        guard let first = bytes(name) else { return nil }
        let values = fields.lazy.filter { $0.name == name }.map(\.bytes)
        guard values.contains(where: { $0 != first }) else { return first }
        return FieldValue(bytes: Array(values.map(\.bytes).joined(separator: ", ".utf8)))
    }
}

extension DownloadFailure {
    /// The failure of a transfer as clients see it.
    init(_ failure: TransferFailure, isUnreachable: Bool = false) {
        self.init(failure.code, detail: failure.description)
        self.isUnreachable = isUnreachable
    }
}

extension CompleteBody {
    /// The answer's head as clients see it.
    var response: OriginResponse? { head.map { OriginResponse($0) } }
}

extension OriginResponse {
    /// The head of an answer.
    init(_ head: ResponseHead) {
        var response = OriginResponse(
            statusCode: head.status, url: head.url.description)
        response.mimeType = head.contentType.map { type in
            type.contains(";") ? String(type.prefix { $0 != ";" }) : type
        }
        response.suggestedFilename = SuggestedFilename.choose(
            contentDisposition: head.contentDisposition, path: head.url.target)
        response.urlChain = head.chain.map(\.description)
        response.etag = head.etag?.text
        response.lastModified = head.lastModified
        response.headers.contentType = head["content-type"]
        response.headers.contentEncoding = head["content-encoding"]
        response.headers.etag = head["etag"]
        response.headers.lastModified = head["last-modified"]
        response.headers.date = head["date"]
        response.maxAge = head["cache-control"].flatMap(OriginResponse.maxAge)
        self = response
    }

    /// `max-age` of `Cache-Control` in seconds, at most a year; nil for none, and beside `no-store`
    /// or `no-cache` (RFC 9111 section 5.2.2).
    private static func maxAge(_ field: String) -> Int64? {
        let parts = field.lowercased().split(separator: ",").map { $0.drop { $0 == " " } }
        guard !parts.contains(where: { $0.hasPrefix("no-store") || $0.hasPrefix("no-cache") }),
            let part = parts.first(where: { $0.hasPrefix("max-age=") }),
            let seconds = Int64(part.dropFirst(8).prefix { $0.isASCII && $0.isNumber }),
            seconds > 0
        else { return nil }
        return min(seconds, 31_536_000)
    }
}
