internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension URLRequest {
    /// The time of a request that sets none, in seconds.
    static let usualTimeout: TimeInterval = 60

    /// Why the service cannot send it as its members say; nil where it can.
    func refusal(ofUpload isUpload: Bool) -> String? {
        if httpBodyStream != nil {
            return "Lull sends no streams: give the bytes in httpBody, or upload a file"
        }
        if isUpload, httpBody != nil {
            return "an upload sends its file: leave httpBody nil"
        }
        if cachePolicy == .returnCacheDataDontLoad {
            return "Lull has no cache from which returnCacheDataDontLoad could answer"
        }
        if networkServiceType != .default {
            return "Lull has no networkServiceType: use priority, or isDiscretionary"
        }
        if !allowsCellularAccess {
            return "Lull has no allowsCellularAccess: use allowsExpensiveNetworkAccess of the"
                + " configuration"
        }
        if !httpShouldHandleCookies {
            return "Lull keeps cookies for one attempt alone, and cannot go without them"
        }
        if mainDocumentURL != nil {
            return "Lull has no rules of cookies that mainDocumentURL could serve"
        }
        return nil
    }

    /// Header fields, with one where its policy of caches asks for new bytes.
    var fields: [String: String] {
        var fields = allHTTPHeaderFields ?? [:]
        let isFresh =
            cachePolicy == .reloadIgnoringLocalAndRemoteCacheData
            || cachePolicy == .reloadRevalidatingCacheData
        if isFresh, value(forHTTPHeaderField: "Cache-Control") == nil {
            fields["Cache-Control"] = "no-cache"
        }
        return fields
    }

    /// Seconds without a byte after which an attempt ends; nil for those of the session.
    var ownTimeout: Int? {
        timeoutInterval == URLRequest.usualTimeout ? nil : timeoutInterval.wholeSeconds
    }
}
