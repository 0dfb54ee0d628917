// The proof that a store honours the conditions of writes.
internal import Base
internal import Crypto
internal import Downloads
package import ObjectStores
internal import Synchronization
internal import Transfers

/// Whether stores honour `If-None-Match`: proved once in a process for each store.
package final class StoreConditions: Sendable {
    private let known = Mutex<[Identifier: Bool]>([:])

    /// Creates a value that knows no store.
    package init() {}

    /// Whether a store honours conditions; a store that did not answer is asked again.
    func honours(
        _ store: ObjectStore, _ call: StoreCall, marked mark: String
    ) async throws(StoreFailure) -> Bool {
        if let answer = known.withLock({ $0[store.identifier] }) { return answer }
        let answer = try await StoreConditions.prove(store, call, marked: mark)
        known.withLock { $0[store.identifier] = answer }
        return answer
    }

    /// Writes a tiny object twice with `If-None-Match: *` under the prefix of the store.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - call: the bounds of the requests.
    ///   - mark: makes the object's name one that nobody else uses.
    /// - Returns: whether the store refused the second one with 412.
    /// - Throws: any other failure; the object is removed in any case, as far as that is possible.
    package static func prove(
        _ store: ObjectStore, _ call: StoreCall, marked mark: String
    ) async throws(StoreFailure) -> Bool {
        let bytes = Array("conditions\n".utf8)
        let digest = SHA256.digest(of: bytes)
        let object = NewObject(
            key: store.location.key(for: ".lull/conditions-" + mark), download: mark,
            sha256: digest)
        let result = await twice(store, object, StoreBody(of: bytes), call)
        do throws(StoreFailure) { try await store.remove(object.key, call) } catch {
            // A probe that cannot be removed is seen by its name; the answer counts all the same.
        }
        return try result.get()
    }

    private static func twice(
        _ store: ObjectStore, _ object: NewObject, _ body: StoreBody, _ call: StoreCall
    ) async -> Result<Bool, StoreFailure> {
        do throws(StoreFailure) {
            do throws(StoreFailure) {
                _ = try await store.put(object, body, if: .absent, call)
            } catch {
                // A probe of before with the same name proves it as well.
                guard error.kind == .conflict else { throw error }
                return .success(true)
            }
            do throws(StoreFailure) {
                _ = try await store.put(object, body, if: .absent, call)
                return .success(false)
            } catch {
                guard error.kind == .conflict else { throw error }
                return .success(true)
            }
        } catch {
            // A store that does not know the condition at all ignores it as well.
            guard error.code != "NotImplemented" else { return .success(false) }
            return .failure(error)
        }
    }
}
