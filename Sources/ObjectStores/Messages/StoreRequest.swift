// One request to a store, before it is signed.
internal import Base
internal import Downloads
internal import Transfers

/// A request to the bucket, or to an object in it.
struct StoreRequest {
    /// The method.
    var method: TransferRequest.Method
    /// The name of the operation in the store's reference.
    var operation: String
    /// The key; nil for the bucket.
    var key: String?
    /// The parameters of the query.
    var query: [(name: String, value: String)] = []
    /// The fields, all of which are signed.
    var headers: [(name: String, value: String)] = []
    /// The body.
    var payload = Payload.bytes([])
    /// Whether it makes or replaces an object, which cannot be known after a lost answer.
    var hasEffect = false

    /// The bodies of requests.
    enum Payload {
        /// Bytes in memory.
        case bytes([UInt8])
        /// Bytes that are read while they are sent.
        case body(StoreBody)
    }

    /// Creates a request without a query, fields and body.
    init(_ method: TransferRequest.Method, _ operation: String, key: String? = nil) {
        self.method = method
        self.operation = operation
        self.key = key
    }

    /// The identifier of the upload in parts; nil without one.
    var upload: String? { query.first { $0.name == "uploadId" }?.value }

    /// The name for a sentence.
    var title: String { operation }

    /// The URL below an endpoint; nil for a key that no URL can have.
    func url(_ location: StoreLocation, at endpoint: SourceURL) -> SourceURL? {
        let key = key.map { CanonicalText.encoded($0.utf8, keepsSlash: true) }
        let path: String
        let host: String
        switch location.addressing {
        case .path:
            host = endpoint.authorityHost
            path = "/\(location.bucket)" + (key.map { "/\($0)" } ?? "")
        case .virtual:
            host = "\(location.bucket).\(endpoint.authorityHost)"
            path = "/" + (key ?? "")
        }
        let query = query.map {
            "\(CanonicalText.encoded($0.name.utf8))=\(CanonicalText.encoded($0.value.utf8))"
        }.joined(separator: "&")
        let target = query.isEmpty ? path : "\(path)?\(query)"
        let text = "\(endpoint.scheme.rawValue)://\(host):\(endpoint.port)\(target)"
        do throws(SourceURLError) {
            let url = try SourceURL(parsing: text)
            // A segment of dots would be another object.
            return url.target == target ? url : nil
        } catch { return nil }
    }
}
