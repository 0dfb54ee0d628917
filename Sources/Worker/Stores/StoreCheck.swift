// The check of an object store's rights, for the operator.
internal import Crypto
internal import Downloads
package import ObjectStores

/// Tries each operation that a store has to allow, with an object and an upload of its own.
package struct StoreCheck: Sendable {
    /// A right of the credentials that is missing, or another failure of an operation.
    package struct Fault: Sendable, Equatable {
        /// The right that the operation needs, such as `s3:PutObject`.
        package let right: String
        /// The store's answer in one sentence.
        package let detail: String
        /// Whether the store was not reached, so that nothing is known about its rights.
        package let isUnreachable: Bool
        /// Whether the store refuses the operation to the credentials.
        package let lacksRight: Bool
        /// Whether the store does not implement the operation, as one without checksums does.
        package let knowsNoChecksums: Bool
    }

    /// The result of a check.
    package struct Result: Sendable, Equatable {
        /// The operations that failed; empty if all of them are allowed.
        package var faults: [Fault] = []
        /// Whether the store honours the conditions of writes; nil if that could not be tried.
        package var honoursConditions: Bool?
    }

    private let store: ObjectStore
    private let mark: String
    private let call = StoreCall()
    private var result = Result()

    private init(_ store: ObjectStore, mark: String) {
        self.store = store
        self.mark = mark
    }

    /// Checks a store.
    ///
    /// - Parameters:
    ///   - store: the store; its objects under `.lull/` of the prefix are made and removed.
    ///   - mark: makes the names of these objects unique.
    /// - Returns: the failures; only the first one if the store is not reached.
    package static func run(_ store: ObjectStore, mark: String) async -> Result {
        var check = StoreCheck(store, mark: mark)
        await check.run()
        return check.result
    }

    private mutating func run() async {
        let bytes = Array("rights\n".utf8)
        let digest = SHA256.digest(of: bytes)
        let key = store.location.key(for: ".lull/rights-" + mark)
        let object = NewObject(key: key, download: mark, sha256: digest)
        let body = StoreBody(of: bytes)
        let isWritten = await holds("s3:PutObject") { store, call throws(StoreFailure) in
            _ = try await store.put(object, body, if: .always, call)
        }
        if result.faults.contains(where: \.isUnreachable) { return }
        if isWritten {
            await holds("s3:GetObject") { store, call throws(StoreFailure) in
                let reading = try await store.open(key, range: nil, tag: nil, call)
                while try await reading.next() != nil {}
            }
            await holds("s3:DeleteObject") { store, call throws(StoreFailure) in
                try await store.remove(key, call)
            }
        }
        await tryUpload(object, body)
        await holds("s3:ListBucketMultipartUploads") { store, call throws(StoreFailure) in
            _ = try await store.uploads(after: nil, call)
        }
        guard isWritten else { return }
        do throws(StoreFailure) {
            result.honoursConditions = try await StoreConditions.prove(store, call, marked: mark)
        } catch {
            note(error, "s3:PutObject")
        }
    }

    /// Begins an upload in parts, lists its parts, and aborts it.
    private mutating func tryUpload(_ object: NewObject, _ body: StoreBody) async {
        let upload: UploadName
        do throws(StoreFailure) {
            upload = try await store.beginUpload(object, call)
        } catch {
            return note(error, "s3:PutObject")
        }
        await holds("s3:ListMultipartUploadParts") { store, call throws(StoreFailure) in
            _ = try await store.parts(of: upload, call)
        }
        await holds("s3:AbortMultipartUpload") { store, call throws(StoreFailure) in
            try await store.abort(upload, call)
        }
    }

    /// Tries an operation, and notes its failure.
    @discardableResult
    private mutating func holds(
        _ right: String, _ operation: (ObjectStore, StoreCall) async throws(StoreFailure) -> Void
    ) async -> Bool {
        do throws(StoreFailure) {
            try await operation(store, call)
            return true
        } catch {
            note(error, right)
            return false
        }
    }

    private mutating func note(_ failure: StoreFailure, _ right: String) {
        result.faults.append(
            Fault(
                right: right, detail: failure.detail, isUnreachable: failure.obstacle != nil,
                lacksRight: failure.code.map { $0 == "AccessDenied" } ?? (failure.status == 403),
                knowsNoChecksums: failure.status == 501))
    }
}
