// The stored form of a result without repeated values: most results have one URL four times.

extension DownloadResult {
    /// The members that are left out because another one has an equal value: bits of `repeats`.
    private enum Repetition {
        static let chain = 1
        static let etag = 2
        static let lastModified = 4
        static let mimeType = 8
        static let currentURL = 16
        static let ownURL = 32
        static let filename = 64
    }

    /// The result without members that repeat others, or the address of the download.
    ///
    /// - Parameter url: the address of the download.
    /// - Returns: what is stored; `expanded(of:)` gives the members back.
    package func compacted(of url: String) -> DownloadResult {
        guard var answer = response else { return self }
        var result = self
        var bits = 0
        if answer.urlChain.count == 1, answer.urlChain[0] == answer.url {
            answer.urlChain = []
            bits |= Repetition.chain
        }
        if answer.etag != nil, answer.etag == answer.headers.etag {
            answer.etag = nil
            bits |= Repetition.etag
        }
        if answer.lastModified != nil, answer.lastModified == answer.headers.lastModified {
            answer.lastModified = nil
            bits |= Repetition.lastModified
        }
        if answer.mimeType != nil, answer.mimeType == answer.headers.contentType {
            answer.mimeType = nil
            bits |= Repetition.mimeType
        }
        if currentURL == answer.url {
            result.currentURL = nil
            bits |= Repetition.currentURL
        }
        if let name = answer.suggestedFilename, name == OriginResponse.lastPart(of: answer.url) {
            answer.suggestedFilename = nil
            bits |= Repetition.filename
        }
        if answer.url == url {
            answer.url = ""
            bits |= Repetition.ownURL
        }
        answer.repeats = bits == 0 ? nil : bits
        result.response = answer
        return result
    }

    /// The result with the members that `compacted(of:)` left out.
    ///
    /// - Parameter url: the address of the download; one that has got another address since has
    ///   the former one in its result.
    /// - Returns: what was given to `compacted(of:)`.
    package func expanded(of url: String) -> DownloadResult {
        guard var answer = response, let bits = answer.repeats else { return self }
        var result = self
        answer.repeats = nil
        if bits & Repetition.ownURL != 0, answer.url.isEmpty { answer.url = url }
        if bits & Repetition.filename != 0 {
            answer.suggestedFilename = OriginResponse.lastPart(of: answer.url)
        }
        if bits & Repetition.chain != 0 { answer.urlChain = [answer.url] }
        if bits & Repetition.etag != 0 { answer.etag = answer.headers.etag }
        if bits & Repetition.lastModified != 0 {
            answer.lastModified = answer.headers.lastModified
        }
        if bits & Repetition.mimeType != 0 { answer.mimeType = answer.headers.contentType }
        if bits & Repetition.currentURL != 0 { result.currentURL = answer.url }
        result.response = answer
        return result
    }
}

extension OriginResponse {
    /// The text behind the last slash of a URL, without query and fragment, as it is written.
    fileprivate static func lastPart(of url: String) -> String {
        let bytes = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) }
        return String(decoding: bytes[(start ?? bytes.startIndex)...], as: UTF8.self)
    }
}

extension AttemptDetail {
    /// The detail without the values of an ordinary attempt: the download's own address, and zeros.
    ///
    /// - Parameter url: the address of the download.
    /// - Returns: what is stored.
    package func compacted(of url: String) -> AttemptDetail {
        guard self.url == url, isOrdinary else { return self }
        var detail = self
        detail.url = nil
        if resumedFrom == 0 { detail.resumedFrom = nil }
        if bytesDiscarded == 0 { detail.bytesDiscarded = nil }
        if lookupTime == 0 { detail.lookupTime = nil }
        if connectTime == 0 { detail.connectTime = nil }
        if tlsTime == 0 { detail.tlsTime = nil }
        return detail
    }

    /// The detail with the values that `compacted(of:)` left out.
    ///
    /// - Parameter url: the address of the download.
    /// - Returns: what was given to `compacted(of:)`.
    package func expanded(of url: String) -> AttemptDetail {
        guard self.url == nil, httpStatus != nil else { return self }
        var detail = self
        detail.url = url
        detail.resumedFrom = resumedFrom ?? 0
        detail.bytesDiscarded = bytesDiscarded ?? 0
        detail.lookupTime = lookupTime ?? 0
        detail.connectTime = connectTime ?? 0
        detail.tlsTime = tlsTime ?? 0
        return detail
    }

    /// Whether the attempt had an answer and every count is known.
    private var isOrdinary: Bool {
        let counts = [resumedFrom, bytesDiscarded, lookupTime, connectTime, tlsTime]
        return httpStatus != nil && counts.allSatisfy { $0 != nil }
    }
}
