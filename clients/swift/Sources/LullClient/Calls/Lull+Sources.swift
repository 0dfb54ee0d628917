// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

extension Lull {
    /// List sources by name.
    public func listSources(limit: Int? = nil, cursor: String? = nil) async throws(LullError) -> ListSourcesAnswer {
        var call = Call(
            .get, ["v1", "sources"], operation: "listSources", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        return try await self.value(call)
    }

    /// Read a source.
    public func getSource(identifier: String) async throws(LullError) -> Source {
        let call = Call(
            .get, ["v1", "sources", identifier], operation: "getSource", mayRepeat: true)
        return try await self.value(call)
    }

    /// Create a source, or replace its document.
    ///
    /// The same document again changes nothing. An app has at most 1,000 sources (409
    /// `source-conflict`).
    @discardableResult
    public func putSource(
        identifier: String,
        _ body: SourceDocument,
        ifMatch: String? = nil
    ) async throws(LullError) -> Source {
        var call = Call(
            .put, ["v1", "sources", identifier], operation: "putSource", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Change members of a source's document.
    ///
    /// A merge patch (RFC 7396); what is not named stays, and so do the values of secrets. A `url`
    /// of another origin drops the headers, the body and the credentials of the template that are
    /// not given anew, and `dropped` says which.
    @discardableResult
    public func changeSource(
        identifier: String,
        _ body: SourcePatch,
        ifMatch: String? = nil
    ) async throws(LullError) -> Source {
        var call = Call(
            .patch, ["v1", "sources", identifier], operation: "changeSource", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try call.body(body, type: "application/merge-patch+json")
        return try await self.value(call)
    }

    /// Remove a source.
    ///
    /// Its downloads stay, and a look that runs goes on as a download without a source.
    public func deleteSource(
        identifier: String,
        ifMatch: String? = nil
    ) async throws(LullError) {
        var call = Call(
            .delete, ["v1", "sources", identifier], operation: "deleteSource", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try await self.finish(call)
    }

    /// Let a source begin no looks.
    ///
    /// A look that runs goes on. The instants that pass get no look, also not later. Repeating it
    /// changes nothing.
    @discardableResult
    public func suspendSource(
        identifier: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Source {
        var call = Call(
            .post, ["v1", "sources", identifier, "suspend"], operation: "suspendSource", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Let a suspended source look again.
    ///
    /// It looks at the next instant of its schedule. Repeating it changes nothing.
    @discardableResult
    public func resumeSource(
        identifier: String,
        _ body: [String: JSONValue]? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Source {
        var call = Call(
            .post, ["v1", "sources", identifier, "resume"], operation: "resumeSource", mayRepeat: true)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Look now.
    ///
    /// It looks at once, or when the running look has ended. A suspended source answers 409
    /// `source-conflict`. With `refetch` the file of a known item of a feed is fetched once more,
    /// in a new download, without a look.
    @discardableResult
    public func lookAtSource(
        identifier: String,
        _ body: [String: JSONValue]? = nil,
        refetch: String? = nil,
        ifMatch: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> Source {
        var call = Call(
            .post, ["v1", "sources", identifier, "look"], operation: "lookAtSource", mayRepeat: true)
        call.query("refetch", refetch)
        call.field("If-Match", ifMatch)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// The looks of a source.
    ///
    /// They are kept for a week. Adjacent instants that were passed over for one reason are one
    /// entry with their `count`.
    public func listLooks(
        identifier: String,
        limit: Int? = nil,
        cursor: String? = nil
    ) async throws(LullError) -> ListLooksAnswer {
        var call = Call(
            .get, ["v1", "sources", identifier, "looks"], operation: "listLooks", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        return try await self.value(call)
    }

    /// The versions of a source's file.
    ///
    /// The last 1,000. A version is what differs from the one before it.
    public func listVersions(
        identifier: String,
        limit: Int? = nil,
        cursor: String? = nil
    ) async throws(LullError) -> ListVersionsAnswer {
        var call = Call(
            .get, ["v1", "sources", identifier, "versions"], operation: "listVersions", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        return try await self.value(call)
    }

    /// The known items of a feed.
    ///
    /// At most 100,000: beyond them the oldest ones go that the feed no longer has. Each item's
    /// file is fetched once.
    public func listItems(
        identifier: String,
        limit: Int? = nil,
        cursor: String? = nil
    ) async throws(LullError) -> ListItemsAnswer {
        var call = Call(
            .get, ["v1", "sources", identifier, "items"], operation: "listItems", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        return try await self.value(call)
    }

    /// The triggers of a source.
    ///
    /// In the order of their creation, without tokens and secrets. A source has at most 10.
    public func listTriggers(identifier: String) async throws(LullError) -> ListTriggersAnswer {
        let call = Call(
            .get, ["v1", "sources", identifier, "triggers"], operation: "listTriggers", mayRepeat: true)
        return try await self.value(call)
    }

    /// Make a trigger, by whose token others ask the source to look.
    ///
    /// Only this answer shows token and secret; only a digest of the token is kept. A source has at
    /// most 10; one more is refused with 409. A request whose answer was lost may have made one:
    /// list them.
    @discardableResult
    public func createTrigger(identifier: String, _ body: NewTrigger) async throws(LullError) -> CreateTriggerAnswer {
        var call = Call(
            .post, ["v1", "sources", identifier, "triggers"], operation: "createTrigger", mayRepeat: false)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Remove a trigger; its token opens nothing any more.
    public func deleteTrigger(identifier: String, id: String) async throws(LullError) {
        let call = Call(
            .delete, ["v1", "sources", identifier, "triggers", id], operation: "deleteTrigger", mayRepeat: true)
        try await self.finish(call)
    }

    /// The content may have changed.
    ///
    /// The source looks now.
    ///
    /// Needs no key but the token, which opens nothing else. The source looks at most once in
    /// `LULL_SOURCE_MIN_INTERVAL`; a call that comes earlier, or while a look runs, is `coalesced`:
    /// the source looks once more afterwards. A body of at most 4 KiB, text in UTF-8, goes into the
    /// event of the look; a longer one is 413, or left out for `github`. A call whose signature is
    /// wrong, too old or was used is 401. A suspended source is 409.
    @discardableResult
    public func callTrigger(token: String) async throws(LullError) -> TriggerAnswer {
        let call = Call(
            .post, ["v1", "triggers", token], operation: "callTrigger", mayRepeat: false)
        return try await self.value(call)
    }

    /// The next looks of a schedule.
    ///
    /// Answers the next 20 instants at which a source with this schedule would be looked at.
    /// Nothing is created. An interval counts from `after`.
    @discardableResult
    public func trySchedule(_ body: ScheduleQuestion) async throws(LullError) -> ScheduleTrial {
        var call = Call(
            .post, ["v1", "sources", "try"], operation: "trySchedule", mayRepeat: true)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }
}
