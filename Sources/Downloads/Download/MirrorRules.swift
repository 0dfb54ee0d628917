// Rules for `urls`: what may be combined with `url`, and what they require.
internal import Base

/// The rules for further addresses of the content.
package enum MirrorRules {
    /// The most addresses beside `url`.
    package static let urlsAtMost = 8

    /// Reads the member; whether the addresses are allowed is judged where the operator's
    /// destinations are known.
    static func read(_ reader: inout FieldReader) -> [String] {
        guard
            let urls = reader.strings("urls", maximumCount: urlsAtMost, maximumLength: .max)
        else { return [] }
        for (place, text) in urls.enumerated() where !(1...8192).contains(text.utf8.count) {
            reader.refuse(
                "urls", at: place, "must have 1 to 8192 bytes, but has \(text.utf8.count)")
        }
        return urls
    }

    /// Checks that need the whole download.
    ///
    /// - Parameters:
    ///   - request: the download as asked.
    ///   - reader: takes the findings.
    static func judge(_ request: DownloadRequest, _ reader: inout FieldReader) {
        guard !request.urls.isEmpty else { return }
        if let digest = request.expectedDigest, !digest.algorithm.provesContent {
            reader.refuse(
                "urls",
                "need an expected_digest that proves the bytes, and \(digest.algorithm.rawValue) "
                    + "only finds accidental changes; give a sha256 digest, or leave urls out")
        }
        if request.expectedDigest == nil {
            reader.refuse(
                "urls",
                "need expected_digest, because only a digest proves that several addresses have "
                    + "the same bytes; add it, or leave urls out")
        }
        if request.members.method != .get {
            let method = request.members.method.rawValue
            reader.refuse("urls", "need the method GET; leave urls out for \(method)")
        }
        var seen = [canonical(request.url)]
        for (place, text) in request.urls.enumerated() {
            let url = canonical(text)
            if let first = seen.firstIndex(of: url) {
                let other = first == 0 ? "url" : "urls/\(first - 1)"
                reader.refuse("urls", at: place, "is the same as \(other); leave it out")
            }
            seen.append(url)
        }
    }

    /// The canonical spelling, so that two spellings of one URL are one mirror; a text that is no
    /// URL is refused elsewhere.
    private static func canonical(_ text: String) -> String {
        do throws(SourceURLError) {
            return try SourceURL(parsing: text).description
        } catch {
            return text
        }
    }
}
