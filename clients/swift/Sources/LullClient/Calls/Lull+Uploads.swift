// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

extension Lull {
    /// Announce a file that the client will bring, and say where it goes.
    ///
    /// The answer is sent after the upload is durably stored and room for `length` bytes is
    /// reserved. Then the client brings the bytes to `content.href`, by one PUT or with tus 1.0.
    /// When they are whole and proved, the upload waits as a download does, and is sent to its
    /// `destination`.
    ///
    /// With `from` the bytes are those of a download's content that this service holds, and the
    /// client brings none; the key then needs `content:read` as well.
    ///
    /// A create with an `external_id` that an upload of the session has answers 200 with that
    /// upload if destination, length and `expected_digest` are the same, and 409
    /// `external-id-in-use` otherwise; nothing is stored.
    @discardableResult
    public func createUpload(
        _ body: NewUpload,
        dryRun: Bool? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Upload {
        var call = Call(
            .post, ["v1", "uploads"], operation: "createUpload", mayRepeat: true)
        call.query("dry_run", dryRun)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// List uploads.
    public func listUploads(
        limit: Int? = nil,
        cursor: String? = nil,
        state: [DownloadState]? = nil,
        session: String? = nil,
        origin: String? = nil,
        externalID: String? = nil,
        metadata: [String: String]? = nil,
        createdAfter: Date? = nil,
        createdBefore: Date? = nil,
        completedAfter: Date? = nil,
        errorCode: String? = nil,
        q: String? = nil,
        order: String? = nil
    ) async throws(LullError) -> UploadPage {
        var call = Call(
            .get, ["v1", "uploads"], operation: "listUploads", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        call.query("state", state)
        call.query("session", session)
        call.query("origin", origin)
        call.query("external_id", externalID)
        call.query("metadata", metadata)
        call.query("created_after", createdAfter)
        call.query("created_before", createdBefore)
        call.query("completed_after", completedAfter)
        call.query("error_code", errorCode)
        call.query("q", q)
        call.query("order", order)
        return try await self.value(call)
    }

    /// List uploads.
    public func listUploadRows(
        limit: Int? = nil,
        cursor: String? = nil,
        state: [DownloadState]? = nil,
        session: String? = nil,
        origin: String? = nil,
        externalID: String? = nil,
        metadata: [String: String]? = nil,
        createdAfter: Date? = nil,
        createdBefore: Date? = nil,
        completedAfter: Date? = nil,
        errorCode: String? = nil,
        q: String? = nil,
        order: String? = nil
    ) async throws(LullError) -> RowPage {
        var call = Call(
            .get, ["v1", "uploads"], operation: "listUploads", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        call.query("state", state)
        call.query("session", session)
        call.query("origin", origin)
        call.query("external_id", externalID)
        call.query("metadata", metadata)
        call.query("created_after", createdAfter)
        call.query("created_before", createdBefore)
        call.query("completed_after", completedAfter)
        call.query("error_code", errorCode)
        call.query("q", q)
        call.query("order", order)
        call.query("view", "row")
        return try await self.value(call)
    }

    /// Act on every upload that matches a filter.
    ///
    /// Uploads whose state does not allow the action stay unchanged, and those created after the
    /// request do not match. An empty filter is refused. After an error some may be changed; repeat
    /// the request for the others.
    ///
    /// `retry` passes the gate of a create: an upload whose destination this service does not allow
    /// any more, or whose session takes no uploads, stays unchanged, and so do the last ones when
    /// the app has as many uploads and downloads that wait and run as it may have. These are
    /// counted in `over_quota`.
    ///
    /// Without `uploads:read` the answer is an empty object, with `dry_run` too: counts would tell
    /// what uploads have.
    @discardableResult
    public func actOnUploads(
        _ body: ActionByFilterOrActionByIds,
        dryRun: Bool? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> BulkResult {
        var call = Call(
            .post, ["v1", "uploads", "bulk"], operation: "actOnUploads", mayRepeat: true)
        call.query("dry_run", dryRun)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Read an upload, or wait for it.
    ///
    /// With `wait` the answer is held until the upload has ended or, with `If-None-Match`, until
    /// its ETag has changed. When the time is over the answer is the same as without `wait`.
    public func getUpload(id: String, wait: Int? = nil) async throws(LullError) -> Upload {
        var call = Call(
            .get, ["v1", "uploads", id], operation: "getUpload", mayRepeat: true)
        call.query("wait", wait)
        return try await self.value(call)
    }

    /// Change an upload.
    ///
    /// A merge patch (RFC 7396): a `null` member gets its default, a missing one stays. The members
    /// may change in the states in which those of a download may: see PATCH of a download. Headers
    /// and credentials of a destination are dropped when its origin changes, unless they are given
    /// anew here: `dropped` names them.
    @discardableResult
    public func changeUpload(
        id: String,
        _ body: UploadPatch,
        ifMatch: String? = nil
    ) async throws(LullError) -> Upload {
        var call = Call(
            .patch, ["v1", "uploads", id], operation: "changeUpload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try call.body(body, type: "application/merge-patch+json")
        return try await self.value(call)
    }

    /// Remove an upload that has ended.
    public func deleteUpload(id: String, ifMatch: String? = nil) async throws(LullError) {
        var call = Call(
            .delete, ["v1", "uploads", id], operation: "deleteUpload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try await self.finish(call)
    }

    /// Stop an upload and keep its bytes.
    ///
    /// Repeating it changes nothing. A running upload may still be `running` in the answer; it is
    /// `suspended` as soon as its transfer has stopped.
    @discardableResult
    public func suspendUpload(
        id: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Upload {
        var call = Call(
            .post, ["v1", "uploads", id, "suspend"], operation: "suspendUpload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Resume a suspended upload.
    ///
    /// Repeating it changes nothing.
    @discardableResult
    public func resumeUpload(
        id: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Upload {
        var call = Call(
            .post, ["v1", "uploads", id, "resume"], operation: "resumeUpload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// End an upload.
    ///
    /// Repeating it changes nothing. A running upload is `canceling` until its transfer has
    /// stopped, then `canceled`.
    @discardableResult
    public func cancelUpload(
        id: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Upload {
        var call = Call(
            .post, ["v1", "uploads", id, "cancel"], operation: "cancelUpload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Try again, now.
    ///
    /// An upload that failed or was canceled waits to be sent again if its bytes are still here,
    /// else it receives them again. One that waits for its next attempt does not wait for it any
    /// longer. Header values and credentials of its destination were erased at the end: the body of
    /// this request must have them again, otherwise the answer is 409 `secrets-erased` and lists
    /// them.
    @discardableResult
    public func retryUpload(
        id: String,
        _ body: SentAgain? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Upload {
        var call = Call(
            .post, ["v1", "uploads", id, "retry"], operation: "retryUpload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// List the attempts, in order.
    public func listUploadAttempts(id: String) async throws(LullError) -> AttemptPage {
        let call = Call(
            .get, ["v1", "uploads", id, "attempts"], operation: "listUploadAttempts", mayRepeat: true)
        return try await self.value(call)
    }

    /// Why an upload waits, and until when.
    ///
    /// The same code decides. An upload that does not wait has `state` and `summary` only.
    public func explainUpload(id: String) async throws(LullError) -> Explanation {
        let call = Call(
            .get, ["v1", "uploads", id, "explain"], operation: "explainUpload", mayRepeat: true)
        return try await self.value(call)
    }
}
