// Finds sessions by identifier, for the endpoints of sessions and for new downloads.
internal import Base
internal import HTTPWire
internal import Store

/// Reads sessions, and caches those of creates for a moment.
struct SessionLookup: Sendable {
    /// The store.
    let sessions: Sessions
    /// The sessions that were read a moment ago.
    let cache = SessionCache()

    /// The session of a request, from the cache if it is there.
    ///
    /// - Throws: `validation-failed` if there is none.
    func find(
        _ identifier: String, in place: LayeredObject = .document, for call: Call
    ) async throws(Problem) -> SessionRecord {
        if let known = cache.find(app: call.app, identifier: identifier, now: call.now) {
            return known
        }
        let changes = cache.changes
        guard let record = try await read(identifier, call) else {
            throw .invalid(
                place.pointer("session"),
                "names \"\(identifier)\", which does not exist; make it with "
                    + "PUT /v1/sessions/\(identifier), or leave it out for \"default\"")
        }
        cache.keep(record, app: call.app, readAt: call.now, changes: changes)
        return record
    }

    /// The name of the caller's app.
    func appName(_ call: Call) async throws(Problem) -> String {
        try await call.stored { () throws(StoreError) in try await sessions.appName(call.app) }
    }

    /// A stored session; nil for none.
    func read(
        _ identifier: String, _ call: Call
    ) async throws(Problem) -> SessionRecord? {
        try await call.stored { () throws(StoreError) in
            try await sessions.find(
                app: call.app, identifier: identifier)
        }
    }
}
