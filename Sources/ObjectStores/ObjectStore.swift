// A client of one bucket in an object store.
package import Base
package import Downloads
package import Transfers

/// One store of the operator; see the Amazon S3 API reference for its operations.
///
/// A write that was refused for its credentials is tried once more after these were read anew.
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
    ) { fatalError() }

    /// Reads the credentials anew, with the next request.
    package func forgetCredentials() { fatalError() }

    /// Writes an object with one request.
    ///
    /// - Returns: the facts of the new object, with its entity tag.
    package func put(
        _ object: NewObject, _ body: StoreBody, if condition: WriteCondition, _ call: StoreCall
    ) async throws(StoreFailure) -> ObjectFacts { fatalError() }

    /// Begins an upload in parts.
    package func beginUpload(
        _ object: NewObject, _ call: StoreCall
    ) async throws(StoreFailure) -> UploadName { fatalError() }

    /// Writes a part, again in place of an earlier one with the same number.
    package func putPart(
        _ number: Int, of upload: UploadName, _ body: StoreBody, _ call: StoreCall
    ) async throws(StoreFailure) -> StoredPart { fatalError() }

    /// The parts that the store has, all pages of the list.
    ///
    /// - Throws: `noUpload` if the upload is not there.
    package func parts(
        of upload: UploadName, _ call: StoreCall
    ) async throws(StoreFailure) -> [StoredPart] { fatalError() }

    /// Makes the object of an upload out of its parts.
    ///
    /// - Parameters:
    ///   - parts: all of them, by number.
    ///   - crc64: CRC-64/NVME of the whole object where the location wants it.
    package func complete(
        _ upload: UploadName, _ parts: [StoredPart], crc64: UInt64?,
        if condition: WriteCondition, _ call: StoreCall
    ) async throws(StoreFailure) -> ObjectFacts { fatalError() }

    /// Aborts an upload; one that is not there counts as aborted.
    package func abort(_ upload: UploadName, _ call: StoreCall) async throws(StoreFailure) {
        fatalError()
    }

    /// A page of the uploads under the prefix.
    ///
    /// - Parameter cursor: the `next` of the last page; nil for the first.
    package func uploads(
        after cursor: String?, _ call: StoreCall
    ) async throws(StoreFailure) -> (uploads: [ListedUpload], next: String?) { fatalError() }

    /// The facts of an object; nil if there is none.
    package func head(
        _ key: String, _ call: StoreCall
    ) async throws(StoreFailure) -> ObjectFacts? { fatalError() }

    /// Removes an object; one that is not there counts as removed.
    package func remove(_ key: String, _ call: StoreCall) async throws(StoreFailure) {
        fatalError()
    }

    /// Opens an object for reading.
    ///
    /// - Parameters:
    ///   - range: the wished bytes; nil for all.
    ///   - tag: the entity tag that it must still have; nil for any.
    /// - Throws: `missing`; `conflict` if it has another tag.
    package func open(
        _ key: String, range: ClosedRange<Int64>?, tag: String?, _ call: StoreCall
    ) async throws(StoreFailure) -> StoreReading { fatalError() }

    /// A URL at which anybody may read an object for five minutes, at the public endpoint.
    ///
    /// - Parameters:
    ///   - disposition: the field `Content-Disposition` of the answer.
    ///   - type: the field `Content-Type` of the answer.
    /// - Throws: `refused` without credentials.
    package func presigned(
        _ key: String, disposition: String, type: String
    ) throws(StoreFailure) -> String { fatalError() }
}
