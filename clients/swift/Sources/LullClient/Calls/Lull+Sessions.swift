// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

extension Lull {
    /// List sessions by name.
    public func listSessions() async throws(LullError) -> SessionPage {
        let call = Call(
            .get, ["v1", "sessions"], operation: "listSessions", mayRepeat: true)
        return try await self.value(call)
    }

    /// Read a session.
    public func getSession(identifier: String) async throws(LullError) -> Session {
        let call = Call(
            .get, ["v1", "sessions", identifier], operation: "getSession", mayRepeat: true)
        return try await self.value(call)
    }

    /// Create a session, or replace its configuration.
    ///
    /// The same configuration again changes nothing. Another one makes a new version; downloads
    /// keep the version with which they were created.
    @discardableResult
    public func putSession(
        identifier: String,
        _ body: SessionConfiguration,
        ifMatch: String? = nil
    ) async throws(LullError) -> Session {
        var call = Call(
            .put, ["v1", "sessions", identifier], operation: "putSession", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Change members of a session's configuration.
    ///
    /// A merge patch (RFC 7396) of `configuration`: null takes a member away, what is not named
    /// stays, and so do the values of secrets. `http_additional_headers` is merged by name; `tls`
    /// is replaced as a whole. Where `http_additional_headers_origins` gets an origin that it did
    /// not have, the values of all secrets have to be sent in the same request, otherwise it is
    /// refused (422). A `webhook_url` or `begin_hook` of another origin drops the headers and
    /// credentials for its receiver that are not given anew, and `dropped` says which.
    @discardableResult
    public func changeSession(
        identifier: String,
        _ body: SessionPatch,
        ifMatch: String? = nil
    ) async throws(LullError) -> Session {
        var call = Call(
            .patch, ["v1", "sessions", identifier], operation: "changeSession", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try call.body(body, type: "application/merge-patch+json")
        return try await self.value(call)
    }

    /// End a session.
    ///
    /// Without `mode` only without live downloads (else 409 `session-not-empty`). With
    /// `mode=finish` it is `invalidating` until its downloads have ended, with `mode=cancel` they
    /// are canceled; new ones get 409 `session-invalidated`. A PUT makes a new session of that name
    /// when it is over. `default` cannot be ended (409).
    @discardableResult
    public func deleteSession(
        identifier: String,
        mode: String? = nil,
        ifMatch: String? = nil
    ) async throws(LullError) -> Session? {
        var call = Call(
            .delete, ["v1", "sessions", identifier], operation: "deleteSession", mayRepeat: true)
        call.query("mode", mode)
        call.field("If-Match", ifMatch)
        return try await self.valueIfAny(call)
    }

    /// Let nothing of a session run.
    ///
    /// Its running downloads go back to `waiting`, with their bytes; all that wait show the blocker
    /// `session_suspended`. New ones are accepted. Repeating it changes nothing.
    @discardableResult
    public func suspendSession(
        identifier: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Session {
        var call = Call(
            .post, ["v1", "sessions", identifier, "suspend"], operation: "suspendSession", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Let the downloads of a suspended session run again.
    ///
    /// Repeating it changes nothing.
    @discardableResult
    public func resumeSession(
        identifier: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Session {
        var call = Call(
            .post, ["v1", "sessions", identifier, "resume"], operation: "resumeSession", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// The client is used by a person.
    ///
    /// An instant, not a state: the delay of wakes falls to 0, downloads that it held back may
    /// begin, and wakes are sent again after `force_quit`.
    @discardableResult
    public func enterForeground(
        identifier: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Session {
        var call = Call(
            .post, ["v1", "sessions", identifier, "foreground"], operation: "enterForeground", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// The client was ended by a person.
    ///
    /// Cancels all live downloads of the session, and sends no wakes until `foreground`. Downloads
    /// that are created meanwhile count as created in the background.
    @discardableResult
    public func forceQuitSession(
        identifier: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Session {
        var call = Call(
            .post, ["v1", "sessions", identifier, "force_quit"], operation: "forceQuitSession", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// What a client finds that comes back.
    ///
    /// The live downloads and, with the scope `uploads:read`, uploads, the oldest first, and the
    /// `cursor` behind the events that the last completed wake announced: `GET /v1/events?after=`
    /// goes on from there.
    @discardableResult
    public func attachSession(
        identifier: String,
        _ body: [String: JSONValue]? = nil,
        limit: Int? = nil,
        cursor: String? = nil
    ) async throws(LullError) -> Attachment {
        var call = Call(
            .post, ["v1", "sessions", identifier, "attach"], operation: "attachSession", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// The client has done what it was woken for.
    ///
    /// Needs no key but the token. Repeating it changes nothing; a wake that was given up is 410
    /// `wake-expired`. To answer the webhook with any 2xx but 202 does the same.
    @discardableResult
    public func completeWake(
        token: String,
        _ body: [String: JSONValue]? = nil
    ) async throws(LullError) -> CompleteWakeAnswer {
        var call = Call(
            .post, ["v1", "wakes", token, "complete"], operation: "completeWake", mayRepeat: true)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Give an open wake more time.
    ///
    /// Needs no key but the token. Five minutes in all; what is asked for beyond them is not added.
    @discardableResult
    public func extendWake(token: String, _ body: WakeExtension) async throws(LullError) -> ExtendWakeAnswer {
        var call = Call(
            .post, ["v1", "wakes", token, "extend"], operation: "extendWake", mayRepeat: false)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }
}
