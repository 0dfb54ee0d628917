// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

extension Lull {
    /// List the events of a download.
    ///
    /// A page, or with `Accept: text/event-stream` a stream that begins with the first event and
    /// ends after the last one of the download. Events are kept for `LULL_HISTORY_RETENTION`, 30
    /// days. `download.progress` is sent as for all downloads.
    public func listDownloadEvents(
        id: String,
        after: String? = nil,
        types: [EventName]? = nil,
        limit: Int? = nil,
        wait: Int? = nil
    ) async throws(LullError) -> EventPage {
        var call = Call(
            .get, ["v1", "downloads", id, "events"], operation: "listDownloadEvents", mayRepeat: true)
        call.query("after", after)
        call.query("types", types)
        call.query("limit", limit)
        call.query("wait", wait)
        return try await self.value(call)
    }

    /// List the events of all downloads.
    ///
    /// The journal, in pages or with `Accept: text/event-stream` as a stream. A client that
    /// continues after the last event that it got neither misses one nor gets one twice. Events of
    /// one download are ordered by `data.sequence`. Events are kept for `LULL_HISTORY_RETENTION`,
    /// 30 days; if some after the given place are no longer kept, a page has `gap: true`, and a
    /// stream has an event `gap`.
    ///
    /// Progress is sent and not kept: a stream without `types`, or with `download.progress` among
    /// them, has events `download.progress` without an `id`, every `LULL_PROGRESS_INTERVAL` for at
    /// most a hundred downloads that received bytes, in turn. They are not in the journal and do
    /// not change `Last-Event-ID`; none is sent after the end of its download. A page that is held
    /// with `wait` returns them only if `types` names `download.progress`: then their `id` is null,
    /// and their `cursor` is the place where the page began. Only if `webhook_events` names
    /// `download.progress` has the journal events of that type too, at most one every
    /// `LULL_WEBHOOK_PROGRESS_INTERVAL`.
    public func listEvents(
        after: String? = nil,
        types: [EventName]? = nil,
        session: String? = nil,
        limit: Int? = nil,
        wait: Int? = nil
    ) async throws(LullError) -> EventPage {
        var call = Call(
            .get, ["v1", "events"], operation: "listEvents", mayRepeat: true)
        call.query("after", after)
        call.query("types", types)
        call.query("session", session)
        call.query("limit", limit)
        call.query("wait", wait)
        return try await self.value(call)
    }

    /// List the events of an upload.
    ///
    /// A page, or with `Accept: text/event-stream` a stream that begins with the first event and
    /// ends after the last one of the upload. Events are kept for `LULL_HISTORY_RETENTION`, 30
    /// days. `upload.progress` is sent as for all uploads.
    public func listUploadEvents(
        id: String,
        after: String? = nil,
        types: [EventName]? = nil,
        limit: Int? = nil,
        wait: Int? = nil
    ) async throws(LullError) -> EventPage {
        var call = Call(
            .get, ["v1", "uploads", id, "events"], operation: "listUploadEvents", mayRepeat: true)
        call.query("after", after)
        call.query("types", types)
        call.query("limit", limit)
        call.query("wait", wait)
        return try await self.value(call)
    }
}
