// The proof that a store honours the conditions of writes.
internal import Base
internal import Crypto
internal import Downloads
package import ObjectStores
internal import Synchronization
internal import Transfers

/// Whether stores honour `If-None-Match`: proved once in a process for each store.
package final class StoreConditions: Sendable {
    private struct State {
        var known: [Identifier: Bool] = [:]
        /// The stores that are being asked, and those who wait for the answer.
        var asking: [Identifier: [CheckedContinuation<Void, Never>]] = [:]
    }

    /// What a caller has to do.
    private enum Turn {
        case known(Bool)
        case ask
        case wait
    }

    private let state = Mutex(State())

    /// Creates a value that knows no store.
    package init() {}

    /// Whether a store honours conditions; a store that did not answer is asked again.
    ///
    /// One caller at a time asks a store: two probes with one name would disturb each other.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - call: the bounds of the requests.
    ///   - instance: the data directory. The probe is named after it, so that a crash leaves at
    ///     most one object, which the next process removes.
    /// - Returns: whether it honours them.
    /// - Throws: the failure of a probe.
    func honours(
        _ store: ObjectStore, _ call: StoreCall, at instance: Identifier
    ) async throws(StoreFailure) -> Bool {
        while true {
            switch turn(store.identifier) {
            case .known(let answer): return answer
            case .wait: await answered(store.identifier)
            case .ask:
                do throws(StoreFailure) {
                    let answer = try await StoreConditions.prove(
                        store, call, marked: instance.hexadecimal)
                    settle(store.identifier, answer)
                    return answer
                } catch {
                    settle(store.identifier, nil)
                    throw error
                }
            }
        }
    }

    private func turn(_ store: Identifier) -> Turn {
        state.withLock { state in
            if let answer = state.known[store] { return .known(answer) }
            guard state.asking[store] == nil else { return .wait }
            state.asking[store] = []
            return .ask
        }
    }

    /// Returns once the caller that asks a store has an answer, or has failed.
    private func answered(_ store: Identifier) async {
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                state.asking[store]?.append(waiter)
                return state.asking[store] == nil
            }
            if isOver { waiter.resume() }
        }
    }

    private func settle(_ store: Identifier, _ answer: Bool?) {
        let waiters = state.withLock { state in
            if let answer { state.known[store] = answer }
            return state.asking.removeValue(forKey: store) ?? []
        }
        for waiter in waiters { waiter.resume() }
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
