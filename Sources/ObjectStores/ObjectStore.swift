// A client of one bucket in an object store.
package import Base
internal import Crypto
package import Downloads
package import Transfers

/// One store of the operator; see the Amazon S3 API reference for its operations.
///
/// A request that was refused for its credentials is made once more if these have changed since.
/// Every other repetition is the caller's.
package final class ObjectStore: Sendable {
    /// The identifier by which rows refer to content in the store: it follows from the name and
    /// the app of the destination alone.
    package let identifier: Identifier
    /// The name of the destination.
    package let name: String
    /// The only app that may use it; nil for all.
    package let app: String?
    /// The bucket.
    package let location: StoreLocation

    /// Carries the requests.
    let engine: TransferEngine
    /// The keys.
    let credentials: CredentialSource
    /// The time for signatures.
    let now: @Sendable () -> Timestamp

    /// Creates a client; nothing is requested.
    ///
    /// - Parameters:
    ///   - name: of the destination.
    ///   - app: the only one that may use it; nil for all.
    ///   - location: the bucket.
    ///   - engine: carries the requests.
    ///   - environment: the process's variables, for credentials without a file.
    ///   - now: the time for signatures.
    package init(
        _ name: String, app: String?, _ location: StoreLocation, over engine: TransferEngine,
        environment: [String: String], now: @escaping @Sendable () -> Timestamp
    ) {
        self.name = name
        self.app = app
        self.location = location
        self.engine = engine
        self.now = now
        credentials = CredentialSource(location, environment: environment)
        identifier = ObjectStore.identifier(name, app: app)
    }

    /// Names and apps have no zero byte, so that two pairs never have the same text.
    private static func identifier(_ name: String, app: String?) -> Identifier {
        let digest = SHA256.digest(
            of: "lull object store\0\(name)" + (app.map { "\0\($0)" } ?? ""))
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        return Identifier(high: word(digest[..<8]), low: word(digest[8..<16]))
    }

    /// Reads the credentials anew, with the next request.
    package func forgetCredentials() { credentials.forget() }

    /// Writes an object with one request.
    ///
    /// - Returns: the facts of the new object, with its entity tag.
    /// - Throws: `unknown` for a success without an entity tag: something that is no store may have
    ///   answered.
    package func put(
        _ object: NewObject, _ body: StoreBody, if condition: WriteCondition, _ call: StoreCall
    ) async throws(StoreFailure) -> ObjectFacts {
        var request = StoreRequest(.put, "PutObject", key: object.key)
        request.describe(object)
        request.require(condition)
        request.check(body, by: location.checksum)
        request.payload = .body(body)
        request.hasEffect = true
        let answer = try await granted(request, call)
        guard let tag = answer.head.etag?.text else { throw malformed(request, answer) }
        return written(object, tag: tag, length: body.length)
    }

    /// The facts of an object that was just written.
    func written(_ object: NewObject, tag: String, length: Int64) -> ObjectFacts {
        var facts = ObjectFacts(tag: tag)
        facts.length = length
        facts.download = object.download
        facts.sha256 = Hex.encode(object.sha256)
        return facts
    }

    /// The facts of an object, with its entity tag; nil if there is none.
    ///
    /// - Throws: `again` for a success without an entity tag, which tells of no object.
    package func head(
        _ key: String, _ call: StoreCall
    ) async throws(StoreFailure) -> ObjectFacts? {
        let request = StoreRequest(.head, "HeadObject", key: key)
        do throws(StoreFailure) {
            let answer = try await granted(request, call)
            let facts = ObjectFacts(answer.head)
            guard facts.tag != nil else { throw malformed(request, answer) }
            return facts
        } catch  where error.kind == .missing { return nil }
    }

    /// Removes an object; one that is not there counts as removed.
    package func remove(_ key: String, _ call: StoreCall) async throws(StoreFailure) {
        do throws(StoreFailure) {
            _ = try await granted(StoreRequest(.delete, "DeleteObject", key: key), call)
        } catch  where error.kind == .missing { return }
    }

    /// A URL at which anybody may read an object for five minutes, at the public endpoint.
    ///
    /// - Parameters:
    ///   - key: the key with its prefix.
    ///   - disposition: the field `Content-Disposition` of the answer.
    ///   - type: the field `Content-Type` of the answer.
    /// - Returns: the text of the URL.
    /// - Throws: `refused` without credentials.
    package func presigned(
        _ key: String, disposition: String, type: String
    ) throws(StoreFailure) -> String {
        var request = StoreRequest(.get, "GetObject", key: key)
        request.query = [
            ("response-content-disposition", disposition), ("response-content-type", type),
        ]
        let endpoint = location.publicEndpoint ?? location.endpoint
        let signature = signature(by: try credentials.current())
        return signature.presigned(
            method: request.method.rawValue, url: try url(of: request, at: endpoint),
            seconds: ObjectStore.presignedSeconds)
    }

    private static let presignedSeconds = 300
}
