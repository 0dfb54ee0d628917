// The view of a download of an ephemeral session: addresses without their queries.
internal import Base

extension Download {
    /// The download without the queries of its addresses.
    var withoutQueries: Download {
        var shown = self
        shown.url = Download.withoutQueries(url)
        shown.spec.urls = spec.urls.map(Download.withoutQueries)
        if let hook = spec.relay?.hook {
            shown.spec.relay?.hook?.url = Download.withoutQueries(hook.url)
        }
        var result = outcome.value
        result.currentURL = result.currentURL.map(Download.withoutQueries)
        result.mirrorURL = result.mirrorURL.map(Download.withoutQueries)
        if let error = result.error {
            result.error?.detail = Download.withoutQueries(error.detail)
        }
        if let response = result.response {
            result.response?.url = Download.withoutQueries(response.url)
            result.response?.urlChain = response.urlChain.map(Download.withoutQueries)
        }
        shown.result = result
        return shown
    }

    /// A text in which each URL ends before its query, as `lull_without_queries` makes it.
    package static func withoutQueries(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "?")) else { return text }
        var bytes: [UInt8] = []
        var (isURL, isQuery) = (false, false)
        for byte in text.utf8 {
            switch byte {
            case ...0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): (isURL, isQuery) = (false, false)
            case UInt8(ascii: "?") where isURL: isQuery = true
            default: break
            }
            guard !isQuery else { continue }
            bytes.append(byte)
            if bytes.suffix(3).elementsEqual("://".utf8) { isURL = true }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension AttemptDetail {
    /// The detail without the queries of its addresses, and without the text of an error, which may
    /// repeat them.
    package var withoutQueries: AttemptDetail {
        var shown = self
        shown.url = url.map(Download.withoutQueries)
        shown.excerpt = nil
        shown.error?.detail = Download.withoutQueries(error?.detail ?? "")
        shown.transportError = transportError.map(Download.withoutQueries)
        return shown
    }
}
