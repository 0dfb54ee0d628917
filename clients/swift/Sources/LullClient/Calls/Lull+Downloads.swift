// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

extension Lull {
    /// Queue a download.
    ///
    /// The answer is sent after the download is durably stored: what got a 201 is never lost.
    /// `session` must exist; `default` always does. With `Prefer: wait` the status is 201 too,
    /// whether or not the download ended in time.
    ///
    /// A create with an `external_id` that a download of the session has answers 200 with that
    /// download if `url` and `expected_digest` are the same, and 409 `external-id-in-use`
    /// otherwise; nothing is stored.
    ///
    /// With `replaces` it cancels the live download, or upload, of its session that has this
    /// `external_id`: both happen, or neither. The canceled one has `cancel_reason: replaced`. If
    /// the new one has the same `external_id`, it takes the name, also from one that has ended.
    /// Repeat such a create with its `Idempotency-Key`: without one a repetition replaces the
    /// first.
    ///
    /// With `on_duplicate_url: join` it shares the transfer of a live download of its session that
    /// asks for the same bytes. It is a download of its own: with its events, its webhook, its time
    /// limit, and content that expires and is deleted by itself. If the one that it has joined is
    /// canceled, suspended, changed or out of time, the next goes on with its bytes; if that one
    /// fails or needs its client, each goes on by itself.
    @discardableResult
    public func createDownload(
        _ body: NewDownload,
        wait: Int? = nil,
        dryRun: Bool? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Download {
        var call = Call(
            .post, ["v1", "downloads"], operation: "createDownload", mayRepeat: true)
        call.field("Prefer", wait.map { "wait=\($0)" })
        call.query("dry_run", dryRun)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// List downloads.
    public func listDownloads(
        limit: Int? = nil,
        cursor: String? = nil,
        state: [DownloadState]? = nil,
        session: String? = nil,
        origin: String? = nil,
        externalID: String? = nil,
        source: String? = nil,
        metadata: [String: String]? = nil,
        createdAfter: Date? = nil,
        createdBefore: Date? = nil,
        completedAfter: Date? = nil,
        errorCode: String? = nil,
        q: String? = nil,
        order: String? = nil
    ) async throws(LullError) -> DownloadPage {
        var call = Call(
            .get, ["v1", "downloads"], operation: "listDownloads", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        call.query("state", state)
        call.query("session", session)
        call.query("origin", origin)
        call.query("external_id", externalID)
        call.query("source", source)
        call.query("metadata", metadata)
        call.query("created_after", createdAfter)
        call.query("created_before", createdBefore)
        call.query("completed_after", completedAfter)
        call.query("error_code", errorCode)
        call.query("q", q)
        call.query("order", order)
        return try await self.value(call)
    }

    /// List downloads.
    public func listDownloadRows(
        limit: Int? = nil,
        cursor: String? = nil,
        state: [DownloadState]? = nil,
        session: String? = nil,
        origin: String? = nil,
        externalID: String? = nil,
        source: String? = nil,
        metadata: [String: String]? = nil,
        createdAfter: Date? = nil,
        createdBefore: Date? = nil,
        completedAfter: Date? = nil,
        errorCode: String? = nil,
        q: String? = nil,
        order: String? = nil
    ) async throws(LullError) -> RowPage {
        var call = Call(
            .get, ["v1", "downloads"], operation: "listDownloads", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        call.query("state", state)
        call.query("session", session)
        call.query("origin", origin)
        call.query("external_id", externalID)
        call.query("source", source)
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

    /// Queue many downloads, all or none.
    ///
    /// A JSON document, or a list of URLs with one a line and comments behind `#` (RFC 2483).
    /// `defaults` has the members that downloads leave out; the copies that all downloads take have
    /// at most 4 MiB together, as many bytes as a body. The answer has the downloads in the order
    /// of the request. If one of them is not valid none is created, and `errors` has the places,
    /// for example `#/downloads/17/url`. In the place of one whose `external_id` is taken by the
    /// same URL and digest stands the download that has it; the answer is 200 if there is one for
    /// each. `replaces` means downloads that were there before the batch.
    @discardableResult
    public func createDownloads(
        _ body: NewBatch,
        session: String? = nil,
        dryRun: Bool? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Batch {
        var call = Call(
            .post, ["v1", "downloads", "batch"], operation: "createDownloads", mayRepeat: true)
        call.query("session", session)
        call.query("dry_run", dryRun)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Act on every download that matches a filter.
    ///
    /// Downloads whose state does not allow the action stay unchanged, and those created after the
    /// request do not match. An empty filter is refused. After an error some may be changed; repeat
    /// the request for the others.
    ///
    /// `retry` passes the same gate as a create: what names a destination that this service does
    /// not allow any more, or is in a session that takes no downloads, stays unchanged, and so do
    /// the last ones when the app has as many downloads that wait and run as it may have. These are
    /// counted in `over_quota`.
    ///
    /// Without `downloads:read` the answer is an empty object, with `dry_run` too: counts would
    /// tell what downloads have.
    @discardableResult
    public func actOnDownloads(
        _ body: ActionByFilterOrActionByIds,
        dryRun: Bool? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> BulkResult {
        var call = Call(
            .post, ["v1", "downloads", "bulk"], operation: "actOnDownloads", mayRepeat: true)
        call.query("dry_run", dryRun)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Read a download, or wait for it.
    ///
    /// With `wait` the answer is held until the download has ended or, with `If-None-Match`, until
    /// its ETag has changed. When the time is over the answer is the same as without `wait`.
    public func getDownload(id: String, wait: Int? = nil) async throws(LullError) -> Download {
        var call = Call(
            .get, ["v1", "downloads", id], operation: "getDownload", mayRepeat: true)
        call.query("wait", wait)
        return try await self.value(call)
    }

    /// Change a download.
    ///
    /// A merge patch (RFC 7396): a `null` member gets its default, a missing one stays. `metadata`,
    /// `filename` and `task_description` may change at any time. `priority`, `earliest_begin_date`,
    /// `begin_deadline`, `complete_by`, `is_discretionary`, `max_bytes_per_second`, `webhook_url`,
    /// `webhook_events` and `begin_hook` may change unless the download has succeeded, all others
    /// also only while it does not run. A download from another origin starts over, without the
    /// headers and credentials that were given for the old one, unless they are given anew here:
    /// `dropped` names what was left behind. A POST or PUT whose `body` would be left behind is
    /// refused (422). http on port 80 and https on port 443 of one host are one origin; the proxy
    /// and its credentials stay. After 401, 403 or 407 PATCH the credentials, then `resume`. After
    /// a change of `url` or `urls` the first mirror is tried first. A new `url` does not wait for
    /// the next attempt of the old one; a pause that its origin asked for (`origin_pushback`) holds
    /// on.
    ///
    /// What changes in a download that `failed` or was `canceled` counts for its `retry`; its
    /// state, its error and the event of its end stay. Headers, body and credentials that it gets
    /// so are kept for 24 hours.
    @discardableResult
    public func changeDownload(
        id: String,
        _ body: DownloadPatch,
        ifMatch: String? = nil
    ) async throws(LullError) -> Download {
        var call = Call(
            .patch, ["v1", "downloads", id], operation: "changeDownload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try call.body(body, type: "application/merge-patch+json")
        return try await self.value(call)
    }

    /// Delete a download that has ended, and its content.
    ///
    /// Deleted with it are its attempts, the webhooks that have ended, and the data of its events
    /// and of the answers that are stored for an `Idempotency-Key`, except the `id`. Webhooks that
    /// are still to be sent are sent whole, and then erased. Its origin, which other downloads
    /// share, and a webhook URL that answered 410 stay.
    public func deleteDownload(id: String, ifMatch: String? = nil) async throws(LullError) {
        var call = Call(
            .delete, ["v1", "downloads", id], operation: "deleteDownload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try await self.finish(call)
    }

    /// Get what a download can be made from again.
    ///
    /// An opaque text for `resume_data` of a create, which needs `downloads:write`: the URL,
    /// headers and credentials, and what proves that bytes belong together, encrypted with the key
    /// of this service for apps of the same name. The bytes are not in it. A download made from it
    /// goes on from them where the part file of this one is still here, and begins at 0 elsewhere,
    /// with `resume.reason` `bytes_elsewhere`. 409 `no-resume-data` if there is nothing to go on
    /// from. That of a download in an ephemeral session is refused (422) outside of ephemeral
    /// sessions.
    public func getResumeData(id: String) async throws(LullError) -> ResumeData {
        let call = Call(
            .get, ["v1", "downloads", id, "resume_data"], operation: "getResumeData", mayRepeat: true)
        return try await self.value(call)
    }

    /// Stop a download and keep its bytes.
    ///
    /// Repeating it changes nothing. A running download may still be `running` in the answer; it is
    /// `suspended` as soon as its transfer has stopped.
    @discardableResult
    public func suspendDownload(
        id: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Download {
        var call = Call(
            .post, ["v1", "downloads", id, "suspend"], operation: "suspendDownload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Resume a suspended download.
    ///
    /// Repeating it changes nothing.
    @discardableResult
    public func resumeDownload(
        id: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Download {
        var call = Call(
            .post, ["v1", "downloads", id, "resume"], operation: "resumeDownload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// End a download.
    ///
    /// Repeating it changes nothing. A running download is `canceling` until its transfer has
    /// stopped, then `canceled`.
    @discardableResult
    public func cancelDownload(
        id: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Download {
        var call = Call(
            .post, ["v1", "downloads", id, "cancel"], operation: "cancelDownload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Try again, now.
    ///
    /// A download that failed or was canceled waits again, with its whole time limit. One that
    /// waits for its next attempt does not wait for it any longer. A running one is not affected. A
    /// download that has succeeded and whose content is `lost` is fetched again.
    ///
    /// Bytes that a failed download had received are kept for `content_retention` from its end,
    /// unless it is ephemeral or its digest or length did not fit, and a retry asks for the rest,
    /// also after a `PATCH` of `url` where an ETag or `expected_digest` proves that they fit. It
    /// begins at 0 on another replica, and where the bytes were removed since: those of the oldest
    /// end go first when a download waits for `disk_reserve`. `DELETE` removes them.
    ///
    /// Header values, body and credentials were erased at the end: for a download that had some, a
    /// `PATCH` since then or the body of this request must have them again, otherwise the answer is
    /// 409 `secrets-erased` and lists them. Only a download that has ended takes such a body;
    /// others are changed with `PATCH`.
    @discardableResult
    public func retryDownload(
        id: String,
        _ body: SentAgain? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Download {
        var call = Call(
            .post, ["v1", "downloads", id, "retry"], operation: "retryDownload", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// List the attempts, in order.
    public func listAttempts(id: String) async throws(LullError) -> AttemptPage {
        let call = Call(
            .get, ["v1", "downloads", id, "attempts"], operation: "listAttempts", mayRepeat: true)
        return try await self.value(call)
    }

    /// Release the content; the download stays.
    ///
    /// Send this when you have the bytes: the file is removed and GET answers 410. Repeating it
    /// changes nothing.
    public func releaseContent(id: String, ifMatch: String? = nil) async throws(LullError) {
        var call = Call(
            .delete, ["v1", "downloads", id, "content"], operation: "releaseContent", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try await self.finish(call)
    }

    /// Make a link to the content, which needs no key.
    ///
    /// For browsers and players, which cannot send a key. Whoever has the link reads the content
    /// until `expires_at`, also when the key that made it is revoked. It is over earlier if the
    /// content goes or the download gets other content, and it does not make the content stay.
    /// Every replica serves it. With `LULL_PUBLIC_URL` `href` begins with that URL, without it
    /// `href` is a path.
    ///
    /// `inline` lets a browser show or play the content. It is allowed for audio, video, images
    /// without SVG, and `text/plain`; other types are 422.
    @discardableResult
    public func createContentLink(
        id: String,
        _ body: NewContentLink? = nil
    ) async throws(LullError) -> ContentLink {
        var call = Call(
            .post, ["v1", "downloads", id, "content", "link"], operation: "createContentLink", mayRepeat: true)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// The queue of the app in numbers.
    ///
    /// What runs, what waits and why, what failed in the last day, and what needs you. It is at
    /// most a second old.
    public func getOverview() async throws(LullError) -> Overview {
        let call = Call(
            .get, ["v1", "overview"], operation: "getOverview", mayRepeat: true)
        return try await self.value(call)
    }

    /// Why a download waits, and until when.
    ///
    /// The same code decides. A download that does not wait has `state` and `summary` only.
    public func explainDownload(id: String) async throws(LullError) -> Explanation {
        let call = Call(
            .get, ["v1", "downloads", id, "explain"], operation: "explainDownload", mayRepeat: true)
        return try await self.value(call)
    }
}
