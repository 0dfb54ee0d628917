import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Lull {
    /// A request to an object store, which must not get the key.
    static func storeRequest(_ url: URL, range: String?) -> URLRequest {
        var request = URLRequest(url: url)
        if let range { request.setValue(range, forHTTPHeaderField: "Range") }
        return request
    }
}
