// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

extension Lull {
    /// Register an endpoint for webhooks.
    ///
    /// It gets the events of the app's downloads that it hears, each signed with its own secret,
    /// which only this answer and `/secret` show. Those of a `format` for people get messages that
    /// are not signed. An app has at most 100 endpoints, 20 of them for mail; one more is refused
    /// with 409. A request whose answer was lost may have made one: list them.
    @discardableResult
    public func createWebhookEndpoint(_ body: NewWebhookEndpoint) async throws(LullError) -> CreateWebhookEndpointAnswer {
        var call = Call(
            .post, ["v1", "webhook_endpoints"], operation: "createWebhookEndpoint", mayRepeat: false)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// List the endpoints of the app.
    ///
    /// `default` is the first: it stands for every `webhook_url` of downloads and sessions. The
    /// others follow in the order in which they were made.
    public func listWebhookEndpoints() async throws(LullError) -> WebhookEndpointPage {
        let call = Call(
            .get, ["v1", "webhook_endpoints"], operation: "listWebhookEndpoints", mayRepeat: true)
        return try await self.value(call)
    }

    /// Read an endpoint.
    public func getWebhookEndpoint(id: String) async throws(LullError) -> WebhookEndpoint {
        let call = Call(
            .get, ["v1", "webhook_endpoints", id], operation: "getWebhookEndpoint", mayRepeat: true)
        return try await self.value(call)
    }

    /// Change an endpoint, or enable it again.
    ///
    /// A merge patch (RFC 7396): members that are absent stay, null takes the default. What waits
    /// for an endpoint goes to its new `url`. Disabling it abandons what waits; `/recover` sends
    /// what was missed. Of `default` only `events` may be given: what a `webhook_url` of new
    /// downloads hears where neither they nor their session have `webhook_events`; other replicas
    /// know it after ten seconds.
    @discardableResult
    public func changeWebhookEndpoint(
        id: String,
        _ body: WebhookEndpointPatch,
        ifMatch: String? = nil
    ) async throws(LullError) -> WebhookEndpoint {
        var call = Call(
            .patch, ["v1", "webhook_endpoints", id], operation: "changeWebhookEndpoint", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try call.body(body, type: "application/merge-patch+json")
        return try await self.value(call)
    }

    /// Delete an endpoint and its secret.
    ///
    /// What waits for it is abandoned; its deliveries can be read for `LULL_DELIVERY_RETENTION`.
    public func deleteWebhookEndpoint(
        id: String,
        ifMatch: String? = nil
    ) async throws(LullError) {
        var call = Call(
            .delete, ["v1", "webhook_endpoints", id], operation: "deleteWebhookEndpoint", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try await self.finish(call)
    }

    /// How an endpoint answers.
    ///
    /// `succeeded` and `failed` count tries since it was made. `pending`, `exhausted` and
    /// `abandoned` count deliveries that are kept, up to 10,000. Of `default` tries are not
    /// counted, and `resting` lists URLs that answered 410 Gone: what waits for them and what comes
    /// in for 24 hours is abandoned, other URLs on the same host are not affected.
    public func getWebhookStatistics(id: String) async throws(LullError) -> WebhookStatistics {
        let call = Call(
            .get, ["v1", "webhook_endpoints", id, "statistics"], operation: "getWebhookStatistics", mayRepeat: true)
        return try await self.value(call)
    }

    /// The secret that signs what goes to an endpoint.
    ///
    /// That of `default` signs what goes to every `webhook_url` of the app.
    public func getWebhookSecret(id: String) async throws(LullError) -> GetWebhookSecretAnswer {
        let call = Call(
            .get, ["v1", "webhook_endpoints", id, "secret"], operation: "getWebhookSecret", mayRepeat: true)
        return try await self.value(call)
    }

    /// Replace the secret of an endpoint.
    ///
    /// Webhooks are signed by the new secret, and for `LULL_WEBHOOK_SECRET_OVERLAP`, 24 hours, by
    /// the one before it as well. All secrets that were replaced within that time go on signing,
    /// each until its own time, at most eight: the ninth replacement is refused with
    /// `endpoint-conflict`, which says when the first of them stops. No secret signs for longer
    /// than the setting says at the last replacement. If the answer is lost, read the new secret at
    /// `/secret`.
    @discardableResult
    public func rotateWebhookSecret(
        id: String,
        _ body: [String: JSONValue]? = nil
    ) async throws(LullError) -> RotateWebhookSecretAnswer {
        var call = Call(
            .post, ["v1", "webhook_endpoints", id, "secret", "rotate"], operation: "rotateWebhookSecret", mayRepeat: false)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Send `endpoint.ping` to an endpoint.
    ///
    /// It is tried once, also while the endpoint is disabled, and changes nothing else. `default`
    /// has no URL: 409.
    @discardableResult
    public func pingWebhookEndpoint(
        id: String,
        _ body: [String: JSONValue]? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> WebhookDelivery {
        var call = Call(
            .post, ["v1", "webhook_endpoints", id, "ping"], operation: "pingWebhookEndpoint", mayRepeat: true)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Send once more what an endpoint did not get.
    ///
    /// Of the events from `since` to `until` that it hears: what was given up or abandoned, and
    /// what happened while it was disabled. At most 10,000 deliveries, and 100,000 events are
    /// looked at; `is_complete` is false if there may be more: ask again from the last one that
    /// came. Of `default` what was given up or abandoned for a `webhook_url`.
    @discardableResult
    public func recoverWebhookEndpoint(
        id: String,
        _ body: RecoveredTime,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> RecoverWebhookEndpointAnswer {
        var call = Call(
            .post, ["v1", "webhook_endpoints", id, "recover"], operation: "recoverWebhookEndpoint", mayRepeat: true)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// List the deliveries to an endpoint, the newest first.
    public func listEndpointDeliveries(
        id: String,
        limit: Int? = nil,
        cursor: String? = nil,
        state: DeliveryState? = nil,
        download: String? = nil
    ) async throws(LullError) -> WebhookDeliveryPage {
        var call = Call(
            .get, ["v1", "webhook_endpoints", id, "deliveries"], operation: "listEndpointDeliveries", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        call.query("state", state)
        call.query("download", download)
        return try await self.value(call)
    }

    /// List the deliveries of the app, the newest first.
    ///
    /// A page ends before it is full when 10,000 deliveries of others were looked at: it may be
    /// empty and have a `next_cursor`. Deliveries that ended are kept for
    /// `LULL_DELIVERY_RETENTION`, 7 days.
    public func listWebhookDeliveries(
        limit: Int? = nil,
        cursor: String? = nil,
        state: DeliveryState? = nil,
        download: String? = nil,
        endpoint: String? = nil
    ) async throws(LullError) -> WebhookDeliveryPage {
        var call = Call(
            .get, ["v1", "webhook_deliveries"], operation: "listWebhookDeliveries", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        call.query("state", state)
        call.query("download", download)
        call.query("endpoint", endpoint)
        return try await self.value(call)
    }

    /// Read a delivery with the bytes that are sent.
    public func getWebhookDelivery(id: String) async throws(LullError) -> WebhookDelivery {
        let call = Call(
            .get, ["v1", "webhook_deliveries", id], operation: "getWebhookDelivery", mayRepeat: true)
        return try await self.value(call)
    }

    /// Send a delivery once more.
    ///
    /// The same event with the same `webhook-id` and bytes, also one that succeeded; its schedule
    /// begins anew. One that waits goes on waiting. 409 if its endpoint is disabled or deleted, 410
    /// if its download was deleted.
    @discardableResult
    public func redeliverWebhook(
        id: String,
        _ body: [String: JSONValue]? = nil,
        idempotencyKey: String? = nil
    ) async throws(LullError) -> WebhookDelivery {
        var call = Call(
            .post, ["v1", "webhook_deliveries", id, "redeliver"], operation: "redeliverWebhook", mayRepeat: true)
        call.key(idempotencyKey)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }
}
